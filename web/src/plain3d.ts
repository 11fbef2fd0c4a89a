// Spatial scenes without WebGL2: faces and discs from far to near on a 2D canvas, shaded by how they face the light.
import type { Answer, Drawing } from "./engine/protocol";
import { add, cross, dot, minus, pose, turn, unit, type Vector } from "./orbit";
import { mix, type Palette, palette, readable } from "./palette";
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

  draw(frame: Answer, _shown: Shown, selected: Picked): void {
    const c = this.context;
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.fillStyle = this.colors.paper;
    c.fillRect(0, 0, this.orbit.width, this.orbit.height);
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
    if (selected?.kind === "body" && selected.index < this.drawing.bodies.length) {
      const { x, y } = this.orbit.project(pose(frame.positions!, selected.index).center);
      c.strokeStyle = this.colors.selected;
      c.lineWidth = 2.5;
      c.strokeRect(x - 9, y - 9, 18, 18);
    }
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
