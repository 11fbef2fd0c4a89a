// What can be shown on top of flat bodies: velocities, contacts, impulses, a selection, and how
// long a metre is.
import { contactAt, type ContactNumbers, contactsOf, impulseOn } from "./contacts";
import type { Answer } from "./engine/protocol";
import { short } from "./dom";
import { faint, type Palette } from "./palette";
import type { Legend, Past } from "./past";
import type { Picked, Shown } from "./stage";
import type { FlatStage } from "./stage2d";

type Context = CanvasRenderingContext2D;

/** The fastest body and the greatest impulse get an arrow of this share of the picture. */
const LONGEST = 0.14;
/** Arrows of the legend are at most this long. */
const LEGEND = 60;

/** Draws what is asked for; says what the arrows mean. */
export function drawMarks(c: Context, stage: FlatStage, frame: Answer, shown: Shown, selected: Picked, colors: Palette, past?: Past): Legend[] {
  const legend: Legend[] = [];
  if (shown.velocities && frame.velocities) legend.push(...velocities(c, stage, frame, colors));
  if ((shown.contacts || shown.impulses) && frame.contacts) legend.push(...contacts(c, stage, frame.contacts, shown, colors, past?.opened.dt ?? 0));
  if (shown.cone && frame.contacts && past) legend.push(...cone(c, stage, frame.contacts, selected, colors, past));
  if (selected) selection(c, stage, frame, selected, colors);
  scaleBar(c, stage, colors);
  return legend;
}

/**
 * The friction cone of the chosen contact, or of all where none is chosen: half its angle is arctan
 * µ. The impulse of the contact is drawn in it, so that it is seen to stick (inside) or to slide
 * (on the rim).
 */
function cone(c: Context, stage: FlatStage, all: Float64Array, selected: Picked, colors: Palette, past: Past): Legend[] {
  const mu = past.opened.drawing!.friction ?? 0;
  const angle = Math.atan(mu);
  const long = 0.1 * Math.min(stage.camera.width, stage.camera.height);
  const chosen = selected?.kind === "contact" ? contactAt(all, selected.index) : undefined;
  const shown = selected?.kind === "contact" ? (chosen ? [chosen] : []) : [...contactsOf(all)];
  const arrows: Arrow[] = [];
  c.fillStyle = faint(colors.contact, 0.16);
  c.strokeStyle = colors.contact;
  c.lineWidth = 1.2;
  for (const contact of shown) {
    const [x, y] = stage.camera.toScreen(contact.point[0], contact.point[1]);
    const middle = Math.atan2(-contact.normal[1], contact.normal[0]);
    if (!Number.isFinite(x + y + middle)) continue;
    c.beginPath();
    c.moveTo(x, y);
    for (const side of [-angle, angle]) c.lineTo(x + (long * Math.cos(middle + side)) / Math.cos(angle), y + (long * Math.sin(middle + side)) / Math.cos(angle));
    c.closePath();
    c.fill();
    c.stroke();
    // As high as the cone: only its direction tells here, its size is a layer of its own.
    const whole = impulseOn(contact);
    if (contact.impulse > 0) arrows.push([x, y, (long * whole[0]) / contact.impulse, (-long * whole[1]) / contact.impulse]);
  }
  drawArrows(c, arrows, colors.impulse);
  const legend = [{ color: colors.contact, pixels: 14, words: `friction cone: µ = ${short(mu)}, half angle ${((angle * 180) / Math.PI).toFixed(1)}°` }];
  return chosen && chosen.impulse > 0 ? [...legend, { color: colors.impulse, pixels: 14, words: leaning(chosen, mu) }] : legend;
}

/** How far the impulse of a contact leans from the normal, and what that means. */
export function leaning(contact: ContactNumbers, mu: number): string {
  const share = Math.hypot(...contact.friction) / contact.impulse;
  const where = mu > 0 && share >= mu * (1 - 1e-6) ? "on the rim: it slides" : "inside: it sticks";
  return `impulse at ${((Math.atan(share) * 180) / Math.PI).toFixed(1)}° from the normal${mu > 0 ? `, ${where}` : ""}`;
}

function velocities(c: Context, stage: FlatStage, frame: Answer, colors: Palette): Legend[] {
  const { stride } = stage;
  const v = frame.velocities!;
  let fastest = 0;
  for (let k = 0; k + 1 < v.length; k += stride) fastest = Math.max(fastest, Math.hypot(v[k]!, v[k + 1]!));
  const factor = stage.scales.velocity.of(fastest, LONGEST * Math.min(stage.camera.width, stage.camera.height));
  if (!(factor > 0) || !Number.isFinite(factor)) return [];
  c.strokeStyle = colors.velocity;
  c.fillStyle = colors.velocity;
  c.lineWidth = 1.6;
  c.beginPath();
  const heads: [number, number, number, number][] = [];
  for (let index = 0; index * stride < v.length; index++) {
    const [dx, dy] = [factor * v[index * stride]!, -factor * v[index * stride + 1]!];
    const length = Math.hypot(dx, dy);
    if (length < 2) continue;
    const [x, y] = stage.center(frame, index);
    c.moveTo(x, y);
    c.lineTo(x + dx, y + dy);
    heads.push([x + dx, y + dy, dx / length, dy / length]);
  }
  c.stroke();
  arrowHeads(c, heads);
  const round = stage.scales.velocity.round(factor, LEGEND);
  return [{ color: colors.velocity, pixels: round * factor, words: `velocity ${short(round)} m/s` }];
}

