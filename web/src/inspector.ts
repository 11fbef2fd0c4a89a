// The numbers of what was clicked.
import { h, short } from "./dom";
import { contactAt, type ContactName } from "./contacts";
import type { Answer, Diagnostics, Inspection } from "./engine/protocol";

export type AngleUnit = "rad" | "deg";

const KINDS = ["particle–particle", "particle–edge", "particle–half-plane", "body–body"];

type Row = [string, string, string];

/** How a step went; a dash where the method has no such number, or nothing touched. */
function rowsOfStep(step: Diagnostics): Row[] {
  const size = (vector: (number | null)[]) => short(Math.hypot(...vector.map((x) => x ?? NaN)));
  return [
    ["contacts", `${step.contacts}, active ${step.active}`, ""],
    ["size of A", short(step.rows), ""],
    ["largest island", short(step.largestIsland), ""],
    ["iterations", short(step.iterations), ""],
    ["residual", short(step.residual), ""],
    ["kinetic energy before contact", short(step.kineticBefore), "J"],
    ["kinetic energy after contact", short(step.kineticAfter), "J"],
    ["momentum changed by", size(step.momentumChange), "kg m/s"],
    ["angular momentum changed by", size(step.angularMomentumChange), "kg m²/s"],
  ];
}

export class Inspector {
  readonly element = h("div", { class: "inspector", tabindex: 0, role: "region", "aria-label": "Numbers" });
  private title = h("h2");
  private table = h("table");
  private contacts = h("div", { class: "touching" });
  private stepTable = h("table", { class: "step" });

  constructor(
    private actions: { push(velocity: [number, number], spin: number): void },
    public unit: AngleUnit,
  ) {
    const pushes: [string, string, [number, number], number][] = [
      ["←", "Push left", [-1, 0], 0],
      ["→", "Push right", [1, 0], 0],
      ["↑", "Push up", [0, 1], 0],
      ["↓", "Push down", [0, -1], 0],
      ["↺", "Spin left", [0, 0], 1],
      ["↻", "Spin right", [0, 0], -1],
    ];
    const buttons = pushes.map(([sign, label, velocity, spin]) =>
      h("button", { type: "button", "aria-label": label, title: label, onclick: () => this.actions.push(velocity, spin) }, sign),
    );
    this.element.append(this.title, this.table, h("div", { class: "pushes", role: "group", "aria-label": "Push this body" }, ...buttons), this.contacts, h("h3", {}, "All bodies in the last step"), this.stepTable);
  }

  /** How the step went that led to a frame, whatever is chosen. */
  step(frame: Answer): void {
    if (frame.diagnostics) fill(this.stepTable, rowsOfStep(frame.diagnostics));
  }

  nothing(): void {
    this.title.textContent = "Inspect";
    this.table.replaceChildren(h("tbody", {}, h("tr", {}, h("td", {}, "Click a body or a contact, or press N to go from body to body."))));
    this.contacts.replaceChildren();
    this.element.dataset["kind"] = "none";
  }

  body(found: Inspection, spatial: boolean): void {
    this.element.dataset["kind"] = found.free ? "free" : "fixed";
    this.title.textContent = `Body ${found.body}${found.free ? "" : ", fixed"}`;
    const turn = (radians: number) => short(this.unit === "deg" ? (radians * 180) / Math.PI : radians);
    const vector = (numbers: (number | null)[]) => numbers.slice(0, spatial ? 3 : 2).map(short).join(", ");
    const rows: Row[] = [
      ["mass", short(found.mass), "kg"],
      ["position", vector(found.position), "m"],
      ["velocity", vector(found.velocity), "m/s"],
      ["speed", short(found.speed), "m/s"],
      ["momentum", vector(found.momentum), "kg m/s"],
      ["kinetic energy", short(found.kinetic), "J"],
    ];
    if (found.inertia !== null) {
      rows.splice(1, 0, ["moment of inertia", short(found.inertia), "kg m²"]);
      rows.splice(3, 0, ["angle", turn(found.angle), this.unit]);
      rows.splice(6, 0, ["angular velocity", turn(found.spin[2]), `${this.unit}/s`]);
    } else if (spatial) {
      rows.splice(4, 0, ["angular velocity", found.spin.map(turn).join(", "), `${this.unit}/s`]);
    }
    this.rows(rows);
    const touching = found.contacts.map((contact) => {
      const other = contact.first === found.body ? contact.second : contact.first;
      return h("li", {}, `${contact.kind} ${other}: impulse ${short(contact.impulse)} N s`);
    });
    this.contacts.replaceChildren(h("h3", {}, touching.length === 0 ? "Touches nothing" : `Touches ${touching.length}`), h("ul", {}, ...touching));
  }

  contact(frame: Answer, index: number, { first, second }: ContactName, mu: number): void {
    const found = frame.contacts && contactAt(frame.contacts, index);
    this.element.dataset["kind"] = "contact";
    this.title.textContent = `Contact of ${first} and ${second}`;
    this.contacts.replaceChildren();
    if (!found) return this.rows([["kind", "they do not touch now", ""]]);
    this.rows([
      ["kind", KINDS[found.kind] ?? "contact", ""],
      ["point", found.point.map(short).join(", "), "m"],
      ["normal", found.normal.map(short).join(", "), ""],
      ["gap", short(found.gap), "m"],
      ["normal impulse", short(found.impulse), "N s"],
      ["friction impulse", short(Math.hypot(...found.friction)), "N s"],
      ["friction / (µ · normal)", mu > 0 && found.impulse > 0 ? short(Math.hypot(...found.friction) / (mu * found.impulse)) : "–", ""],
      ["time in the step", short(found.time), "of dt"],
    ]);
  }

  private rows(rows: Row[]): void {
    fill(this.table, rows);
  }
}

function fill(table: HTMLElement, rows: Row[]): void {
  table.replaceChildren(
    h("tbody", {}, ...rows.map(([name, value, unit]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "value" }, value), h("td", {}, unit)))),
  );
}
