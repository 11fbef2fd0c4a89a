// What can be shown over bodies in 3D, as line segments and dots: velocities, contacts, impulses,
// friction cones, paths, a selection.
import { contactAt, contactsOf, impulseOn, type ContactNumbers } from "./contacts";
import { short } from "./dom";
import type { Answer, Drawing } from "./engine/protocol";
import { leaning } from "./marks2d";
import { add, cross, type Orbit, pose, size, times, turn, unit, type Vector } from "./orbit";
import { mix, type Palette, readable } from "./palette";
import { centerPath, type Legend, type Past, type Scale, trails } from "./past";
import { faces } from "./spatial";
import type { Picked, Shown } from "./stage";

/** The fastest body and the greatest impulse get an arrow of this share of the scene. */
const LONGEST = 0.35;
/** Corners of the rim of a cone. */
const RIM = 24;

export class Marks {
  /** Ends of segments, three numbers each, and the colour of each segment. */
  readonly places: number[] = [];
  readonly tints: string[] = [];
  readonly dots: number[] = [];
  readonly legend: Legend[] = [];
  private longest: number;

  constructor(
    private drawing: Drawing,
    private orbit: Orbit,
    private colors: Palette,
    private scales: { velocity: Scale; impulse: Scale },
  ) {
    this.longest = LONGEST * orbit.extent;
  }

  take(frame: Answer, shown: Shown, selected: Picked, past?: Past): void {
    this.springs(frame);
    if (shown.velocities && frame.velocities) this.velocities(frame, frame.velocities);
    if (frame.contacts && (shown.contacts || shown.impulses)) this.contacts(frame.contacts, shown, past?.opened.dt ?? 0);
    if (frame.contacts && shown.cone) this.cones(frame.contacts, selected);
    if (past && shown.trails) for (const trail of trails(past, frame)) this.path(trail, mix(this.colors.velocity, this.colors.paper, 0.4));
    if (past && shown.center) {
      const center = centerPath(past, frame);
      this.path(center, this.colors.selected);
      if (center.length > 0) this.dots.push(...center[center.length - 1]!);
    }
    if (selected?.kind === "body" && selected.index < this.drawing.bodies.length) this.outline(frame, selected.index);
    const contact = selected?.kind === "contact" && frame.contacts ? contactAt(frame.contacts, selected.index) : undefined;
    if (contact) this.ring(contact.point);
  }

  private line(from: Vector, to: Vector, color: string): void {
    this.places.push(...from, ...to);
    this.tints.push(color);
  }

  /** WebGL draws lines of one pixel only: five side by side are seen. */
  private thick(from: Vector, to: Vector, color: string): void {
    const [right, up] = this.orbit.axes();
    const by = this.orbit.distance * 1.2e-3;
    for (const shift of [[0, 0, 0] as Vector, times(right, by), times(up, by), times(right, -by), times(up, -by)]) this.line(add(from, shift), add(to, shift), color);
  }

  /** An arrow whose head lies in the plane of the picture. */
  private arrow(from: Vector, vector: Vector, color: string): void {
    const to = add(from, vector);
    this.line(from, to, color);
    const along = unit(vector);
    const side = unit(cross(along, this.orbit.axes()[2]));
    const head = Math.min(0.3 * size(vector), 0.06 * this.longest);
    for (const sign of [1, -1]) this.line(to, add(to, add(times(along, -head), times(side, 0.5 * sign * head))), color);
  }

  private path(points: Vector[], color: string): void {
    points.forEach((point, k) => k > 0 && this.line(points[k - 1]!, point, color));
  }

  private springs(frame: Answer): void {
    for (const { start, end, color } of this.drawing.springs ?? []) {
      const at = (anchor: typeof start): Vector => {
        if (anchor.body === undefined) return anchor.point as Vector;
        const { center, q } = pose(frame.positions!, anchor.body);
        return add(center, turn(q, anchor.point as Vector));
      };
      this.line(at(start), at(end), readable(color ?? this.colors.spring, this.colors));
    }
  }

  private velocities(frame: Answer, v: Float64Array): void {
    let fastest = 0;
    for (let k = 0; k < v.length; k += 6) fastest = Math.max(fastest, Math.hypot(v[k]!, v[k + 1]!, v[k + 2]!));
    const factor = this.scales.velocity.of(fastest, this.longest);
    if (!(factor > 0)) return;
    this.legend.push({ color: this.colors.velocity, pixels: 24, words: `longest arrow: ${short(this.longest / factor)} m/s` });
    this.drawing.bodies.forEach((_, k) => {
      const velocity: Vector = [v[6 * k]!, v[6 * k + 1]!, v[6 * k + 2]!];
      if (size(velocity) >= 0.01 * fastest) this.arrow(pose(frame.positions!, k).center, times(velocity, factor), this.colors.velocity);
    });
  }

