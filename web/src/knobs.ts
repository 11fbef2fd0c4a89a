// Sliders for the numbers of a scene: those that it names, those that every scene of its kind has,
// and those of the chosen body.
import { h, iconButton, methodName, short } from "./dom";
import type { Triple } from "./engine/protocol";
import type { Player } from "./player";
import { polygonNumbers, scaledPolygon } from "./scenechange";
import { attribute, elements, type TextElement, valueOf, withValue, written } from "./scenetext";

interface Slider {
  label: string;
  unit: string;
  min: number;
  max: number;
  step: number;
  value: number;
  /** `tag[n].attribute`, or a name for what is no attribute. */
  target: string;
  set(value: number): Promise<void> | void;
}

/** Elements that are bodies, in the order in which they are counted. */
export const BODY_TAGS: Record<string, string[]> = {
  particles: ["particle"],
  "rigid-bodies": ["rigidbody", "rigidbodydisc", "rigidbodyhalfplane"],
  "spatial-bodies": ["rigidbody3dsphere", "rigidbody3dbox", "rigidbody3dpolyhedron", "rigidbody3dhalfspace"],
};

const COLLISION: Record<string, string> = { particles: "collision", "rigid-bodies": "rigidbodycollisionhandling", "spatial-bodies": "rigidbody3dcollisionhandling" };
const INTEGRATOR: Record<string, string> = { particles: "integrator", "rigid-bodies": "rigidbodyintegrator", "spatial-bodies": "rigidbody3dintegrator" };
const GRAVITY: Record<string, string> = { particles: "simplegravity", "rigid-bodies": "rigidbodygravityforce", "spatial-bodies": "rigidbody3dgravityforce" };

/** The target of a body's element: `tag[n]`. */
export function bodyTarget(text: string, family: string, body: number): { name: string; element: TextElement } | undefined {
  const tags = BODY_TAGS[family]!;
  const all = elements(text);
  const element = all.filter(({ tag }) => tags.includes(tag))[body];
  if (!element) return undefined;
  const place = all.filter(({ tag }) => tag === element.tag).indexOf(element);
  return { name: `${element.tag}[${place}]`, element };
}

export class Knobs {
  readonly element = h("div", { class: "knobs", tabindex: 0, role: "region", "aria-label": "Knobs" });
  private undoButton = iconButton("undo", "Undo", "Ctrl Z", () => void this.player.undo());
  private redoButton = iconButton("redo", "Redo", "Ctrl Y", () => void this.player.edits.redo());
  private shown = "";
  private rows = new Map<string, { input: HTMLInputElement; output: HTMLInputElement }>();
  /** The slider under a hand. */
  private held: string | undefined;
  /** Ranges as they are shown: they stay while somebody turns a knob. */
  private ranges = new Map<string, { min: number; max: number; step: number }>();

  constructor(private player: Player) {
    this.element.addEventListener("focusout", ({ relatedTarget }) => {
      const isLeft = !(relatedTarget instanceof Node && this.element.contains(relatedTarget));
      if (isLeft) queueMicrotask(() => this.element.isConnected && this.refresh());
    });
  }

  /** Named knobs by their labels, for embedding pages. */
  named(): { label: string; target: string; min: number; max: number; value: number }[] {
    const knobs = this.player.runner.lead.opened?.knobs ?? [];
    return knobs.map(({ label, target, min, max }) => ({ label, target, min, max, value: Number(valueOf(this.player.text, target)) }));
  }

  /**
   * Turns a number by its label, of the scene's own knobs or of those in the panel, or by its
   * target; false where there is none such or it cannot be run.
   */
  async turn(name: string, value: number): Promise<boolean> {
    const family = this.player.runner.lead.drawing?.family;
    const slider = family && this.groups(family).flatMap(([, sliders]) => sliders).find(({ label }) => label === name);
    if (slider && valueOf(this.player.text, slider.target) === undefined && Number.isFinite(value)) {
      await slider.set(value);
      return true;
    }
    const target = slider?.target ?? name;
    if (!Number.isFinite(value) || valueOf(this.player.text, target) === undefined) return false;
    return this.player.edits.change(withValue(this.player.text, target, written(value)));
  }

