// The bar under the stage: time, speed, layers, panes; and all keys.
import { h, iconButton, relabel } from "./dom";
import { type Player, SPEEDS } from "./player";
import type { Shown } from "./stage";

const LAYERS: [keyof Shown, string, string][] = [
  ["velocities", "Velocities", "v"],
  ["contacts", "Contacts", "c"],
  ["impulses", "Impulses and forces", "i"],
  ["islands", "Islands", "l"],
  ["trails", "Trails of all bodies", "b"],
  ["center", "Path of the mass centre", "m"],
  ["energy", "Energy bars", "j"],
  ["cone", "Friction cone of the chosen contact", "o"],
  ["slow", "Slow motion around impacts", "w"],
];

export class Controls {
  readonly element: HTMLElement;
  private play: HTMLButtonElement;
  private slider = h("input", { type: "range", min: 0, max: 1, step: 1, value: 0, "aria-label": "Time", class: "timeline" });
  private pace = h("output", { class: "pace", hidden: true, "aria-label": "How far time falls behind" });
  private clock = h("output", { class: "clock", "aria-label": "Simulated time" });
  private speed = h("select", { "aria-label": "Speed", title: "Speed" }, ...SPEEDS.map((value) => h("option", { value: String(value) }, `${value}×`)));
  private layers: [keyof Shown, HTMLInputElement][] = [];
  private panes: [number, HTMLButtonElement][] = [];
  private plots: HTMLButtonElement;
  /** Seeks that are under way; the slider is the person's until they end. */
  private scrubbing = 0;
  private menu: HTMLElement;

  constructor(private player: Player) {
    this.play = iconButton("play", "Run", "Space", () => player.run(), { class: "icon main" });
    this.speed.value = "1";
    this.speed.addEventListener("change", () => (player.runner.speed = Number(this.speed.value)));
    this.slider.addEventListener("input", () => this.scrub(Number(this.slider.value)));
    const boxes = LAYERS.map(([name, label, key]) => {
      const box = h("input", { type: "checkbox", onchange: () => player.setLayer(name, box.checked) });
      this.layers.push([name, box]);
      return h("label", {}, box, h("span", {}, label), h("kbd", {}, key.toUpperCase()));
    });
    const corner = h("input", { type: "checkbox", onchange: () => player.showCorner(corner.checked) });
    this.corner = corner;
    const degrees = h("input", { type: "checkbox", onchange: () => (player.angleUnit = degrees.checked ? "deg" : "rad") });
    this.degrees = degrees;
    const about = h("input", { type: "checkbox", onchange: () => player.about.toggle() });
    this.about = about;
    this.menu = h(
      "details",
      { class: "menu", onkeydown: (event: KeyboardEvent) => event.key === "Escape" && this.shutMenu(event) },
      h("summary", { title: "Layers and units" }, "Layers"),
      h(
        "div",
        { class: "menu-box" },
        ...boxes,
        h("hr"),
        h("label", {}, corner, h("span", {}, "Frame and engine time"), h("kbd", {}, "T")),
        h("label", {}, degrees, h("span", {}, "Angles in degrees")),
        h("label", {}, about, h("span", {}, "Description of the scene")),
      ),
    );
    document.addEventListener("pointerdown", this.closeMenu);
    this.panes = [1, 2, 4].map((count) => {
      const words = count === 1 ? "1 method" : `${count} methods side by side`;
      const button = h("button", { type: "button", title: words, "aria-label": words, "aria-pressed": "false", onclick: () => void player.compare(count) }, String(count));
      return [count, button];
    });
    this.plot = iconButton("chart", "Plot anything", "H", () => player.toggle("plot"), { "aria-pressed": "false" });
    this.plots = iconButton("plots", "Plots", "G", () => player.showPlots(!player.plotsShown), { "aria-pressed": "false" });
    this.element = h(
      "div",
      { class: "controls", role: "toolbar", "aria-label": "Run" },
      h(
        "div",
        { class: "transport" },
        iconButton("restart", "Back to the start", "Home", () => void player.restart()),
        iconButton("back", "One step back", "←", () => void player.stepBy(-1)),
        this.play,
        iconButton("step", "One step on", "→", () => void player.stepBy(1)),
      ),
      this.slider,
      this.pace,
      this.clock,
      h(
        "div",
        { class: "choices" },
        this.speed,
        h("div", { class: "segments", role: "group", "aria-label": "Methods side by side" }, ...this.panes.map(([, button]) => button)),
        this.plots,
        this.plot,
        iconButton("fit", "Fit the view", "0", () => this.fit()),
        this.menu,
      ),
    );
  }

  private corner: HTMLInputElement;
  private degrees: HTMLInputElement;
  private about: HTMLInputElement;
  private plot: HTMLButtonElement;

  private shutMenu(event: Event): void {
    if (!this.menu.hasAttribute("open")) return;
    event.stopPropagation();
    this.menu.removeAttribute("open");
    this.menu.querySelector("summary")?.focus();
  }

  private closeMenu = (event: Event) => {
    if (!this.element.isConnected) document.removeEventListener("pointerdown", this.closeMenu);
    else if (!this.menu.contains(event.target as Node)) this.menu.removeAttribute("open");
  };

