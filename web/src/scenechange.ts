// Bodies of a scene's text moved, turned and deleted.
import { bodyTarget } from "./knobs";
import { attribute, elements, setAttribute, targetOf, type TextElement, valueOf, withValue, written } from "./scenetext";

/**
 * Attributes that count objects, by the objects that they count: what is deleted moves the numbers
 * behind it.
 */
const COUNTED: Record<string, { tags: string[]; names: Record<string, string[]> }> = {
  particles: { tags: ["particle"], names: { edge: ["i", "j"], particlecolor: ["i"], particlepath: ["i"], particlesurface: ["i"], timedforce: ["i"], gravitationalforce: ["i", "j"], vortexforce: ["i", "j"] } },
  edges: { tags: ["edge"], names: { springforce: ["edge"], edgecolor: ["i"] } },
  halfplanes: { tags: ["halfplane"], names: { halfplanecolor: ["i"] } },
  vertices: { tags: ["rigidbodyvertex"], names: { rigidbody: ["p"] } },
  bodies: {
    tags: ["rigidbody", "rigidbodydisc", "rigidbodyhalfplane"],
    names: { rigidbodyspringforce: ["i", "j"], rigidbodycolor: ["body"], rigidbodysurface: ["body"], rigidbodyscript: ["body"], rigidbodyuniformmotion: ["body"], rigidbodyoscillation: ["body"], rigidbodytimedforce: ["body"] },
  },
  springs: { tags: ["rigidbodyspringforce"], names: { rigidbodyspringcolor: ["spring"] } },
};

/** The text with a body elsewhere and turned about its middle. */
export function moved(text: string, family: string, body: number, dx: number, dy: number, angle: number): string {
  const found = bodyTarget(text, family, body);
  if (!found) return text;
  const shifted = (source: string, target: string, name: string, by: number) => {
    const { element } = targetOf(elements(source), `${target}.${name}`)!;
    return by === 0 ? source : setAttribute(source, element, name, written(Number(attribute(element, name)?.value ?? 0) + by));
  };
  if (found.element.tag !== "rigidbody") {
    const [x, y] = family === "particles" ? ["px", "py"] : ["x", "y"];
    return shifted(shifted(text, found.name, x!, dx), found.name, y!, dy);
  }
  // The corners are moved; the middle is where the centre of the corners is.
  const corners = [...new Set(found.element.attributes.filter(({ name }) => name === "p").map(({ value }) => Number(value)))];
  const vertices = elements(text).filter(({ tag }) => tag === "rigidbodyvertex");
  const places = corners.map((corner) => ["x", "y"].map((name) => Number(attribute(vertices[corner], name)?.value)) as [number, number]);
  const middle = [0, 1].map((axis) => places.reduce((sum, place) => sum + place[axis]!, 0) / places.length) as [number, number];
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  let result = text;
  corners.forEach((corner, k) => {
    const [x, y] = [places[k]![0] - middle[0], places[k]![1] - middle[1]];
    for (const [name, value] of [["x", middle[0] + c * x - s * y + dx], ["y", middle[1] + s * x + c * y + dy]] as const) {
      result = setAttribute(result, elements(result).filter(({ tag }) => tag === "rigidbodyvertex")[corner]!, name, written(value));
    }
  });
  return result;
}

/** Vertices of a polygon: their numbers in the text, places and masses. */
function verticesOf(text: string, body: TextElement): { corner: number; x: number; y: number; m: number }[] {
  const vertices = elements(text).filter(({ tag }) => tag === "rigidbodyvertex");
  const corners = new Set(body.attributes.filter(({ name }) => name === "p").map(({ value }) => Number(value)));
  const number = (corner: number, name: string) => Number(attribute(vertices[corner], name)?.value);
  return [...corners].map((corner) => ({ corner, x: number(corner, "x"), y: number(corner, "y"), m: number(corner, "m") }));
}

function middleOf(places: { x: number; y: number }[]): [number, number] {
  return [places.reduce((sum, { x }) => sum + x, 0) / places.length, places.reduce((sum, { y }) => sum + y, 0) / places.length];
}

/** How wide a polygon is about its middle, and the mass of its vertices. */
export function polygonNumbers(text: string, body: TextElement): { size: number; mass: number } {
  const places = verticesOf(text, body);
  const [mx, my] = middleOf(places);
  return { size: 2 * Math.max(...places.map(({ x, y }) => Math.hypot(x - mx, y - my))), mass: places.reduce((sum, { m }) => sum + m, 0) };
}

