// The game: one flight after another.
import { h, iconButton, relabel, say } from "./dom";
import { Sky } from "./game-canvas";
import { Game, gauges, happenings, KEYS, loadRules, looks, Recording, type Gauges, type Rules } from "./game-engine";
import { Input } from "./game-input";
import { Cards, today } from "./game-cards";
import { LevelMenu, Messages, Panel } from "./game-panel";
import { whereabouts } from "./game-words";
import { Ghost } from "./game-ghost";
import { keep, type Result } from "./game-results";
import { School } from "./game-school";
import { Sound } from "./game-sound";
import { isLocal } from "./dialogs";
import { setTitle, setTools } from "./header";
import { pack } from "./share";
import type { View } from "./view";

const FIRE = ["#fff3c4", "#ffb454", "#ff6a3d", "#d9dfe8"];
const DUST = ["#d8cbb5", "#8f8577", "#ffe9c4"];

/** Ready before a flight, flying, paused, over after it. */
type Stage = "ready" | "flying" | "paused" | "over";

export class Cockpit implements View {
  stage: Stage = "ready";
  game!: Game;
  level = 1;
  seed = 1n;
  /** The flight that is watched, and how far it has come. */
  watched: { keys: Uint8Array; hash: string; next: number; rate: number } | undefined;
  replayHash: string | undefined;
  gauges!: Gauges;
  private before!: Float64Array;
  private now!: Float64Array;
  private sky: Sky;
  private panel: Panel;
  private sound = new Sound();
  private input = new Input(() => this.firstKey());
  private canvas = h("canvas", { class: "sky", tabindex: 0, role: "img", "aria-label": "The field" });
  private middle = h("div", { class: "middle" });
  private messages = new Messages();
  private school: School | undefined;
  private cards = new Cards(this);
  /** One's best flight in this field, flown along. */
  ghost: Ghost | undefined;
  /** The hardest bounce of the ship in the last tick. */
  private hit = 0;
  private levels: LevelMenu;
  private pauseButton = iconButton("pause", "Pause", "P", () => this.togglePause());
  private soundButton: HTMLButtonElement;
  private frameRequest = 0;
  private last = 0;
  private due = 0;
  private seconds = 0;
  private restartAsked = false;
  private still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  private sizes = new ResizeObserver(() => this.sky.resize());
  private stop = new AbortController();

  constructor(
    host: HTMLElement,
    readonly rules: Rules,
  ) {
    this.panel = new Panel(rules);
    this.levels = new LevelMenu(rules, (level) => this.choose(level));
    this.soundButton = iconButton("sound", "", "M", () => this.toggleSound());
    this.nameSound();
    const field = h("div", { class: "field" }, this.canvas, this.messages.notice, this.middle);
    host.replaceChildren(h("div", { class: "game" }, this.panel.element, this.messages.banner, field, this.input.pads()));
    setTools(this.levels.element, this.pauseButton, this.soundButton);
    this.sky = new Sky(this.canvas, rules, [{ radius: 1, outline: [] }]);
    this.sizes.observe(this.canvas);
    const { signal } = this.stop;
    addEventListener("keyup", (event) => this.input.release(event.code), { signal });
    addEventListener("blur", () => this.leave(), { signal });
    document.addEventListener("visibilitychange", () => document.hidden && this.leave(), { signal });
  }

  /** The first field, with a hint for each key. */
  teach(): void {
    this.prepare(1, 7n);
    this.school = new School(this.rules);
    this.levels.show(0, this.level);
    history.replaceState(null, "", "#game&school");
    this.ghost?.free();
    this.ghost = undefined;
    const [, many] = this.school.place;
    this.cards.school(many);
    this.showTask();
  }

  private showTask(): void {
    if (!this.school) return;
    const [place, many] = this.school.place;
    this.messages.show(h("span", {}, h("strong", {}, `${place} of ${many} `), this.school.hint));
    say(this.school.hint);
  }

  /** A level of a field, ready to fly. */
  prepare(level: number, seed: bigint): void {
    this.school = undefined;
    this.messages.show();
    this.level = Math.min(Math.max(1, Math.round(level) || 1), this.rules.levels.length);
    this.seed = BigInt.asUintN(64, seed);
    this.levels.show(this.level);
    this.watched = undefined;
    this.replayHash = undefined;
    this.reset();
    this.ghost = Ghost.of(this.level, this.seed);
    history.replaceState(null, "", `#${this.fragment()}`);
    this.stage = "ready";
    this.cards.ready();
  }

  /** Flies a recording again. */
  watch(text: string): void {
    try {
      const recording = new Recording(text);
      const [level, seed] = [recording.level(), recording.seed()];
      if (level < 1 || level > this.rules.levels.length) throw new Error(`there is no level ${level}`);
      [this.level, this.seed] = [level, seed];
      this.watched = { keys: recording.keys(), hash: recording.hash(), next: 0, rate: 1 };
      recording.free();
    } catch (error) {
      this.prepare(1, this.seed);
      this.cards.damaged(String(error instanceof Error ? error.message : error));
      return;
    }
    this.replayHash = undefined;
    this.levels.show(this.level);
    // A reload shows the flight again.
    history.replaceState(null, "", `#game&replay=${text}`);
    this.school = undefined;
    this.messages.show();
    this.reset();
    this.begin();
    this.announce("Watching a recorded flight; F is faster");
  }

