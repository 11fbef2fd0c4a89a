// Numbers that can be plotted: of the whole, of a body, of a contact.
import type { Answer } from "./engine/protocol";
import type { Pair, Sample } from "./series";

export interface Quantity {
  name: string;
  label: string;
  unit: string;
}

/** Of the whole system. */
export const WHOLE: (Quantity & { name: keyof Sample })[] = [
  { name: "total", label: "energy", unit: "J" },
  { name: "kinetic", label: "kinetic energy", unit: "J" },
  { name: "potential", label: "potential energy", unit: "J" },
  { name: "momentum", label: "momentum", unit: "kg m/s" },
  { name: "momentumX", label: "momentum x", unit: "kg m/s" },
  { name: "momentumY", label: "momentum y", unit: "kg m/s" },
  { name: "momentumZ", label: "momentum z", unit: "kg m/s" },
  { name: "angular", label: "angular momentum", unit: "kg m²/s" },
  { name: "penetration", label: "deepest penetration", unit: "m" },
  { name: "impulse", label: "greatest impulse", unit: "N s" },
  { name: "impulses", label: "sum of impulses", unit: "N s" },
  { name: "contacts", label: "contacts", unit: "" },
  { name: "active", label: "active contacts", unit: "" },
  { name: "iterations", label: "iterations", unit: "" },
  { name: "residual", label: "residual", unit: "" },
];

/** Of one body: those that bodies in 2D and in 3D have. */
export const BODY: (Quantity & { families: string })[] = [
  { name: "x", label: "x", unit: "m", families: "prs" },
  { name: "y", label: "y", unit: "m", families: "prs" },
  { name: "z", label: "z", unit: "m", families: "s" },
  { name: "angle", label: "angle", unit: "rad", families: "r" },
  { name: "vx", label: "velocity x", unit: "m/s", families: "prs" },
  { name: "vy", label: "velocity y", unit: "m/s", families: "prs" },
  { name: "vz", label: "velocity z", unit: "m/s", families: "s" },
  { name: "speed", label: "speed", unit: "m/s", families: "prs" },
  { name: "omega", label: "spin", unit: "rad/s", families: "rs" },
  { name: "momentum", label: "momentum", unit: "kg m/s", families: "prs" },
  { name: "px", label: "momentum x", unit: "kg m/s", families: "prs" },
  { name: "py", label: "momentum y", unit: "kg m/s", families: "prs" },
  { name: "pz", label: "momentum z", unit: "kg m/s", families: "s" },
  { name: "kinetic", label: "kinetic energy", unit: "J", families: "prs" },
  { name: "impulse", label: "sum of impulses", unit: "N s", families: "rs" },
  { name: "penetration", label: "deepest penetration", unit: "m", families: "rs" },
  { name: "contacts", label: "contacts", unit: "", families: "rs" },
];

/** Of two bodies that touch. */
export const CONTACT: Quantity[] = [
  { name: "impulse", label: "normal impulse", unit: "N s" },
  { name: "friction", label: "friction impulse", unit: "N s" },
  { name: "penetration", label: "penetration", unit: "m" },
  { name: "contacts", label: "contacts", unit: "" },
];

const BODY_TOKEN = /^b(\d+)\.(\w+)$/;
const CONTACT_TOKEN = /^c(\d+)-(\d+)\.(\w+)$/;

/** What a plot shows on an axis: `time`, `total`, `b4.x`, `c3-4.impulse`. */
export type Token = string;

const PLACES: Record<string, [number, number]> = { particles: [2, 2], "rigid-bodies": [3, 3], "spatial-bodies": [7, 6] };

export function describe(token: Token): { label: string; unit: string } {
  if (token === "time") return { label: "time", unit: "s" };
  const whole = WHOLE.find(({ name }) => name === token);
  if (whole) return whole;
  const body = BODY_TOKEN.exec(token);
  const quantity = body && BODY.find(({ name }) => name === body[2]);
  if (body && quantity) return { label: `${quantity.label} of ${body[1]}`, unit: quantity.unit };
  const contact = CONTACT_TOKEN.exec(token);
  const between = contact && CONTACT.find(({ name }) => name === contact[3]);
  return contact && between ? { label: `${between.label} ${contact[1]}–${contact[2]}`, unit: between.unit } : { label: token, unit: "" };
}

export function isToken(token: Token): boolean {
  const [body, contact] = [BODY_TOKEN.exec(token), CONTACT_TOKEN.exec(token)];
  if (body) return BODY.some(({ name }) => name === body[2]);
  if (contact) return CONTACT.some(({ name }) => name === contact[3]);
  return token === "time" || WHOLE.some(({ name }) => name === token);
}

