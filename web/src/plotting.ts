// A plot of anything against anything: chosen in the side panel, tied to the timeline, taken along
// as SVG, PNG or CSV.
import { save } from "./capture";
import { type Chart, draw, type Line, type Look, scales, toSvg } from "./chart";
import { contactAt } from "./contacts";
import { h, iconButton, short } from "./dom";
import { faint, palette } from "./palette";
import type { Player } from "./player";
import { BODY, CONTACT, describe, isToken, needs, type Token, valueIn, WHOLE } from "./quantities";

const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
const MOST_LINES = 6;

export class Plotting {
  readonly element: HTMLElement;
  private x: Token = "time";
  private ys: Token[] = ["total"];
  private canvas = h("canvas", { class: "chart", role: "img", tabindex: 0, "aria-label": "Plot" });
  private rows = h("div", { class: "plot-rows" });
  private reading = h("output", { class: "quiet", "aria-label": "Values at the cursor" });
  private drawn = 0;
  private key = "";

  constructor(private player: Player) {
    const exports = h(
      "div",
      { class: "row" },
      h("button", { type: "button", onclick: () => this.saveSvg() }, "SVG"),
      h("button", { type: "button", onclick: () => void this.savePng() }, "PNG"),
      h("button", { type: "button", onclick: () => this.saveCsv() }, "CSV"),
    );
    this.element = h("div", { class: "plotting", tabindex: 0, role: "region", "aria-label": "Plot of chosen quantities" }, this.canvas, this.reading, this.rows, exports);
    this.canvas.addEventListener("pointerdown", (event) => this.seek(event));
    this.canvas.addEventListener("pointermove", (event) => event.buttons === 1 && this.seek(event));
  }

  /** `x~y;y`, as in links; empty for the usual. */
  write(): string {
    const words = `${this.x}~${this.ys.join(";")}`;
    return words === "time~total" ? "" : words;
  }

  read(words: string): void {
    const [x, ys] = words.split("~");
    if (x && isToken(x)) this.x = x;
    const known = (ys ?? "").split(";").filter(isToken).slice(0, MOST_LINES);
    if (known.length > 0) this.ys = known;
  }

  /** Chooses what is plotted, for lessons and embedding pages. */
  choose(x: Token, ys: Token[]): void {
    this.read(`${x}~${ys.join(";")}`);
    this.refresh();
  }

  private get isShown(): boolean {
    return this.player.panelShown === "plot";
  }

  refresh(): void {
    const all = [this.x, ...this.ys].map(needs);
    const wanted = this.isShown ? { velocities: all.some((n) => n.velocities), contacts: all.some((n) => n.contacts) } : {};
    const changed = JSON.stringify(wanted) !== JSON.stringify(this.player.runner.wanted);
    this.player.runner.wanted = wanted;
    if (this.isShown) {
      this.fillRows();
      if (changed && this.player.runner.lead?.frame) void this.player.runner.look();
    }
    this.drawn = 0;
  }

  repaint(): void {
    this.drawn = 0;
  }

  /** After every frame; plots are drawn a few times a second. */
  update(): void {
    if (!this.isShown || !this.canvas.isConnected) return;
    const now = performance.now();
    if (now - this.drawn < 90) return;
    const { runner } = this.player;
    const key = `${runner.step} ${runner.panes.map(({ series }) => series.samples.length).join()} ${this.write()} ${this.canvas.clientWidth}`;
    if (this.drawn !== 0 && key === this.key) return;
    this.key = key;
    this.drawn = now;
    const look = this.look();
    const ratio = Math.min(devicePixelRatio || 1, 2);
    [this.canvas.width, this.canvas.height] = [look.width * ratio, look.height * ratio];
    const c = this.canvas.getContext("2d", { alpha: false })!;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    const chart = this.chart();
    draw(chart, look, c);
    this.reading.textContent = (chart.cursor?.places ?? []).map(([, y], k) => `${chart.lines[k]!.label}: ${short(y)}`).join(" · ");
    this.canvas.setAttribute("aria-label", `Plot of ${this.ys.map((y) => describe(y).label).join(", ")} against ${describe(this.x).label}`);
  }

