// Drawing a scene by mouse and touch: the text follows every stroke, and what is typed is drawn.
import { h, iconButton, say, toast } from "./dom";
import { bodySpring, disc, distance, type Point, polygon, spring, wall } from "./drawing-shapes";
import { Paper, type Stroke, type Tool } from "./drawing-paper";
import { abilities, type Thing, thingAt, movedThing, withCopy, withoutThing } from "./drawing-things";
import type { Triple } from "./engine/protocol";
import { BODY_TAGS } from "./knobs";
import type { Player } from "./player";
import { moved } from "./scenechange";
import { elements, withElement } from "./scenetext";
import type { FlatStage } from "./stage2d";

const TOOLS: [Tool, string, string][] = [
  ["select", "Select", "Click a body, wall or spring to choose it. Drag it to move it, drag its round handle to turn it."],
  ["disc", "Disc", "Drag from the centre to the rim."],
  ["box", "Box", "Drag from corner to corner."],
  ["polygon", "Polygon", "Click the corners; click the first one again to close, or press Enter."],
  ["wall", "Wall", "Drag along the wall; what moves is on its left."],
  ["spring", "Spring", "Drag from one body to another, or to the ground."],
];
/** Turning snaps to multiples of this. */
const NOTCH = Math.PI / 12;
/** A pointer that moved less than this many pixels was a click. */
const CLICK = 4;

/** A thing that is being moved or turned. */
export interface Drag {
  thing: Thing;
  start: Point;
  now: Point;
  /** About this point; nothing where it is moved. */
  pivot?: Point;
}

export class Drawing {
  readonly element: HTMLElement;
  tool: Tool = "select";
  stroke: Stroke | undefined;
  corners: Point[] = [];
  drag: Drag | undefined;
  pointer: Point | undefined;
  private fixture: Thing | undefined;
  private snapBox = h("input", { type: "checkbox", checked: true, onchange: () => this.paper.draw() });
  private gridBox = h("input", { type: "number", min: 0.001, step: "any", value: 0.1, "aria-label": "Grid in metres", onchange: () => this.paper.draw() });
  private hint = h("p", { class: "quiet", role: "status" });
  private buttons = new Map<Tool, HTMLButtonElement>();
  private actions: Record<"left" | "right" | "copy" | "delete", HTMLButtonElement>;
  private undoButton = iconButton("undo", "Undo", "Ctrl Z", () => void this.player.undo());
  private redoButton = iconButton("redo", "Redo", "Ctrl Y", () => void this.player.edits.redo());
  private paper = new Paper(this);
  private abort = new AbortController();

