// Flat scenes on a 2D canvas.
import { addOutline, type Cast, outlineOf, paintLook } from "./bodies2d";
import { Camera } from "./camera";
import { contactAt, contactCount, nameOfContact } from "./contacts";
import { Easel, MANY, type Painted } from "./easel";
import type { Answer, Drawing, Triple } from "./engine/protocol";
import { type EdgeLook, edgeLooksOf, type Look, looksOf } from "./looks2d";
import { faint, mix, type Palette, palette } from "./palette";
import type { Picked, Shown, Stage } from "./stage";
import { drawObstacles, drawSprings } from "./fixtures2d";
import { drawMarks } from "./marks2d";
import { centerPath, type Legend, type Past, Scale, trails } from "./past";
import { Trails } from "./trails";

type Painter = typeof import("./game-bodies");

const TAU = 2 * Math.PI;

export class FlatStage implements Stage {
  readonly camera = new Camera();
  readonly stride: number;
  private context: CanvasRenderingContext2D;
  private looks: Look[] = [];
  private edgeLooks: EdgeLook[] = [];
  private colors: Palette;
  private trails: Trails;
  legend: Legend[] = [];
  /** How bodies are painted where the scene is of the game's kind. */
  painter: Painter | undefined;
  readonly scales = { velocity: new Scale(), impulse: new Scale() };
  private ratio = 1;
  private easel: Easel | undefined;

  constructor(
    readonly drawing: Drawing,
    readonly canvas: HTMLCanvasElement,
  ) {
    this.context = canvas.getContext("2d", { alpha: false })!;
    this.stride = drawing.family === "particles" ? 2 : 3;
    this.trails = new Trails(drawing, this.stride);
    this.colors = palette(drawing.background);
    this.repaint();
  }

  repaint(): void {
    this.colors = palette(this.drawing.background);
    this.looks = looksOf(this.drawing, this.colors);
    this.edgeLooks = edgeLooksOf(this.drawing, this.colors);
    this.easel?.forget();
    this.describe();
  }

  redescribe(drawing: Drawing): void {
    Object.assign(this.drawing, drawing);
    this.repaint();
  }

  resize(frame: Answer): boolean {
    const box = this.canvas.getBoundingClientRect();
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [Math.max(1, Math.round(box.width * ratio)), Math.max(1, Math.round(box.height * ratio))];
    const same = this.canvas.width === width && this.canvas.height === height;
    if (same && this.camera.width === box.width && this.camera.height === box.height) return false;
    if (!same) [this.canvas.width, this.canvas.height] = [width, height];
    this.ratio = ratio;
    this.camera.width = box.width;
    this.camera.height = box.height;
    if (!this.camera.refit()) this.fit(frame);
    return true;
  }

  fit(frame: Answer): void {
    this.camera.fit(this.drawing, frame.positions!, this.stride);
  }

  pan(dx: number, dy: number): void {
    this.camera.pan(dx, dy);
  }

  zoom(factor: number, x: number, y: number): void {
    this.camera.zoom(factor, x, y);
  }

  freeze(on: boolean): void {
    this.camera.frozen = on;
  }

  span(): number {
    return this.camera.width / this.camera.scale;
  }

