// The contacts of a frame: fifteen numbers each.
import { CONTACT_NUMBERS, type Triple } from "./engine/protocol";

export interface ContactNumbers {
  index: number;
  kind: number;
  first: number;
  second: number;
  point: Triple;
  /** Unit normal from the first to the second. */
  normal: Triple;
  /** Impulse along the normal, at least 0. */
  impulse: number;
  /** Impulse of friction on the second; zeros where the method does not know it. */
  friction: Triple;
  /** Distance of the surfaces, negative where they overlap; not a number where it is not known. */
  gap: number;
  time: number;
}

export function contactCount(all: Float64Array): number {
  return Math.floor(all.length / CONTACT_NUMBERS);
}

export function contactAt(all: Float64Array, index: number): ContactNumbers | undefined {
  const k = index * CONTACT_NUMBERS;
  if (index < 0 || k + CONTACT_NUMBERS > all.length) return undefined;
  const triple = (from: number): Triple => [all[k + from]!, all[k + from + 1]!, all[k + from + 2]!];
  const normal = triple(6);
  const length = Math.hypot(...normal);
  const friction = triple(11);
  return {
    index,
    kind: all[k]!,
    first: all[k + 1]!,
    second: all[k + 2]!,
    point: triple(3),
    normal: length > 0 ? (normal.map((x) => x / length) as Triple) : [0, 0, 0],
    impulse: Math.abs(all[k + 10]!),
    friction: friction.every(Number.isFinite) ? friction : [0, 0, 0],
    gap: all[k + 14]!,
    time: all[k + 9]!,
  };
}

export function* contactsOf(all: Float64Array): Generator<ContactNumbers> {
  for (let index = 0; index < contactCount(all); index++) yield contactAt(all, index)!;
}

/** A contact that stays the same while steps go by: the n-th place in which two touch. */
export interface ContactName {
  first: number;
  second: number;
  place: number;
}

const isOf = (all: Float64Array, index: number, { first, second }: ContactName) => {
  const k = index * CONTACT_NUMBERS;
  return all[k + 1] === first && all[k + 2] === second;
};

/** The name of the contact of a number. */
export function nameOfContact(all: Float64Array, index: number): ContactName {
  const { first, second } = contactAt(all, index)!;
  const name = { first, second, place: 0 };
  for (let k = 0; k < index; k++) if (isOf(all, k, name)) name.place += 1;
  return name;
}

/** The number of the contact of a name; −1 while the two do not touch there. */
export function findContact(all: Float64Array | undefined, name: ContactName): number {
  let place = 0;
  for (let k = 0; all && k < contactCount(all); k++) if (isOf(all, k, name) && place++ === name.place) return k;
  return -1;
}

/**
 * The whole impulse on the second body: along the normal, and of friction. The first body gets its
 * opposite.
 */
export function impulseOn({ normal, impulse, friction }: ContactNumbers): Triple {
  return [0, 1, 2].map((k) => impulse * normal[k]! + friction[k]!) as Triple;
}