  constructor(readonly player: Player) {
    const tools = TOOLS.map(([tool, label]) => {
      const button = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.choose(tool) }, label);
      this.buttons.set(tool, button);
      return button;
    });
    const action = (label: string, act: () => Promise<unknown>) => h("button", { type: "button", onclick: () => void act() }, label);
    this.actions = { left: action("Turn left", () => this.turn(NOTCH)), right: action("Turn right", () => this.turn(-NOTCH)), copy: action("Copy", () => this.copy()), delete: action("Delete", () => this.remove()) };
    this.element = h(
      "div",
      { class: "drawing", tabindex: 0, role: "region", "aria-label": "Draw" },
      h("div", { class: "row", role: "group", "aria-label": "Tools" }, ...tools),
      this.hint,
      h("div", { class: "row" }, h("label", { class: "inline" }, this.snapBox, "Snap to a grid of"), this.gridBox, "m"),
      h("div", { class: "row", role: "group", "aria-label": "What is chosen" }, ...Object.values(this.actions)),
      h("div", { class: "row" }, this.undoButton, this.redoButton),
    );
    // Strokes begin on the stage; the hand comes after and finds them taken.
    const { signal } = this.abort;
    player.element.addEventListener("pointerdown", (event) => this.down(event), { signal, capture: true });
    player.element.addEventListener("pointermove", (event) => this.move(event), { signal, capture: true });
    player.element.addEventListener("pointerup", (event) => this.up(event), { signal, capture: true });
    addEventListener("keydown", (event) => this.key(event), { signal, capture: true });
    this.choose("select");
  }

  get isOpen(): boolean {
    return this.player.panelShown === "draw";
  }

  get family(): string {
    return this.player.runner.lead.drawing?.family ?? "particles";
  }

  get stage(): FlatStage | undefined {
    return this.family === "spatial-bodies" ? undefined : (this.player.runner.lead.stage as FlatStage | undefined);
  }

  /** Distance of the lines of the grid in metres; 0 where nothing snaps. */
  get grid(): number {
    return this.snapBox.checked && this.gridBox.valueAsNumber > 0 ? this.gridBox.valueAsNumber : 0;
  }

  set grid(metres: number) {
    this.snapBox.checked = metres > 0;
    if (metres > 0) this.gridBox.value = String(metres);
    this.paper.draw();
  }

  /** What is chosen: a wall or a spring, else the body that the player has. */
  get chosen(): Thing | undefined {
    const { selected } = this.player.runner;
    return selected?.kind === "body" ? { kind: "body", index: selected.index } : this.fixture;
  }

  refresh(): void {
    if (this.player.runner.selected?.kind === "body") this.fixture = undefined;
    const isFlat = this.family !== "spatial-bodies";
    const can = abilities(this.player.text, this.family, this.chosen);
    this.actions.left.disabled = this.actions.right.disabled = !isFlat || !can.turn;
    this.actions.copy.disabled = !isFlat || !can.copy;
    this.actions.delete.disabled = !isFlat || this.chosen === undefined;
    for (const [tool, button] of this.buttons) button.disabled = !isFlat && tool !== "select";
    this.undoButton.disabled = !this.player.edits.canUndo;
    this.redoButton.disabled = !this.player.edits.canRedo;
    if (!isFlat) this.hint.textContent = "Bodies in 3D are moved by hand and edited as text; drawing is for 2D scenes.";
    this.paper.draw();
  }

  /** After every frame: the grid follows the view. */
  update(): void {
    this.paper.follow();
  }

  close(): void {
    this.abort.abort();
    this.paper.remove();
  }

  choose(tool: Tool): void {
    this.tool = tool;
    this.corners = [];
    this.stroke = this.drag = this.pointer = undefined;
    for (const [name, button] of this.buttons) button.setAttribute("aria-pressed", String(name === tool));
    this.hint.textContent = TOOLS.find(([name]) => name === tool)![2];
    this.refresh();
  }

  /** A drawing is of the scene as it starts. */
  async toStart(): Promise<void> {
    const { runner } = this.player;
    runner.pause();
    if (runner.step === 0) return;
    await this.player.restart();
    say("Back at the start: a drawing is of the scene as it starts");
  }

  /** A place on the grid while drawing. */
  snapped(place: Triple): Triple {
    const [x, y] = this.snap([place[0], place[1]]);
    return this.isOpen && this.family !== "spatial-bodies" ? [x, y, place[2]] : place;
  }

  private snap([x, y]: Point): Point {
    const { grid } = this;
    if (grid === 0) return [x, y];
    const round = (value: number) => Number((Math.round(value / grid) * grid).toPrecision(9));
    return [round(x), round(y)];
  }

  /** Where an event is: in pixels of the stage, and in the scene. */
  private place(event: PointerEvent): { screen: Point; plane: Point } | undefined {
    const { canvas } = this.player.runner.lead;
    if (!this.stage || event.target !== canvas) return undefined;
    const box = canvas.getBoundingClientRect();
    const screen: Point = [event.clientX - box.left, event.clientY - box.top];
    return { screen, plane: this.stage.camera.toPlane(...screen) };
  }

  private down(event: PointerEvent): void {
    const place = this.isOpen && event.button === 0 ? this.place(event) : undefined;
    if (!place) return;
    const take = () => {
      event.stopPropagation();
      event.preventDefault();
      this.player.runner.pause();
      (event.target as HTMLElement).setPointerCapture(event.pointerId);
    };
    if (this.player.runner.step > 0 && (this.tool === "select" || this.tool === "spring")) {
      take();
      return void this.toStart();
    }
    if (this.tool === "select") return this.grip(place.screen, place.plane, take);
    take();
    void this.toStart();
    const snapped = this.tool === "spring" ? place.plane : this.snap(place.plane);
    if (this.tool === "polygon") this.corner(snapped);
    else this.stroke = { start: snapped, now: snapped };
  }

  /**
   * Takes hold of a handle, a wall, a spring or a fixed body; bodies that can move are the hand's.
   */
  private grip(screen: Point, plane: Point, take: () => void): void {
    const { lead } = this.player.runner;
    const [handle, chosen] = [this.paper.handle(), this.chosen];
    if (handle && chosen && distance(handle.at, screen) < 12) {
      take();
      this.drag = { thing: chosen, start: plane, now: plane, pivot: handle.pivot };
      return;
    }
    const thing = thingAt(this.stage!, lead.frame!, ...screen);
    const body = thing?.kind === "body" ? lead.drawing!.bodies[thing.index] : undefined;
    this.fixture = undefined;
    if (!thing || (body && !body.fixed && !body.kinematic)) return this.refresh();
    take();
    this.drag = { thing, start: plane, now: plane };
    this.player.pick(body ? { kind: "body", index: thing.index } : null);
    if (!body) this.fixture = thing;
    this.refresh();
  }

  private move(event: PointerEvent): void {
    if (!this.stroke && !this.drag && this.corners.length === 0) return;
    const place = this.place(event);
    if (!place) return;
    event.stopPropagation();
    const snapped = this.snap(place.plane);
    if (this.stroke) this.stroke.now = this.tool === "spring" ? place.plane : snapped;
    if (this.drag) this.drag.now = place.plane;
    this.pointer = snapped;
    this.paper.draw();
  }

  private up(event: PointerEvent): void {
    const { stroke, drag } = this;
    if (!stroke && !drag) return;
    event.stopPropagation();
    this.stroke = this.drag = undefined;
    this.paper.draw();
    if (stroke) void this.finish(stroke);
    else if (drag && distance(drag.start, drag.now) * this.stage!.camera.scale > CLICK) void this.drop(drag);
  }

  /** By how much a thing that is dragged is moved, on the grid, and turned, by notches. */
  change({ start, now, pivot }: Drag): { dx: number; dy: number; angle: number } {
    if (pivot) {
      const angle = Math.atan2(now[1] - pivot[1], now[0] - pivot[0]) - Math.atan2(start[1] - pivot[1], start[0] - pivot[0]);
      return { dx: 0, dy: 0, angle: this.grid > 0 ? Math.round(angle / NOTCH) * NOTCH : angle };
    }
    const [dx, dy] = this.snap([now[0] - start[0], now[1] - start[1]]);
    return { dx, dy, angle: 0 };
  }

  private async drop(drag: Drag): Promise<void> {
    const { dx, dy, angle } = this.change(drag);
    if (dx === 0 && dy === 0 && angle === 0) return;
    if (!abilities(this.player.text, this.family, drag.thing).move) return toast("This goes with the bodies that it joins: move them.");
    await this.player.edits.change(movedThing(this.asPlaced(), this.family, drag.thing, dx, dy, angle));
    this.refresh();
  }

  private key(event: KeyboardEvent): void {
    if (!this.isOpen || (event.target as HTMLElement).closest?.("input, textarea, select, [contenteditable]")) return;
    if (event.key === "Delete" || event.key === "Backspace") void this.remove();
    else if (event.key === "Enter" && this.corners.length >= 3) this.closePolygon();
    else if (event.key === "Escape" && (this.tool !== "select" || this.corners.length > 0)) this.choose("select");
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private corner(place: Point): void {
    const [first] = this.corners;
    const reach = 10 / this.stage!.camera.scale;
    if (first && this.corners.length >= 3 && distance(place, first) <= reach) this.closePolygon();
    else if (this.corners.every((corner) => distance(place, corner) > 0)) this.corners.push(place);
    this.pointer = place;
    this.paper.draw();
  }

  private closePolygon(): void {
    const { corners } = this;
    this.corners = [];
    void this.add(polygon(this.family, corners, this.count));
  }

  private async finish({ start, now }: Stroke): Promise<void> {
    if (this.tool === "spring") return this.spring(start, now);
    const size = distance(start, now);
    if (!(size > 2 / this.stage!.camera.scale)) return toast("Keep the button down and drag: that gives it its size.");
    if (this.tool === "disc") await this.add(disc(this.family, start, size));
    else if (this.tool === "wall") await this.add(wall(this.family, start, now, this.count));
    else if (this.tool === "box") {
      const [x0, x1] = [Math.min(start[0], now[0]), Math.max(start[0], now[0])];
      const [y0, y1] = [Math.min(start[1], now[1]), Math.max(start[1], now[1])];
      if (!(x1 > x0 && y1 > y0)) return toast("Drag to the opposite corner: a box is wide and high.");
      await this.add(polygon(this.family, [[x0, y0], [x1, y0], [x1, y1], [x0, y1]], this.count));
    }
  }

  private async spring(start: Point, end: Point): Promise<void> {
    const { frame } = this.player.runner.lead;
    const stage = this.stage!;
    const bodyAt = (place: Point) => {
      const thing = thingAt(stage, frame!, ...stage.camera.toScreen(...place));
      return thing?.kind === "body" ? thing.index : -1;
    };
    const [i, j] = [bodyAt(start), bodyAt(end)];
    if (i < 0 && j < 0) return toast("A spring begins or ends on a body.", true);
    if (this.family === "particles") {
      if (i < 0 || j < 0 || i === j) return toast("A spring of particles joins two particles.", true);
      const [a, b] = [stage.centerOf(frame!, i), stage.centerOf(frame!, j)];
      return this.add(spring(i, j, this.count("edge"), Math.hypot(a[0] - b[0], a[1] - b[1])));
    }
    const local = (body: number, place: Point) => (body < 0 ? [...place] : stage.localPoint(frame!, body, ...stage.camera.toScreen(...place)));
    await this.add(bodySpring(i, local(i, start), j, local(j, end), distance(start, end)));
  }

  private count = (tag: string): number => elements(this.player.text).filter((element) => element.tag === tag).length;

  private async add(lines: string[]): Promise<void> {
    await this.toStart();
    if (!(await this.player.edits.change(lines.reduce(withElement, this.asPlaced())))) return;
    const bodies = this.player.runner.lead.drawing?.bodies.length ?? 0;
    const isBody = lines.some((line) => BODY_TAGS[this.family]!.some((tag) => line.startsWith(`<${tag} `)));
    if (isBody) this.player.pick({ kind: "body", index: bodies - 1 });
    this.refresh();
  }

  /**
   * The text with bodies where they stand at the start: what was moved by hand at step 0 is in it.
   */
  private asPlaced(): string {
    const { frame, opened } = this.player.runner.lead;
    if (!frame || !opened || frame.step !== 0) return this.player.text;
    let { text } = this.player;
    const stride = this.family === "particles" ? 2 : 3;
    for (let body = 0; body < opened.drawing!.bodies.length; body++) {
      const [dx, dy] = [0, 1].map((k) => frame.positions![stride * body + k]! - opened.positions![stride * body + k]!) as Point;
      if (dx !== 0 || dy !== 0) text = moved(text, this.family, body, dx, dy, 0);
    }
    return text;
  }

  /** After a body was dragged at the start, the text follows. */
  async keepPlaces(): Promise<void> {
    if (!this.isOpen) return;
    const text = this.asPlaced();
    if (text !== this.player.text) await this.player.edits.change(text);
  }

  async turn(angle: number): Promise<void> {
    await this.toStart();
    const { chosen } = this;
    if (chosen) await this.player.edits.change(movedThing(this.asPlaced(), this.family, chosen, 0, 0, angle));
  }

  async copy(): Promise<void> {
    const { chosen } = this;
    await this.toStart();
    const grid = this.grid || 0.1;
    const copied = chosen && withCopy(this.asPlaced(), this.family, chosen, Math.ceil((0.06 * this.stage!.span()) / grid) * grid);
    if (!chosen || !copied || !(await this.player.edits.change(copied.text))) return;
    if (chosen.kind === "wall") this.fixture = { kind: "wall", index: this.count(copied.tag) - 1 };
    else this.player.pick({ kind: "body", index: this.lastOf(copied.tag) });
    this.refresh();
  }

  /** The number of the last body of a tag: bodies are counted in the order of the text. */
  private lastOf(tag: string): number {
    const bodies = elements(this.player.text).filter((element) => BODY_TAGS[this.family]!.includes(element.tag));
    return bodies.findLastIndex((element) => element.tag === tag);
  }

  async remove(): Promise<void> {
    const { chosen } = this;
    if (!chosen || this.family === "spatial-bodies") return;
    await this.toStart();
    const text = withoutThing(this.asPlaced(), this.family, chosen);
    this.player.pick(null);
    this.fixture = undefined;
    await this.player.edits.change(text);
    this.refresh();
  }
}