  /** After the text or the choice changed: rows that are there keep their focus and follow. */
  refresh(): void {
    const { lead, selected } = this.player.runner;
    const family = lead.drawing?.family;
    if (!family || lead.opened === undefined) return;
    this.undoButton.disabled = !this.player.edits.canUndo;
    this.redoButton.disabled = !this.player.edits.canRedo;
    const groups = this.groups(family);
    for (const slider of groups.flatMap(([, sliders]) => sliders)) this.keepRange(slider);
    const key = JSON.stringify([groups.map(([name, sliders]) => [name, sliders.map((s) => [s.target, s.min, s.max])]), selected, lead.opened.responses, lead.opened.response, lead.opened.integrator]);
    if (key === this.shown) {
      for (const slider of groups.flatMap(([, sliders]) => sliders)) this.follow(slider);
      return;
    }
    this.shown = key;
    const focused = [...this.rows].flatMap(([target, row]) => (["input", "output"] as const).filter((part) => row[part] === document.activeElement).map((part) => ({ target, part })))[0];
    this.rows.clear();
    const methods = h(
      "div",
      { class: "knob-methods" },
      this.choice("Response", lead.opened.responses!, lead.opened.response!, (response) => ({ response })),
      this.choice("Integrator", lead.opened.integrators!, lead.opened.integrator!, (integrator) => ({ integrator })),
    );
    this.element.replaceChildren(
      h("div", { class: "knob-tools" }, h("span", { class: "quiet" }, "Changes apply from now on."), this.undoButton, this.redoButton),
      ...groups.filter(([, sliders]) => sliders.length > 0).map(([name, sliders]) => h("section", { class: name === "This scene" ? "named" : "" }, h("h3", {}, name), ...sliders.map((slider) => this.row(slider)))),
      h("section", {}, h("h3", {}, "Methods"), methods),
    );
    if (focused) this.rows.get(focused.target)?.[focused.part].focus();
  }

  /** A range follows its number, but not under a hand: the slider would be replaced in mid-drag. */
  private keepRange(slider: Slider): void {
    const kept = this.ranges.get(slider.target);
    const isTurned = this.element.contains(document.activeElement);
    if (isTurned && kept && kept.min <= slider.value && slider.value <= kept.max) Object.assign(slider, kept);
    else this.ranges.set(slider.target, { min: slider.min, max: slider.max, step: slider.step });
  }

  private groups(family: string): [string, Slider[]][] {
    const { text, runner } = this.player;
    const all = elements(text);
    const has = (tag: string) => all.find((element) => element.tag === tag);
    const named = runner.lead.opened!.knobs!.map((knob) => this.ofText(knob.target, knob.label, "", knob.min, knob.max, knob.step ?? (knob.max - knob.min) / 100));
    const scene: (Slider | undefined)[] = [];
    const taken = new Set(named.map((slider) => slider?.target));
    const offer = (target: string, ...rest: [string, string, number, number, number]) => taken.has(target) || scene.push(this.ofText(target, ...rest));
    const collision = COLLISION[family]!;
    if (has(collision)) {
      offer(`${collision}.COR`, "Restitution", "", 0, 1, 0.01);
      offer(`${collision}.mu`, "Friction", "", 0, 1.5, 0.01);
    }
    const integrator = INTEGRATOR[family]!;
    const dt = Number(valueOf(text, `${integrator}.dt`));
    if (dt > 0) offer(`${integrator}.dt`, "Time step", "s", dt / 10, dt * 10, dt / 10);
    const gravity = GRAVITY[family]!;
    if (has(gravity)) for (const axis of family === "spatial-bodies" ? ["fx", "fy", "fz"] : ["fx", "fy"]) offer(`${gravity}.${axis}`, `Gravity ${axis.slice(1)}`, "m/s²", -20, 20, 0.1);
    const present = (sliders: (Slider | undefined)[]) => sliders.filter((slider) => slider !== undefined);
    const groups: [string, Slider[]][] = [["This scene", present(named)], [has(gravity) ? "Contact, time step and gravity" : "Contact and time step", present(scene)]];
    if (runner.selected?.kind === "body") groups.push([`Body ${runner.selected.index}`, present(this.ofBody(family, runner.selected.index))]);
    return groups;
  }

  /** Mass and size are in the text; velocity and spin are set where the body is now. */
  private ofBody(family: string, body: number): (Slider | undefined)[] {
    const { lead } = this.player.runner;
    if (lead.drawing!.bodies[body]?.fixed) return [];
    const found = bodyTarget(this.player.text, family, body);
    const sliders: (Slider | undefined)[] = [];
    const density = family === "spatial-bodies" ? "kg/m³" : "kg/m²";
    for (const [name, label, unit] of [["m", "Mass", "kg"], ["density", "Density", density], ["radius", "Radius", "m"], ["a", "Side a", "m"], ["b", "Side b", "m"], ["c", "Side c", "m"]] as const) {
      const value = Number(attribute(found?.element, name)?.value);
      if (found && value > 0) sliders.push(this.ofText(`${found.name}.${name}`, label, unit, value / 10, value * 4, value / 50));
    }
    if (found?.element.tag === "rigidbody") sliders.push(...this.ofPolygon(body, found.element));
    const velocities = lead.frame?.velocities;
    const width = family === "particles" ? 2 : family === "rigid-bodies" ? 3 : 6;
    const now = (k: number) => velocities?.[width * body + k] ?? 0;
    const span = lead.stage?.span() ?? 10;
    const axes = family === "spatial-bodies" ? 3 : 2;
    const vector = (from: number, k: number, value: number) => [0, 1, 2].map((axis) => (axis === k ? value : axis < axes ? now(from + axis) : 0)) as Triple;
    for (let k = 0; k < axes; k++) {
      const set = (value: number) => this.player.touching.place({ body, velocity: vector(0, k, value) }, `velocity ${body} ${k}`);
      sliders.push({ label: `Velocity ${"xyz"[k]}`, unit: "m/s", min: -2 * span, max: 2 * span, step: span / 100, value: now(k), target: `velocity ${k}`, set });
    }
    if (family === "rigid-bodies") {
      const set = (value: number) => this.player.touching.place({ body, spin: [0, 0, value] }, `spin ${body}`);
      sliders.push({ label: "Spin", unit: "rad/s", min: -20, max: 20, step: 0.1, value: now(2), target: "spin", set });
    } else if (family === "spatial-bodies") {
      for (let k = 0; k < 3; k++) {
        const set = (value: number) => this.player.touching.place({ body, spin: vector(3, k, value) }, `spin ${body} ${k}`);
        sliders.push({ label: `Spin ${"xyz"[k]}`, unit: "rad/s", min: -20, max: 20, step: 0.1, value: now(3 + k), target: `spin ${k}`, set });
      }
    }
    return sliders;
  }

