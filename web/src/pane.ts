// One method at work: its engine, its stage, its numbers.
import { findContact } from "./contacts";
import { h, methodName, short, toast } from "./dom";
import { type Link, SocketLink, WorkerLink } from "./engine/link";
import type { Answer, Drawing, Layers, Report, Request } from "./engine/protocol";
import { Overlay } from "./overlay";
import { Plots } from "./plots";
import { Series } from "./series";
import { makeStage, type Picked, type Shown, type Stage } from "./stage";

/** Milliseconds after which a request is called slow, and after which its engine is stopped. */
const SLOW = 3_000;
const LOST = 30_000;

export interface Method {
  response?: string | undefined;
  integrator?: string | undefined;
}

export class Pane {
  readonly element: HTMLElement;
  canvas = h("canvas", { tabindex: 0, role: "img", class: "stage", "aria-label": "Scene" });
  readonly plots = new Plots();
  series = new Series();
  frame: Answer | undefined;
  stage: Stage | undefined;
  opened: Answer | undefined;
  /** What it cannot do, in words; the pane stands still. */
  trouble: string | undefined;
  /** Milliseconds of engine work since it was last asked. */
  engineTime = 0;
  readonly responses = h("select", { "aria-label": "Collision response", title: "Collision response" });
  readonly integrators = h("select", { "aria-label": "Integrator", title: "Integrator" });
  private link: Link | undefined;
  private overlay = new Overlay();
  private notice = h("div", { class: "notice", role: "alert", hidden: true });
  private numbers = h("output", { class: "numbers", "aria-label": "Energy and deepest penetration" });
  private watch: ReturnType<typeof setInterval>;
  private dirty = true;

  constructor(
    private remote: boolean,
    private onMethod: (method: Method) => void,
  ) {
    const choose = () => this.onMethod({ response: this.responses.value, integrator: this.integrators.value });
    this.responses.addEventListener("change", choose);
    this.integrators.addEventListener("change", choose);
    const head = h("div", { class: "pane-head" }, this.responses, this.integrators, this.numbers);
    this.element = h("section", { class: "pane" }, head, h("div", { class: "stage-box" }, this.canvas, this.overlay.element, this.notice), this.plots.element);
    this.watch = setInterval(() => this.lookAfter(), 500);
  }

  get drawing(): Drawing | undefined {
    return this.opened?.drawing;
  }

  /** Opens a scene; the report is there when the text has errors. */
  async open(text: string, method: Method): Promise<Report | undefined> {
    if (!this.link || this.link.lost !== undefined) this.link = this.remote ? new SocketLink() : new WorkerLink();
    // With velocities, for plots that begin at the start.
    const request: Request = { do: "open", text, layers: { velocities: true } };
    if (method.response) request.response = method.response;
    if (method.integrator) request.integrator = method.integrator;
    const answer = await this.ask(request, 10_000);
    this.series = new Series();
    this.overlay.reset();
    if (!answer.ok) {
      this.stop(answer.message ?? "the scene cannot be opened");
      return answer.report;
    }
    this.trouble = undefined;
    this.hideNotice();
    const camera = this.stage && sameKind(this.drawing, answer.drawing) ? this.stage : undefined;
    fill(this.responses, answer.responses!, answer.response!);
    fill(this.integrators, answer.integrators!, answer.integrator!);
    const stage = await this.newStage(answer.drawing!);
    this.opened = answer;
    this.stage = stage;
    stage.resize(answer);
    stage.fit(answer);
    if (camera) stage.follow(camera);
    camera?.close();
    this.take(answer);
    return undefined;
  }

  private newStage(drawing: Drawing): Promise<Stage> {
    // A canvas is for one kind of picture only, and one of WebGL for one scene.
    if (this.stage && (drawing.family === "spatial-bodies" || this.drawing?.family === "spatial-bodies")) {
      const fresh = this.canvas.cloneNode() as HTMLCanvasElement;
      this.canvas.replaceWith(fresh);
      this.canvas = fresh;
    }
    return makeStage(drawing, this.canvas);
  }

  /** Asks the engine, and shows the frame that comes. */
  async move(request: Request, budget?: number): Promise<Answer> {
    const answer = await this.ask(request, budget);
    if (answer.ok && answer.positions) this.take(answer);
    else if (!answer.ok && this.link?.lost !== undefined) this.stop(answer.message!);
    return answer;
  }

