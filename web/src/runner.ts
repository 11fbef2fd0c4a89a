// The clock of a run: all panes are stepped together, as fast as time wants and as the slowest can.
import { layersFor, type Method, Pane } from "./pane";
import { commonRanges } from "./plots";
import { NOTHING_SHOWN, type Picked, type Shown } from "./stage";
import { MOST_BODIES } from "./series";
import { type Layers, type Report, type Request } from "./engine/protocol";

/** Impacts are shown at this share of the speed, for so many seconds of real time. */
const SLOWED = 0.1;
const SLOW_SECONDS = 1.2;
/** Pace is measured over so many milliseconds. */
const PACE_WINDOW = 1500;

/** So many samples at least of what a seek goes through. */
const SAMPLES = 200;
/** So many of them are asked for at once: a page that is slow to draw is not waited for. */
const AT_ONCE = 10;

/** Milliseconds of engine work before a frame is shown, whatever the speed asks for. */
const BUDGET = 24;

export interface Timing {
  /**
   * Milliseconds between frames, of drawing, and of engine work for each frame; frames a second.
   */
  interval: number;
  draw: number;
  engine: number;
  rate: number;
  steps: number;
}

/** What is asked of all panes; a seek goes by these steps. */
interface Wish {
  request: Request;
  steps: number[] | undefined;
  done: () => void;
}

export class Runner {
  panes: Pane[] = [];
  playing = false;
  speed = 1;
  shown: Shown = { ...NOTHING_SHOWN };
  /** What plots need besides what is shown. */
  wanted: Layers = {};
  /**
   * How fast time goes, measured over the last moments: simulated seconds a second; undefined while
   * it stands.
   */
  pace: number | undefined;
  /** Simulated seconds left in which impacts are shown slowly. */
  private slowed = 0;
  private paced: { now: number; time: number }[] = [];
  selected: Picked = null;
  /** The furthest step that was reached. */
  reached = 0;
  timing: Timing = { interval: 0, draw: 0, engine: 0, rate: 0, steps: 0 };
  /** Called after every drawn frame. */
  onFrame: () => void = () => undefined;
  /** The step that all panes are asked to reach. */
  private goal = 0;
  private clock = 0;
  private last = 0;
  private busy = false;
  private queued: Wish[] = [];
  private plotted = 0;
  /** Seeks so far. */
  private sought = 0;
  private closed = false;

  constructor() {
    requestAnimationFrame((now) => this.tick(now));
  }

  get lead(): Pane {
    return this.panes[0]!;
  }

  get step(): number {
    const running = this.running();
    const shown = running.length > 0 ? running : this.panes.filter((pane) => pane.frame);
    return Math.max(0, ...shown.map((pane) => pane.frame!.step!));
  }

  get dt(): number {
    return this.lead.opened?.dt ?? 0.01;
  }

  /** The first step that can be gone back to. */
  get since(): number {
    return this.lead?.frame?.since ?? 0;
  }

  /**
   * How much slower than asked time goes: 1 keeps up, 0.5 is half the speed; undefined where
   * nothing is known yet.
   */
  get keepsUp(): number | undefined {
    return this.pace === undefined ? undefined : this.pace / (this.speed * (this.slowed > 0 ? SLOWED : 1));
  }

  get planned(): number {
    return this.lead.opened?.plannedSteps ?? 0;
  }

  /** Whether nothing is under way and everything is drawn. */
  get settled(): boolean {
    return !this.busy && this.queued.length === 0 && this.panes.every((pane) => pane.drawn);
  }

  /** Opens a scene in all panes; gives the findings when it has errors. */
  async open(text: string, methods: Method[], keepChosen = false): Promise<Report | undefined> {
    // What was asked of the old scene is of no use any more.
    this.sought += 1;
    for (const { done } of this.queued.splice(0)) done();
    await this.idle();
    this.busy = true;
    try {
      const reports = await Promise.all(this.panes.map((pane, k) => pane.open(text, methods[k] ?? {})));
      this.goal = this.reached = this.clock = 0;
      this.shownSlowly = -1;
      if (!keepChosen) this.selected = null;
      for (const pane of this.panes.slice(1)) if (pane.stage && this.lead.stage) pane.stage.follow(this.lead.stage);
      return reports.find((report) => report !== undefined);
    } finally {
      this.busy = false;
      this.redraw();
    }
  }

