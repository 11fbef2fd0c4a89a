// Changes of a scene's text by knobs and by drawing, to be taken back and done again.
import type { Player } from "./player";

const MOST = 200;

export class Edits {
  private past: { text: string; group: string }[] = [];
  private future: string[] = [];
  private working: Promise<unknown> = Promise.resolve();
  private wanted: string | undefined;

  constructor(private player: Player) {}

  /** Another text; changes of one group in a row (a slider that is moved) are one change. False where it cannot be run. */
  async change(text: string, group = ""): Promise<boolean> {
    const before = this.player.text;
    const last = this.past[this.past.length - 1];
    const joined = group !== "" && last?.group === group;
    if (!joined) this.past.push({ text: before, group });
    if (this.past.length > MOST) this.past.shift();
    this.future = [];
    const done = await this.show(text);
    if (!done && !joined) this.past.pop();
    return done;
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
    this.future.push(this.player.text);
    await this.show(last.text);
    return true;
  }

  async redo(): Promise<boolean> {
    const next = this.future.pop();
    if (next === undefined) return false;
    this.past.push({ text: this.player.text, group: "" });
    await this.show(next);
    return true;
  }

  /** A slider that was let go: the next move is another change. */
  endGroup(): void {
    const last = this.past[this.past.length - 1];
    if (last) last.group = "";
  }

  /** Shows a text: live where the bodies are the same, else from its start. Of several wishes under way only the last counts. */
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