/** Dots and normals of contacts; impulses on both bodies, normal and friction together. */
function contacts(c: Context, stage: FlatStage, all: Float64Array, shown: Shown, colors: Palette, dt: number): Legend[] {
  const found = [...contactsOf(all)];
  const greatest = found.reduce((most, contact) => Math.max(most, Math.hypot(...impulseOn(contact))), 0);
  const factor = shown.impulses ? stage.scales.impulse.of(greatest, LONGEST * Math.min(stage.camera.width, stage.camera.height)) : 0;
  const [normals, impulses]: [Arrow[], Arrow[]] = [[], []];
  c.fillStyle = colors.contact;
  c.beginPath();
  for (const contact of found) {
    const [x, y] = stage.camera.toScreen(contact.point[0], contact.point[1]);
    if (shown.contacts) {
      c.moveTo(x + 3, y);
      c.arc(x, y, 3, 0, 2 * Math.PI);
      if (contact.normal.some((k) => k !== 0)) normals.push([x, y, 14 * contact.normal[0], -14 * contact.normal[1]]);
    }
    const [jx, jy] = impulseOn(contact);
    if (shown.impulses && Math.hypot(jx, jy) * factor > 1) {
      impulses.push([x, y, factor * jx, -factor * jy], [x, y, -factor * jx, factor * jy]);
    }
  }
  c.fill();
  drawArrows(c, normals, colors.contact);
  drawArrows(c, impulses, colors.impulse);
  if (!(factor > 0) || !Number.isFinite(factor)) return [];
  const round = stage.scales.impulse.round(factor, LEGEND);
  const force = dt > 0 ? `, force ${short(round / dt)} N` : "";
  return [{ color: colors.impulse, pixels: round * factor, words: `impulse ${short(round)} N s${force}` }];
}

/** A foot and a vector, in pixels. */
type Arrow = [number, number, number, number];

function drawArrows(c: Context, arrows: Arrow[], color: string): void {
  c.strokeStyle = color;
  c.fillStyle = color;
  c.lineWidth = 1.6;
  c.beginPath();
  for (const [x, y, dx, dy] of arrows) {
    c.moveTo(x, y);
    c.lineTo(x + dx, y + dy);
  }
  c.stroke();
  arrowHeads(c, arrows.map(([x, y, dx, dy]) => [x + dx, y + dy, dx / Math.hypot(dx, dy), dy / Math.hypot(dx, dy)]));
}

function arrowHeads(c: Context, heads: [number, number, number, number][]): void {
  c.beginPath();
  for (const [x, y, ux, uy] of heads) {
    c.moveTo(x + 3 * ux, y + 3 * uy);
    c.lineTo(x - 4 * ux - 3.2 * uy, y - 4 * uy + 3.2 * ux);
    c.lineTo(x - 4 * ux + 3.2 * uy, y - 4 * uy - 3.2 * ux);
    c.closePath();
  }
  c.fill();
}

function selection(c: Context, stage: FlatStage, frame: Answer, selected: NonNullable<Picked>, colors: Palette): void {
  c.strokeStyle = colors.selected;
  c.lineWidth = 2.5;
  c.setLineDash([5, 4]);
  c.beginPath();
  if (selected.kind === "contact") {
    const contact = frame.contacts && contactAt(frame.contacts, selected.index);
    if (!contact) return c.setLineDash([]);
    const [x, y] = stage.camera.toScreen(contact.point[0], contact.point[1]);
    c.arc(x, y, 9, 0, 2 * Math.PI);
  } else {
    const body = stage.drawing.bodies[selected.index];
    if (!body) return c.setLineDash([]);
    if (body.shape === "polygon") {
      stage.addOutline(c, frame, selected.index);
    } else {
      const [x, y] = stage.center(frame, selected.index);
      c.arc(x, y, body.radius * stage.camera.scale + 5, 0, 2 * Math.PI);
    }
  }
  c.stroke();
  c.setLineDash([]);
}

/** A bar of a round length, so that a picture has a size. */
function scaleBar(c: Context, stage: FlatStage, colors: Palette): void {
  const wanted = 90 / stage.camera.scale;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const round = [5, 2, 1].find((digit) => digit * power <= wanted) ?? 1;
  const length = round * power * stage.camera.scale;
  const [x, y] = [14, stage.camera.height - 14];
  c.strokeStyle = colors.ink;
  c.fillStyle = colors.ink;
  c.globalAlpha = 0.65;
  c.lineWidth = 1.5;
  c.lineCap = "butt";
  c.beginPath();
  c.moveTo(x, y - 4);
  c.lineTo(x, y);
  c.lineTo(x + length, y);
  c.lineTo(x + length, y - 4);
  c.stroke();
  c.font = "12px system-ui, sans-serif";
  c.textBaseline = "alphabetic";
  const words = power * round >= 1e4 || power * round < 1e-3 ? (round * power).toExponential(0) : String(Number((round * power).toPrecision(2)));
  c.fillText(`${words} m`, x + 5, y - 6);
  c.globalAlpha = 1;
}
