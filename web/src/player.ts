// The player: a scene, its panes, and everything that can be done with them.
import { Controls } from "./controls";
import { Hand } from "./hand";
import { h, iconButton, say } from "./dom";
import type { Report } from "./engine/protocol";
import { title } from "./gallery";
import { setTitle, setTools } from "./header";
import { Inspector } from "./inspector";
import { type Method, Pane } from "./pane";
import { picture, Recorder, save } from "./capture";
import { Runner } from "./runner";
import { pack, unpack } from "./share";
import { EMPTY_SCENE } from "./empty";
import { find } from "./local";
import type { SceneEditor } from "./editor";
import type { View } from "./view";

/** Methods that tell most beside the scene's own, in the order in which they are laid beside it. */
const CONTRASTS = ["gr-lcp", "lcp", "impulse", "penalty", "simple", "gr-velocity-projection", "velocity-projection", "none"];

/** Speeds of the menu: simulated seconds for each second. */
export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

type Panel = "editor" | "inspector" | null;

export async function mount(host: HTMLElement, params: URLSearchParams): Promise<View> {
  const { text, name } = await sceneOf(params);
  const player = new Player(host, text, name, params.has("remote"));
  await player.start(params);
  return player;
}

async function sceneOf(params: URLSearchParams): Promise<{ text: string; name: string }> {
  const load = async (path: string) => {
    const response = await fetch(new URL(path, document.baseURI));
    if (!response.ok) throw new Error(`${path}: ${response.status} ${response.statusText}`);
    return response.text();
  };
  const scene = params.get("scene");
  if (scene !== null) {
    if (!/^[\w-]+$/.test(scene)) throw new Error("no such scene");
    return { text: await load(`scenes/${scene}.xml`), name: title(scene) };
  }
  const packed = params.get("s");
  if (packed !== null) return { text: await unpack(packed), name: title(params.get("name") ?? "A shared scene") };
  const local = params.get("local");
  if (local !== null) return { text: find(Number(local)), name: title(params.get("name") ?? "A scene") };
  if (params.has("given")) return { text: await load("given/scene.xml"), name: "The given scene" };
  return { text: EMPTY_SCENE, name: "A new scene" };
}

export class Player implements View {
  readonly runner = new Runner();
  private panesBox = h("div", { class: "panes" });
  private panelBox = h("aside", { class: "panel", hidden: true, "aria-label": "Side panel" });
  private corner = h("output", { class: "corner", hidden: true, "aria-label": "Frame and engine time" });
  private controls: Controls;
  private inspector: Inspector;
  private editor: SceneEditor | undefined;
  private panel: Panel = null;
  private methods: Method[] = [{}];
  private recorder: Recorder | undefined;
  private recordButton: HTMLButtonElement;
  private hands: Hand[] = [];
  private inspected = 0;
  private said = -Infinity;
  private closed = false;
  private element: HTMLElement;

  constructor(
    private host: HTMLElement,
    private text: string,
    private name: string,
    private remote: boolean,
  ) {
    document.body.dataset["view"] = "player";
    setTitle(name);
    this.controls = new Controls(this);
    this.inspector = new Inspector({ push: (velocity, spin) => this.push(velocity, spin) }, "deg");
    this.recordButton = iconButton("record", "Record a movie", "R", () => this.record(), { "aria-pressed": "false" });
    setTools(
      iconButton("edit", "Edit the scene", "E", () => void this.toggleEditor()),
      iconButton("share", "Share a link", "", () => void this.share()),
      iconButton("camera", "Save a picture", "P", () => void this.photograph()),
      this.recordButton,
      iconButton("full", "Full screen", "F", () => this.fullScreen()),
    );
    this.element = h("div", { class: "player" }, h("div", { class: "work" }, h("div", { class: "panes-box" }, this.panesBox, this.corner), this.panelBox), this.controls.element);
    host.replaceChildren(this.element);
    this.runner.onFrame = () => this.afterFrame();
    // Tests and curious people look in here.
    (globalThis as { carom?: unknown }).carom = this;
  }

  async start(params: URLSearchParams): Promise<void> {
    const count = Number(params.get("panes"));
    const responses = (params.get("methods") ?? "").split(",").filter((word) => word);
    this.methods = responses.length > 0 ? responses.map((response) => ({ response })) : [{}];
    const report = await this.arrange(this.methods.length);
    if (count === 2 || count === 4) await this.compare(count);
    if (report) await this.toggleEditor();
    if (params.has("new")) await this.toggleEditor();
    if (!report && !matchMedia("(prefers-reduced-motion: reduce)").matches && !params.has("still")) this.runner.play();
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
    this.controls.refresh();
    return report;
  }

  async changeMethod(index: number, method: Method): Promise<void> {
    const playing = this.runner.playing;
    this.methods[index] = method;
    this.runner.pause();
    await this.arrange(this.methods.length);
    if (playing) this.runner.play();
    say(`Method ${method.response}, ${method.integrator}`);
  }

  /** Another text, run from its start with the same methods where they fit. */
  async apply(text: string): Promise<void> {
    const playing = this.runner.playing || this.runner.step === 0;
    this.text = text;
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
    if (playing && !report) this.runner.play();
  }

  toggle(): void {
    if (this.runner.playing) this.runner.pause();
    else if (this.runner.panes.some((pane) => pane.gone)) void this.arrange(this.methods.length).then(() => this.runner.play());
    else this.runner.play();
    say(this.runner.playing ? "Running" : `Paused at ${this.time().toFixed(3)} seconds`);
  }

  time(): number {
    return this.runner.step * this.runner.dt;
  }

