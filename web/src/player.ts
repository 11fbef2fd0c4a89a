// The player: a scene, its panes, and everything that can be done with them.
import { About } from "./about";
import { picture, save } from "./capture";
import { Controls } from "./controls";
import { showSave, showShare } from "./dialogs";
import { h, iconButton, methodName, say, toast } from "./dom";
import { draftOf, forgetDraft, keepDraft } from "./drafts";
import type { Report } from "./engine/protocol";
import { listen } from "./embed";
import { Hand } from "./hand";
import { setTitle, setTools } from "./header";
import { Inspector } from "./inspector";
import { Edits } from "./edits";
import { BODY_TAGS, Knobs } from "./knobs";
import { sceneOf } from "./opening";
import { contrasted } from "./methods";
import { type Method, Pane } from "./pane";
import { type Panel, Panels } from "./panels";
import { Plotting } from "./plotting";
import { Film, type Format, recordRun } from "./recording";
import { Runner } from "./runner";
import { elements } from "./scenetext";
import type { Settings } from "./settings";
import { Status } from "./status";
import { Touching } from "./touching";
import type { View } from "./view";
import { begin, linkTo, remember, settingsOf } from "./visiting";

/** Speeds of the menu: simulated seconds for each second. */
export const SPEEDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

export async function mount(host: HTMLElement, params: URLSearchParams, left: AbortSignal): Promise<View> {
  const { text, name } = await sceneOf(params);
  left.throwIfAborted();
  const player = new Player(host, text, name, params.has("remote"));
  left.addEventListener("abort", () => player.runner.close());
  try {
    await player.start(params);
  } catch (error) {
    player.close();
    throw error;
  }
  return player;
}

export class Player implements View {
  readonly runner = new Runner();
  readonly edits = new Edits(this);
  readonly knobs: Knobs;
  readonly about: About;
  readonly plotting: Plotting;
  text: string;
  private panesBox = h("div", { class: "panes" });
  readonly scroller = h("div", { class: "panes-box", role: "region", "aria-label": "Panes" }, this.panesBox);
  readonly controls: Controls;
  readonly inspector: Inspector;
  readonly panels = new Panels(this);
  readonly touching = new Touching(this);
  methods: Method[] = [{}];
  readonly film = new Film(this);
  readonly status = new Status(this);
  private hands: Hand[] = [];
  private hush: () => void = () => undefined;
  private hash = location.hash;
  readonly element: HTMLElement;

  constructor(
    private host: HTMLElement,
    /** The text that was opened; what is shown may be a draft of it. */
    readonly original: string,
    readonly name: string,
    readonly isRemote: boolean,
  ) {
    this.text = draftOf(original) ?? original;
    document.body.dataset["view"] = "player";
    setTitle(name);
    this.controls = new Controls(this);
    this.inspector = new Inspector({ push: (velocity, spin) => this.touching.push(velocity, spin) }, "deg");
    this.knobs = new Knobs(this);
    this.plotting = new Plotting(this);
    this.about = new About(this);
    setTools(
      iconButton("knobs", "Knobs", "K", () => this.toggle("knobs")),
      iconButton("draw", "Draw", "D", () => this.toggle("draw")),
      iconButton("edit", "Edit the scene", "E", () => this.toggle("editor")),
      iconButton("share", "Share a link", "", () => void showShare(this)),
      iconButton("save", "Save", "S", () => showSave(this)),
      this.film.button,
      iconButton("full", "Full screen", "F", () => this.fullScreen(), { class: "icon wide-only" }),
    );
    this.scroller.append(this.status.corner);
    this.element = h("div", { class: "player" }, this.about.element, h("div", { class: "work" }, this.scroller, this.panels.element), this.controls.element);
    host.replaceChildren(this.element);
    this.runner.onFrame = () => this.status.afterFrame();
    // For tests, embedding pages and curious people.
    (globalThis as { carom?: unknown }).carom = this;
  }

  async start(params: URLSearchParams): Promise<void> {
    await begin(this, params);
    this.controls.refresh();
    this.hush = listen(this);
  }

  /** Everything that a person can set, as it is now. */
  get settings(): Settings {
    return settingsOf(this);
  }

  /** A link that holds the scene and how it is shown. */
  link(): Promise<string> {
    return linkTo(this);
  }

  /** So many methods side by side, from the start. */
  async compare(count: number): Promise<void> {
    const { lead } = this.runner;
    if (!lead.opened) return;
    this.methods = contrasted(this.methods, count, lead.opened);
    await this.arrange(count);
    this.controls.refresh();
  }

