// The numbers of a run over time, as many as a plot can show.
import type { Answer } from "./engine/protocol";

const MOST = 3000;

export interface Sample {
  step: number;
  time: number;
  kinetic: number;
  potential: number;
  total: number;
  momentum: number;
  penetration: number;
}

/** Samples in the order of their steps. When there are too many, every second is dropped and new ones come half as often. */
export class Series {
  samples: Sample[] = [];
  private stride = 1;

  add(frame: Answer): void {
    const q = frame.quantities!;
    const number = (value: number | null | undefined) => value ?? NaN;
    const step = frame.step!;
    const last = this.samples[this.samples.length - 1];
    if (last && step <= last.step) return;
    if (last && step - last.step < this.stride) return;
    const [kinetic, potential] = [number(q.kinetic), number(q.potential)];
    this.samples.push({
      step,
      time: frame.time!,
      kinetic,
      potential,
      total: kinetic + potential,
      momentum: Math.hypot(...q.momentum.map(number)),
      penetration: number(q.penetration),
    });
    if (this.samples.length > MOST) {
      const gap = this.samples[2]!.step - this.samples[0]!.step;
      this.samples = this.samples.filter((_, k) => k % 2 === 0);
      this.stride = Math.max(this.stride, gap);
    }
  }

  /** A body was pushed: what was later is no longer the future. */
  forgetAfter(step: number): void {
    this.samples = this.samples.filter((sample) => sample.step <= step);
  }
}