/** The text with a polygon larger or heavier by factors. */
export function scaledPolygon(text: string, body: TextElement, size: number, mass: number): string {
  const places = verticesOf(text, body);
  const [mx, my] = middleOf(places);
  let result = text;
  for (const { corner, x, y, m } of places) {
    const name = `rigidbodyvertex[${corner}]`;
    if (size !== 1) result = withValue(withValue(result, `${name}.x`, written(mx + size * (x - mx))), `${name}.y`, written(my + size * (y - my)));
    if (mass !== 1) result = withValue(result, `${name}.m`, written(mass * m));
  }
  return result;
}

/** The text without a body and without the vertices that only it had. */
export function withoutBody(text: string, element: TextElement): string {
  const corners = new Set(element.attributes.filter(({ name }) => name === "p").map(({ value }) => Number(value)));
  let rest = without(text, element);
  for (const corner of [...corners].sort((a, b) => b - a)) {
    const used = elements(rest).some(({ tag, attributes }) => tag === "rigidbody" && attributes.some(({ name, value }) => name === "p" && Number(value) === corner));
    const vertex = elements(rest).filter(({ tag }) => tag === "rigidbodyvertex")[corner];
    if (!used && vertex) rest = without(rest, vertex);
  }
  return rest;
}

/** A half-plane or a spring elsewhere, turned about its point where it has a direction. */
export function movedFixture(text: string, tag: "halfplane" | "rigidbodyspringforce", index: number, dx: number, dy: number, angle: number): string {
  const name = `${tag}[${index}]`;
  const number = (source: string, attributeName: string) => Number(valueOf(source, `${name}.${attributeName}`));
  const shifted = (source: string, attributeName: string, by: number) => (by === 0 ? source : withValue(source, `${name}.${attributeName}`, written(number(source, attributeName) + by)));
  if (tag === "halfplane") {
    const [nx, ny] = [number(text, "nx"), number(text, "ny")];
    const [s, c] = [Math.sin(angle), Math.cos(angle)];
    const turned = angle === 0 ? text : withValue(withValue(text, `${name}.nx`, written(c * nx - s * ny)), `${name}.ny`, written(s * nx + c * ny));
    return shifted(shifted(turned, "px", dx), "py", dy);
  }
  // Ends on bodies go with their bodies; an end at a fixed point is moved.
  let result = text;
  for (const end of ["i", "j"]) if (number(text, end) < 0) result = shifted(shifted(result, `p${end}x`, dx), `p${end}y`, dy);
  return result;
}

/** The text without an element and without what speaks of it; numbers behind it move down. */
export function without(text: string, element: TextElement): string {
  const group = Object.values(COUNTED).find(({ tags }) => tags.includes(element.tag));
  const all = elements(text);
  const drop: TextElement[] = [element];
  const changes: { start: number; end: number; value: string }[] = [];
  if (group) {
    const index = all.filter(({ tag }) => group.tags.includes(tag)).findIndex(({ start }) => start === element.start);
    for (const other of all) {
      const names = group.names[other.tag] ?? [];
      const numbers = other.attributes.filter(({ name }) => names.includes(name));
      if (numbers.some(({ value }) => Number(value) === index)) drop.push(other);
      else for (const { start, end, value } of numbers) if (Number(value) > index) changes.push({ start, end, value: String(Number(value) - 1) });
    }
  }
  // What goes with what goes: springs of an edge, colours of a spring. Its place among the tags of
  // its name does not change.
  const next = drop.find((other) => other.tag !== element.tag && Object.values(COUNTED).some(({ tags }) => tags.includes(other.tag)));
  if (next) {
    const place = all.filter(({ tag }) => tag === element.tag).findIndex(({ start }) => start === element.start);
    const rest = without(text, next);
    return without(rest, elements(rest).filter(({ tag }) => tag === element.tag)[place]!);
  }
  const cuts = drop.map(({ start, end }) => ({ start: lineStart(text, start), end: lineEnd(text, end), value: "" }));
  return [...cuts, ...changes].sort((a, b) => b.start - a.start).reduce((source, { start, end, value }) => source.slice(0, start) + value + source.slice(end), text);
}

/** Where the line of an element begins, if nothing else stands before it on the line. */
function lineStart(text: string, start: number): number {
  const line = text.lastIndexOf("\n", start - 1) + 1;
  return text.slice(line, start).trim() === "" ? line : start;
}

function lineEnd(text: string, end: number): number {
  const rest = /^[ \t]*\r?\n/.exec(text.slice(end));
  const line = text.lastIndexOf("\n", end - 1) + 1;
  return rest && text.slice(line, text.lastIndexOf("<", end)).trim() === "" ? end + rest[0].length : end;
}
