// Changed scenes, kept on this device until they are put away: a reload or a closed tab loses
// nothing.
import { recall, remember } from "./header";

/** Longer texts are not kept: browsers give a page about five million characters. */
const LONGEST = 500_000;

/** A short name for a text: FNV-1a, 32 bits. */
export function nameOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193) >>> 0;
  return hash.toString(36);
}

/** The draft of an original text, if there is one that differs. */
export function draftOf(original: string): string | undefined {
  const draft = recall(`draft.${nameOf(original)}`);
  return draft !== null && draft !== original ? draft : undefined;
}

/** Keeps a draft; one that is the original again is forgotten. */
export function keepDraft(original: string, text: string): void {
  const key = `draft.${nameOf(original)}`;
  if (text === original) forget(key);
  else if (text.length <= LONGEST) remember(key, text);
}

export function forgetDraft(original: string): void {
  forget(`draft.${nameOf(original)}`);
}

function forget(key: string): void {
  try {
    localStorage.removeItem(`carom.${key}`);
  } catch {
    // Where nothing is kept, nothing is forgotten.
  }
}
