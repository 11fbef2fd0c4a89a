// One's best flight in a field, flown along.
import { Game, Recording } from "./game-engine";
import { best } from "./game-results";

export class Ghost {
  next = 0;
  before: Float64Array;
  now: Float64Array;

  private constructor(
    readonly game: Game,
    private keys: Uint8Array,
  ) {
    this.before = this.now = game.positions();
  }

  /** Of the best flight on this device; nothing where there is none. */
  static of(level: number, seed: bigint): Ghost | undefined {
    const mine = best(level, seed);
    if (!mine) return undefined;
    try {
      const recording = new Recording(mine.recording);
      const ghost = new Ghost(new Game(recording.level(), recording.seed()), recording.keys());
      recording.free();
      return ghost;
    } catch {
      // A flight of other rules: it is not shown.
      return undefined;
    }
  }

  tick(): void {
    this.before = this.now;
    if (this.next >= this.keys.length) return;
    this.game.tick(this.keys[this.next++]!);
    this.now = this.game.positions();
  }

  free(): void {
    this.game.free();
  }
}
