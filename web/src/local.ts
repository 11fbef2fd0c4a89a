// Scenes that are too long for an address: kept as long as the page is open.

const kept: string[] = [];

/** Keeps a text and gives the number to find it by. */
export function keep(text: string): number {
  return kept.push(text) - 1;
}

export function find(number: number): string {
  const text = kept[number];
  if (text === undefined) throw new Error("this scene was only in the page that was closed; drop it once more");
  return text;
}
