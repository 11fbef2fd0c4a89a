// Gauges over the sky, and the card in its middle.
import { h, say } from "./dom";
import type { Gauges, Rules } from "./game-engine";
import { opened } from "./game-results";

export function clock(ticks: number, rules: Rules): string {
  const seconds = ticks / rules.ticksASecond;
  return `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, "0")}`;
}

/** Time, fuel, speed and spin; green where an arrival would be taken. */
export class Panel {
  private time = h("dd", {}, "0:00.0");
  private fuel = h("meter", { min: 0, max: 1, low: 0.2, value: 1, "aria-label": "Fuel" });
  private fuelWords = h("span", {}, "100 %");
  private speed = h("dd", {}, "0.0");
  private spin = h("dd", {}, "0.0");
  private score = h("dd", {}, "0");
  readonly element = h(
    "dl",
    { class: "gauges", "aria-label": "Gauges" },
    h("div", {}, h("dt", {}, "Time"), this.time),
    h("div", {}, h("dt", {}, "Fuel"), h("dd", {}, this.fuel, this.fuelWords)),
    h("div", {}, h("dt", {}, "Speed"), this.speed),
    h("div", {}, h("dt", {}, "Spin"), this.spin),
    h("div", { class: "points" }, h("dt", {}, "Points"), this.score),
  );

  constructor(private rules: Rules) {}

  show(gauges: Gauges, tank: number): void {
    const { rules } = this;
    set(this.time, clock(gauges.ticks, rules));
    const left = gauges.fuel / tank;
    if (this.fuel.value !== left) this.fuel.value = left;
    set(this.fuelWords, ` ${Math.round(100 * left)} %`);
    // The limit stands beside the number, with a sign: nobody needs to tell green from white.
    const limited = (value: number, limit: number) => `${value.toFixed(1)} ${value <= limit ? "≤" : ">"} ${limit}${value <= limit ? " ✓" : ""}`;
    set(this.speed, limited(gauges.speed, rules.dockSpeed));
    set(this.spin, limited(Math.abs(gauges.spin), rules.dockSpin));
    set(this.score, gauges.score.toLocaleString("en"));
    this.speed.classList.toggle("good", gauges.speed <= rules.dockSpeed);
    this.spin.classList.toggle("good", Math.abs(gauges.spin) <= rules.dockSpin);
  }
}

function set(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Levels that are open, and those that are not yet; 0 is flight school. */
export class LevelMenu {
  readonly element: HTMLSelectElement;

  constructor(
    private rules: Rules,
    choose: (level: number) => void,
  ) {
    this.element = h("select", { "aria-label": "Level", onchange: () => choose(Number(this.element.value)) });
    this.show(1);
  }

  /** What is chosen; a level that is being flown is open, however one came there. */
  show(chosen: number, flown = chosen): void {
    const { levels } = this.rules;
    const most = Math.max(opened(levels.length), flown);
    this.element.replaceChildren(
      h("option", { value: 0 }, "Flight school"),
      ...levels.map((level, k) => h("option", { value: k + 1, disabled: k + 1 > most }, `${k + 1}. ${level.name}${k + 1 > most ? " (locked)" : ""}`)),
    );
    this.element.value = String(chosen);
  }
}

/** Milliseconds that a notice is shown. */
const NOTICE = 2500;

/** What is said over the field: a banner that stays, and notices that fade. */
export class Messages {
  readonly notice = h("p", { class: "game-notice", hidden: true });
  readonly banner = h("div", { class: "game-banner", role: "status", hidden: true });
  private until = 0;

  show(...content: Node[]): void {
    this.banner.hidden = content.length === 0;
    this.banner.replaceChildren(...content);
  }

  announce(words: string): void {
    this.notice.textContent = words;
    this.notice.hidden = false;
    this.until = performance.now() + NOTICE;
    say(words);
  }

  fade(now: number): void {
    if (this.until !== 0 && now > this.until) this.hush();
  }

  hush(): void {
    this.notice.hidden = true;
    this.until = 0;
  }
}

export interface Choice {
  label: string;
  act: () => void;
  main?: boolean;
}

/** What stands in the middle of the screen while nothing flies. */
export function card(title: string, lines: (Node | string)[], choices: Choice[], mood = ""): HTMLElement {
  const buttons = choices.map(({ label, act, main }) => h("button", { type: "button", class: main ? "go" : undefined, onclick: act }, label));
  return h(
    "section",
    { class: `game-card ${mood}`, "aria-label": title },
    h("h2", {}, title),
    ...lines.map((line) => h("p", {}, line)),
    h("div", { class: "choices-row" }, ...buttons),
  );
}