  play(): void {
    for (const pane of this.panes) pane.stage?.freeze(false);
    if (this.step >= this.planned && this.planned > 0) void this.seek(this.since).then(() => (this.playing = true));
    else this.playing = true;
    this.last = performance.now();
  }

  pause(): void {
    this.playing = false;
  }

  /**
   * Goes to a step of the past or the future in all panes. A later wish takes the place of one that
   * is under way.
   */
  async seek(step: number): Promise<void> {
    const mine = ++this.sought;
    const target = Math.max(this.since, Math.round(step));
    const others = this.queued.filter(({ request }) => request.do !== "seek");
    for (const { request, done } of this.queued) if (request.do === "seek") done();
    this.queued = others;
    // What was never run is gone through in parts, so that plots know what was on the way; what
    // cannot be done in one go is done in several.
    const part = Math.max(1, Math.ceil((target - this.reached) / SAMPLES));
    const known = Math.min(this.reached, target);
    do {
      const from = Math.max(this.step, known);
      const steps = Array.from({ length: AT_ONCE }, (_, k) => from + (k + 1) * part).filter((step) => step < target);
      if (known === target || steps.length < AT_ONCE) steps.push(target);
      await this.all({ do: "seek", step: target }, known === target ? [target] : steps);
    } while (mine === this.sought && !this.closed && this.running().some((pane) => pane.frame!.step! < target));
    if (mine !== this.sought) return;
    if (target < this.shownSlowly && !this.playing) this.shownSlowly = -1;
    this.goal = Math.min(target, this.step);
    this.clock = this.goal * this.dt;
    this.reached = Math.max(this.reached, this.goal);
  }

  /** The same request for all panes, when they are free. */
  all(request: Request, steps?: number[]): Promise<void> {
    return new Promise((done) => {
      if (this.closed) return done();
      this.queued.push({ request, steps, done });
      void this.work();
    });
  }

  /** All panes go on from here under another text; false where one of them cannot. */
  async retune(text: string, methods: Method[]): Promise<boolean> {
    this.sought += 1;
    await this.idle();
    this.busy = true;
    try {
      const answers = await Promise.all(this.panes.map((pane, k) => pane.retune(text, methods[k] ?? {})));
      this.goal = this.reached = this.step;
      this.clock = this.goal * this.dt;
      this.paced = [];
      return answers.every((answer) => answer.ok);
    } finally {
      this.busy = false;
      this.redraw();
    }
  }

  /** The present moment once more: layers changed. */
  async look(): Promise<void> {
    await this.all({ do: "look" });
  }

  redraw(): void {
    for (const pane of this.panes) pane.touch();
  }

  close(): void {
    this.closed = true;
    for (const { done } of this.queued.splice(0)) done();
    for (const pane of this.panes) pane.close();
  }

  private running(): Pane[] {
    return this.panes.filter((pane) => pane.frame && pane.trouble === undefined);
  }

  private layers(): Layers {
    const own = layersFor(this.shown);
    // The knobs of a chosen body show its velocity. Few bodies always have theirs: who plots them
    // after a run finds them.
    const isSmall = (this.lead.drawing?.bodies.length ?? Infinity) <= MOST_BODIES;
    return { velocities: own.velocities || this.wanted.velocities || isSmall || this.selected?.kind === "body", contacts: own.contacts || this.wanted.contacts || this.selected?.kind === "contact", islands: own.islands } as Layers;
  }