/** What frames must hold for a token. */
export function needs(token: Token): { velocities: boolean; contacts: boolean } {
  const velocities = /^b\d+\.(v|speed|omega|momentum|p[xyz]|kinetic)/.test(token);
  return { velocities, contacts: /impulse|^c\d|^b\d+\.(penetration|contacts)/.test(token) };
}

/** The value of a token in a sample; not a number where it is not known. */
export function valueIn(token: Token, sample: Sample, opened: Answer): number {
  const body = BODY_TOKEN.exec(token);
  if (body) return ofBody(Number(body[1]), body[2]!, sample, opened);
  const contact = CONTACT_TOKEN.exec(token);
  if (contact) {
    const [first, second] = [Number(contact[1]), Number(contact[2])];
    return ofPairs(contact[3]!, sample, (pair) => (pair.first === first && pair.second === second) || (pair.first === second && pair.second === first));
  }
  return sample[token as "time"] ?? NaN;
}

/** A quantity of all pairs that are meant; zero while nothing touches. */
function ofPairs(name: string, sample: Sample, isMeant: (pair: Pair) => boolean): number {
  if (!sample.pairs) return NaN;
  const pairs = [...sample.pairs.values()].filter(isMeant);
  const sum = (of: (pair: Pair) => number) => pairs.reduce((total, pair) => total + of(pair), 0);
  switch (name) {
    case "impulse": return sum((pair) => pair.impulse);
    case "friction": return sum((pair) => pair.friction);
    case "contacts": return sum((pair) => pair.places);
    case "penetration": return pairs.reduce((deepest, pair) => Math.max(deepest, -pair.gap), 0);
    default: return NaN;
  }
}

function ofBody(body: number, name: string, sample: Sample, opened: Answer): number {
  const family = opened.drawing!.family;
  const [width, speeds] = PLACES[family]!;
  const x = (k: number) => sample.positions?.[width * body + k] ?? NaN;
  const v = (k: number) => sample.velocities?.[speeds * body + k] ?? NaN;
  const spatial = family === "spatial-bodies";
  const speed = () => Math.hypot(v(0), v(1), spatial ? v(2) : 0);
  const mass = opened.masses?.[body] ?? NaN;
  switch (name) {
    case "x": return x(0);
    case "y": return x(1);
    case "z": return spatial ? x(2) : NaN;
    case "angle": return family === "rigid-bodies" ? x(2) : NaN;
    case "vx": return v(0);
    case "vy": return v(1);
    case "vz": return spatial ? v(2) : NaN;
    case "speed": return speed();
    case "omega": return spatial ? Math.hypot(v(3), v(4), v(5)) : family === "rigid-bodies" ? v(2) : NaN;
    case "momentum": return mass * speed();
    case "px": return mass * v(0);
    case "py": return mass * v(1);
    case "pz": return spatial ? mass * v(2) : NaN;
    case "impulse":
    case "penetration":
    case "contacts": return ofPairs(name, sample, (pair) => pair.first === body || pair.second === body);
    case "kinetic": return kinetic(body, sample, opened, 0.5 * mass * speed() ** 2);
    default: return NaN;
  }
}

/** ½ m v² + ½ ω·Iω, the rotation in body axes in 3D. */
function kinetic(body: number, sample: Sample, opened: Answer, moving: number): number {
  const inertias = opened.inertias;
  if (opened.drawing!.family === "rigid-bodies") return moving + 0.5 * (inertias?.[body] ?? 0) * (sample.velocities?.[3 * body + 2] ?? NaN) ** 2;
  if (opened.drawing!.family !== "spatial-bodies" || !inertias || !sample.velocities || !sample.positions) return moving;
  const [w, i, j, k] = [3, 4, 5, 6].map((place) => sample.positions![7 * body + place]!) as [number, number, number, number];
  const [a, b, c] = [3, 4, 5].map((place) => sample.velocities![6 * body + place]!) as [number, number, number];
  // Back into body axes: ω + 2 w (ω × u) + 2 (ω × u) × u, u the vector part of the quaternion.
  const cross = (p: number[], q: number[]) => [p[1]! * q[2]! - p[2]! * q[1]!, p[2]! * q[0]! - p[0]! * q[2]!, p[0]! * q[1]! - p[1]! * q[0]!];
  const once = cross([a, b, c], [i, j, k]);
  const twice = cross(once, [i, j, k]);
  const [x, y, z] = [a, b, c].map((omega, n) => omega + 2 * w * once[n]! + 2 * twice[n]!) as [number, number, number];
  const [xx, yy, zz, xy, yz, zx] = [...inertias.subarray(6 * body, 6 * body + 6)] as [number, number, number, number, number, number];
  return moving + 0.5 * (xx * x * x + yy * y * y + zz * z * z) + xy * x * y + yz * y * z + zx * z * x;
}