  /** After every frame. */
  update(): void {
    const { runner } = this.player;
    if (runner.playing) relabel(this.play, "pause", "Pause", "Space");
    else relabel(this.play, "play", "Run", "Space");
    const last = Math.max(runner.planned, runner.reached, 1);
    if (Number(this.slider.max) !== last) this.slider.max = String(last);
    if (Number(this.slider.min) !== runner.since) this.slider.min = String(runner.since);
    if (this.scrubbing === 0) this.slider.value = String(runner.step);
    this.showPace();
    const share = (step: number) => `${(100 * (step - runner.since)) / Math.max(1, last - runner.since)}%`;
    this.slider.style.setProperty("--done", share(Number(this.slider.value)));
    this.slider.style.setProperty("--known", share(runner.reached));
    const words = `${this.player.time().toFixed(3)} s`;
    if (this.clock.textContent !== words) {
      this.clock.textContent = words;
      this.slider.setAttribute("aria-valuetext", words);
      this.clock.title = `step ${runner.step} of ${runner.planned}, dt ${runner.dt} s`;
    }
  }

  /** When a scene cannot keep up, by how much. */
  private showPace(): void {
    const { runner } = this.player;
    const share = runner.keepsUp;
    const late = share !== undefined && share < 0.9;
    if (this.pace.hidden === late) this.pace.hidden = !late;
    if (!late) return;
    // Two digits and not more: what changes in every picture cannot be read.
    const words = runner.pace === 0 ? "waits for the engine" : `runs at ${Number(runner.pace!.toPrecision(2))} of real time`;
    if (this.pace.textContent === words) return;
    this.pace.textContent = words;
    const wanted = runner.speed === 1 ? "" : `${runner.speed} of real time were asked for. `;
    this.pace.title = `${wanted}A larger dt, fewer bodies, or carom play --remote-engine is faster.`;
  }

  /** After a choice was made elsewhere. */
  refresh(): void {
    const { runner } = this.player;
    for (const [name, box] of this.layers) box.checked = runner.shown[name];
    for (const [count, button] of this.panes) button.setAttribute("aria-pressed", String(count === runner.panes.length));
    this.plots.setAttribute("aria-pressed", String(this.player.plotsShown));
    this.plot.setAttribute("aria-pressed", String(this.player.panelShown === "plot"));
    this.corner.checked = this.player.cornerShown;
    this.degrees.checked = this.player.angleUnit === "deg";
    this.about.checked = this.player.about.shown;
    if (SPEEDS.includes(runner.speed)) this.speed.value = String(runner.speed);
  }

  /** Goes where the slider is; it may be moved on meanwhile. */
  private scrub(step: number): void {
    this.player.runner.pause();
    this.scrubbing += 1;
    void this.player.runner.seek(step).finally(() => (this.scrubbing -= 1));
  }

  private fit(): void {
    for (const pane of this.player.runner.panes) if (pane.frame) pane.stage?.fit(pane.frame);
    this.player.runner.redraw();
  }

  private zoom(factor: number): void {
    for (const { stage, canvas } of this.player.runner.panes) stage?.zoom(factor, canvas.clientWidth / 2, canvas.clientHeight / 2);
    this.player.runner.redraw();
  }

  private changeSpeed(by: number): void {
    const next = SPEEDS[SPEEDS.indexOf(this.player.runner.speed) + by];
    if (next === undefined) return;
    this.player.runner.speed = next;
    this.speed.value = String(next);
  }

  /** A key; true when it meant something. */
  key(event: KeyboardEvent): boolean {
    const { player } = this;
    const many = event.shiftKey ? 10 : 1;
    if (event.altKey) {
      const pushes: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
      const push = pushes[event.key];
      if (push) player.touching.push(push, 0);
      return push !== undefined;
    }
    // A button that has the focus is pressed by Space and Enter itself.
    if (event.key === " " && event.target instanceof HTMLElement && event.target.closest("button, summary, a")) return false;
    const layer = LAYERS.find(([, , key]) => key === event.key.toLowerCase());
    if (layer) {
      player.setLayer(layer[0], !player.runner.shown[layer[0]]);
      return true;
    }
    const selected = player.runner.selected;
    const here = selected?.kind === "body" ? selected.index : event.shiftKey ? 0 : -1;
    const actions: Record<string, () => void> = {
      " ": () => player.run(),
      ArrowRight: () => void player.stepBy(many),
      ArrowLeft: () => void player.stepBy(-many),
      Home: () => void player.restart(),
      ",": () => this.changeSpeed(-1),
      ".": () => this.changeSpeed(1),
      "+": () => this.zoom(1.25),
      "=": () => this.zoom(1.25),
      "-": () => this.zoom(0.8),
      "0": () => this.fit(),
      "1": () => void player.compare(1),
      "2": () => void player.compare(2),
      "4": () => void player.compare(4),
      g: () => player.showPlots(!player.plotsShown),
      h: () => player.toggle("plot"),
      k: () => player.toggle("knobs"),
      d: () => player.toggle("draw"),
      s: () => player.showSave(),
      e: () => player.toggle("editor"),
      n: () => player.select(here + 1),
      N: () => player.select(here - 1),
      p: () => void player.photograph(),
      r: () => player.film.toggle(),
      f: () => player.fullScreen(),
      t: () => {
        player.showCorner(!player.cornerShown);
      },
      Escape: () => (player.runner.selected ? player.pick(null) : void player.panels.open(null)),
    };
    const action = actions[event.key] ?? (event.shiftKey ? undefined : actions[event.key.toLowerCase()]);
    action?.();
    return action !== undefined;
  }
}
