// What can be undone and done again: changes of a scene's text by knobs and drawing, and touches of
// bodies at one moment.
import type { Request } from "./engine/protocol";
import type { Player } from "./player";

const MOST = 200;

export type Touch = Extract<Request, { do: "push" | "place" }>;

/** Changes of one group in a row (a slider or a body that is dragged) are one change. */
type Change = { group: string } & ({ text: string } | { touch: Touch; step: number });

export class Edits {
  private past: Change[] = [];
  private future: Change[] = [];
  private working: Promise<unknown> = Promise.resolve();
  private wanted: string | undefined;

  constructor(private player: Player) {}

  /** Another text. False where it cannot be run. */
  async change(text: string, group = ""): Promise<boolean> {
    const last = this.past[this.past.length - 1];
    const joined = group !== "" && last?.group === group;
    if (!joined) this.note({ text: this.player.text, group });
    this.future = [];
    const done = await this.show(text);
    if (!done && !joined) this.past.pop();
    return done;
  }

  /** A body is touched: what is sent to the engine, so that a whole drag is one touch. */
  touch(touch: Touch, group = ""): Touch {
    const { step } = this.player.runner;
    const last = this.past[this.past.length - 1];
    const joined = group !== "" && last?.group === group && "touch" in last && last.step === step && touch.do === "place";
    this.future = [];
    if (joined) last.touch = touch;
    else this.note({ touch, step, group });
    return joined ? { ...touch, again: true } : touch;
  }

  private note(change: Change): void {
    this.past.push(change);
    if (this.past.length > MOST) this.past.shift();
  }

  /** The scene was opened anew, or goes on under other numbers: its bodies were not touched yet. */
  forgetTouches(): void {
    this.past = this.past.filter((change) => "text" in change);
    this.future = this.future.filter((change) => "text" in change);
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  async undo(): Promise<boolean> {
    const last = this.past.pop();
    if (!last) return false;
    if ("text" in last) {
      this.future.push({ text: this.player.text, group: "" });
      await this.show(last.text);
      return true;
    }
    // Back to the moment of the touch, and without it.
    const { runner } = this.player;
    this.future.push(last);
    if (runner.step !== last.step) await runner.seek(last.step);
    this.player.touching.pushed();
    await runner.all({ do: "take-back" });
    return true;
  }

  async redo(): Promise<boolean> {
    const next = this.future.pop();
    if (!next) return false;
    if ("text" in next) {
      this.past.push({ text: this.player.text, group: "" });
      await this.show(next.text);
      return true;
    }
    const { runner } = this.player;
    this.past.push({ ...next, group: "" });
    if (runner.step !== next.step) await runner.seek(next.step);
    this.player.touching.pushed();
    await runner.all(next.touch);
    return true;
  }

  /** A slider or a body was let go: the next move is another change. */
  endGroup(): void {
    const last = this.past[this.past.length - 1];
    if (last) last.group = "";
  }

  /**
   * Shows a text: live where the bodies are the same, else from its start. Of several wishes under
   * way only the last counts.
   */
  private async show(text: string): Promise<boolean> {
    this.wanted = text;
    let done = true;
    const turn = this.working.then(async () => {
      if (this.wanted !== text) return;
      done = await this.player.show(text);
    });
    this.working = turn.catch(() => undefined);
    await turn;
    return done;
  }
}
