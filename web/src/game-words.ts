// What the cards of the game say.
import { h } from "./dom";
import type { Gauges, Rules } from "./game-engine";
import { clock } from "./game-panel";
import { best, record } from "./game-results";

export const ENDS = ["", "", "Too hard a landing", "Broken on an asteroid", "Out of air", "Out of numbers"];

/** What went wrong, in numbers. */
export function crashLines(phase: number, changed: number, gauges: Gauges, tank: number, rules: Rules): string[] {
  const { hullLimit, landingLimit, dockSpeed, dockSpin } = rules;
  const hit = changed.toFixed(1);
  const reason =
    phase === 2 ? `Earth changed your speed by ${hit}; the ship survives ${landingLimit.toFixed(1)}. Stop in the ring instead: at most ${dockSpeed}, with a spin of at most ${dockSpin}.`
    : phase === 3 ? `The asteroid changed your speed by ${hit}; the hull takes ${hullLimit.toFixed(1)}.`
    : phase === 4 ? "The air lasts for ten minutes." : "";
  const end = `At the end: speed ${gauges.speed.toFixed(1)}, spin ${Math.abs(gauges.spin).toFixed(1)}, ${Math.round((100 * gauges.fuel) / tank)} % of the fuel.`;
  return [reason, end].filter(Boolean);
}

/** What a pilot reads before a flight. */
export function readyLines(level: number, seed: bigint, rules: Rules): (Node | string)[] {
  const { asteroids } = rules.levels[level - 1]!;
  const [mine, ever] = [best(level, seed), record(level)];
  const lines: (Node | string)[] = [
    `Bring the ship into the ring around Earth, slowly (at most ${rules.dockSpeed}) and without spin. ${asteroids} asteroids drift about; leave the screen and you start again.`,
    h("span", { class: "keys" }, h("kbd", {}, "W"), " thrust ", h("kbd", {}, "S"), " brake ", h("kbd", {}, "A"), " ", h("kbd", {}, "D"), " turn ", h("kbd", {}, "P"), " pause ", h("kbd", {}, "R"), " restart"),
  ];
  if (ever) lines.push(`Best on this level: ${ever.score.toLocaleString("en")} points in ${clock(ever.ticks, rules)}${mine && mine.score < ever.score ? `; in this field ${mine.score.toLocaleString("en")}` : ""}`);
  return lines;
}

/** Where Earth is and how the ship moves, in words. */
export function whereabouts(positions: Float64Array, gauges: Gauges, tank: number): string {
  const [x, y, angle, earthX, earthY] = positions as unknown as [number, number, number, number, number];
  const [dx, dy] = [earthX - x, earthY - y];
  const turn = Math.atan2(dy, dx) - angle;
  const side = Math.round(((((turn * 180) / Math.PI) % 360) + 540) % 360) - 180;
  const where = Math.abs(side) < 5 ? "straight ahead" : `${Math.abs(side)} degrees to the ${side > 0 ? "left" : "right"}`;
  return `Earth is ${Math.hypot(dx, dy).toFixed(1)} away, ${where}. Speed ${gauges.speed.toFixed(1)}, spin ${gauges.spin.toFixed(1)}, fuel ${Math.round((100 * gauges.fuel) / tank)} percent.`;
}