  private async idle(): Promise<void> {
    while (this.busy && !this.closed) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /** Sends what is queued, or the next steps; one round at a time. */
  private async work(): Promise<void> {
    if (this.busy || this.closed) return;
    this.busy = true;
    const next = this.queued.shift();
    const start = this.step;
    try {
      const layers = this.layers();
      if (next) {
        const panes = next.request.do === "seek" ? this.panes.filter((pane) => pane.frame) : this.running();
        const requests = next.steps?.map((step): Request => ({ do: "seek", step, layers })) ?? [{ ...next.request, layers }];
        await Promise.all(panes.flatMap((pane) => requests.map((request) => pane.move(request))));
        next.done();
      } else {
        const behind = this.running().filter((pane) => pane.frame!.step! < this.goal);
        await Promise.all(behind.map((pane) => pane.move({ do: "advance", to: this.goal, layers }, BUDGET)));
        this.timing.steps = 0.9 * this.timing.steps + 0.1 * (this.step - start);
        this.reached = Math.max(this.reached, this.step);
      }
    } finally {
      this.busy = false;
    }
    if (!next) void this.lookBack();
    // An engine that is behind goes on at once: waiting for the next picture would waste a third of
    // its time.
    const isBehind = this.playing && !next && this.step > start && this.running().some((pane) => pane.frame!.step! < this.goal);
    if (this.queued.length > 0 || isBehind) void this.work();
  }

  private tick(now: number): void {
    if (this.closed) return;
    requestAnimationFrame((next) => this.tick(next));
    const elapsed = Math.min(now - this.last, 100);
    this.last = now;
    if (this.playing && this.panes.length > 0) this.proceed(elapsed);
    let drawn = 0;
    for (const pane of this.panes) drawn += pane.draw(this.shown, this.selected, this.playing);
    this.measure(elapsed, drawn);
    this.watchPace(now);
    if (now - this.plotted > 150) {
      this.plotted = now;
      this.plot();
    }
    this.onFrame();
  }

  /**
   * Moves the goal on when all have come there; a slow engine slows time down instead of piling up
   * a debt.
   */
  private proceed(elapsed: number): void {
    const running = this.running();
    if (running.length === 0 || (this.planned > 0 && this.goal >= this.planned && running.every((pane) => pane.frame!.step! >= this.goal))) {
      this.playing = false;
      return;
    }
    if (!this.busy && this.queued.length === 0) {
      if (running.every((pane) => pane.frame!.step! >= this.goal)) {
        const speed = this.speed * this.slowing(elapsed);
        this.clock = Math.max(this.clock, (this.goal - 1) * this.dt) + (elapsed / 1000) * speed;
        const wanted = Math.floor(this.clock / this.dt + 1e-9);
        this.goal = Math.max(this.goal, this.planned > 0 ? Math.min(wanted, this.planned) : wanted);
      }
      void this.work();
    }
  }

  /**
   * The share of the speed at which time goes on: less around an impact, where that is asked for.
   */
  private slowing(elapsed: number): number {
    this.slowed = this.shown.slow ? Math.max(0, this.slowed - elapsed / 1000) : 0;
    return this.slowed > 0 ? SLOWED : 1;
  }

  /** An impact that was just passed is gone back to, and shown slowly. */
  private async lookBack(): Promise<void> {
    const steps = this.running().map((pane) => pane.frame!.struck ?? Infinity);
    const struck = Math.min(...steps);
    if (!this.shown.slow || !this.playing || !Number.isFinite(struck) || struck <= this.shownSlowly) return;
    const isSlow = this.slowed > 0;
    this.slowed = SLOW_SECONDS;
    this.shownSlowly = struck;
    if (isSlow) return;
    const before = Math.max(this.since, struck - Math.ceil((0.4 * SLOW_SECONDS * SLOWED * this.speed) / this.dt));
    await this.seek(before);
    this.playing = true;
  }

  /** The last step whose impact was shown slowly. */
  private shownSlowly = -1;

  /** Watches how fast time goes. */
  private watchPace(now: number): void {
    const time = this.step * this.dt;
    const last = this.paced[this.paced.length - 1];
    if (!this.playing || (last && time < last.time)) {
      this.paced = [];
      this.pace = undefined;
      return;
    }
    this.paced.push({ now, time });
    // Steps that take longer than the window are measured too: one of them is in it.
    while (this.paced.length > 2 && this.paced[1]!.now < now - PACE_WINDOW && this.paced[1]!.time < time) this.paced.shift();
    const first = this.paced[0]!;
    this.pace = now - first.now < 0.6 * PACE_WINDOW ? undefined : (1000 * (time - first.time)) / (now - first.now);
  }

  private plot(): void {
    const visible = this.panes.filter((pane) => pane.plots.element.offsetParent !== null);
    if (visible.length === 0) return;
    const ranges = commonRanges(visible.map((pane) => pane.series));
    for (const pane of visible) pane.plots.show(pane.series, ranges, 0.02 * this.planned * this.dt || 0.1);
  }

  private measure(elapsed: number, drawn: number): void {
    const blend = (old: number, value: number) => (old === 0 ? value : 0.95 * old + 0.05 * value);
    let engine = 0;
    for (const pane of this.panes) {
      engine += pane.engineTime;
      pane.engineTime = 0;
    }
    const t = this.timing;
    t.interval = blend(t.interval, elapsed);
    t.draw = blend(t.draw, drawn);
    t.engine = blend(t.engine, engine);
    t.rate = t.interval > 0 ? 1000 / t.interval : 0;
  }
}