  private look(width = Math.max(240, this.canvas.clientWidth), height = Math.max(200, this.canvas.clientHeight)): Look {
    const { paper, ink } = palette(null);
    return { width, height, paper, ink, quiet: faint(ink, 0.75), grid: faint(ink, 0.12) };
  }

  private chart(): Chart {
    const { series: colors } = palette(null);
    const { panes, planned, dt } = this.player.runner;
    const units = [...new Set(this.ys.map((y) => describe(y).unit))];
    // Two units have an axis each; more are read as numbers.
    const isRight = (y: Token) => units.length === 2 && describe(y).unit === units[1];
    const lines: Line[] = [];
    const places: [number, number][] = [];
    panes.forEach((pane, p) => {
      if (!pane.opened) return;
      const { samples } = pane.series;
      const now = samples.findLast((sample) => sample.time <= this.player.time() + 1e-12);
      this.ys.forEach((y, k) => {
        const label = panes.length > 1 ? `${describe(y).label}, ${pane.responses.value}` : describe(y).label;
        const color = colors[(panes.length > 1 && this.ys.length === 1 ? p : k) % colors.length]!;
        lines.push({ label, color, dash: panes.length > 1 ? DASHES[p % 4]! : [], right: isRight(y), points: samples.map((sample) => [valueIn(this.x, sample, pane.opened!), valueIn(y, sample, pane.opened!)]) });
        if (now) places.push([valueIn(this.x, now, pane.opened!), valueIn(y, now, pane.opened!)]);
      });
    });
    const axis = (token: Token) => {
      const { label, unit } = describe(token);
      return unit ? `${label} [${unit}]` : label;
    };
    const side = (ys: Token[]) => (ys.length === 1 ? axis(ys[0]!) : new Set(ys.map((y) => describe(y).unit)).size === 1 && describe(ys[0]!).unit ? `[${describe(ys[0]!).unit}]` : "");
    const right = this.ys.filter(isRight);
    const time = this.x === "time";
    return {
      x: axis(this.x),
      y: side(this.ys.filter((y) => !isRight(y))),
      ...(right.length > 0 && { right: side(right) }),
      // The first steps of a run are not the whole width.
      ...(time && { span: 0.02 * planned * dt || 0.1 }),
      lines,
      cursor: { ...(time && { x: this.player.time() }), places },
    };
  }

  /** A click goes to its time; of other plots, to the moment that is nearest. */
  private seek(event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    const { xOf, px, py } = scales(this.chart(), this.look());
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const { runner } = this.player;
    runner.pause();
    if (this.x === "time") return void runner.seek(Math.round(xOf(x) / runner.dt));
    const { samples } = runner.lead.series;
    let [best, nearest] = [-1, Infinity];
    for (const sample of samples) {
      const distance = Math.hypot(px(valueIn(this.x, sample, runner.lead.opened!)) - x, py(valueIn(this.ys[0]!, sample, runner.lead.opened!)) - y);
      if (distance < nearest) [best, nearest] = [sample.step, distance];
    }
    if (best >= 0) void runner.seek(best);
  }

  private fillRows(): void {
    const add = h("button", { type: "button", disabled: this.ys.length >= MOST_LINES, onclick: () => this.set([...this.ys, "kinetic"], this.x) }, "Add a line");
    this.rows.replaceChildren(
      ...this.ys.map((y, k) => this.row(`Line ${k + 1}`, y, (token) => this.set(this.ys.map((old, j) => (j === k ? token : old)), this.x), this.ys.length > 1 ? () => this.set(this.ys.filter((_, j) => j !== k), this.x) : undefined)),
      this.row("Against", this.x, (token) => this.set(this.ys, token)),
      add,
    );
  }

  private set(ys: Token[], x: Token): void {
    this.ys = ys;
    this.x = x;
    this.refresh();
  }