  axes(): [Triple, Triple, Triple] {
    return [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  }

  view(): number[] | undefined {
    const { moved, seen, x, y } = this.camera;
    return moved && seen ? [x, y, ...seen] : undefined;
  }

  setView([x, y, wide, high]: number[]): void {
    this.camera.lookAt(x!, y!, [wide!, high!]);
  }

  follow(other: Stage): void {
    if (other instanceof FlatStage) this.camera.follow(other.camera);
  }

  draw(frame: Answer, shown: Shown, selected: Picked, past?: Past): void {
    this.easel?.forget();
    this.camera.widen(frame.positions!, this.stride);
    this.compose(frame, shown, selected, past);
  }

  /**
   * Draws the last picture that came from the worker, and asks for one of this frame. Few bodies,
   * and views that moved meanwhile, are drawn at once.
   */
  drawRunning(frame: Answer, shown: Shown, selected: Picked, past?: Past): Answer | undefined {
    // A chosen contact is known by its number in this frame.
    const isPlain = !this.painter && !shown.islands && selected?.kind !== "contact";
    const easel = isPlain ? this.easelOfMany() : undefined;
    const painted = easel?.take();
    const { x, y, scale, width, height } = this.camera;
    const seen = painted?.view;
    const isSame = seen && seen.x === x && seen.y === y && seen.scale === scale && seen.width === width && seen.height === height;
    if (painted && isSame) this.compose(painted.frame, shown, selected, past, painted);
    painted?.bodies.close();
    if (!easel || (painted && !isSame)) {
      this.draw(frame, shown, selected, past);
      return frame;
    }
    if (!easel.busy && !easel.expects(frame) && painted?.frame !== frame) {
      this.camera.widen(frame.positions!, this.stride);
      easel.ask(frame, this.camera, this.ratio);
    }
    return painted?.frame;
  }

  private easelOfMany(): Easel | undefined {
    if (this.drawing.bodies.length < MANY || !Easel.possible) return undefined;
    if (!this.easel) {
      this.easel = new Easel();
      this.describe();
    }
    return this.easel.lost ? undefined : this.easel;
  }

  private describe(): void {
    // Knobs and scripts are of no interest to a painter.
    const bodies = this.drawing.bodies.map(({ shape, radius, fixed, color, points }) => ({ shape, radius, fixed, color, ...(points && { points }) }));
    this.easel?.describe({ cast: { bodies, stride: this.stride }, looks: this.looks });
  }

  private compose(frame: Answer, shown: Shown, selected: Picked, past?: Past, painted?: Painted): void {
    const c = this.context;
    // In pixels of the canvas: its last column may be wider than a part of one in the layout.
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.fillStyle = this.colors.paper;
    c.fillRect(0, 0, this.canvas.width, this.canvas.height);
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    drawObstacles(c, this, frame, this.colors);
    this.trails.add(frame);
    this.trails.draw(c, this.camera, this.colors);
    if (past && shown.trails) for (const line of trails(past, frame)) this.stroke(c, line, faint(this.colors.velocity, 0.45), 1.3);
    this.drawEdges(c, frame);
    if (painted) {
      c.setTransform(1, 0, 0, 1, 0, 0);
      c.drawImage(painted.bodies, 0, 0);
      c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    } else if (this.painter && !shown.islands) this.drawPainted(c, frame, this.painter);
    else this.drawBodies(c, frame, shown.islands ? frame.islands : undefined);
    drawSprings(c, this, frame, this.colors);
    if (past && shown.center) this.drawCenter(c, centerPath(past, frame));
    this.legend = drawMarks(c, this, frame, shown, selected, this.colors, past);
  }

  private get cast(): Cast {
    return { bodies: this.drawing.bodies, stride: this.stride };
  }

  private paint(c: CanvasRenderingContext2D, frame: Answer, look: Look): void {
    paintLook(c, this.cast, frame.positions!, this.camera, look);
  }

  private stroke(c: CanvasRenderingContext2D, line: [number, number, number][], color: string, width: number): void {
    c.strokeStyle = color;
    c.lineWidth = width;
    c.lineJoin = "round";
    c.beginPath();
    line.forEach(([x, y], k) => (k === 0 ? c.moveTo(...this.camera.toScreen(x, y)) : c.lineTo(...this.camera.toScreen(x, y))));
    c.stroke();
  }

  /**
   * Earth, ship and asteroids as the game paints them: a fixed disc is Earth, the first triangle
   * the ship.
   */
  private drawPainted(c: CanvasRenderingContext2D, frame: Answer, painter: Painter): void {
    const { bodies } = this.drawing;
    const [x0, y0] = this.camera.toScreen(0, 0);
    c.save();
    c.translate(x0, y0);
    c.scale(this.camera.scale, -this.camera.scale);
    painter.turnLight(0);
    bodies.forEach((body, index) => {
      const [x, y, angle] = [0, 1, 2].map((k) => frame.positions![3 * index + k]!) as [number, number, number];
      const look = { radius: body.radius, outline: (body.points ?? []) as [number, number][] };
      if (body.shape === "plane") return;
      if (body.shape === "disc" && body.fixed) painter.drawEarth(c, x, y, body.radius, 0);
      else if (body.shape === "disc") painter.drawDisc(c, x, y, angle, body.radius, index);
      else if (look.outline.length === 3 && index === 0) painter.drawShip(c, x, y, angle, look, 0, 0);
      else painter.drawShard(c, x, y, angle, look, index);
    });
    c.restore();
  }

  private drawCenter(c: CanvasRenderingContext2D, path: [number, number, number][]): void {
    const last = path[path.length - 1];
    if (!last) return;
    this.stroke(c, path, this.colors.selected, 2);
    const [x, y] = this.camera.toScreen(last[0], last[1]);
    c.fillStyle = this.colors.paper;
    c.strokeStyle = this.colors.selected;
    c.lineWidth = 2;
    c.beginPath();
    c.arc(x, y, 5, 0, TAU);
    c.moveTo(x - 8, y);
    c.lineTo(x + 8, y);
    c.moveTo(x, y - 8);
    c.lineTo(x, y + 8);
    c.fill();
    c.stroke();
  }

  private drawEdges(c: CanvasRenderingContext2D, frame: Answer): void {
    const edges = this.drawing.edges ?? [];
    c.lineCap = "round";
    for (const { color, radius, members } of this.edgeLooks) {
      c.strokeStyle = color;
      c.lineWidth = Math.max(2 * radius * this.camera.scale, 1.2);
      c.beginPath();
      for (const index of members) {
        const { start, end } = edges[index]!;
        c.moveTo(...this.center(frame, start));
        c.lineTo(...this.center(frame, end));
      }
      c.stroke();
    }
  }

  private drawBodies(c: CanvasRenderingContext2D, frame: Answer, islands: Float64Array | undefined): void {
    for (const look of this.looks) {
      if (islands) {
        // Islands have colours of their own; what touches nothing is faint.
        const groups = new Map<number, { discs: number[]; polygons: number[] }>();
        for (const kind of ["discs", "polygons"] as const) {
          for (const index of look[kind]) {
            const island = islands[index]!;
            const key = island < 0 ? -1 : island % this.colors.series.length;
            if (!groups.has(key)) groups.set(key, { discs: [], polygons: [] });
            groups.get(key)![kind].push(index);
          }
        }
        for (const [key, members] of groups) {
          const color = key < 0 ? mix(look.rim, this.colors.paper, 0.55) : this.colors.series[key]!;
          this.paint(c, frame, { rim: color, fill: mix(color, this.colors.paper, key < 0 ? 0.8 : 0.35), ...members });
        }
      } else {
        this.paint(c, frame, look);
      }
    }
  }

  /** Adds the outline of a polygon in picture coordinates. */
  addOutline(path: Path2D | CanvasRenderingContext2D, frame: Answer, index: number): void {
    addOutline(path, this.cast, frame.positions!, this.camera, index);
  }

  /** The corners of a polygon in the picture. */
  corners(frame: Answer, index: number): [number, number][] {
    return outlineOf(this.cast, frame.positions!, this.camera, index);
  }

  /** Where the centre of a body lands. */
  center(frame: Answer, index: number): [number, number] {
    return this.camera.toScreen(frame.positions![this.stride * index]!, frame.positions![this.stride * index + 1]!);
  }

  pick(frame: Answer, sx: number, sy: number): Picked {
    const contacts = frame.contacts;
    if (contacts) {
      for (let k = 0; k < contactCount(contacts); k++) {
        const { point } = contactAt(contacts, k)!;
        const [x, y] = this.camera.toScreen(point[0], point[1]);
        if (Math.hypot(x - sx, y - sy) < 7) return { kind: "contact", index: k, name: nameOfContact(contacts, k) };
      }
    }
    let best: Picked = null;
    let nearest = 6;
    for (let index = this.drawing.bodies.length - 1; index >= 0; index--) {
      const distance = this.distance(frame, index, sx, sy);
      if (distance < nearest) {
        nearest = distance;
        best = { kind: "body", index };
        if (distance <= 0) break;
      }
    }
    return best;
  }

  /** Pixels between a point and a body; below 0 inside. */
  private distance(frame: Answer, index: number, sx: number, sy: number): number {
    const body = this.drawing.bodies[index]!;
    const reach = body.radius * this.camera.scale;
    if (body.shape === "plane") {
      // Its boundary; the inside is ground.
      const [[x, y], angle] = [this.center(frame, index), frame.positions![3 * index + 2]!];
      const [[nx, ny], s, c] = [body.normal!, Math.sin(angle), Math.cos(angle)];
      return Math.abs((sx - x) * (c * nx - s * ny) - (sy - y) * (s * nx + c * ny)) / (Math.hypot(nx, ny) || 1);
    }
    if (body.shape === "disc") {
      const [x, y] = this.center(frame, index);
      return Math.hypot(x - sx, y - sy) - reach;
    }
    const points = this.corners(frame, index);
    let inside = false;
    let nearest = Infinity;
    points.forEach(([ax, ay], k) => {
      const [bx, by] = points[(k + 1) % points.length]!;
      if (ay > sy !== by > sy && sx < ((bx - ax) * (sy - ay)) / (by - ay) + ax) inside = !inside;
      const square = (bx - ax) ** 2 + (by - ay) ** 2;
      const t = square > 0 ? Math.min(1, Math.max(0, ((sx - ax) * (bx - ax) + (sy - ay) * (by - ay)) / square)) : 0;
      nearest = Math.min(nearest, Math.hypot(ax + t * (bx - ax) - sx, ay + t * (by - ay) - sy));
    });
    // The inside of a hollow fixed frame is a room, not a body.
    return inside && !body.fixed ? -1 : nearest - reach;
  }

  localPoint(frame: Answer, body: number, sx: number, sy: number): [number, number, number] {
    if (this.stride === 2) return [0, 0, 0];
    const [x, y] = this.camera.toPlane(sx, sy);
    const base = 3 * body;
    const [dx, dy] = [x - frame.positions![base]!, y - frame.positions![base + 1]!];
    const angle = frame.positions![base + 2]!;
    const [s, c] = [Math.sin(angle), Math.cos(angle)];
    return [c * dx + s * dy, c * dy - s * dx, 0];
  }

  centerOf(frame: Answer, body: number): Triple {
    return [frame.positions![this.stride * body]!, frame.positions![this.stride * body + 1]!, 0];
  }

  target(_frame: Answer, _body: number, sx: number, sy: number): [number, number, number] {
    const [x, y] = this.camera.toPlane(sx, sy);
    return [x, y, 0];
  }

  close(): void {
    this.easel?.close();
    this.easel = undefined;
    this.trails.clear();
  }
}
