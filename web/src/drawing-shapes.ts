// What a stroke of drawing becomes: lines of a scene's text.
import { written as w } from "./scenetext";

export type Point = [number, number];
/** How many elements of a tag the text has. */
export type Count = (tag: string) => number;

export function disc(family: string, [x, y]: Point, radius: number): string[] {
  if (family === "particles") return [`<particle m="1" px="${w(x)}" py="${w(y)}" vx="0" vy="0" fixed="0" radius="${w(radius)}"/>`];
  return [`<rigidbodydisc x="${w(x)}" y="${w(y)}" radius="${w(radius)}" m="1"/>`];
}

/**
 * Corners as vertices and a solid body of them, counter-clockwise; of particles, particles with
 * springs between them.
 */
export function polygon(family: string, corners: Point[], count: Count): string[] {
  const area = corners.reduce((sum, [x, y], k) => sum + x * corners[(k + 1) % corners.length]![1] - y * corners[(k + 1) % corners.length]![0], 0);
  const turned = area < 0 ? [...corners].reverse() : corners;
  if (family !== "particles") {
    const first = count("rigidbodyvertex");
    const vertices = turned.map(([x, y]) => `<rigidbodyvertex x="${w(x)}" y="${w(y)}" m="1"/>`);
    return [...vertices, `<rigidbody ${turned.map((_, k) => `p="${first + k}"`).join(" ")} vx="0" vy="0" omega="0" r="0.01" solid="1" density="1"/>`];
  }
  const [first, edge] = [count("particle"), count("edge")];
  const particles = turned.map(([x, y]) => `<particle m="1" px="${w(x)}" py="${w(y)}" vx="0" vy="0" fixed="0" radius="0.02"/>`);
  const edges = turned.flatMap((_, k) => {
    const next = (k + 1) % turned.length;
    return spring(first + k, first + next, edge + k, distance(turned[k]!, turned[next]!), 500, 1);
  });
  return [...particles, ...edges];
}

/**
 * Of particles a half-plane, what moves on the left of the stroke; of rigid bodies a fixed segment.
 */
export function wall(family: string, start: Point, end: Point, count: Count): string[] {
  const [dx, dy, long] = [end[0] - start[0], end[1] - start[1], distance(start, end)];
  if (family === "particles") return [`<halfplane px="${w(start[0])}" py="${w(start[1])}" nx="${w(-dy / long)}" ny="${w(dx / long)}"/>`];
  const first = count("rigidbodyvertex");
  const vertices = [start, end].map(([x, y]) => `<rigidbodyvertex x="${w(x)}" y="${w(y)}" m="1"/>`);
  return [...vertices, `<rigidbody p="${first}" p="${first + 1}" vx="0" vy="0" omega="0" r="0.03" fixed="1"/>`];
}

/** An edge between two particles, and its spring. */
export function spring(i: number, j: number, edge: number, length: number, k = 100, b = 0.1): string[] {
  return [`<edge i="${i}" j="${j}" radius="${k > 100 ? 0.02 : 0.01}"/>`, `<springforce edge="${edge}" k="${k}" l0="${w(length)}" b="${b}"/>`];
}

/** A spring between two bodies, or between a body and a point of the plane (body −1). */
export function bodySpring(i: number, a: number[], j: number, b: number[], length: number): string[] {
  return [`<rigidbodyspringforce i="${i}" pix="${w(a[0]!)}" piy="${w(a[1]!)}" j="${j}" pjx="${w(b[0]!)}" pjy="${w(b[1]!)}" k="100" l0="${w(length)}"/>`];
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}
