// Flat bodies on a canvas of the page or of a worker. Bodies of one look are one path: thousands
// of them stay quick.
import type { BodyShape } from "./engine/protocol";
import type { Look } from "./looks2d";

const TAU = 2 * Math.PI;

/** What is seen of the plane: what is in the middle, pixels a unit, the size of the picture. */
export interface View {
  x: number;
  y: number;
  scale: number;
  width: number;
  height: number;
}

/** Bodies, with the numbers of each among positions. */
export interface Cast {
  bodies: BodyShape[];
  stride: number;
}

type Paper = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

function place({ stride }: Cast, positions: Float64Array, view: View, index: number): [number, number] {
  const [x, y] = [positions[stride * index]!, positions[stride * index + 1]!];
  return [view.width / 2 + (x - view.x) * view.scale, view.height / 2 - (y - view.y) * view.scale];
}

export function paintLook(c: Paper, cast: Cast, positions: Float64Array, view: View, look: Look): void {
  if (look.discs.length > 0) paintDiscs(c, cast, positions, view, look);
  if (look.polygons.length > 0) paintPolygons(c, cast, positions, view, look);
}

function paintDiscs(c: Paper, cast: Cast, positions: Float64Array, view: View, look: Look): void {
  const { bodies, stride } = cast;
  const { scale } = view;
  const spokes = stride === 3;
  // A rim as wide as the smallest disc bears; discs far outside the picture are left out.
  const rim = Math.min(2, Math.max(0.6, 0.12 * bodies[look.discs[0]!]!.radius * scale));
  c.fillStyle = look.fill;
  c.strokeStyle = look.rim;
  c.lineWidth = rim;
  c.lineCap = "butt";
  c.beginPath();
  const path: [number, number, number, number][] = [];
  for (const index of look.discs) {
    const [x, y] = place(cast, positions, view, index);
    const radius = Math.max(bodies[index]!.radius * scale, 1);
    if (!(x > -radius && y > -radius && x < view.width + radius && y < view.height + radius)) continue;
    path.push([x, y, radius, spokes ? positions[3 * index + 2]! : 0]);
  }
  for (const [x, y, radius] of path) {
    const inside = Math.max(radius - rim / 2, 0.5);
    c.moveTo(x + inside, y);
    c.arc(x, y, inside, 0, TAU);
  }
  c.fill();
  if (path.length === 0 || path[0]![2] <= 2.5) return;
  if (spokes) {
    for (const [x, y, radius, angle] of path) {
      c.moveTo(x, y);
      c.lineTo(x + radius * Math.cos(angle), y - radius * Math.sin(angle));
    }
  }
  c.stroke();
}

function paintPolygons(c: Paper, cast: Cast, positions: Float64Array, view: View, look: Look): void {
  c.fillStyle = look.fill;
  c.strokeStyle = look.rim;
  c.lineJoin = "round";
  c.lineCap = "round";
  const byRadius = new Map<number, Path2D>();
  for (const index of look.polygons) {
    const { radius } = cast.bodies[index]!;
    let path = byRadius.get(radius);
    if (!path) byRadius.set(radius, (path = new Path2D()));
    addOutline(path, cast, positions, view, index);
  }
  for (const [radius, path] of byRadius) {
    c.fill(path);
    c.lineWidth = Math.max(2 * radius * view.scale, 1.2);
    c.stroke(path);
  }
}

/** The corners of a polygon in the picture. */
export function outlineOf(cast: Cast, positions: Float64Array, view: View, index: number): [number, number][] {
  const [x, y] = place(cast, positions, view, index);
  const angle = positions[3 * index + 2]!;
  const [s, c] = [Math.sin(angle) * view.scale, Math.cos(angle) * view.scale];
  return cast.bodies[index]!.points!.map(([px, py]) => [x + c * px! - s * py!, y - s * px! - c * py!]);
}

/** Adds the outline of a polygon in picture coordinates. */
export function addOutline(path: Path2D | Paper, cast: Cast, positions: Float64Array, view: View, index: number): void {
  outlineOf(cast, positions, view, index).forEach((corner, k) => (k === 0 ? path.moveTo(...corner) : path.lineTo(...corner)));
  path.closePath();
}
