// What both 3D stages share: the view, picking and holding.
import { contactAt, contactCount, nameOfContact } from "./contacts";
import type { Answer, BodyShape, Drawing } from "./engine/protocol";
import { add, cross, dot, minus, Orbit, pose, times, turnBack, unit, type Vector } from "./orbit";
import type { Legend, Past } from "./past";
import type { Picked, Shown, Stage } from "./stage";

/** A convex solid as planes n·x ≤ d in body axes. */
type Planes = { normal: Vector; offset: number }[];

export abstract class SpatialBase implements Stage {
  readonly orbit = new Orbit();
  private planes: Planes[];

  constructor(
    readonly drawing: Drawing,
    readonly canvas: HTMLCanvasElement,
  ) {
    this.planes = drawing.bodies.map(planesOf);
  }

  redescribe(drawing: Drawing): void {
    Object.assign(this.drawing, drawing);
    this.planes = drawing.bodies.map(planesOf);
    this.repaint();
  }

  legend: Legend[] = [];
  abstract draw(frame: Answer, shown: Shown, selected: Picked, past?: Past): void;
  abstract repaint(): void;
  abstract close(): void;
  protected abstract sized(width: number, height: number, ratio: number): void;

  resize(frame: Answer): boolean {
    const box = this.canvas.getBoundingClientRect();
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [Math.max(1, Math.round(box.width)), Math.max(1, Math.round(box.height))];
    if (this.orbit.width === width && this.orbit.height === height) return false;
    this.orbit.width = width;
    this.orbit.height = height;
    this.sized(width, height, ratio);
    if (!this.orbit.moved) this.fit(frame);
    return true;
  }

  fit(frame: Answer): void {
    this.orbit.fit(this.drawing, frame);
  }

  pan(dx: number, dy: number, slide = false): void {
    if (slide) this.orbit.slide(dx, dy);
    else this.orbit.rotate(dx, dy);
  }

  zoom(factor: number): void {
    this.orbit.zoom(factor);
  }

  /** A 3D view does not follow bodies. */
  freeze(): void {}

  /** At the distance of the point that the camera looks to. */
  span(): number {
    return (this.orbit.distance * this.orbit.width) / this.orbit.focal;
  }

  axes(): [Vector, Vector, Vector] {
    const [right, up, ahead] = this.orbit.axes();
    return [right, up, times(ahead, -1)];
  }

  view(): number[] | undefined {
    const { moved, target, distance, azimuth, elevation } = this.orbit;
    return moved ? [...target, distance, azimuth, elevation] : undefined;
  }

  setView([x, y, z, distance, azimuth, elevation]: number[]): void {
    Object.assign(this.orbit, { target: [x, y, z], distance, azimuth, elevation, moved: true });
  }

  follow(other: Stage): void {
    if (!(other instanceof SpatialBase)) return;
    const { target, distance, azimuth, elevation, field, extent, moved } = other.orbit;
    Object.assign(this.orbit, { target, distance, azimuth, elevation, field, extent, moved });
  }

  pick(frame: Answer, x: number, y: number): Picked {
    const contacts = frame.contacts;
    if (contacts) {
      for (let k = 0; k < contactCount(contacts); k++) {
        const at = this.orbit.project(contactAt(contacts, k)!.point);
        if (Math.hypot(at.x - x, at.y - y) < 7) return { kind: "contact", index: k, name: nameOfContact(contacts, k) };
      }
    }
    const hit = this.cast(frame, x, y);
    return hit && { kind: "body", index: hit.body };
  }

  localPoint(frame: Answer, body: number, x: number, y: number): Vector {
    const { center, q } = pose(frame.positions!, body);
    const hit = this.cast(frame, x, y);
    return hit?.body === body ? turnBack(q, minus(hit.point, center)) : [0, 0, 0];
  }

  centerOf(frame: Answer, body: number): Vector {
    return pose(frame.positions!, body).center;
  }

  /** On the plane through the body's centre that faces the viewer. */
  target(frame: Answer, body: number, x: number, y: number): Vector {
    const { eye } = this.orbit;
    const [, , ahead] = this.orbit.axes();
    const ray = this.orbit.ray(x, y);
    const { center } = pose(frame.positions!, body);
    return add(eye, times(ray, dot(minus(center, eye), ahead) / dot(ray, ahead)));
  }

  /** The first body that a ray through a pixel meets. */
  private cast(frame: Answer, x: number, y: number): { body: number; point: Vector } | null {
    const { eye } = this.orbit;
    const ray = this.orbit.ray(x, y);
    let nearest = Infinity;
    let found = -1;
    this.drawing.bodies.forEach((shape, body) => {
      const { center, q } = pose(frame.positions!, body);
      const from = minus(eye, center);
      const t = shape.shape === "sphere" ? sphereHit(from, ray, shape.radius) : convexHit(turnBack(q, from), turnBack(q, ray), this.planes[body]!);
      if (t !== undefined && t < nearest) [nearest, found] = [t, body];
    });
    return found < 0 ? null : { body: found, point: add(eye, times(ray, nearest)) };
  }
}

function sphereHit(from: Vector, ray: Vector, radius: number): number | undefined {
  const b = dot(from, ray);
  const root = b * b - dot(from, from) + radius * radius;
  return root >= 0 && -b - Math.sqrt(root) > 0 ? -b - Math.sqrt(root) : undefined;
}

/**
 * Where a ray enters a convex solid: the last of the planes that it goes in through, if none lets
 * it out before.
 */
function convexHit(from: Vector, ray: Vector, planes: Planes): number | undefined {
  let [enter, leave] = [-Infinity, Infinity];
  for (const { normal, offset } of planes) {
    const speed = dot(normal, ray);
    const gap = offset - dot(normal, from);
    if (speed < 0) enter = Math.max(enter, gap / speed);
    else if (speed > 0) leave = Math.min(leave, gap / speed);
    else if (gap < 0) return undefined;
  }
  return planes.length > 0 && enter > 0 && enter <= leave ? enter : undefined;
}

function planesOf(body: BodyShape): Planes {
  if (body.shape === "plane") return [{ normal: unit(body.normal!), offset: 0 }];
  if (body.shape === "box") {
    return ([0, 1, 2] as const).flatMap((axis) =>
      [1, -1].map((sign) => {
        const normal: Vector = [0, 0, 0];
        normal[axis] = sign;
        return { normal, offset: body.sides![axis] / 2 };
      }),
    );
  }
  return faces(body).map((corners) => {
    const normal = unit(cross(minus(corners[1]!, corners[0]!), minus(corners[2]!, corners[0]!)));
    return { normal, offset: dot(normal, corners[0]!) };
  });
}

/** The faces of a box or a hull in body axes, corners counter-clockwise seen from outside. */
export function faces(body: BodyShape): Vector[][] {
  if (body.shape === "box") {
    const [x, y, z] = body.sides!.map((side) => side / 2) as Vector;
    const corner = (k: number): Vector => [k & 1 ? x : -x, k & 2 ? y : -y, k & 4 ? z : -z];
    return [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]].map((face) => face.map(corner));
  }
  return (body.faces ?? []).map((face) => face.map((corner) => body.points![corner] as Vector));
}
