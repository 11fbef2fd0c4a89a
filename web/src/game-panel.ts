// Gauges over the sky, and the card in its middle.
import { h } from "./dom";
import type { Gauges, Rules } from "./game-engine";

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
