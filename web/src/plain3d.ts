// 3D scenes without WebGL2: faces and discs from far to near on a 2D canvas, shaded by how they
// face the light.
import type { Answer, Drawing } from "./engine/protocol";
import { Marks } from "./marks3d";
import { add, cross, dot, minus, pose, times, turn, unit, type Vector } from "./orbit";
import { mix, type Palette, palette, readable } from "./palette";
import { type Past, Scale } from "./past";
import { faces, SpatialBase } from "./spatial";
import type { Picked, Shown } from "./stage";

const LIGHT = unit([0.5, -0.35, 1]);

interface Piece {
  depth: number;
  paint: () => void;
}

export class PlainStage extends SpatialBase {
  private context: CanvasRenderingContext2D;
  private colors: Palette;
  private ratio = 1;
  private scales = { velocity: new Scale(), impulse: new Scale() };

  constructor(drawing: Drawing, canvas: HTMLCanvasElement) {
    super(drawing, canvas);
    this.context = canvas.getContext("2d", { alpha: false })!;
    this.colors = palette(drawing.background);
  }

  repaint(): void {
    this.colors = palette(this.drawing.background);
  }

  protected sized(width: number, height: number, ratio: number): void {
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
  }

  draw(frame: Answer, shown: Shown, selected: Picked, past?: Past): void {
    const c = this.context;
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.fillStyle = this.colors.paper;
    c.fillRect(0, 0, this.orbit.width, this.orbit.height);
    this.drawing.bodies.forEach((body, index) => body.shape === "plane" && this.grid(frame, index));
    const pieces: Piece[] = [];
    this.drawing.bodies.forEach((body, index) => {
      const own = body.fixed ? this.colors.fixedBody : this.colors.series[index % 4]!;
      const color = readable(body.color ?? own, this.colors);
      const { center, q } = pose(frame.positions!, index);
      if (body.shape === "sphere") {
        const { x, y, depth, scale } = this.orbit.project(center);
        if (depth > 0) pieces.push({ depth, paint: () => this.ball(x, y, body.radius * scale, color) });
      }
      for (const face of faces(body)) this.face(face.map((corner) => add(center, turn(q, corner))), color, pieces);
    });
    pieces.sort((a, b) => b.depth - a.depth);
    for (const piece of pieces) piece.paint();
    this.marks(frame, shown, selected, past);
  }

  /** The same marks as with WebGL, projected by hand. */
  private marks(frame: Answer, shown: Shown, selected: Picked, past?: Past): void {
    const marks = new Marks(this.drawing, this.orbit, this.colors, this.scales);
    marks.take(frame, shown, selected, past);
    this.legend = marks.legend;
    const c = this.context;
    const at = (k: number) => this.orbit.project(marks.places.slice(k, k + 3) as Vector);
    c.lineWidth = 1.2;
    marks.tints.forEach((color, k) => {
      const [from, to] = [at(6 * k), at(6 * k + 3)];
      if (from.depth <= 0 || to.depth <= 0) return;
      c.strokeStyle = color;
      c.beginPath();
      c.moveTo(from.x, from.y);
      c.lineTo(to.x, to.y);
      c.stroke();
    });
    c.fillStyle = this.colors.contact;
    for (let k = 0; k < marks.dots.length; k += 3) {
      const { x, y, depth } = this.orbit.project(marks.dots.slice(k, k + 3) as Vector);
      if (depth > 0) c.fillRect(x - 3, y - 3, 6, 6);
    }
  }

  /** A half-space as lines on its plane, around the point that the camera looks to. */
  private grid(frame: Answer, index: number): void {
    const { center, q } = pose(frame.positions!, index);
    const normal = turn(q, unit(this.drawing.bodies[index]!.normal!));
    const below = minus(this.orbit.target, center);
    const middle = add(center, minus(below, times(normal, dot(below, normal))));
    const along = unit(cross(normal, Math.abs(normal[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]));
    const across = cross(normal, along);
    const c = this.context;
    c.strokeStyle = mix(this.colors.obstacle, this.colors.paper, 0.7);
    c.lineWidth = 1;
    c.beginPath();
    const step = this.orbit.extent / 2;
    for (let k = -8; k <= 8; k++) {
      for (const [u, v] of [[along, across], [across, along]] as const) {
        const ends = [-8, 8].map((far) => this.orbit.project(add(middle, add(times(u, k * step), times(v, far * step)))));
        if (ends.some(({ depth }) => depth <= 0)) continue;
        c.moveTo(ends[0]!.x, ends[0]!.y);
        c.lineTo(ends[1]!.x, ends[1]!.y);
      }
    }
    c.stroke();
  }

  private ball(x: number, y: number, radius: number, color: string): void {
    const c = this.context;
    const shade = c.createRadialGradient(x - radius / 3, y - radius / 3, radius / 10, x, y, radius);
    shade.addColorStop(0, mix(color, "#ffffff", 0.45));
    shade.addColorStop(1, mix(color, "#000000", 0.3));
    c.fillStyle = shade;
    c.beginPath();
    c.arc(x, y, Math.max(radius, 0.5), 0, 2 * Math.PI);
    c.fill();
  }

  private face(corners: Vector[], color: string, pieces: Piece[]): void {
    const normal = unit(cross(minus(corners[1]!, corners[0]!), minus(corners[2]!, corners[0]!)));
    if (dot(normal, minus(corners[0]!, this.orbit.eye)) >= 0) return;
    const places = corners.map((corner) => this.orbit.project(corner));
    if (places.some(({ depth }) => depth <= 0)) return;
    const depth = places.reduce((sum, place) => sum + place.depth, 0) / places.length;
    const light = 0.35 + 0.65 * Math.max(0, dot(normal, LIGHT));
    const paint = () => {
      const c = this.context;
      c.fillStyle = mix(color, "#000000", 0.6 * (1 - light));
      c.strokeStyle = c.fillStyle;
      c.lineWidth = 0.7;
      c.beginPath();
      places.forEach(({ x, y }, k) => (k === 0 ? c.moveTo(x, y) : c.lineTo(x, y)));
      c.closePath();
      c.fill();
      c.stroke();
    };
    pieces.push({ depth, paint });
  }

  close(): void {
    this.context.clearRect(0, 0, 1, 1);
  }
}