  async arrange(count: number): Promise<Report | undefined> {
    const { panes } = this.runner;
    const were = panes.length;
    for (const pane of panes.splice(count)) pane.close();
    while (panes.length < count) {
      const index = panes.length;
      const pane = new Pane(this.isRemote, (method) => void this.changeMethod(index, method));
      panes.push(pane);
      this.panesBox.append(pane.element);
    }
    this.panesBox.dataset["count"] = String(count);
    if (count > 1 && were <= 1) this.showPlots(true);
    for (const hand of this.hands) hand.close();
    const report = await this.runner.open(this.text, this.methods);
    this.hands = panes.map((pane) => new Hand(pane, this));
    this.opened();
    return report;
  }

  /** After a scene was opened or another text took its place. */
  private opened(): void {
    this.edits.forgetTouches();
    this.controls.refresh();
    this.knobs.refresh();
    this.plotting.refresh();
    this.about.refresh();
    this.panels.refresh();
    void this.status.inspect();
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
  async apply(text: string, run = true, keepChosen = false): Promise<Report | undefined> {
    const playing = this.runner.playing || (run && this.runner.step === 0);
    this.setText(text);
    this.runner.pause();
    const families = this.runner.panes.map((pane) => pane.drawing?.family);
    const report = await this.runner.open(text, this.methods, keepChosen);
    if (!report && this.runner.lead.trouble !== undefined && families[0] !== undefined) {
      // The methods of the old scene mean nothing to this one.
      this.methods = this.methods.map(() => ({}));
      await this.runner.open(text, this.methods);
    }
    for (const hand of this.hands) hand.close();
    this.hands = this.runner.panes.map((pane) => new Hand(pane, this));
    this.opened();
    if (playing && !report) this.runner.play();
    return report;
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
    const before = this.text;
    const keep = count(text) === count(before) && this.runner.selected?.kind === "body";
    const report = await this.apply(text, false, keep);
    const trouble = this.runner.lead.trouble;
    if (trouble !== undefined) await this.apply(before, false, this.runner.selected?.kind === "body");
    // The frame is fetched once more with the velocities of what is chosen.
    if (keep) await this.runner.look();
    if (trouble === undefined) return true;
    const why = report?.problems.find(({ severity }) => severity === "error")?.message ?? trouble;
    toast(why.charAt(0).toUpperCase() + why.slice(1), true);
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
    if (!this.runner.playing) void this.status.inspect();
  }

  time(): number {
    return this.runner.step * this.runner.dt;
  }

  async stepBy(steps: number): Promise<void> {
    this.runner.pause();
    await this.runner.seek(this.runner.step + steps);
    void this.status.inspect();
    say(`Step ${this.runner.step}, ${this.time().toFixed(3)} seconds`);
  }

  select(index: number): void {
    const count = this.runner.lead.drawing?.bodies.length ?? 0;
    if (count > 0) this.pick({ kind: "body", index: ((index % count) + count) % count });
  }

  /** Selects what was clicked. */
  pick(picked: Runner["selected"]): void {
    this.runner.selected = picked;
    if (picked && (this.panelShown === null || this.panelShown === "editor")) void this.panels.open("inspector");
    else if (!picked && this.panelShown === "inspector") void this.panels.open(null);
    this.knobs.refresh();
    this.panels.drawing?.refresh();
    this.runner.redraw();
    void this.status.inspect();
    // The frame is fetched once more with the velocities or contacts of what was chosen.
    if (picked && this.runner.lead.frame && !this.runner.playing) void this.runner.look().then(() => this.knobs.refresh());
  }

  /** Takes back the last turn of a knob, stroke of drawing, or touch of this moment. */
  async undo(again = false): Promise<void> {
    await (again ? this.edits.redo() : this.edits.undo());
    this.knobs.refresh();
    this.panels.refresh();
    await this.status.inspect();
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
    this.status.corner.hidden = !on;
    this.controls.refresh();
  }

  get cornerShown(): boolean {
    return !this.status.corner.hidden;
  }

  get angleUnit(): "rad" | "deg" {
    return this.inspector.unit;
  }

  set angleUnit(unit: "rad" | "deg") {
    this.inspector.unit = unit;
    void this.status.inspect();
  }

  toggle(panel: NonNullable<Panel>): void {
    this.panels.toggle(panel);
  }

  get panelShown(): Panel {
    return this.panels.shown;
  }

  /** Another panel is open: there is more or less room, and plots may need more numbers. */
  panelChanged(): void {
    this.plotting.refresh();
    this.controls.refresh();
    void this.status.inspect();
    this.runner.redraw();
  }

  async photograph(): Promise<void> {
    save(await picture(this.runner.panes), `${this.fileName()}-${this.runner.step}.png`);
    say("Picture saved");
  }

  /** A run as a file. */
  record(format: Format, to: number, every: number, progress: (share: number) => boolean | void): Promise<Uint8Array<ArrayBuffer> | undefined> {
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
    this.hush();
    remember(this, this.hash);
    this.runner.close();
    this.panels.close();
    this.plotting.close();
    this.host.replaceChildren();
  }
}
