// The player: a scene, its panes, and everything that can be done with them.
import { About } from "./about";
import { picture, save } from "./capture";
import { Controls } from "./controls";
import { showSave, showShare } from "./dialogs";
import { h, iconButton, methodName, say, toast } from "./dom";
import { draftOf, forgetDraft, keepDraft } from "./drafts";
import type { SceneEditor } from "./editor";
import type { Drawing } from "./drawing";
import type { Report, Request, Triple } from "./engine/protocol";
import { EMBEDDED, listen } from "./embed";
import { Hand } from "./hand";
import { setTitle, setTools } from "./header";
import { Inspector } from "./inspector";
import { Edits } from "./edits";
import { BODY_TAGS, Knobs } from "./knobs";
import { sceneOf } from "./opening";
import { type Method, Pane } from "./pane";
import { Plotting } from "./plotting";
import { Film, type Format, recordRun } from "./recording";
import { Runner } from "./runner";
import { elements } from "./scenetext";
import { pack } from "./share";
import * as settings from "./settings";
import type { View } from "./view";

/** Methods that tell most beside the scene's own, in the order in which they are laid beside it. */
const CONTRASTS = ["gr-lcp", "lcp", "impulse", "penalty", "simple", "gr-velocity-projection", "velocity-projection", "none"];

/** Speeds of the menu: simulated seconds for each second. */
export const SPEEDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

type Panel = "editor" | "inspector" | "knobs" | "plot" | "draw" | null;
const PANELS: Record<NonNullable<Panel>, string> = { editor: "Scene", inspector: "Numbers", knobs: "Knobs", plot: "Plot", draw: "Draw" };

export async function mount(host: HTMLElement, params: URLSearchParams): Promise<View> {
  const { text, name } = await sceneOf(params);
  const player = new Player(host, text, name, params.has("remote"));
  await player.start(params);
  return player;
}

/** How scenes were looked at in this tab, by their address: coming back finds them so. */
const VISITS = "carom.visit.";

export class Player implements View {
  readonly runner = new Runner();
  readonly edits = new Edits(this);
  readonly knobs: Knobs;
  readonly about: About;
  readonly plotting: Plotting;
  text: string;
  private panesBox = h("div", { class: "panes" });
  private scroller = h("div", { class: "panes-box", role: "region", "aria-label": "Panes" }, this.panesBox);
  private panelBox = h("aside", { class: "panel", hidden: true, "aria-label": "Side panel" });
  private corner = h("output", { class: "corner", hidden: true, "aria-label": "Frame and engine time" });
  private controls: Controls;
  private inspector: Inspector;
  private editor: SceneEditor | undefined;
  private drawing: Drawing | undefined;
  private panel: Panel = null;
  private methods: Method[] = [{}];
  readonly film = new Film(this);
  private hands: Hand[] = [];
  private inspected = 0;
  private said = -Infinity;
  private closed = false;
  private hush: () => void = () => undefined;
  private visit = VISITS + location.hash;
  readonly element: HTMLElement;

  constructor(
    private host: HTMLElement,
    /** The text that was opened; what is shown may be a draft of it. */
    readonly original: string,
    readonly name: string,
    private remote: boolean,
  ) {
    this.text = draftOf(original) ?? original;
    document.body.dataset["view"] = "player";
    setTitle(name);
    this.controls = new Controls(this);
    this.inspector = new Inspector({ push: (velocity, spin) => this.push(velocity, spin) }, "deg");
    this.knobs = new Knobs(this);
    this.plotting = new Plotting(this);
    this.about = new About(this);
    setTools(
      iconButton("knobs", "Knobs", "K", () => this.toggle("knobs")),
      iconButton("draw", "Draw", "D", () => void this.toggleDrawing()),
      iconButton("edit", "Edit the scene", "E", () => void this.toggleEditor()),
      iconButton("share", "Share a link", "", () => void showShare(this)),
      iconButton("save", "Save", "S", () => showSave(this)),
      this.film.button,
      iconButton("full", "Full screen", "F", () => this.fullScreen()),
    );
    this.scroller.append(this.corner);
    this.element = h("div", { class: "player" }, this.about.element, h("div", { class: "work" }, this.scroller, this.panelBox), this.controls.element);
    host.replaceChildren(this.element);
    this.runner.onFrame = () => this.afterFrame();
    // Tests, embedding pages and curious people look in here.
    (globalThis as { carom?: unknown }).carom = this;
  }

