// The game's engine in the page: the rules and the physics are Rust, this only unpacks numbers.
import { Game, initSync, Recording } from "../generated/carom_web.js";
import { engineCode } from "./engine/link";

export { Game, Recording };

export interface Rules {
  levels: { name: string; asteroids: number; tank: number; par: number }[];
  ticksASecond: number;
  halfWidth: number;
  halfHeight: number;
  dockDistance: number;
  dockSpeed: number;
  dockSpin: number;
  /** Greatest change of the ship's speed that it survives, at an asteroid and at Earth. */
  hullLimit: number;
  landingLimit: number;
}

/** Bits of a mask of keys. */
export const KEYS = { forward: 1, left: 2, backward: 4, right: 8, restart: 16 } as const;

export interface Gauges {
  ticks: number;
  fuel: number;
  speed: number;
  spin: number;
  /** 0 under way, 1 won, 2 broken on Earth, 3 on an asteroid, 4 out of air, 5 out of numbers. */
  phase: number;
  restarts: number;
  score: number;
  burning: number;
  velocity: [number, number];
}

export interface Look {
  radius: number;
  outline: [number, number][];
}

export type Happening =
  | { kind: "bounce"; first: number; second: number; strength: number; x: number; y: number }
  | { kind: "restart"; asked: boolean }
  | { kind: "no-fuel" }
  | { kind: "won"; score: number }
  | { kind: "crashed" };

/** Loads the engine into the page itself: a tick is far cheaper than a message to a worker. */
export async function loadRules(): Promise<Rules> {
  const home = globalThis as unknown as { caromPanicked?: (message: string) => void };
  home.caromPanicked ??= (message) => console.error(message);
  initSync({ module: await engineCode() });
  return JSON.parse(Game.rules()) as Rules;
}

export function gauges(game: Game): Gauges {
  const [ticks, fuel, speed, spin, phase, restarts, score, burning, vx, vy] = game.gauges() as unknown as number[];
  return { ticks: ticks!, fuel: fuel!, speed: speed!, spin: spin!, phase: phase!, restarts: restarts!, score: score!, burning: burning!, velocity: [vx!, vy!] };
}

export function looks(game: Game): Look[] {
  const numbers = game.looks();
  const found: Look[] = [];
  for (let k = 0; k < numbers.length; ) {
    const [radius, corners] = [numbers[k]!, numbers[k + 1]!];
    const outline = Array.from({ length: corners }, (_, c): [number, number] => [numbers[k + 2 + 2 * c]!, numbers[k + 3 + 2 * c]!]);
    found.push({ radius, outline });
    k += 2 + 2 * corners;
  }
  return found;
}

export function happenings(game: Game): Happening[] {
  const numbers = game.events();
  const found: Happening[] = [];
  for (let k = 0; k < numbers.length; k += 6) {
    const [kind, first, second, strength, x, y] = numbers.subarray(k, k + 6) as unknown as [number, number, number, number, number, number];
    if (kind === 0) found.push({ kind: "bounce", first, second, strength, x, y });
    else if (kind === 1) found.push({ kind: "restart", asked: first === 1 });
    else if (kind === 2) found.push({ kind: "no-fuel" });
    else if (kind === 3) found.push({ kind: "won", score: first });
    else found.push({ kind: "crashed" });
  }
  return found;
}
