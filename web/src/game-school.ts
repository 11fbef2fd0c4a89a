// Flight school: the first field with a hint for each key, one after the other.
import type { Gauges, Rules } from "./game-engine";
import { KEYS } from "./game-engine";

interface Task {
  hint: string;
  done(gauges: Gauges, seen: Seen): boolean;
}

/** What was done since the task began. */
interface Seen {
  used: number;
  fastest: number;
  turned: number;
}

function tasks(rules: Rules): Task[] {
  return [
    { hint: "Hold W (or ▲) to thrust ahead. The dotted line shows where you will be in a second.", done: (gauges) => gauges.speed > 1 },
    { hint: "Let go. Nothing slows you down out here: you drift. Now tap A (⟲) to turn left.", done: (_, seen) => (seen.used & KEYS.left) !== 0 },
    { hint: "You keep turning, too. Tap D (⟳) to stop it: a spin of 0.3 or less is good.", done: (gauges, seen) => (seen.used & KEYS.right) !== 0 && Math.abs(gauges.spin) <= rules.dockSpin },
    { hint: "S (▼) brakes: it pushes backwards. Slow down to 0.8 or less.", done: (gauges, seen) => (seen.used & KEYS.backward) !== 0 && gauges.speed <= rules.dockSpeed },
    { hint: "Now fly to Earth, and be that slow in the ring. Both gauges must show ✓ there.", done: (gauges) => gauges.phase === 1 },
  ];
}

export class School {
  private tasks: Task[];
  private at = 0;
  private seen: Seen = { used: 0, fastest: 0, turned: 0 };

  constructor(rules: Rules) {
    this.tasks = tasks(rules);
  }

  /** What to do now. */
  get hint(): string {
    return this.tasks[this.at]?.hint ?? "";
  }

  /** Which task it is, from 1, and of how many. */
  get place(): [number, number] {
    return [Math.min(this.at + 1, this.tasks.length), this.tasks.length];
  }

  /** After a tick; true when a task was done. */
  watch(gauges: Gauges): boolean {
    this.seen.used |= gauges.burning;
    this.seen.fastest = Math.max(this.seen.fastest, gauges.speed);
    this.seen.turned = Math.max(this.seen.turned, Math.abs(gauges.spin));
    if (!this.tasks[this.at]?.done(gauges, this.seen)) return false;
    this.at += 1;
    this.seen = { used: 0, fastest: 0, turned: 0 };
    return true;
  }
}