  async stepBy(steps: number): Promise<void> {
    this.runner.pause();
    await this.runner.seek(this.runner.step + steps);
    say(`Step ${this.runner.step}, ${this.time().toFixed(3)} seconds`);
  }

  select(index: number): void {
    const count = this.runner.lead.drawing?.bodies.length ?? 0;
    if (count === 0) return;
    this.runner.selected = { kind: "body", index: ((index % count) + count) % count };
    this.openPanel("inspector");
    this.runner.redraw();
    void this.inspect(true);
  }

  /** Selects what was clicked. */
  pick(picked: Runner["selected"]): void {
    this.runner.selected = picked;
    if (picked) this.openPanel("inspector");
    else if (this.panel === "inspector") this.openPanel(null);
    this.runner.redraw();
    void this.inspect(true);
  }

  push(direction: [number, number], spin: number): void {
    const { selected, lead } = this.runner;
    if (selected?.kind !== "body") return;
    // A push is felt but does not throw a body out of the picture: a fifth of the view in a second.
    const camera = (lead.stage as { camera?: { width: number; scale: number } } | undefined)?.camera;
    const size = camera ? camera.width / camera.scale / 5 : 1;
    this.pushed();
    void this.runner.all({ do: "push", body: selected.index, velocity: [direction[0] * size, direction[1] * size, 0], spin: [0, 0, spin * 2] });
  }

  /** Bodies are touched by hand: the future that was plotted is gone. */
  pushed(): void {
    for (const pane of this.runner.panes) pane.series.forgetAfter(pane.frame?.step ?? 0);
    this.runner.reached = this.runner.step;
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
        apply: (text) => void this.apply(text),
      });
    }
    this.openPanel("editor");
    this.editor.focus();
  }

  private openPanel(panel: Panel): void {
    this.panel = panel;
    const content = panel === "editor" ? this.editor!.element : panel === "inspector" ? this.inspector.element : undefined;
    this.panelBox.hidden = !content;
    if (content) {
      const heading = panel === "editor" ? "Scene" : "Numbers";
      const close = iconButton("close", "Close the panel", "", () => this.openPanel(null));
      this.panelBox.replaceChildren(h("div", { class: "panel-head" }, h("span", {}, heading), close), content);
    }
    this.runner.redraw();
  }

  async share(): Promise<void> {
    const methods = this.methods.map((method) => method.response ?? this.runner.lead.opened?.response ?? "").join(",");
    const link = new URL(location.href);
    link.hash = `s=${await pack(this.text)}&name=${encodeURIComponent(this.name)}&methods=${methods}`;
    const field = h("input", { type: "text", readonly: true, value: link.href, "aria-label": "Link to this scene" });
    const copied = h("p", { role: "status", class: "quiet" });
    const dialog = h(
      "dialog",
      { class: "share", "aria-labelledby": "share-title" },
      h("div", { class: "dialog-head" }, h("h2", { id: "share-title" }, "Share this scene"), iconButton("close", "Close", "Esc", () => dialog.close())),
      h("p", {}, `The whole scene is in the link (${link.href.length.toLocaleString("en")} characters); nothing is stored anywhere.`),
      field,
      copied,
    );
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    field.select();
    const done = await navigator.clipboard?.writeText(link.href).then(() => true, () => false);
    copied.textContent = done ? "Copied." : "Copy it from here.";
  }

  async photograph(): Promise<void> {
    save(await picture(this.runner.panes), `${this.fileName()}-${this.runner.step}.png`);
    say("Picture saved");
  }

  record(): void {
    if (this.recorder) {
      const recorder = this.recorder;
      this.recorder = undefined;
      void recorder.stop().then((movie) => save(movie, `${this.fileName()}.${movie.type.includes("mp4") ? "mp4" : "webm"}`));
      say("Movie saved");
    } else {
      try {
        this.recorder = new Recorder(this.runner.panes);
        this.runner.play();
        say("Recording");
      } catch (error) {
        this.runner.lead.stop(error instanceof Error ? error.message : String(error));
      }
    }
    this.recordButton.setAttribute("aria-pressed", String(this.recorder !== undefined));
    this.recordButton.classList.toggle("recording", this.recorder !== undefined);
  }

  fullScreen(): void {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void this.element.requestFullscreen?.().catch(() => undefined);
  }

  private fileName(): string {
    return this.name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "scene";
  }

  private afterFrame(): void {
    const { runner } = this;
    this.controls.update();
    this.recorder?.take();
    const now = performance.now();
    if (this.panel === "inspector" && now - this.inspected > 120) void this.inspect(false);
    if (!this.corner.hidden) {
      const { rate, draw, engine, steps } = runner.timing;
      this.corner.textContent = `${rate.toFixed(0)} frames/s · drawing ${draw.toFixed(1)} ms · engine ${engine.toFixed(1)} ms · ${steps.toFixed(1)} steps/frame`;
    }
    if (now - this.said > 1000) {
      this.said = now;
      for (const pane of runner.panes) {
        const words = pane.frame?.diagnostics?.words;
        const count = pane.drawing?.bodies.length ?? 0;
        pane.canvas.setAttribute("aria-label", `${pane.responses.value}: ${count} bodies at ${this.time().toFixed(2)} seconds${words ? `, the last step ${words}` : ""}`);
      }
    }
  }

  private async inspect(always: boolean): Promise<void> {
    const { selected, lead } = this.runner;
    if (!always && !this.runner.playing) return;
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
    this.runner.redraw();
  }

  close(): void {
    this.closed = true;
    this.runner.close();
    this.editor?.close();
    this.host.replaceChildren();
  }
}