  private row(label: string, token: Token, change: (token: Token) => void, remove?: () => void): HTMLElement {
    const family = this.player.runner.lead.drawing?.family ?? "particles";
    const body = /^b(\d+)\.(\w+)$/.exec(token);
    const contact = /^c(\d+)-(\d+)\.(\w+)$/.exec(token);
    const scope = token === "time" ? "time" : body ? "body" : contact ? "contact" : "whole";
    const { selected, lead } = this.player.runner;
    const chosen = selected?.kind === "body" ? selected.index : 0;
    const touching = selected?.kind === "contact" && lead.frame?.contacts ? contactAt(lead.frame.contacts, selected.index) : undefined;
    const pair = touching ? `${touching.first}-${touching.second}` : `${chosen}-${chosen + 1}`;
    const starts: Record<string, Token> = { time: "time", whole: "total", body: `b${chosen}.x`, contact: `c${pair}.impulse` };
    const scopes = h("select", { "aria-label": `${label}: of what`, onchange: () => change(starts[scopes.value]!) }, ...["time", "whole", "body", "contact"].map((name) => h("option", { value: name }, name)));
    scopes.value = scope;
    const number = (value: string, words: string, next: (value: number) => Token) =>
      h("input", { type: "number", min: 0, max: (this.player.runner.lead.drawing?.bodies.length ?? 1) - 1, value, "aria-label": `${label}: ${words}`, onchange: (event: Event) => change(next(Math.max(0, Math.round((event.target as HTMLInputElement).valueAsNumber || 0)))) });
    const pick = (options: { name: string; label: string }[], value: string, next: (name: string) => Token): HTMLElement => {
      const select = h("select", { "aria-label": `${label}: quantity`, onchange: () => change(next(select.value)) }, ...options.map((option) => h("option", { value: option.name }, option.label)));
      select.value = value;
      return select;
    };
    const parts: HTMLElement[] = [scopes];
    if (scope === "whole") parts.push(pick(WHOLE, token, (name) => name));
    if (body) parts.push(number(body[1]!, "body", (value) => `b${value}.${body[2]}`), pick(BODY.filter(({ families }) => families.includes(family[0]!)), body[2]!, (name) => `b${body[1]}.${name}`));
    if (contact) {
      const [, first, second, name] = contact;
      parts.push(number(first!, "first body", (value) => `c${value}-${second}.${name}`), number(second!, "second body", (value) => `c${first}-${value}.${name}`));
      parts.push(pick(CONTACT, name!, (next) => `c${first}-${second}.${next}`));
    }
    return h("div", { class: "plot-row" }, h("span", {}, label), ...parts, remove ? iconButton("close", `Remove ${label.toLowerCase()}`, "", remove) : undefined);
  }

  saveSvg(): void {
    save(new Blob([toSvg(this.chart(), this.look(760, 460))], { type: "image/svg+xml" }), `${this.player.fileName()}-plot.svg`);
  }

  async savePng(): Promise<void> {
    const canvas = h("canvas", { width: 1520, height: 920 });
    const c = canvas.getContext("2d", { alpha: false })!;
    c.scale(2, 2);
    draw(this.chart(), this.look(760, 460), c);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (blob) save(blob, `${this.player.fileName()}-plot.png`);
  }

  saveCsv(): void {
    const rows = ["method,step,time," + [this.x, ...this.ys].filter((token) => token !== "time").map((token) => `"${describe(token).label} [${describe(token).unit}]"`).join(",")];
    for (const pane of this.player.runner.panes) {
      for (const sample of pane.series.samples) {
        const values = [this.x, ...this.ys].filter((token) => token !== "time").map((token) => valueIn(token, sample, pane.opened!));
        rows.push([pane.responses.value, sample.step < 0 ? "" : sample.step, sample.time, ...values.map((value) => (Number.isFinite(value) ? value : ""))].join(","));
      }
    }
    save(new Blob([`${rows.join("\n")}\n`], { type: "text/csv" }), `${this.player.fileName()}-plot.csv`);
  }

  close(): void {
    this.player.runner.wanted = {};
  }
}