  private contacts(all: Float64Array, shown: Shown, dt: number): void {
    const found = [...contactsOf(all)];
    const greatest = found.reduce((most, contact) => Math.max(most, size(impulseOn(contact))), 0);
    const factor = shown.impulses ? this.scales.impulse.of(greatest, this.longest) : 0;
    if (factor > 0) {
      const most = this.longest / factor;
      this.legend.push({ color: this.colors.impulse, pixels: 24, words: `longest arrow: ${short(most)} N s${dt > 0 ? `, force ${short(most / dt)} N` : ""}` });
    }
    for (const contact of found) {
      if (shown.contacts) {
        this.dots.push(...contact.point);
        this.line(contact.point, add(contact.point, times(contact.normal, 0.15 * this.longest)), this.colors.contact);
      }
      const impulse = times(impulseOn(contact), factor);
      if (!(size(impulse) > 0)) continue;
      this.arrow(contact.point, impulse, this.colors.impulse);
      this.arrow(contact.point, times(impulse, -1), this.colors.impulse);
    }
  }

  /**
   * The friction cone of the chosen contact, or of all where none is chosen, with the direction of
   * its impulse.
   */
  private cones(all: Float64Array, selected: Picked): void {
    const mu = this.drawing.friction ?? 0;
    const chosen = selected?.kind === "contact" ? contactAt(all, selected.index) : undefined;
    const shown = selected?.kind === "contact" ? (chosen ? [chosen] : []) : [...contactsOf(all)];
    for (const contact of shown) this.cone(contact, mu, contact === chosen);
    const degrees = ((Math.atan(mu) * 180) / Math.PI).toFixed(1);
    this.legend.push({ color: this.colors.contact, pixels: 14, words: `friction cone: µ = ${short(mu)}, half angle ${degrees}°` });
    if (chosen && chosen.impulse > 0) this.legend.push({ color: this.colors.impulse, pixels: 14, words: leaning(chosen, mu) });
  }

  private cone(contact: ContactNumbers, mu: number, isChosen: boolean): void {
    const { point, normal, impulse } = contact;
    const high = 0.4 * this.longest;
    const first = unit(cross(normal, Math.abs(normal[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));
    const second = cross(normal, first);
    const rim = (k: number): Vector => {
      const [c, s] = [Math.cos((2 * Math.PI * k) / RIM), Math.sin((2 * Math.PI * k) / RIM)];
      return add(point, add(times(normal, high), add(times(first, mu * high * c), times(second, mu * high * s))));
    };
    const draw = isChosen ? this.thick.bind(this) : this.line.bind(this);
    for (let k = 0; k < RIM; k++) {
      draw(rim(k), rim(k + 1), this.colors.contact);
      if (k % 4 === 0) draw(point, rim(k), this.colors.contact);
    }
    if (impulse > 0) this.arrow(point, times(impulseOn(contact), high / impulse), this.colors.impulse);
  }

  /** Around the chosen contact, facing the viewer. */
  private ring(point: Vector): void {
    const [right, up] = this.orbit.axes();
    const radius = 0.012 * this.orbit.distance;
    const at = (k: number) => add(point, add(times(right, radius * Math.cos((k * Math.PI) / 12)), times(up, radius * Math.sin((k * Math.PI) / 12))));
    for (let k = 0; k < 24; k++) this.thick(at(k), at(k + 1), this.colors.selected);
  }

  /**
   * The edges of the chosen body, a little outside of it and through everything: it is found among
   * many.
   */
  private outline(frame: Answer, index: number): void {
    const body = this.drawing.bodies[index]!;
    const { center, q } = pose(frame.positions!, index);
    const at = (point: Vector) => add(center, turn(q, times(point, 1.04)));
    if (body.shape !== "sphere") {
      for (const face of faces(body)) face.forEach((corner, k) => this.thick(at(corner), at(face[(k + 1) % face.length]!), this.colors.selected));
      return;
    }
    for (const axis of [0, 1, 2]) {
      const point = (k: number): Vector => {
        const [s, c] = [Math.sin((k * Math.PI) / 24) * body.radius, Math.cos((k * Math.PI) / 24) * body.radius];
        return axis === 0 ? [0, c, s] : axis === 1 ? [c, 0, s] : [c, s, 0];
      };
      for (let k = 0; k < 48; k++) this.thick(at(point(k)), at(point(k + 1)), this.colors.selected);
    }
  }
}
