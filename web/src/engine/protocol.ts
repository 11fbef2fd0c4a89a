// What goes to the engine and what comes back; crates/web/src/request.rs and session.rs are the
// other end.

export interface Layers {
  velocities?: boolean;
  contacts?: boolean;
  islands?: boolean;
}

export type Triple = [number, number, number];

export type Request = { layers?: Layers } & (
  | { do: "check"; text: string }
  | { do: "open"; text: string; response?: string; integrator?: string }
  | { do: "advance"; to: number }
  | { do: "seek"; step: number }
  | { do: "hold"; body: number; local: Triple; target: Triple }
  | { do: "release" }
  | { do: "push"; body: number; velocity: Triple; spin: Triple }
  | { do: "place"; body: number; position?: Triple; angle?: number; velocity?: Triple; spin?: Triple; again?: boolean }
  | { do: "take-back" }
  | { do: "touches" }
  | { do: "repeat"; touches: Touched[] }
  | { do: "retune"; text: string; response?: string; integrator?: string }
  | { do: "record"; format: "carom" | "npz" | "csv" | "glb"; to: number; every?: number; name?: string }
  | { do: "compare"; text: string; file: string; course?: boolean }
  | { do: "look" }
  | { do: "inspect"; body: number }
  | { do: "hash"; text: string; steps: number }
  | { do: "validate"; case?: string }
);

/** What a hand did to a body, after which step. */
export interface Touched {
  step: number;
  do: "push" | "place";
  body: number;
  position?: Triple;
  angle?: number;
  velocity?: Triple;
  spin?: Triple;
}

export interface Problem {
  severity: "error" | "warning";
  line: number;
  column: number;
  start: number;
  end: number;
  message: string;
  label: string;
  help: string | null;
  replace: { start: number; end: number; text: string } | null;
  repeats: number;
}

export interface Report {
  can_run: boolean;
  errors: number;
  warnings: number;
  summary: string;
  build_error: string | null;
  problems: Problem[];
}

export type Family = "particles" | "rigid-bodies" | "spatial-bodies";

export interface BodyShape {
  shape: "disc" | "polygon" | "sphere" | "box" | "hull" | "plane";
  radius: number;
  fixed: boolean;
  kinematic?: boolean;
  color: string | null;
  points?: number[][];
  faces?: number[][];
  sides?: Triple;
  normal?: Triple;
  solid?: boolean;
  spoke?: boolean;
  tag?: string | null;
}

export interface Anchor {
  body?: number;
  point: number[];
}

export interface Drawing {
  family: Family;
  bodies: BodyShape[];
  edges?: { start: number; end: number; radius: number; color: string | null }[];
  obstacles?: { point: [number, number]; normal: [number, number]; color: string | null }[];
  springs?: { start: Anchor; end: Anchor; color: string | null }[];
  paths?: { body: number; duration: number; color: string }[];
  /** The scene's label: `asteroids` are painted as the game paints them. */
  tag?: string | null;
  /** Coulomb's coefficient of all contacts. */
  friction?: number | null;
  camera?: { eye: Triple; target: Triple; up: Triple; fieldOfView: number } | null;
  background: string | null;
  viewport: { center: [number, number]; size: number } | null;
  description: string | null;
  maxFrequency: number | null;
}

export interface Quantities {
  kinetic: number | null;
  potential: number | null;
  momentum: (number | null)[];
  angularMomentum: (number | null)[];
  penetration: number | null;
}

export interface Diagnostics {
  status: number;
  words: string | null;
  iterations: number;
  residual: number | null;
  active: number;
  contacts: number;
  /**
   * Rows of the contact problem, the size of A, and of its largest island; null where the method
   * has none.
   */
  rows: number | null;
  largestIsland: number | null;
  /** Kinetic energy just before and after contacts were responded to; null where none were. */
  kineticBefore: number | null;
  kineticAfter: number | null;
  /** What contacts changed; nulls where the method has no impulses. */
  momentumChange: (number | null)[];
  angularMomentumChange: (number | null)[];
}

