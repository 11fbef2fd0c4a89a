// Best results, kept on this device.
import { recall, remember } from "./header";

export interface Result {
  score: number;
  ticks: number;
  recording: string;
}

/** The best result of a level in one field. */
export function best(level: number, seed: bigint): Result | undefined {
  return read(`game.${level}.${seed}`);
}

/** The best result of a level in any field. */
export function record(level: number): Result | undefined {
  return read(`game.${level}`);
}

/** The highest level that may be flown: one more than the last that was won. */
export function opened(levels: number): number {
  let level = 1;
  while (level < levels && record(level)) level += 1;
  return level;
}

/** The best results of all levels together. */
export function total(levels: number): number {
  let sum = 0;
  for (let level = 1; level <= levels; level += 1) sum += record(level)?.score ?? 0;
  return sum;
}

/** Keeps a result where it is the best; says whether it is the best of its level. */
export function keep(level: number, seed: bigint, result: Result): boolean {
  const text = JSON.stringify(result);
  if (result.score > (best(level, seed)?.score ?? -1)) remember(`game.${level}.${seed}`, text);
  const isRecord = result.score > (record(level)?.score ?? -1);
  if (isRecord) remember(`game.${level}`, text);
  return isRecord;
}

function read(key: string): Result | undefined {
  try {
    const found = JSON.parse(recall(key) ?? "null") as Result | null;
    return found !== null && Number.isFinite(found.score) && Number.isFinite(found.ticks) && typeof found.recording === "string" ? found : undefined;
  } catch {
    return undefined;
  }
}