  /** A polygon has its size and, where it is hollow, its mass in its vertices. */
  private ofPolygon(body: number, element: TextElement): Slider[] {
    const numbers = () => {
      const now = bodyTarget(this.player.text, "rigid-bodies", body)!.element;
      return { now, ...polygonNumbers(this.player.text, now) };
    };
    const { size, mass } = numbers();
    const slider = (label: string, unit: string, value: number, scaled: (next: number) => string): Slider => ({
      label, unit, min: value / 10, max: value * 4, step: value / 50, value, target: `${label.toLowerCase()} ${body}`,
      set: async (next) => {
        await this.player.edits.change(scaled(next), `${label} ${body}`);
      },
    });
    const isSolid = attribute(element, "solid")?.value === "1";
    const sliders = [slider("Size", "m", size, (next) => scaledPolygon(this.player.text, numbers().now, next / numbers().size, 1))];
    if (!isSolid && mass > 0) sliders.push(slider("Mass", "kg", mass, (next) => scaledPolygon(this.player.text, numbers().now, 1, next / numbers().mass)));
    return sliders.filter(({ value }) => value > 0);
  }

  private ofText(target: string, label: string, unit: string, min: number, max: number, step: number): Slider | undefined {
    const given = valueOf(this.player.text, target);
    const value = Number(given ?? (target.endsWith(".COR") ? 1 : 0));
    if (!Number.isFinite(value)) return undefined;
    const set = async (next: number) => {
      await this.player.edits.change(withValue(this.player.text, target, written(next)), target);
    };
    return { label, unit, min: Math.min(min, value), max: Math.max(max, value), step, value, target, set };
  }

  private row(slider: Slider): HTMLElement {
    const { label, unit, min, max, step, target } = slider;
    const words = unit ? `${label} in ${unit}` : label;
    const input = h("input", { type: "range", min, max, step: "any", value: slider.value, "aria-label": words });
    const output = h("input", { type: "number", step: "any", value: written(slider.value), "aria-label": `${words}, as a number` });
    const digits = (value: number) => Number((Math.round(value / step) * step).toPrecision(6));
    let latest = slider;
    input.addEventListener("input", () => {
      const value = digits(input.valueAsNumber);
      output.value = written(value);
      void latest.set(value);
    });
    input.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      input.value = String(Math.min(max, Math.max(min, input.valueAsNumber + by * step)));
      input.dispatchEvent(new Event("input"));
    });
    const end = () => this.player.edits.endGroup();
    input.addEventListener("change", end);
    input.addEventListener("pointerdown", () => (this.held = target));
    for (const kind of ["pointerup", "pointercancel", "change"]) input.addEventListener(kind, () => (this.held = undefined));
    output.addEventListener("change", () => {
      // What cannot be run, or is no number, is not left standing.
      const show = () => (output.value = written(latest.value));
      if (Number.isFinite(output.valueAsNumber)) void Promise.resolve(latest.set(output.valueAsNumber)).then(show);
      else show();
      end();
    });
    this.rows.set(target, { input, output });
    this.setters.set(target, (next) => (latest = next));
    return h("div", { class: "knob", title: `${short(min)} to ${short(max)}` }, h("span", { class: "knob-label" }, label, unit && h("small", {}, ` ${unit}`)), input, output);
  }

  private setters = new Map<string, (slider: Slider) => void>();

  private follow(slider: Slider): void {
    const row = this.rows.get(slider.target);
    if (!row) return;
    this.setters.get(slider.target)?.(slider);
    // An answer that is on its way is older than the hand.
    if (this.held === slider.target) return;
    if (document.activeElement !== row.input) row.input.value = String(slider.value);
    if (document.activeElement !== row.output) row.output.value = written(slider.value);
  }

  private choice(label: string, names: string[], chosen: string, change: (name: string) => { response?: string; integrator?: string }): HTMLElement {
    const select = h("select", { "aria-label": label, onchange: () => void this.player.changeMethodLive(change(select.value)) }, ...names.map((name) => h("option", { value: name }, methodName(name))));
    select.value = chosen;
    return h("label", { class: "knob" }, h("span", { class: "knob-label" }, label), select);
  }
}