export interface Inspection {
  body: number;
  free: boolean;
  mass: number | null;
  inertia: number | null;
  position: Triple;
  angle: number;
  velocity: Triple;
  spin: Triple;
  speed: number;
  kinetic: number | null;
  momentum: (number | null)[];
  contacts: { index: number; kind: string; first: number; second: number; gap: number; impulse: number }[];
}

/** A number of a scene that can be turned. */
export interface Knob {
  label: string;
  /** `tag.attribute`, or `tag[n].attribute`. */
  target: string;
  min: number;
  max: number;
  step: number | null;
}

export interface Verdict {
  pass: boolean;
  failure: string | null;
  frames: number;
  plannedFrames: number;
  residuals: { quantity: string; sum: number; sumLimit: number | null; largest: number; largestLimit: number; pass: boolean }[];
  collisions: { missed: number; superfluous: number; wrong_normals: number };
  collisionsPass: boolean;
  first: Difference | null;
  worst: Difference | null;
  /** Whether a free run has the same bits. */
  identical: boolean;
  /** The step that is off most. */
  step: number | null;
}

export interface Difference {
  frame: number;
  body: number | null;
  quantity: string;
  expected: number;
  got: number;
  difference: number;
}

/** A number of `carom validate`. What is no number comes as null. */
export interface Finding {
  method: string;
  quantity: string;
  right: number;
  ours: number | null;
  error: number | null;
  tolerance: number;
  holds: boolean;
  failure: string | null;
}

/** One answer: the head as it came, and the arrays that it names. */
export interface Answer {
  ok: boolean;
  message?: string;
  report?: Report;
  hash?: string;
  inspection?: Inspection;
  drawing?: Drawing;
  dt?: number;
  plannedSteps?: number;
  response?: string;
  integrator?: string;
  responses?: string[];
  integrators?: string[];
  knobs?: Knob[];
  verdict?: Verdict;
  touches?: Touched[];
  /** The cases of `carom validate`, or the numbers of one. */
  cases?: { name: string; about: string }[];
  findings?: Finding[];
  /** The file that was asked for, once it is whole. */
  file?: Uint8Array<ArrayBuffer>;
  /** The first step that can be gone back to. */
  since?: number;
  /** The first step since the last answer in which more contacts pushed than before. */
  struck?: number | null;
  step?: number;
  time?: number;
  failure?: string | null;
  quantities?: Quantities;
  diagnostics?: Diagnostics;
  /** Milliseconds that the engine took, as the other end measured them. */
  took: number;
  positions?: Float64Array;
  velocities?: Float64Array;
  contacts?: Float64Array;
  islands?: Float64Array;
  masses?: Float64Array;
  inertias?: Float64Array;
  expected?: Float64Array;
  got?: Float64Array;
  distances?: Float64Array;
}

/**
 * Numbers for each contact in `contacts`: kind, first, second, point, vector, time, impulse,
 * friction, gap. See contacts.ts.
 */
export const CONTACT_NUMBERS = 15;

const DECODER = new TextDecoder();

/** Reads the bytes of an answer; the arrays are views into them. */
export function decode(bytes: ArrayBuffer, took: number): Answer {
  const length = new DataView(bytes).getUint32(0, true);
  const head = JSON.parse(DECODER.decode(new Uint8Array(bytes, 4, length)));
  const start = Math.ceil((4 + length) / 8) * 8;
  const answer: Record<string, unknown> = { ...head, took };
  for (const [name, [offset, count]] of Object.entries(head.arrays as Record<string, [number, number]>)) {
    answer[name] = new Float64Array(bytes, start + 8 * offset, count);
  }
  // A file stands at the end.
  if (typeof head.file === "number") answer["file"] = new Uint8Array(bytes, bytes.byteLength - head.file, head.file);
  return answer as unknown as Answer;
}