  start(): void {
    this.last = performance.now();
    this.frameRequest = requestAnimationFrame((now) => this.frame(now));
  }

  close(): void {
    cancelAnimationFrame(this.frameRequest);
    this.stop.abort();
    this.sizes.disconnect();
    this.sound.close();
    this.game?.free();
    this.ghost?.free();
  }

  key(event: KeyboardEvent): boolean {
    const engine = Input.engine(event);
    if (engine !== 0) {
      if (!event.repeat) this.input.press(event.code, engine);
      return true;
    }
    const acts: Record<string, () => void> = {
      p: () => this.togglePause(),
      escape: () => this.togglePause(),
      r: () => this.again(),
      m: () => this.toggleSound(),
      i: () => this.announce(whereabouts(this.now, this.gauges, this.tank)),
      f: () => this.faster(),
      n: () => this.stage === "over" && this.choose(this.level + 1),
    };
    const act = acts[event.key.toLowerCase()];
    if (act && !event.repeat) act();
    return act !== undefined;
  }

  choose(level: number): void {
    this.levels.element.blur();
    if (level === 0) this.teach();
    else this.prepare(level > this.rules.levels.length ? 1 : level, this.seed);
    this.canvas.focus();
  }

  fragment(): string {
    return `game&level=${this.level}&seed=${this.seed}`;
  }

  get tank(): number {
    return this.rules.levels[this.level - 1]!.tank;
  }

  private reset(): void {
    this.game?.free();
    this.ghost?.free();
    this.ghost = undefined;
    this.game = new Game(this.level, this.seed);
    this.gauges = gauges(this.game);
    this.now = this.game.positions();
    this.before = this.now;
    this.sky.change(looks(this.game));
    this.input.releaseAll();
    this.due = 0;
    this.restartAsked = false;
    this.panel.show(this.gauges, this.tank);
    setTitleAndTools(this.rules, this.level, [this.levels.element, this.pauseButton, this.soundButton]);
  }

  begin(): void {
    this.stage = "flying";
    this.sound.wake();
    this.show();
    relabel(this.pauseButton, "pause", "Pause", "P");
    this.canvas.focus();
  }

  /** An engine is fired: a flight that waits begins. */
  private firstKey(): void {
    this.sound.wake();
    if (this.stage === "ready") this.begin();
  }

  togglePause(): void {
    if (this.stage === "flying") {
      this.stage = "paused";
      this.input.releaseAll();
      this.sound.thrust(0);
      relabel(this.pauseButton, "play", "Go on", "P");
      this.cards.paused();
      say("Paused");
    } else if (this.stage === "paused") {
      this.begin();
      say("Going on");
    } else if (this.stage === "ready") this.begin();
  }

  private leave(): void {
    this.input.releaseAll();
    if (this.stage === "flying" && !this.watched) this.togglePause();
  }

  /** R: back to the start of the field in flight, a new flight after one. */
  again(): void {
    if (this.stage === "flying" && !this.watched) this.restartAsked = true;
    else if (this.stage !== "ready") {
      this.prepare(this.level, this.seed);
      this.begin();
    }
  }

  /** F: a recording at one, four or sixteen times its speed. */
  private faster(): void {
    if (!this.watched) return;
    this.watched.rate = this.watched.rate >= 16 ? 1 : 4 * this.watched.rate;
    this.announce(`Watching at ${this.watched.rate} times the speed`);
  }

  private toggleSound(): void {
    this.sound.toggle();
    this.sound.wake();
    this.nameSound();
  }

  private nameSound(): void {
    relabel(this.soundButton, this.sound.on ? "sound" : "mute", this.sound.on ? "Turn sound off" : "Turn sound on", "M");
  }

  private frame(now: number): void {
    // A tab that slept does not catch up: the player did not see what would happen.
    const elapsed = Math.min(Math.max(0, now - this.last) / 1000, 0.1);
    this.last = now;
    if (this.input.poll()) this.togglePause();
    if (this.stage === "flying") {
      this.due += elapsed * this.rules.ticksASecond * (this.watched?.rate ?? 1);
      while (this.due >= 1 && this.stage === "flying") {
        this.due -= 1;
        this.tick();
      }
      this.panel.show(this.gauges, this.tank);
    }
    if (!this.still) this.seconds += elapsed;
    this.messages.fade(now);
    const between = this.stage === "flying" ? this.due : 1;
    const shipIsThere = this.gauges.phase < 2;
    const ghost = this.ghost && { before: this.ghost.before, now: this.ghost.now };
    this.sky.draw({ ghost, isStill: this.still, before: this.before, now: this.now, between, gauges: this.gauges, seconds: this.seconds, shipIsThere }, this.stage === "paused" ? 0 : elapsed);
    this.frameRequest = requestAnimationFrame((next) => this.frame(next));
  }

