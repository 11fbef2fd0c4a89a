// What can be chosen while drawing: bodies, and what stands around them (half-planes, springs,
// edges of particles).
import type { Answer } from "./engine/protocol";
import { anchorPlace } from "./fixtures2d";
import { bodyTarget } from "./knobs";
import { moved, movedFixture, without, withoutBody } from "./scenechange";
import { attribute, elements, setAttribute, withElement, written } from "./scenetext";
import type { FlatStage } from "./stage2d";

export type Thing = { kind: "body" | "wall" | "spring" | "edge"; index: number };

const TAGS = { wall: "halfplane", spring: "rigidbodyspringforce", edge: "edge" } as const;
/** Pixels around a line that mean it. */
const REACH = 7;

/** What is under a point of the canvas: bodies first, then lines. */
export function thingAt(stage: FlatStage, frame: Answer, x: number, y: number): Thing | undefined {
  const { contacts: _, ...bare } = frame;
  const picked = stage.pick(bare as Answer, x, y);
  if (picked?.kind === "body") return { kind: "body", index: picked.index };
  const lines = [...springLines(stage, frame), ...edgeLines(stage, frame), ...wallLines(stage)];
  return lines.find(({ line }) => distanceTo(line, x, y) < REACH)?.thing;
}

/** Where a thing is in the picture, as lines to be drawn over it. */
export function linesOf(stage: FlatStage, frame: Answer, thing: Thing): Line[] {
  const all = thing.kind === "wall" ? wallLines(stage) : thing.kind === "spring" ? springLines(stage, frame) : thing.kind === "edge" ? edgeLines(stage, frame) : [];
  return all.filter((found) => found.thing.index === thing.index).map(({ line }) => line);
}

type Line = [[number, number], [number, number]];

function springLines(stage: FlatStage, frame: Answer): { thing: Thing; line: Line }[] {
  return (stage.drawing.springs ?? []).map(({ start, end }, index) => ({ thing: { kind: "spring", index }, line: [anchorPlace(stage, frame, start), anchorPlace(stage, frame, end)] }));
}

function edgeLines(stage: FlatStage, frame: Answer): { thing: Thing; line: Line }[] {
  return (stage.drawing.edges ?? []).map(({ start, end }, index) => ({ thing: { kind: "edge", index }, line: [stage.center(frame, start), stage.center(frame, end)] }));
}

function wallLines(stage: FlatStage): { thing: Thing; line: Line }[] {
  const far = stage.camera.width + stage.camera.height;
  return (stage.drawing.obstacles ?? []).map(({ point, normal }, index) => {
    const long = Math.hypot(...normal) || 1;
    const [x, y] = stage.camera.toScreen(...point);
    const along = [normal[1] / long, normal[0] / long] as const;
    return { thing: { kind: "wall", index }, line: [[x - far * along[0], y - far * along[1]], [x + far * along[0], y + far * along[1]]] };
  });
}

function distanceTo([[ax, ay], [bx, by]]: Line, x: number, y: number): number {
  const square = (bx - ax) ** 2 + (by - ay) ** 2;
  const t = square > 0 ? Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square)) : 0;
  return Math.hypot(ax + t * (bx - ax) - x, ay + t * (by - ay) - y);
}

/** What can be done with a thing. */
export function abilities(text: string, family: string, thing: Thing | undefined): { move: boolean; turn: boolean; copy: boolean } {
  if (!thing) return { move: false, turn: false, copy: false };
  if (thing.kind === "body") return { move: true, turn: bodyTarget(text, family, thing.index)?.element.tag === "rigidbody", copy: true };
  if (thing.kind === "wall") return { move: true, turn: true, copy: true };
  const spring = elements(text).filter(({ tag }) => tag === TAGS.spring)[thing.index];
  const isAnchored = thing.kind === "spring" && ["i", "j"].some((end) => Number(attribute(spring, end)?.value) < 0);
  return { move: isAnchored, turn: false, copy: false };
}

/** The text with a thing elsewhere, turned by an angle. */
export function movedThing(text: string, family: string, thing: Thing, dx: number, dy: number, angle: number): string {
  if (thing.kind === "body") return moved(text, family, thing.index, dx, dy, angle);
  return thing.kind === "edge" ? text : movedFixture(text, TAGS[thing.kind], thing.index, dx, dy, angle);
}

export function withoutThing(text: string, family: string, thing: Thing): string {
  if (thing.kind === "body") {
    const found = bodyTarget(text, family, thing.index);
    return found ? withoutBody(text, found.element) : text;
  }
  const element = elements(text).filter(({ tag }) => tag === TAGS[thing.kind as keyof typeof TAGS])[thing.index];
  return element ? without(text, element) : text;
}

/**
 * The text with a copy of a thing so far to its right (a wall: along its normal), and the tag of
 * the copy.
 */
export function withCopy(text: string, family: string, thing: Thing, shift: number): { text: string; tag: string } | undefined {
  if (thing.kind === "wall") {
    const element = elements(text).filter(({ tag }) => tag === TAGS.wall)[thing.index];
    if (!element) return undefined;
    const added = withElement(text, text.slice(element.start, element.end));
    const [nx, ny] = ["nx", "ny"].map((name) => Number(attribute(element, name)?.value)) as [number, number];
    const long = Math.hypot(nx, ny) || 1;
    const last = elements(added).filter(({ tag }) => tag === TAGS.wall).length - 1;
    return { text: movedFixture(added, TAGS.wall, last, (shift * nx) / long, (shift * ny) / long, 0), tag: TAGS.wall };
  }
  const found = bodyTarget(text, family, thing.index);
  if (thing.kind !== "body" || !found) return undefined;
  let source = text.slice(found.element.start, found.element.end);
  if (found.element.tag !== "rigidbody") {
    const name = family === "particles" ? "px" : "x";
    const copy = elements(source)[0]!;
    source = setAttribute(source, copy, name, written(Number(attribute(copy, name)?.value ?? 0) + shift));
    return { text: withElement(text, source), tag: found.element.tag };
  }
  const vertices = elements(text).filter(({ tag }) => tag === "rigidbodyvertex");
  const corners = found.element.attributes.filter(({ name }) => name === "p").map(({ value }) => vertices[Number(value)]!);
  const lines = corners.map((corner) => `<rigidbodyvertex x="${written(Number(attribute(corner, "x")!.value) + shift)}" y="${attribute(corner, "y")!.value}" m="${attribute(corner, "m")?.value ?? "1"}"/>`);
  let place = vertices.length;
  source = source.replace(/\bp\s*=\s*("[^"]*"|'[^']*')/g, () => `p="${place++}"`);
  return { text: [...lines, source].reduce(withElement, text), tag: "rigidbody" };
}
