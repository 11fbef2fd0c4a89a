// The text of a scene as elements with places: numbers are changed where they stand, and everything
// else stays as it was written.

export interface TextAttribute {
  name: string;
  value: string;
  /** Where the value stands, without its quotes. */
  start: number;
  end: number;
}

export interface TextElement {
  tag: string;
  /** From `<` to behind `>`. */
  start: number;
  end: number;
  attributes: TextAttribute[];
}

/**
 * Elements in the order of the text, the root left out; comments and what is no element are passed
 * over.
 */
export function elements(text: string): TextElement[] {
  const found: TextElement[] = [];
  const token = /<!--[\s\S]*?-->|<[?!/][^>]*>|<([A-Za-z][\w:.-]*)((?:\s+[^\s=<>"'/]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>/g;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [whole, tag, inside] = match;
    if (tag === undefined || tag === "scene") continue;
    const attributes: TextAttribute[] = [];
    const each = /([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
    const base = match.index + 1 + tag.length;
    for (let pair = each.exec(inside!); pair; pair = each.exec(inside!)) {
      const value = pair[2] ?? pair[3] ?? "";
      const end = base + pair.index + pair[0].length - 1;
      attributes.push({ name: pair[1]!, value, start: end - value.length, end });
    }
    found.push({ tag, start: match.index, end: match.index + whole.length, attributes });
  }
  return found;
}

export function attribute(element: TextElement | undefined, name: string): TextAttribute | undefined {
  return element?.attributes.find((found) => found.name === name);
}

/** The element that a knob means: `tag.attribute` or `tag[n].attribute`. */
export function targetOf(all: TextElement[], target: string): { element: TextElement; name: string } | undefined {
  const parts = /^(\w+)(?:\[(\d+)\])?\.(\w+)$/.exec(target);
  if (!parts) return undefined;
  const element = all.filter(({ tag }) => tag === parts[1])[Number(parts[2] ?? 0)];
  return element && { element, name: parts[3]! };
}

/** The value that a target has in a text; nothing where the text leaves it out. */
export function valueOf(text: string, target: string): string | undefined {
  const found = targetOf(elements(text), target);
  return found && attribute(found.element, found.name)?.value;
}

/** The text with another value at a target; an attribute that was left out is added. */
export function withValue(text: string, target: string, value: string): string {
  const found = targetOf(elements(text), target);
  return found ? setAttribute(text, found.element, found.name, value) : text;
}

export function setAttribute(text: string, element: TextElement, name: string, value: string): string {
  const safe = value.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
  const old = attribute(element, name);
  if (old) return text.slice(0, old.start) + safe + text.slice(old.end);
  const end = element.end - (text[element.end - 2] === "/" ? 2 : 1);
  return `${text.slice(0, end).trimEnd()} ${name}="${safe}"${text.slice(end)}`;
}

/** The text with an element before the end of the scene, on a line of its own. */
export function withElement(text: string, element: string): string {
  const end = text.lastIndexOf("</scene");
  return end < 0 ? text : `${text.slice(0, end).replace(/[ \t]+$/, "")}  ${element}\n${text.slice(end)}`;
}

/** A number as a scene has it: short, and enough. */
export function written(value: number): string {
  return String(Number(value.toPrecision(7)));
}