  private tick(): void {
    let keys = this.input.take();
    if (this.watched) keys = this.watched.keys[this.watched.next++] ?? 0;
    else if (this.restartAsked) keys |= KEYS.restart;
    this.restartAsked = false;
    this.game.tick(keys);
    this.ghost?.tick();
    this.before = this.now;
    this.now = this.game.positions();
    this.gauges = gauges(this.game);
    this.sound.thrust(this.gauges.burning & KEYS.forward ? 1 : this.gauges.burning ? 0.4 : 0);
    this.hit = 0;
    for (const event of happenings(this.game)) {
      if (event.kind === "bounce") {
        if (event.first === 0) this.hit = Math.max(this.hit, event.strength / this.game.shipMass());
        this.sound.bounce(event.strength);
        this.sky.burst(event.x, event.y, Math.min(event.strength, 4), DUST);
        if (event.first === 0) this.announce(event.second === 1 ? "Touched Earth" : "Bumped into an asteroid");
      } else if (event.kind === "restart") {
        this.before = this.now;
        this.sky.forgetTrail();
        this.sound.again();
        this.announce(event.asked ? "Back at the start" : "You left the screen: back at the start");
        if (this.school) this.showTask();
        else this.messages.show();
      } else if (event.kind === "no-fuel") this.stranded();
    }
    if (this.school?.watch(this.gauges)) {
      this.sound.bounce(0.4);
      this.showTask();
    }
    const isPlayedBack = this.watched !== undefined && this.watched.next >= this.watched.keys.length;
    if (this.gauges.phase !== 0 || isPlayedBack) this.end();
  }

  /** No fuel: the ship drifts, and the pilot reads what can be done about it. */
  private stranded(): void {
    const words = this.gauges.speed < 0.05 ? "The tank is empty, and the ship stands still." : "The tank is empty: the ship drifts on.";
    this.messages.show(h("span", {}, words), h("button", { type: "button", class: "go", onclick: () => this.again() }, "Start again (R)"));
    say(`${words} Press R to start again.`);
  }

  private end(): void {
    this.messages.show();
    this.stage = "over";
    this.messages.hush();
    this.sound.thrust(0);
    this.input.releaseAll();
    const { phase, score, ticks } = this.gauges;
    const [x, y] = this.now as unknown as [number, number];
    if (phase === 1) this.sound.win();
    else if (phase !== 0) {
      this.sound.crash();
      this.sky.burst(x, y, 14, FIRE);
    }
    if (this.watched) {
      const found = this.game.hash();
      this.replayHash = found;
      this.cards.replayed(found, this.watched.hash);
    } else if (phase === 1) this.win({ score, ticks, recording: this.game.recording() });
    else this.cards.lost(phase, this.hit);
  }

  private win(result: Result): void {
    const isRecord = keep(this.level, this.seed, result);
    this.levels.show(this.school ? 0 : this.level, this.level);
    if (this.school) {
      this.school = undefined;
      this.cards.taught();
    } else this.cards.won(result, isRecord);
  }

  /** The field is an ordinary scene. */
  async openField(): Promise<void> {
    location.hash = `s=${await pack(this.game.scene())}&name=${encodeURIComponent(`Field ${this.level} ${this.seed}`)}`;
  }

  show(element?: HTMLElement): void {
    this.middle.replaceChildren(...(element ? [element] : []));
  }

  private announce(words: string): void {
    this.messages.announce(words);
  }

  async copy(fragment: string): Promise<void> {
    const link = new URL(location.href);
    link.hash = fragment;
    try {
      await navigator.clipboard.writeText(link.href);
      this.announce(isLocal() ? "The link is copied; it works on this machine only, while the program runs" : "The link is copied");
    } catch {
      location.hash = fragment;
      this.announce("The link is in the address bar");
    }
  }
}

function setTitleAndTools(rules: Rules, level: number, tools: HTMLElement[]): void {
  setTitle(`Asteroids: ${rules.levels[level - 1]!.name}`);
  setTools(...tools);
}

export async function mount(host: HTMLElement, params: URLSearchParams): Promise<View> {
  document.body.dataset["view"] = "game";
  const cockpit = new Cockpit(host, await loadRules());
  const seed = /^\d{1,20}$/.test(params.get("seed") ?? "") ? BigInt(params.get("seed")!) : 7n;
  const recording = params.get("replay");
  if (recording !== null) cockpit.watch(recording);
  else if (params.has("school")) cockpit.teach();
  else cockpit.prepare(Number(params.get("level") ?? 1), params.has("daily") ? today() : seed);
  cockpit.start();
  (globalThis as unknown as { caromGame: Cockpit }).caromGame = cockpit;
  return cockpit;
}
