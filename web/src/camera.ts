// From the plane (y up) to a picture (y down), one scale for both axes.
import type { Drawing } from "./engine/protocol";

const MARGIN = 0.06;
const ZOOM_LIMITS = [1e-6, 1e9] as const;

export class Camera {
  x = 0;
  y = 0;
  /** Pixels for each unit of length. */
  scale = 100;
  width = 1;
  height = 1;
  /** Whether the viewer moved it; a fit follows the size of the picture until then. */
  moved = false;

  toScreen(x: number, y: number): [number, number] {
    return [this.width / 2 + (x - this.x) * this.scale, this.height / 2 - (y - this.y) * this.scale];
  }

  toPlane(sx: number, sy: number): [number, number] {
    return [this.x + (sx - this.width / 2) / this.scale, this.y - (sy - this.height / 2) / this.scale];
  }

  pan(dx: number, dy: number): void {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
    this.moved = true;
  }

  /** Zooms so that the point under (sx, sy) stays there. */
  zoom(factor: number, sx: number, sy: number): void {
    const [x, y] = this.toPlane(sx, sy);
    this.scale = Math.min(Math.max(this.scale * factor, ZOOM_LIMITS[0]), ZOOM_LIMITS[1]);
    const [nx, ny] = this.toPlane(sx, sy);
    this.x += x - nx;
    this.y += y - ny;
    this.moved = true;
  }

  /** The scene's own viewport where it has one, else everything with a margin. */
  fit(drawing: Drawing, positions: Float64Array, stride: number): void {
    this.moved = false;
    const viewport = drawing.viewport;
    if (viewport && viewport.size > 0) {
      [this.x, this.y] = viewport.center;
      this.scale = Math.min(this.width, this.height) / (2 * viewport.size);
      return;
    }
    const [low, high] = bounds(drawing, positions, stride);
    const size = [Math.max(high[0] - low[0], 1e-9), Math.max(high[1] - low[1], 1e-9)] as const;
    if (!Number.isFinite(size[0] + size[1])) return;
    [this.x, this.y] = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    const room = 1 - 2 * MARGIN;
    this.scale = Math.min((this.width * room) / size[0], (this.height * room) / size[1]);
  }
}

function bounds(drawing: Drawing, positions: Float64Array, stride: number): [[number, number], [number, number]] {
  const low: [number, number] = [Infinity, Infinity];
  const high: [number, number] = [-Infinity, -Infinity];
  drawing.bodies.forEach((body, index) => {
    const [x, y] = [positions[stride * index]!, positions[stride * index + 1]!];
    if (!Number.isFinite(x + y)) return;
    const reach = body.radius + Math.max(0, ...(body.points ?? []).map(([px, py]) => Math.hypot(px!, py!)));
    low[0] = Math.min(low[0], x - reach);
    low[1] = Math.min(low[1], y - reach);
    high[0] = Math.max(high[0], x + reach);
    high[1] = Math.max(high[1], y + reach);
  });
  if (low[0] > high[0]) return [[-0.5, -0.5], [0.5, 0.5]];
  includeWalls(drawing, low, high);
  return [low, high];
}

/** Walls that are not much farther away than the bodies are large belong into the picture. */
function includeWalls(drawing: Drawing, low: [number, number], high: [number, number]): void {
  const middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2] as const;
  const reach = 1.5 * Math.max(high[0] - low[0], high[1] - low[1]);
  for (const { point, normal } of drawing.obstacles ?? []) {
    const length = Math.hypot(normal[0], normal[1]);
    const distance = ((middle[0] - point[0]) * normal[0] + (middle[1] - point[1]) * normal[1]) / length;
    if (!(Math.abs(distance) <= reach)) continue;
    const foot = [middle[0] - (distance * normal[0]) / length, middle[1] - (distance * normal[1]) / length] as const;
    for (const axis of [0, 1] as const) {
      low[axis] = Math.min(low[axis], foot[axis]);
      high[axis] = Math.max(high[axis], foot[axis]);
    }
  }
}