  async ask(request: Request, budget?: number): Promise<Answer> {
    const answer = await this.link!.ask(request, budget);
    this.engineTime += answer.took;
    // No request fails silently. Errors of a text are shown where it is edited, a lost engine in
    // its pane.
    const shownElsewhere = request.do === "open" || request.do === "check" || this.link?.lost !== undefined;
    if (!answer.ok && !shownElsewhere) toast(sentence(answer.message ?? "the engine could not do that"), true);
    return answer;
  }

  /** Goes on from here under another text with the same bodies. */
  async retune(text: string, method: Method): Promise<Answer> {
    const request: Request = { do: "retune", text, layers: { velocities: true } };
    if (method.response) request.response = method.response;
    if (method.integrator) request.integrator = method.integrator;
    const answer = await this.ask(request, 10_000);
    if (answer.ok) {
      this.opened = answer;
      if (this.stage) this.stage.redescribe(answer.drawing!);
      fill(this.responses, answer.responses!, answer.response!);
      fill(this.integrators, answer.integrators!, answer.integrator!);
      this.series.restart();
      this.take(answer);
    }
    return answer;
  }

  private take(answer: Answer): void {
    this.frame = answer;
    this.series.add(answer, this.opened);
    this.dirty = true;
    if (answer.failure) this.stop(answer.failure);
    else if (this.trouble !== undefined) {
      this.trouble = undefined;
      this.hideNotice();
    }
  }

  /** Draws when something changed; gives the milliseconds it took. */
  draw(shown: Shown, selected: Picked, playing: boolean): number {
    if (!this.stage || !this.frame) return 0;
    if (this.stage.resize(this.opened ?? this.frame)) this.dirty = true;
    if (!this.dirty) return 0;
    const start = performance.now();
    // Every method has contacts of its own: the chosen one is found by its name.
    const chosen = selected?.kind === "contact" ? { ...selected, index: findContact(this.frame.contacts, selected.name) } : selected;
    const past = this.opened && { opened: this.opened, samples: this.series.samples };
    let drawn: Answer | undefined = this.frame;
    if (playing && this.stage.drawRunning) drawn = this.stage.drawRunning(this.frame, shown, chosen, past);
    else this.stage.draw(this.frame, shown, chosen, past);
    this.dirty = drawn !== this.frame;
    if (!drawn) return 0;
    this.overlay.show(this.stage.legend, shown.energy ? drawn : undefined);
    const q = drawn.quantities!;
    const energy = (q.kinetic ?? NaN) + (q.potential ?? NaN);
    this.numbers.textContent = `E ${short(energy)} J · penetration ${short(q.penetration)} m`;
    return performance.now() - start;
  }

  touch(): void {
    this.dirty = true;
  }

  /** Whether its engine was stopped or broke down; opening a scene starts another. */
  get gone(): boolean {
    return this.link?.lost !== undefined;
  }

  /** Whether what is shown is what there is. */
  get drawn(): boolean {
    return !this.dirty;
  }

  stop(words: string): void {
    this.trouble = words;
    this.notice.replaceChildren(h("strong", {}, "Stopped. "), sentence(words));
    this.notice.hidden = false;
  }

  private hideNotice(): void {
    this.notice.hidden = true;
    this.notice.replaceChildren();
  }

  /** Watches for steps that do not end; the page stays alive whatever a scene does. */
  private lookAfter(): void {
    const waited = this.link?.lost === undefined ? (this.link?.waiting() ?? 0) : 0;
    if (waited > LOST) {
      this.link!.close("a step took more than 30 seconds; try a smaller scene or a larger dt");
    } else if (waited > SLOW) {
      const stop = h("button", { type: "button", onclick: () => this.link?.close("stopped by hand; run again to start over") }, "Stop");
      this.notice.replaceChildren(`The engine has been at one step for ${Math.round(waited / 1000)} s. `, stop);
      this.notice.hidden = false;
    } else if (this.trouble === undefined && !this.notice.hidden) {
      this.hideNotice();
    }
  }

  close(): void {
    clearInterval(this.watch);
    this.link?.close("closed");
    this.stage?.close();
    this.plots.close();
    this.element.remove();
  }
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What frames must hold for the layers that are shown. */
export function layersFor(shown: Shown): Layers {
  return { velocities: shown.velocities, contacts: shown.contacts || shown.impulses || shown.cone, islands: shown.islands };
}

function sameKind(a: Drawing | undefined, b: Drawing | undefined): boolean {
  return a !== undefined && b !== undefined && a.family === b.family && JSON.stringify(a.viewport) === JSON.stringify(b.viewport);
}

function fill(select: HTMLSelectElement, names: string[], chosen: string): void {
  select.replaceChildren(...names.map((name) => h("option", { value: name }, methodName(name))));
  select.value = chosen;
}
