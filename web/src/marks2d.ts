// What can be shown on top of flat bodies: velocities, contacts, impulses, a selection, and how long a metre is.
import { type Answer, CONTACT_NUMBERS } from "./engine/protocol";
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

/** The friction cone of the chosen contact, or of all where none is chosen: half its angle is arctan µ. */
function cone(c: Context, stage: FlatStage, all: Float64Array, selected: Picked, colors: Palette, past: Past): Legend[] {
  const mu = past.opened.drawing!.friction ?? 0;
  const chosen = selected?.kind === "contact" ? selected.index : undefined;
  const angle = Math.atan(mu);
  const long = 0.1 * Math.min(stage.camera.width, stage.camera.height);
  c.fillStyle = faint(colors.contact, 0.16);
  c.strokeStyle = colors.contact;
  c.lineWidth = 1.2;
  for (let k = 0; k * CONTACT_NUMBERS < all.length; k++) {
    if (chosen !== undefined && k !== chosen) continue;
    const base = k * CONTACT_NUMBERS;
    const [x, y] = stage.camera.toScreen(all[base + 3]!, all[base + 4]!);
    const middle = Math.atan2(-all[base + 7]!, all[base + 6]!);
    if (!Number.isFinite(x + y + middle)) continue;
    c.beginPath();
    c.moveTo(x, y);
    for (const side of [-angle, angle]) c.lineTo(x + (long * Math.cos(middle + side)) / Math.cos(angle), y + (long * Math.sin(middle + side)) / Math.cos(angle));
    c.closePath();
    c.fill();
    c.stroke();
  }
  return [{ color: colors.contact, pixels: 14, words: `friction cone: µ = ${short(mu)}, half angle ${((angle * 180) / Math.PI).toFixed(1)}°` }];
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

function contacts(c: Context, stage: FlatStage, all: Float64Array, shown: Shown, colors: Palette, dt: number): Legend[] {
  let greatest = 0;
  for (let k = 0; k < all.length; k += CONTACT_NUMBERS) greatest = Math.max(greatest, Math.abs(all[k + 10]!));
  const factor = shown.impulses ? stage.scales.impulse.of(greatest, LONGEST * Math.min(stage.camera.width, stage.camera.height)) : 0;
  const arrows: { color: string; lines: [number, number, number, number][] }[] = [
    { color: colors.contact, lines: [] },
    { color: colors.impulse, lines: [] },
  ];
  c.fillStyle = colors.contact;
  c.beginPath();
  for (let k = 0; k < all.length; k += CONTACT_NUMBERS) {
    const [x, y] = stage.camera.toScreen(all[k + 3]!, all[k + 4]!);
    const length = Math.hypot(all[k + 6]!, all[k + 7]!);
    const unit = length > 0 ? ([all[k + 6]! / length, -all[k + 7]! / length] as const) : undefined;
    if (shown.contacts) {
      c.moveTo(x + 3, y);
      c.arc(x, y, 3, 0, 2 * Math.PI);
      if (unit) arrows[0]!.lines.push([x, y, 14 * unit[0], 14 * unit[1]]);
    }
    const impulse = Math.abs(all[k + 10]!);
    if (shown.impulses && unit && impulse * factor > 1) {
      const long = impulse * factor;
      arrows[1]!.lines.push([x, y, long * unit[0], long * unit[1]], [x, y, -long * unit[0], -long * unit[1]]);
    }
  }
  c.fill();
  for (const { color, lines } of arrows) {
    c.strokeStyle = color;
    c.fillStyle = color;
    c.lineWidth = 1.6;
    c.beginPath();
    for (const [x, y, dx, dy] of lines) {
      c.moveTo(x, y);
      c.lineTo(x + dx, y + dy);
    }
    c.stroke();
    arrowHeads(c, lines.map(([x, y, dx, dy]) => [x + dx, y + dy, dx / Math.hypot(dx, dy), dy / Math.hypot(dx, dy)]));
  }
  if (!(factor > 0) || !Number.isFinite(factor)) return [];
  const round = stage.scales.impulse.round(factor, LEGEND);
  const force = dt > 0 ? `, force ${short(round / dt)} N` : "";
  return [{ color: colors.impulse, pixels: round * factor, words: `impulse ${short(round)} N s${force}` }];
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
    const k = selected.index * CONTACT_NUMBERS;
    if (!frame.contacts || k >= frame.contacts.length) return c.setLineDash([]);
    const [x, y] = stage.camera.toScreen(frame.contacts[k + 3]!, frame.contacts[k + 4]!);
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