  async start(params: URLSearchParams): Promise<void> {
    const remembered = new URLSearchParams(sessionStorage.getItem(this.visit) ?? "");
    const wanted = { ...settings.read(params), ...settings.read(remembered) };
    if (wanted.methods) this.methods = wanted.methods;
    if (wanted.speed) this.runner.speed = wanted.speed;
    for (const name of wanted.shown ?? []) this.runner.shown[name] = true;
    if (wanted.angles) this.inspector.unit = wanted.angles;
    if (wanted.corner) this.showCorner(true);
    if (wanted.plot) this.plotting.read(wanted.plot);
    const report = await this.arrange(this.methods.length);
    const count = Number(params.get("panes"));
    if (!wanted.methods && (count === 2 || count === 4)) await this.compare(count);
    if (wanted.plots !== undefined) this.showPlots(wanted.plots);
    if (wanted.view) this.setView(wanted.view);
    if (wanted.step) await this.runner.seek(wanted.step);
    const bodies = this.runner.lead.drawing?.bodies.length ?? 0;
    if (wanted.selected !== undefined && wanted.selected < bodies) this.runner.selected = { kind: "body", index: wanted.selected };
    if (report || params.has("new") || wanted.panel === "editor") await this.toggleEditor();
    else if (wanted.panel === "draw") await this.toggleDrawing();
    else if (wanted.panel && wanted.panel in PANELS) this.openPanel(wanted.panel as Panel);
    this.controls.refresh();
    const still = params.has("still") || wanted.step !== undefined || matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!report && !still) this.runner.play();
    this.hush = listen(this);
    if (EMBEDDED && document.documentElement.dataset["embed"]!.includes("knobs")) this.openPanel("knobs");
  }

  /** Everything that a person can set, as it is now. */
  get settings(): settings.Settings {
    const { runner } = this;
    const methods = runner.panes.map((pane, k) => ({
      response: this.methods[k]?.response ?? pane.opened?.response,
      integrator: this.methods[k]?.integrator ?? pane.opened?.integrator,
    }));
    return {
      methods,
      speed: runner.speed,
      shown: settings.LAYER_NAMES.filter((name) => runner.shown[name]),
      plots: this.plotsShown,
      plot: this.plotting.write(),
      angles: this.angleUnit,
      corner: !this.corner.hidden,
      view: runner.lead.stage?.view(),
      selected: runner.selected?.kind === "body" ? runner.selected.index : undefined,
      panel: this.panel ?? undefined,
      step: runner.playing ? 0 : runner.step,
    };
  }

  /** A link that holds the scene and how it is shown. */
  async link(): Promise<string> {
    const link = new URL(location.href);
    link.hash = `s=${await pack(this.text)}&name=${encodeURIComponent(this.name)}&${settings.write(this.settings)}`;
    return link.href;
  }

  private setView(numbers: number[]): void {
    const { stage, drawing } = this.runner.lead;
    const wanted = drawing?.family === "spatial-bodies" ? 6 : 4;
    if (!stage || numbers.length !== wanted) return;
    stage.setView(numbers);
    for (const pane of this.runner.panes.slice(1)) pane.stage?.follow(stage);
    this.runner.redraw();
  }

  /** So many methods side by side, from the start. */
  async compare(count: number): Promise<void> {
    const { lead } = this.runner;
    if (!lead.opened) return;
    const own = this.methods[0]?.response ?? lead.opened.response!;
    const known = lead.opened.responses!;
    const others = [...CONTRASTS, ...known].filter((response, k, all) => response !== own && known.includes(response) && all.indexOf(response) === k);
    const kept = this.methods.slice(0, count);
    const taken = new Set(kept.map((method) => method.response ?? own));
    const fresh = others.filter((response) => !taken.has(response));
    const integrator = this.methods[0]?.integrator;
    while (kept.length < count) kept.push({ response: fresh.shift() ?? own, integrator });
    this.methods = kept;
    await this.arrange(count);
    this.controls.refresh();
  }

  private async arrange(count: number): Promise<Report | undefined> {
    const { panes } = this.runner;
    for (const pane of panes.splice(count)) pane.close();
    while (panes.length < count) {
      const index = panes.length;
      const pane = new Pane(this.remote, (method) => void this.changeMethod(index, method));
      panes.push(pane);
      this.panesBox.append(pane.element);
    }
    this.panesBox.dataset["count"] = String(count);
    if (count > 1) this.showPlots(true);
    for (const hand of this.hands) hand.close();
    const report = await this.runner.open(this.text, this.methods);
    this.hands = panes.map((pane) => new Hand(pane, this));
    this.opened();
    return report;
  }

  /** After a scene was opened or another text took its place. */
  private opened(): void {
    this.controls.refresh();
    this.knobs.refresh();
    this.plotting.refresh();
    this.about.refresh();
    this.drawing?.refresh();
    this.editor?.replace(this.text);
    void this.inspect(true);
  }

  async changeMethod(index: number, method: Method): Promise<void> {
    const playing = this.runner.playing;
    this.methods[index] = method;
    this.runner.pause();
    await this.arrange(this.methods.length);
    if (playing) this.runner.play();
    say(`Method ${method.response}, ${methodName(method.integrator ?? "")}`);
  }

  /** Another text, run from its start with the same methods where they fit. */
  async apply(text: string, run = true): Promise<void> {
    const playing = this.runner.playing || (run && this.runner.step === 0);
    this.setText(text);
    this.runner.pause();
    const families = this.runner.panes.map((pane) => pane.drawing?.family);
    const report = await this.runner.open(text, this.methods);
    if (!report && this.runner.lead.trouble !== undefined && families[0] !== undefined) {
      // The methods of the old scene mean nothing to this one.
      this.methods = this.methods.map(() => ({}));
      await this.runner.open(text, this.methods);
    }
    for (const hand of this.hands) hand.close();
    this.hands = this.runner.panes.map((pane) => new Hand(pane, this));
    this.opened();
    if (playing && !report) this.runner.play();
  }

  /** Other numbers in the same scene: it goes on from where it is. False where it cannot. */
  async retune(text: string): Promise<boolean> {
    if (text === this.text) return true;
    if (!(await this.runner.retune(text, this.methods))) return false;
    this.setText(text);
    this.opened();
    return true;
  }

  /** Another text: live where the bodies are the same, else from its start. */
  async show(text: string): Promise<boolean> {
    const count = (source: string) => elements(source).filter(({ tag }) => BODY_TAGS[this.runner.lead.drawing?.family ?? "particles"]!.includes(tag)).length;
    if (this.runner.step > 0 && count(text) === count(this.text)) return this.retune(text);
    const [before, selected] = [this.text, this.runner.selected];
    const same = count(text) === count(before);
    await this.apply(text, false);
    if (this.runner.lead.trouble === undefined) {
      if (same && selected?.kind === "body") this.pick(selected);
      return true;
    }
    const why = this.runner.lead.trouble;
    await this.apply(before, false);
    toast(why, true);
    return false;
  }

  /** Another method in all that is shown, from here on. */
  async changeMethodLive(method: Method): Promise<void> {
    const before = this.methods;
    this.methods = this.methods.map((old, k) => (k === 0 ? { ...old, ...method } : old));
    if (!(await this.runner.retune(this.text, this.methods))) this.methods = before;
    this.opened();
  }

  private setText(text: string): void {
    this.text = text;
    keepDraft(this.original, text);
  }

  /** Back to the text as it was opened. */
  async revert(): Promise<void> {
    forgetDraft(this.original);
    await this.apply(this.original);
  }

  /** Back to the first step; where numbers were turned on the way, the scene is opened anew. */
  async restart(): Promise<void> {
    const playing = this.runner.playing;
    if (this.runner.since > 0) {
      this.runner.pause();
      await this.arrange(this.methods.length);
    } else await this.runner.seek(0);
    if (playing) this.runner.play();
  }

  run(): void {
    if (this.runner.playing) this.runner.pause();
    else if (this.runner.panes.some((pane) => pane.gone)) void this.arrange(this.methods.length).then(() => this.runner.play());
    else this.runner.play();
    say(this.runner.playing ? "Running" : `Paused at ${this.time().toFixed(3)} seconds`);
    if (!this.runner.playing) void this.inspect(true);
  }

  time(): number {
    return this.runner.step * this.runner.dt;
  }

  async stepBy(steps: number): Promise<void> {
    this.runner.pause();
    await this.runner.seek(this.runner.step + steps);
    void this.inspect(true);
    say(`Step ${this.runner.step}, ${this.time().toFixed(3)} seconds`);
  }

  select(index: number): void {
    const count = this.runner.lead.drawing?.bodies.length ?? 0;
    if (count > 0) this.pick({ kind: "body", index: ((index % count) + count) % count });
  }

  /** Selects what was clicked. */
  pick(picked: Runner["selected"]): void {
    this.runner.selected = picked;
    if (picked && (this.panel === null || this.panel === "editor")) this.openPanel("inspector");
    else if (!picked && this.panel === "inspector") this.openPanel(null);
    this.knobs.refresh();
    this.drawing?.refresh();
    this.runner.redraw();
    void this.inspect(true);
  }

  push(direction: [number, number], spin: number): void {
    const { selected, lead } = this.runner;
    if (selected?.kind !== "body" || !lead.stage) return;
    // A push is felt but does not throw a body out of the picture: a fifth of the view in a second, as the viewer sees it.
    const size = lead.stage.span() / 5;
    const [right, up, out] = lead.stage.axes();
    const velocity = right.map((x, k) => size * (direction[0] * x + direction[1] * up[k]!)) as Triple;
    void this.touch({ do: "push", body: selected.index, velocity, spin: out.map((x) => 2 * spin * x) as Triple });
  }

  /** Puts a body somewhere. */
  async place(place: Omit<Extract<Request, { do: "place" }>, "do">): Promise<void> {
    await this.touch({ do: "place", ...place });
  }

  /** A place on the grid, where one is on. */
  snapped(position: Triple): Triple {
    return this.drawing?.snapped(position) ?? position;
  }

  /** A body that was dragged stands where it is to stand: the text follows while drawing. */
  dropped(): void {
    void this.drawing?.keepPlaces();
  }

  /** Bodies are touched by hand, and the numbers follow. */
  private async touch(request: Request): Promise<void> {
    this.pushed();
    await this.runner.all(request);
    await this.inspect(true);
  }

  /** The future that was plotted is gone. */
  pushed(): void {
    for (const pane of this.runner.panes) pane.series.forgetAfter(pane.frame?.step ?? 0);
    this.runner.reached = this.runner.step;
  }

  /** Takes back the last turn of a knob, stroke of drawing, or touch of this moment. */
  async undo(again = false): Promise<void> {
    if (again) return void (await this.edits.redo());
    if (await this.edits.undo()) return;
    this.pushed();
    await this.runner.all({ do: "take-back" });
    await this.inspect(true);
  }

  setLayer(name: keyof Runner["shown"], on: boolean): void {
    this.runner.shown[name] = on;
    this.controls.refresh();
    void this.runner.look();
  }

  showPlots(on: boolean): void {
    this.panesBox.classList.toggle("with-plots", on);
    this.controls.refresh();
    this.runner.redraw();
  }

  get plotsShown(): boolean {
    return this.panesBox.classList.contains("with-plots");
  }

  showCorner(on: boolean): void {
    this.corner.hidden = !on;
    this.controls.refresh();
  }

  get cornerShown(): boolean {
    return !this.corner.hidden;
  }

  get angleUnit(): "rad" | "deg" {
    return this.inspector.unit;
  }

  set angleUnit(unit: "rad" | "deg") {
    this.inspector.unit = unit;
    void this.inspect(true);
  }

  async toggleEditor(): Promise<void> {
    if (this.panel === "editor") return this.openPanel(null);
    if (!this.editor) {
      const { SceneEditor } = await import("./editor");
      if (this.closed) return;
      this.editor = new SceneEditor(this.text, {
        check: async (text) => {
          const answer = await this.runner.lead.ask({ do: "check", text });
          if (answer.report) return answer.report;
          return { can_run: false, errors: 1, warnings: 0, summary: answer.message ?? "", build_error: answer.message ?? null, problems: [] };
        },
        apply: (text) => text !== this.text && void this.apply(text),
      });
    }
    this.openPanel("editor");
    this.editor.focus();
  }

  async toggleDrawing(): Promise<void> {
    if (this.panel === "draw") return this.openPanel(null);
    if (!this.drawing) {
      const { Drawing } = await import("./drawing");
      if (this.closed) return;
      this.drawing = new Drawing(this);
    }
    this.runner.pause();
    this.openPanel("draw");
  }

  toggle(panel: NonNullable<Panel>): void {
    this.openPanel(this.panel === panel ? null : panel);
  }

  get panelShown(): Panel {
    return this.panel;
  }

  private openPanel(panel: Panel): void {
    this.panel = panel;
    const contents = { editor: this.editor?.element, inspector: this.inspector.element, knobs: this.knobs.element, plot: this.plotting.element, draw: this.drawing?.element };
    const content = panel && contents[panel];
    this.panelBox.hidden = !content;
    this.panelBox.replaceChildren();
    if (content) {
      const close = iconButton("close", "Close the panel", "", () => this.openPanel(null));
      this.panelBox.append(h("div", { class: "panel-head" }, h("h2", {}, PANELS[panel]), close), content);
    }
    this.plotting.refresh();
    if (panel === "inspector") void this.inspect(true);
    this.runner.redraw();
  }

  async photograph(): Promise<void> {
    save(await picture(this.runner.panes), `${this.fileName()}-${this.runner.step}.png`);
    say("Picture saved");
  }

  /** A run as a file. */
  record(format: Format, to: number, every: number, progress: (share: number) => void): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return recordRun(this, format, to, every, progress);
  }

  fullScreen(): void {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void this.element.requestFullscreen?.().catch(() => undefined);
  }

  showSave(): void {
    showSave(this);
  }

  fileName(): string {
    return this.name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "scene";
  }

  private afterFrame(): void {
    const { runner } = this;
    this.controls.update();
    this.plotting.update();
    this.film.recorder?.take();
    const now = performance.now();
    if (this.panel === "inspector" && now - this.inspected > 120) void this.inspect(false);
    if (!this.corner.hidden) {
      const { rate, draw, engine, steps } = runner.timing;
      this.corner.textContent = `${rate.toFixed(0)} frames/s · drawing ${draw.toFixed(1)} ms · engine ${engine.toFixed(1)} ms · ${steps.toFixed(1)} steps/frame`;
    }
    if (now - this.said > 1000) {
      this.said = now;
      // A region that scrolls can be scrolled by keys too.
      if (this.scroller.scrollHeight > this.scroller.clientHeight) this.scroller.tabIndex = 0;
      else this.scroller.removeAttribute("tabindex");
      for (const pane of runner.panes) {
        const words = pane.frame?.diagnostics?.words;
        const count = pane.drawing?.bodies.length ?? 0;
        pane.canvas.setAttribute("aria-label", `${pane.responses.value}: ${count} bodies at ${this.time().toFixed(2)} seconds${words ? `, the last step ${words}` : ""}`);
      }
    }
  }

  private async inspect(always: boolean): Promise<void> {
    const { selected, lead } = this.runner;
    if (this.panel !== "inspector" || (!always && !this.runner.playing)) return;
    this.inspected = performance.now();
    if (lead.frame) this.inspector.step(lead.frame);
    if (!selected) return this.inspector.nothing();
    if (selected.kind === "contact") return this.inspector.contact(lead.frame!, selected.index);
    const answer = await lead.ask({ do: "inspect", body: selected.index });
    if (answer.inspection) this.inspector.body(answer.inspection, lead.drawing?.family === "spatial-bodies");
  }

  key(event: KeyboardEvent): boolean {
    return this.controls.key(event);
  }

  repaint(): void {
    for (const pane of this.runner.panes) {
      pane.stage?.repaint();
      pane.plots.build();
    }
    this.plotting.repaint();
    this.runner.redraw();
  }

  close(): void {
    this.closed = true;
    this.hush();
    if (this.runner.lead?.opened) sessionStorage.setItem(this.visit, settings.write(this.settings).toString());
    this.runner.close();
    this.editor?.close();
    this.drawing?.close();
    this.plotting.close();
    this.host.replaceChildren();
  }
}
