// A camera that looks at a point from around it, and the little vector arithmetic that spatial
// stages share.
import type { Answer, Drawing } from "./engine/protocol";

export type Vector = [number, number, number];

export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a: Vector, s: number): Vector => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const size = (a: Vector): number => Math.hypot(a[0], a[1], a[2]);
export const unit = (a: Vector): Vector => times(a, 1 / (size(a) || 1));

/** Place and turn of a body: x y z qw qx qy qz. */
export function pose(positions: Float64Array, body: number): { center: Vector; q: [number, number, number, number] } {
  const k = 7 * body;
  return {
    center: [positions[k]!, positions[k + 1]!, positions[k + 2]!],
    q: [positions[k + 3]!, positions[k + 4]!, positions[k + 5]!, positions[k + 6]!],
  };
}

/** v turned by the unit quaternion w x y z: v + 2 w (u × v) + 2 u × (u × v). */
export function turn([w, x, y, z]: [number, number, number, number], v: Vector): Vector {
  const u: Vector = [x, y, z];
  const t = times(cross(u, v), 2);
  return add(add(v, times(t, w)), cross(u, t));
}

export const turnBack = ([w, x, y, z]: [number, number, number, number], v: Vector): Vector => turn([w, -x, -y, -z], v);

/** Distance from its centre to the farthest point of a body; half-spaces have none. */
export function reach(body: Drawing["bodies"][number]): number {
  if (body.shape === "sphere") return body.radius;
  if (body.shape === "box") return size(body.sides!) / 2;
  if (body.shape === "hull") return Math.max(...body.points!.map((point) => size(point as Vector)));
  return 0;
}

export class Orbit {
  target: Vector = [0, 0, 0];
  distance = 10;
  azimuth = 0.9;
  elevation = 0.45;
  /** Field of view in degrees. */
  field = 40;
  width = 1;
  height = 1;
  moved = false;
  /** Radius of what there is to see; near and far planes and shadows follow it. */
  extent = 5;

  get eye(): Vector {
    const flat = Math.cos(this.elevation) * this.distance;
    return add(this.target, [flat * Math.cos(this.azimuth), flat * Math.sin(this.azimuth), Math.sin(this.elevation) * this.distance]);
  }

  /** Axes of the picture: to the right, up, and into it. */
  axes(): [Vector, Vector, Vector] {
    const ahead = unit(minus(this.target, this.eye));
    const right = unit(cross(ahead, [0, 0, 1]));
    return [right, cross(right, ahead), ahead];
  }

  /**
   * Pixels for each unit of length at distance 1. The field is the vertical one of a picture of 4
   * to 3, or a wider one; a narrower picture (a phone, one pane of several) shows as much from side
   * to side.
   */
  get focal(): number {
    return Math.min(this.height, 0.75 * this.width) / 2 / Math.tan((this.field * Math.PI) / 360);
  }

  /** The vertical field in degrees, as it is in this picture. */
  get vertical(): number {
    return (360 / Math.PI) * Math.atan(this.height / 2 / this.focal);
  }

  /** Where a point lands, and how far away it is; pixels for each unit of length there. */
  project(point: Vector): { x: number; y: number; depth: number; scale: number } {
    const [right, up, ahead] = this.axes();
    const from = minus(point, this.eye);
    const depth = dot(from, ahead);
    const scale = this.focal / Math.max(depth, 1e-9);
    return { x: this.width / 2 + dot(from, right) * scale, y: this.height / 2 - dot(from, up) * scale, depth, scale };
  }

  /** Direction in which a pixel looks. */
  ray(x: number, y: number): Vector {
    const [right, up, ahead] = this.axes();
    const across = add(times(right, (x - this.width / 2) / this.focal), times(up, (this.height / 2 - y) / this.focal));
    return unit(add(ahead, across));
  }

  rotate(dx: number, dy: number): void {
    this.azimuth -= dx * 0.008;
    this.elevation = Math.min(1.55, Math.max(-1.2, this.elevation + dy * 0.008));
    this.moved = true;
  }

  slide(dx: number, dy: number): void {
    const [right, up] = this.axes();
    const scale = this.distance / this.focal;
    this.target = add(this.target, add(times(right, -dx * scale), times(up, dy * scale)));
    this.moved = true;
  }

  zoom(factor: number): void {
    this.distance = Math.min(Math.max(this.distance / factor, 1e-3 * this.extent), 100 * this.extent);
    this.moved = true;
  }

  /**
   * The scene's camera is for a wide picture: in a narrow one it goes back until it sees all
   * bodies, though not for ever.
   */
  private stepBack(centers: Vector[]): void {
    const isSeen = (center: Vector) => {
      const { x, y } = this.project(center);
      return x > 0.04 * this.width && x < 0.96 * this.width && y > 0.04 * this.height && y < 0.96 * this.height;
    };
    for (let k = 0; k < 12 && !centers.every(isSeen); k++) this.distance *= 1.1;
  }

  /** The scene's own camera where it has one, else all bodies that have a size. */
  fit(drawing: Drawing, frame: Answer): void {
    const all = drawing.bodies.map((body, k) => ({ center: pose(frame.positions!, k).center, radius: reach(body) })).filter(({ radius }) => radius > 0);
    const low: Vector = [Infinity, Infinity, Infinity];
    const high: Vector = [-Infinity, -Infinity, -Infinity];
    for (const { center, radius } of all) {
      for (const axis of [0, 1, 2] as const) {
        if (!Number.isFinite(center[axis])) continue;
        low[axis] = Math.min(low[axis], center[axis] - radius);
        high[axis] = Math.max(high[axis], center[axis] + radius);
      }
    }
    const known = low[0] <= high[0];
    const middle = known ? times(add(low, high), 0.5) : ([0, 0, 0] as Vector);
    this.extent = known ? Math.max(size(minus(high, low)) / 2, 1e-6) : 1;
    const camera = drawing.camera;
    if (camera) {
      this.target = camera.target;
      const from = minus(camera.eye, camera.target);
      this.distance = Math.max(size(from), 1e-9);
      this.azimuth = Math.atan2(from[1], from[0]);
      this.elevation = Math.asin(Math.max(-1, Math.min(1, from[2] / this.distance)));
      this.field = camera.fieldOfView;
      if (this.width < (4 / 3) * this.height) this.stepBack(all.map(({ center }) => center));
    } else {
      this.target = middle;
      this.distance = (1.15 * this.extent) / Math.sin((this.field * Math.PI) / 360);
    }
    this.moved = false;
  }
}
