// What was: trails of bodies and of their common centre, from the samples of a run.
import type { Answer } from "./engine/protocol";
import type { Sample } from "./series";

/** The run so far, as stages need it. */
export interface Past {
  opened: Answer;
  samples: Sample[];
}

/** One line of a legend: an arrow of a round size, and what it stands for. */
export interface Legend {
  color: string;
  pixels: number;
  words: string;
}

/** Seconds that trails reach back. */
const REACH = 2;
const MOST_POINTS = 240;

const WIDTHS: Record<string, number> = { particles: 2, "rigid-bodies": 3, "spatial-bodies": 7 };

type Point = [number, number, number];

/** The samples of the last seconds before a moment, not too many. */
function recent({ samples }: Past, time: number, reach: number): Sample[] {
  const found = samples.filter((sample) => sample.time <= time + 1e-12 && sample.time >= time - reach && sample.positions);
  const stride = Math.ceil(found.length / MOST_POINTS);
  return found.filter((_, k) => (found.length - 1 - k) % stride === 0);
}

/** Where every body that can move was, as lines. */
export function trails(past: Past, frame: Answer): Point[][] {
  const { bodies, family } = past.opened.drawing!;
  const width = WIDTHS[family]!;
  const spatial = family === "spatial-bodies";
  const at = (positions: Float64Array, body: number): Point => [positions[width * body]!, positions[width * body + 1]!, spatial ? positions[width * body + 2]! : 0];
  const samples = recent(past, frame.time!, REACH);
  const lines: Point[][] = [];
  bodies.forEach((body, k) => {
    if (body.fixed) return;
    lines.push([...samples.map((sample) => at(sample.positions!, k)), at(frame.positions!, k)].filter((point) => point.every(Number.isFinite)));
  });
  return lines;
}

/** The path of the centre of mass of all bodies that can move: Σ m x / Σ m. */
export function centerPath(past: Past, frame: Answer): Point[] {
  const { bodies, family } = past.opened.drawing!;
  const width = WIDTHS[family]!;
  const axes = family === "spatial-bodies" ? 3 : 2;
  const masses = past.opened.masses;
  const center = (positions: Float64Array): Point => {
    const sum: Point = [0, 0, 0];
    let total = 0;
    bodies.forEach((body, k) => {
      const mass = masses?.[k] ?? 0;
      if (body.fixed || !(mass > 0) || !Number.isFinite(mass)) return;
      total += mass;
      for (let axis = 0; axis < axes; axis++) sum[axis]! += mass * positions[width * k + axis]!;
    });
    return sum.map((value) => value / total) as Point;
  };
  const whole = recent(past, frame.time!, Infinity).map((sample) => center(sample.positions!));
  return [...whole, center(frame.positions!)].filter((point) => point.every(Number.isFinite));
}

/** The greatest size that was shown lately: arrows keep their scale for a while. */
export class Scale {
  private greatest = 0;

  /** Pixels (or metres) for each unit, so that the greatest has this length. */
  of(now: number, longest: number): number {
    this.greatest = Math.max(now, 0.985 * this.greatest);
    return this.greatest > 0 ? longest / this.greatest : 0;
  }

  /** A round size whose arrow is at most this long. */
  round(factor: number, longest: number): number {
    const most = longest / factor;
    const power = 10 ** Math.floor(Math.log10(most));
    return ([5, 2, 1].find((digit) => digit * power <= most) ?? 1) * power;
  }
}
