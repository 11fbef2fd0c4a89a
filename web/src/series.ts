// The numbers of a run over time, as many as a plot can show.
import { contactsOf, impulseOn } from "./contacts";
import type { Answer } from "./engine/protocol";

const MOST = 3000;
/** States are kept for plots of single bodies while there are not more of them than this. */
export const MOST_BODIES = 400;

export interface Sample {
  step: number;
  time: number;
  kinetic: number;
  potential: number;
  total: number;
  momentum: number;
  momentumX: number;
  momentumY: number;
  momentumZ: number;
  angular: number;
  penetration: number;
  residual: number;
  iterations: number;
  contacts: number;
  active: number;
  /** Of the last step: the greatest and the sum. */
  impulse: number;
  impulses: number;
  positions?: Float64Array;
  velocities?: Float64Array;
  /** What touched, by its two: `first-second`. */
  pairs?: Map<string, Pair>;
}

/** Two that touched, in one place or in several. */
export interface Pair {
  first: number;
  second: number;
  /** Along normals, and of friction: sums. */
  impulse: number;
  friction: number;
  /** The deepest: negative where they overlap. */
  gap: number;
  places: number;
}

/**
 * Samples in the order of their steps. When there are too many, every second is dropped and new
 * ones come half as often.
 */
export class Series {
  samples: Sample[] = [];
  private stride = 1;

  add(frame: Answer, opened?: Answer): void {
    const q = frame.quantities!;
    const d = frame.diagnostics!;
    const number = (value: number | null | undefined) => value ?? NaN;
    const step = frame.step!;
    const last = this.samples[this.samples.length - 1];
    // The same sample once more, with more to it.
    if (last && step === last.step) this.complete(last, frame);
    if (last && step <= last.step) return;
    if (last && step - last.step < this.stride) return;
    const [kinetic, potential] = [number(q.kinetic), number(q.potential)];
    const sample: Sample = {
      step,
      time: frame.time!,
      kinetic,
      potential,
      total: kinetic + potential,
      momentum: Math.hypot(...q.momentum.map(number)),
      momentumX: number(q.momentum[0]),
      momentumY: number(q.momentum[1]),
      momentumZ: number(q.momentum[2]),
      angular: opened?.drawing?.family === "spatial-bodies" ? Math.hypot(...q.angularMomentum.map(number)) : number(q.angularMomentum[2]),
      penetration: number(q.penetration),
      residual: number(d.residual),
      iterations: d.iterations,
      contacts: d.contacts,
      active: d.active,
      impulse: NaN,
      impulses: NaN,
    };
    if ((opened?.drawing?.bodies.length ?? Infinity) <= MOST_BODIES) sample.positions = frame.positions!.slice();
    this.complete(sample, frame);
    this.samples.push(sample);
    if (this.samples.length > MOST) {
      const gap = this.samples[2]!.step - this.samples[0]!.step;
      this.samples = this.samples.filter((_, k) => k % 2 === 0);
      this.stride = Math.max(this.stride, gap);
    }
  }

  private complete(sample: Sample, frame: Answer): void {
    if (frame.contacts && !sample.pairs) readContacts(sample, frame.contacts);
    if (frame.velocities && sample.positions) sample.velocities ??= frame.velocities.slice();
  }

  /** A body was pushed: what was later is no longer the future. */
  forgetAfter(step: number): void {
    this.samples = this.samples.filter((sample) => sample.step <= step);
  }

  /**
   * Steps are counted anew, from a moment that goes on: what was plotted stays, in its own time.
   */
  restart(): void {
    this.samples = this.samples.map((sample) => ({ ...sample, step: -1 }));
  }
}

function readContacts(sample: Sample, contacts: Float64Array): void {
  sample.impulse = sample.impulses = 0;
  sample.pairs = new Map();
  for (const contact of contactsOf(contacts)) {
    const { first, second, impulse, friction, gap } = contact;
    const size = Math.hypot(...impulseOn(contact));
    sample.impulse = Math.max(sample.impulse, size);
    sample.impulses += size;
    const key = `${first}-${second}`;
    const pair = sample.pairs.get(key) ?? { first, second, impulse: 0, friction: 0, gap: Infinity, places: 0 };
    pair.impulse += impulse;
    pair.friction += Math.hypot(...friction);
    pair.gap = Math.min(pair.gap, gap);
    pair.places += 1;
    sample.pairs.set(key, pair);
  }
}
