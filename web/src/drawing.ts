// Drawing a scene by mouse and touch: the text follows every stroke, and what is typed is drawn.
import { h, iconButton, toast } from "./dom";
import type { Triple } from "./engine/protocol";
import { bodyTarget, BODY_TAGS } from "./knobs";
import type { Player } from "./player";
import { moved, without } from "./scenechange";
import { attribute, elements, setAttribute, withElement, written } from "./scenetext";
import type { FlatStage } from "./stage2d";

type Tool = "select" | "disc" | "box" | "polygon" | "wall" | "spring";
const TOOLS: [Tool, string, string][] = [
  ["select", "Select", "Click a body to choose it, drag it to move it."],
  ["disc", "Disc", "Drag from the centre to the rim."],
  ["box", "Box", "Drag from corner to corner."],
  ["polygon", "Polygon", "Click the corners; click the first one again to close."],
  ["wall", "Wall", "Drag along the wall; what moves is on its left."],
  ["spring", "Spring", "Drag from one body to another, or to the ground."],
];

interface Stroke {
  start: [number, number];
  now: [number, number];
}

export class Drawing {
  readonly element: HTMLElement;
  private tool: Tool = "select";
  private stroke: Stroke | undefined;
  private corners: [number, number][] = [];
  private snapBox = h("input", { type: "checkbox", checked: true });
  private gridBox = h("input", { type: "number", min: 0.001, step: "any", value: 0.1, "aria-label": "Grid in metres" });
  private hint = h("p", { class: "quiet", role: "status" });
  private buttons = new Map<Tool, HTMLButtonElement>();
  private actions: HTMLButtonElement[];
  private undoButton = iconButton("undo", "Undo", "Ctrl Z", () => void this.player.undo());
  private redoButton = iconButton("redo", "Redo", "Ctrl Y", () => void this.player.edits.redo());
  private paper = h("canvas", { class: "sketch" });
  private abort = new AbortController();

