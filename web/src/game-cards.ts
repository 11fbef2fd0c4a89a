// The cards in the middle of the game: before a flight, between, and after it.
import { say } from "./dom";
import type { Cockpit } from "./game";
import { card, type Choice, clock } from "./game-panel";
import { best, record, type Result, total } from "./game-results";
import { crashLines, ENDS, readyLines } from "./game-words";

export class Cards {
  constructor(private cockpit: Cockpit) {}

  ready(): void {
    const { cockpit } = this;
    const { level, seed, rules } = cockpit;
    const mine = best(level, seed);
    const choices: Choice[] = [
      { label: "Start", act: () => cockpit.begin(), main: true },
      { label: "Another field", act: () => cockpit.prepare(level, BigInt(1 + Math.floor(Math.random() * 999_999))) },
      { label: "Field of the day", act: () => cockpit.prepare(level, today()) },
      { label: "Flight school", act: () => cockpit.teach() },
      { label: "Copy link to this field", act: () => void cockpit.copy(cockpit.fragment()) },
      { label: "Open in the player", act: () => void cockpit.openField() },
    ];
    if (mine) choices.push({ label: "Watch the best", act: () => cockpit.watch(mine.recording) });
    const { name } = rules.levels[level - 1]!;
    cockpit.show(card(`Level ${level}: ${name}`, [...readyLines(level, seed, rules), ...this.totalLine()], choices));
    say(`Level ${level}, ${name}. Press W to start.`);
  }

  /** The total of all levels, once there is one. */
  private totalLine(): string[] {
    const { levels } = this.cockpit.rules;
    const won = levels.filter((_, k) => record(k + 1)).length;
    return won > 0 ? [`${won} of ${levels.length} levels won, ${total(levels.length).toLocaleString("en")} points together`] : [];
  }

  school(tasks: number): void {
    const { cockpit } = this;
    cockpit.show(card("Flight school", [`${tasks} short tasks, one for each key. You cannot get lost: R starts again.`], [{ label: "Start", act: () => cockpit.begin(), main: true }, { label: "Skip", act: () => cockpit.choose(1) }]));
  }

  taught(): void {
    const { cockpit } = this;
    const choices = [{ label: "First level", act: () => cockpit.choose(1), main: true }, { label: "Once more", act: () => cockpit.teach() }];
    cockpit.show(card("You can fly", ["That is all there is to it. The first level is the same field, for points."], choices, "won"));
    say("You reached Earth. Flight school is done.");
  }

  paused(): void {
    const { cockpit } = this;
    cockpit.show(card("Paused", [], [{ label: "Go on", act: () => cockpit.togglePause(), main: true }, { label: "Start over", act: () => cockpit.prepare(cockpit.level, cockpit.seed) }]));
  }

  damaged(why: string): void {
    this.cockpit.show(card("No such flight", [why], [{ label: "Fly yourself", act: () => this.cockpit.begin(), main: true }]));
  }

  won(result: Result, isRecord: boolean): void {
    const { cockpit } = this;
    const { level, rules, gauges, tank } = cockpit;
    const left = Math.round((100 * gauges.fuel) / tank);
    const lines = [
      `${result.score.toLocaleString("en")} points${isRecord ? ": your best on this level" : ""}; ${total(rules.levels.length).toLocaleString("en")} on all levels together`,
      `${clock(result.ticks, rules)} in flight, ${left} % of the fuel left${gauges.restarts > 0 ? `, ${gauges.restarts + 1} starts` : ""}`,
    ];
    const isLast = level === rules.levels.length;
    const next: Choice = isLast ? { label: "First level", act: () => cockpit.choose(1), main: true } : { label: "Next level", act: () => cockpit.choose(level + 1), main: true };
    cockpit.show(card("Welcome to Earth", lines, [next, { label: "Fly again", act: () => cockpit.again() }, ...this.afterwards(result.recording)], "won"));
    say(`You reached Earth. ${lines.join(". ")}`);
  }

  /** `change` is that of the ship's speed in the last bounce. */
  lost(phase: number, change: number): void {
    const { cockpit } = this;
    const title = ENDS[phase] ?? "";
    const lines = crashLines(phase, change, cockpit.gauges, cockpit.tank, cockpit.rules);
    cockpit.show(card(title, lines, [{ label: "Try again", act: () => cockpit.again(), main: true }, ...this.afterwards(cockpit.game.recording())], "lost"));
    say(`The flight is over. ${title}. ${lines.join(" ")}`);
  }

  replayed(found: string, wanted: string): void {
    const { cockpit } = this;
    const { phase, score } = cockpit.gauges;
    const how = phase === 1 ? `It reached Earth with ${score.toLocaleString("en")} points.` : (ENDS[phase] ?? "");
    const proof = found === wanted ? `Same state as recorded, to the bit: ${found}` : `This recording was changed, or flown under other rules: it ends in ${found}, not in ${wanted}`;
    const text = cockpit.game.recording();
    const choices = [{ label: "Fly this field yourself", act: () => cockpit.prepare(cockpit.level, cockpit.seed), main: true }, { label: "Watch again", act: () => cockpit.watch(text) }];
    cockpit.show(card("End of the recording", [how, proof].filter(Boolean), choices));
    say(`End of the recording. ${how} ${proof}`);
  }

  private afterwards(recording: string): Choice[] {
    const { cockpit } = this;
    return [
      { label: "Watch", act: () => cockpit.watch(recording) },
      { label: "Copy link to this flight", act: () => void cockpit.copy(`game&replay=${recording}`) },
      { label: "Open this field in the player", act: () => void cockpit.openField() },
    ];
  }
}

/** The seed of the day, the same for everybody: the date in UTC. */
export function today(): bigint {
  return BigInt(new Date().toISOString().slice(0, 10).replace(/-/g, ""));
}
