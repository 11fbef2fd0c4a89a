// Trails that a scene asks for: where a particle was in the last seconds.
import type { Camera } from "./camera";
import type { Answer, Drawing } from "./engine/protocol";
import { faint, type Palette, readable } from "./palette";

const FADES = 8;
const MOST_POINTS = 4096;

export class Trails {
  private points: { time: number; x: number; y: number }[][];

  constructor(
    private drawing: Drawing,
    private stride: number,
  ) {
    this.points = (drawing.paths ?? []).map(() => []);
  }

  /** Adds a frame; when time went back, what is later is forgotten. */
  add(frame: Answer): void {
    const time = frame.time!;
    (this.drawing.paths ?? []).forEach((path, k) => {
      const points = this.points[k]!;
      while (points.length > 0 && points[points.length - 1]!.time >= time) points.pop();
      const [x, y] = [frame.positions![this.stride * path.body]!, frame.positions![this.stride * path.body + 1]!];
      if (Number.isFinite(x + y)) points.push({ time, x, y });
      while (points.length > MOST_POINTS || (points.length > 0 && points[0]!.time < time - path.duration)) points.shift();
    });
  }

  draw(c: CanvasRenderingContext2D, camera: Camera, colors: Palette): void {
    c.lineWidth = 1.5;
    c.lineJoin = "round";
    (this.drawing.paths ?? []).forEach((path, k) => {
      const points = this.points[k]!;
      const color = readable(path.color, colors);
      const share = Math.max(1, Math.ceil(points.length / FADES));
      for (let start = 0; start < points.length - 1; start += share) {
        c.strokeStyle = faint(color, (0.9 * (start + share)) / (points.length + share));
        c.beginPath();
        for (let j = start; j <= Math.min(start + share, points.length - 1); j++) {
          const place = camera.toScreen(points[j]!.x, points[j]!.y);
          if (j === start) c.moveTo(...place);
          else c.lineTo(...place);
        }
        c.stroke();
      }
    });
  }

  clear(): void {
    this.points = this.points.map(() => []);
  }
}