  constructor(private player: Player) {
    const tools = TOOLS.map(([tool, label]) => {
      const button = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.choose(tool) }, label);
      this.buttons.set(tool, button);
      return button;
    });
    const action = (label: string, act: () => Promise<unknown>) => h("button", { type: "button", onclick: () => void act() }, label);
    this.actions = [action("Turn left", () => this.turn(15)), action("Turn right", () => this.turn(-15)), action("Copy", () => this.copy()), action("Delete", () => this.remove())];
    this.element = h(
      "div",
      { class: "drawing", tabindex: 0, role: "region", "aria-label": "Draw" },
      h("div", { class: "row", role: "group", "aria-label": "Tools" }, ...tools),
      this.hint,
      h("div", { class: "row" }, h("label", { class: "inline" }, this.snapBox, "Snap to a grid of"), this.gridBox, "m"),
      h("div", { class: "row", role: "group", "aria-label": "Chosen body" }, ...this.actions),
      h("div", { class: "row" }, this.undoButton, this.redoButton),
    );
    // Strokes begin on the stage while a tool is chosen; the hand comes after and finds them taken.
    const { signal } = this.abort;
    player.element.addEventListener("pointerdown", (event) => this.down(event), { signal, capture: true });
    player.element.addEventListener("pointermove", (event) => this.move(event), { signal, capture: true });
    player.element.addEventListener("pointerup", (event) => this.up(event), { signal, capture: true });
    addEventListener("keydown", (event) => this.key(event), { signal, capture: true });
    this.choose("select");
  }

  private get isOpen(): boolean {
    return this.player.panelShown === "draw";
  }

  private get family(): string {
    return this.player.runner.lead.drawing?.family ?? "particles";
  }

  private get stage(): FlatStage | undefined {
    return this.family === "spatial-bodies" ? undefined : (this.player.runner.lead.stage as FlatStage | undefined);
  }

  refresh(): void {
    const chosen = this.player.runner.selected?.kind === "body";
    for (const button of this.actions) button.disabled = !chosen || this.family === "spatial-bodies";
    for (const button of this.actions.slice(0, 2)) button.disabled ||= this.family === "particles";
    for (const [tool, button] of this.buttons) button.disabled = this.family === "spatial-bodies" && tool !== "select";
    this.undoButton.disabled = !this.player.edits.canUndo;
    this.redoButton.disabled = !this.player.edits.canRedo;
    if (this.family === "spatial-bodies") this.hint.textContent = "Bodies in space are moved by hand and edited as text; drawing is for the plane.";
  }

  close(): void {
    this.abort.abort();
    this.paper.remove();
  }

  choose(tool: Tool): void {
    this.tool = tool;
    this.corners = [];
    this.stroke = undefined;
    for (const [name, button] of this.buttons) button.setAttribute("aria-pressed", String(name === tool));
    this.hint.textContent = TOOLS.find(([name]) => name === tool)![2];
    this.sketch();
    this.refresh();
  }

  /** A place on the grid while drawing. */
  snapped(place: Triple): Triple {
    const [x, y] = this.snap([place[0], place[1]]);
    return this.isOpen && this.family !== "spatial-bodies" ? [x, y, place[2]] : place;
  }

  private snap([x, y]: [number, number]): [number, number] {
    const grid = this.gridBox.valueAsNumber;
    if (!this.snapBox.checked || !(grid > 0)) return [x, y];
    const round = (value: number) => Number((Math.round(value / grid) * grid).toPrecision(9));
    return [round(x), round(y)];
  }

  private place(event: PointerEvent): [number, number] | undefined {
    const { canvas } = this.player.runner.lead;
    if (!this.stage || event.target !== canvas) return undefined;
    const box = canvas.getBoundingClientRect();
    return this.stage.camera.toPlane(event.clientX - box.left, event.clientY - box.top);
  }

  private down(event: PointerEvent): void {
    if (!this.isOpen || this.tool === "select" || event.button !== 0) return;
    const place = this.place(event);
    if (!place) return;
    event.stopPropagation();
    event.preventDefault();
    this.player.runner.pause();
    const snapped = this.tool === "spring" ? place : this.snap(place);
    if (this.tool === "polygon") return this.corner(snapped);
    (event.target as HTMLElement).setPointerCapture(event.pointerId);
    this.stroke = { start: snapped, now: snapped };
  }

  private move(event: PointerEvent): void {
    if (!this.stroke && this.corners.length === 0) return;
    const place = this.place(event);
    if (!place) return;
    event.stopPropagation();
    if (this.stroke) this.stroke.now = this.tool === "spring" ? place : this.snap(place);
    this.sketch(this.snap(place));
  }

  private up(event: PointerEvent): void {
    const { stroke } = this;
    if (!stroke) return;
    event.stopPropagation();
    this.stroke = undefined;
    this.sketch();
    void this.finish(stroke);
  }

  private key(event: KeyboardEvent): void {
    if (!this.isOpen || (event.target as HTMLElement).closest?.("input, textarea, select, [contenteditable]")) return;
    if (event.key === "Delete" || event.key === "Backspace") void this.remove();
    else if (event.key === "Escape" && (this.tool !== "select" || this.corners.length > 0)) this.choose("select");
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private corner(place: [number, number]): void {
    const [first] = this.corners;
    const reach = 10 / this.stage!.camera.scale;
    if (first && this.corners.length >= 3 && Math.hypot(place[0] - first[0], place[1] - first[1]) <= reach) {
      const corners = this.corners;
      this.corners = [];
      this.sketch();
      void this.add(this.polygon(corners));
      return;
    }
    this.corners.push(place);
    this.sketch(place);
  }

  private async finish({ start, now }: Stroke): Promise<void> {
    const [dx, dy] = [now[0] - start[0], now[1] - start[1]];
    const size = Math.hypot(dx, dy);
    if (this.tool === "spring") return this.spring(start, now);
    if (!(size > 2 / this.stage!.camera.scale)) return;
    const w = written;
    if (this.tool === "disc") {
      await this.add(this.family === "particles"
        ? [`<particle m="1" px="${w(start[0])}" py="${w(start[1])}" vx="0" vy="0" fixed="0" radius="${w(size)}"/>`]
        : [`<rigidbodydisc x="${w(start[0])}" y="${w(start[1])}" radius="${w(size)}" m="1"/>`]);
    } else if (this.tool === "box") {
      const [x0, x1] = [Math.min(start[0], now[0]), Math.max(start[0], now[0])];
      const [y0, y1] = [Math.min(start[1], now[1]), Math.max(start[1], now[1])];
      if (x1 > x0 && y1 > y0) await this.add(this.polygon([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]));
    } else if (this.tool === "wall") {
      await this.add(this.family === "particles"
        ? [`<halfplane px="${w(start[0])}" py="${w(start[1])}" nx="${w(-dy / size)}" ny="${w(dx / size)}"/>`]
        : this.segment(start, now));
    }
  }

  /** Corners as vertices and a solid body of them, counter-clockwise; of particles, particles with edges. */
  private polygon(corners: [number, number][]): string[] {
    const w = written;
    const area = corners.reduce((sum, [x, y], k) => sum + x * corners[(k + 1) % corners.length]![1] - y * corners[(k + 1) % corners.length]![0], 0);
    const turned = area < 0 ? [...corners].reverse() : corners;
    if (this.family === "particles") {
      const first = this.count("particle");
      const particles = turned.map(([x, y]) => `<particle m="1" px="${w(x)}" py="${w(y)}" vx="0" vy="0" fixed="0" radius="0.02"/>`);
      const edge = this.count("edge");
      const edges = turned.flatMap((_, k) => {
        const next = (k + 1) % turned.length;
        const length = Math.hypot(turned[k]![0] - turned[next]![0], turned[k]![1] - turned[next]![1]);
        return [`<edge i="${first + k}" j="${first + next}" radius="0.02"/>`, `<springforce edge="${edge + k}" k="500" l0="${w(length)}" b="1"/>`];
      });
      return [...particles, ...edges];
    }
    const first = this.count("rigidbodyvertex");
    const vertices = turned.map(([x, y]) => `<rigidbodyvertex x="${w(x)}" y="${w(y)}" m="1"/>`);
    return [...vertices, `<rigidbody ${turned.map((_, k) => `p="${first + k}"`).join(" ")} vx="0" vy="0" omega="0" r="0.01" solid="1" density="1"/>`];
  }

  /** A fixed wall between two places. */
  private segment(start: [number, number], end: [number, number]): string[] {
    const first = this.count("rigidbodyvertex");
    const vertices = [start, end].map(([x, y]) => `<rigidbodyvertex x="${written(x)}" y="${written(y)}" m="1"/>`);
    return [...vertices, `<rigidbody p="${first}" p="${first + 1}" vx="0" vy="0" omega="0" r="0.03" fixed="1"/>`];
  }

  private async spring(start: [number, number], end: [number, number]): Promise<void> {
    const { frame } = this.player.runner.lead;
    const stage = this.stage!;
    const bodyAt = (place: [number, number]) => {
      const picked = stage.pick({ ...frame!, contacts: undefined } as typeof frame & object, ...stage.camera.toScreen(...place));
      return picked?.kind === "body" ? picked.index : -1;
    };
    const [i, j] = [bodyAt(start), bodyAt(end)];
    if (i < 0 && j < 0) return toast("A spring begins or ends on a body.", true);
    const w = written;
    if (this.family === "particles") {
      if (i < 0 || j < 0 || i === j) return toast("A spring of particles joins two particles.", true);
      const [a, b] = [stage.centerOf(frame!, i), stage.centerOf(frame!, j)];
      await this.add([`<edge i="${i}" j="${j}" radius="0.01"/>`, `<springforce edge="${this.count("edge")}" k="100" l0="${w(Math.hypot(a[0] - b[0], a[1] - b[1]))}" b="0.1"/>`]);
      return;
    }
    const local = (body: number, place: [number, number]) => (body < 0 ? [...place] : stage.localPoint(frame!, body, ...stage.camera.toScreen(...place)));
    const [a, b] = [local(i, start), local(j, end)];
    const length = Math.hypot(start[0] - end[0], start[1] - end[1]);
    await this.add([`<rigidbodyspringforce i="${i}" pix="${w(a[0]!)}" piy="${w(a[1]!)}" j="${j}" pjx="${w(b[0]!)}" pjy="${w(b[1]!)}" k="100" l0="${w(length)}"/>`]);
  }

  private count(tag: string): number {
    return elements(this.player.text).filter((element) => element.tag === tag).length;
  }

  private async add(lines: string[]): Promise<void> {
    const text = lines.reduce(withElement, this.asPlaced());
    if (!(await this.player.edits.change(text))) return;
    const bodies = this.player.runner.lead.drawing?.bodies.length ?? 0;
    const isBody = lines.some((line) => BODY_TAGS[this.family]!.some((tag) => line.startsWith(`<${tag} `)));
    if (isBody) this.player.pick({ kind: "body", index: bodies - 1 });
    this.refresh();
  }

  /** The text with bodies where they stand at the start: what was moved by hand at step 0 is in it. */
  private asPlaced(): string {
    const { frame, opened } = this.player.runner.lead;
    if (!frame || !opened || frame.step !== 0) return this.player.text;
    let { text } = this.player;
    const stride = this.family === "particles" ? 2 : 3;
    for (let body = 0; body < opened.drawing!.bodies.length; body++) {
      const [dx, dy, da] = [0, 1, 2].map((k) => (k < stride ? frame.positions![stride * body + k]! - opened.positions![stride * body + k]! : 0)) as Triple;
      if (dx !== 0 || dy !== 0 || da !== 0) text = moved(text, this.family, body, dx, dy, 0);
    }
    return text;
  }

  /** After a body was dragged at the start, the text follows. */
  async keepPlaces(): Promise<void> {
    if (!this.isOpen) return;
    const text = this.asPlaced();
    if (text !== this.player.text) await this.player.edits.change(text);
  }

  private get chosen(): number | undefined {
    const { selected } = this.player.runner;
    return selected?.kind === "body" ? selected.index : undefined;
  }

  async turn(degrees: number): Promise<void> {
    if (this.chosen !== undefined) await this.player.edits.change(moved(this.asPlaced(), this.family, this.chosen, 0, 0, (degrees * Math.PI) / 180));
  }

  async copy(): Promise<void> {
    const body = this.chosen;
    if (body === undefined) return;
    const text = this.asPlaced();
    const found = bodyTarget(text, this.family, body);
    if (!found) return;
    const grid = this.snapBox.checked && this.gridBox.valueAsNumber > 0 ? this.gridBox.valueAsNumber : 0.1;
    const shift = Math.ceil((0.06 * this.stage!.span()) / grid) * grid;
    const lines: string[] = [];
    let source = text.slice(found.element.start, found.element.end);
    if (found.element.tag === "rigidbody") {
      const vertices = elements(text).filter(({ tag }) => tag === "rigidbodyvertex");
      const first = vertices.length;
      const corners = found.element.attributes.filter(({ name }) => name === "p").map(({ value }) => vertices[Number(value)]!);
      lines.push(...corners.map((corner) => `<rigidbodyvertex x="${written(Number(attribute(corner, "x")!.value) + shift)}" y="${attribute(corner, "y")!.value}" m="${attribute(corner, "m")?.value ?? "1"}"/>`));
      let place = 0;
      source = source.replace(/\bp\s*=\s*("[^"]*"|'[^']*')/g, () => `p="${first + place++}"`);
    } else {
      const name = this.family === "particles" ? "px" : "x";
      const copy = elements(source)[0]!;
      source = setAttribute(source, copy, name, written(Number(attribute(copy, name)?.value ?? 0) + shift));
    }
    await this.player.edits.change([...lines, source].reduce(withElement, text));
    this.player.pick({ kind: "body", index: this.lastOf(found.element.tag) });
  }

  /** The number of the last body of a tag: bodies are counted in the order of the text. */
  private lastOf(tag: string): number {
    const bodies = elements(this.player.text).filter((element) => BODY_TAGS[this.family]!.includes(element.tag));
    return bodies.findLastIndex((element) => element.tag === tag);
  }

  async remove(): Promise<void> {
    const body = this.chosen;
    if (body === undefined || this.family === "spatial-bodies") return;
    const text = this.asPlaced();
    const found = bodyTarget(text, this.family, body);
    if (!found) return;
    this.player.pick(null);
    await this.player.edits.change(without(text, found.element));
    this.refresh();
  }

  /** What is being drawn, over the stage. */
  private sketch(pointer?: [number, number]): void {
    const { stage } = this;
    const { canvas } = this.player.runner.lead ?? {};
    if (!stage || !canvas || (!this.stroke && this.corners.length === 0)) {
      this.paper.remove();
      return;
    }
    if (this.paper.parentElement !== canvas.parentElement) canvas.after(this.paper);
    [this.paper.width, this.paper.height] = [canvas.clientWidth, canvas.clientHeight];
    const c = this.paper.getContext("2d")!;
    c.strokeStyle = getComputedStyle(this.paper).color;
    c.lineWidth = 2;
    c.setLineDash([6, 4]);
    c.beginPath();
    const at = (place: [number, number]) => stage.camera.toScreen(...place);
    if (this.stroke) {
      const [[x0, y0], [x1, y1]] = [at(this.stroke.start), at(this.stroke.now)];
      if (this.tool === "disc") c.arc(x0, y0, Math.hypot(x1 - x0, y1 - y0), 0, 2 * Math.PI);
      else if (this.tool === "box") c.rect(x0, y0, x1 - x0, y1 - y0);
      else {
        c.moveTo(x0, y0);
        c.lineTo(x1, y1);
      }
    }
    [...this.corners, ...(pointer && this.corners.length > 0 ? [pointer] : [])].forEach((corner, k) => (k === 0 ? c.moveTo(...at(corner)) : c.lineTo(...at(corner))));
    c.stroke();
  }
}
