// A run as a file or as a movie.
import { Recorder, save } from "./capture";
import { iconButton, say, toast } from "./dom";
import type { Player } from "./player";

export type Format = "carom" | "npz" | "csv" | "glb";

/**
 * A run as a file, from the first step that is known; afterwards the scene stands where it stood.
 * It ends where its progress is answered by false.
 */
export async function recordRun(player: Player, format: Format, to: number, every: number, progress: (share: number) => boolean | void): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { runner } = player;
  const [playing, step, since] = [runner.playing, runner.step, runner.since];
  runner.pause();
  const last = Math.max(since, Math.round(to) || 0);
  let file: Uint8Array<ArrayBuffer> | undefined;
  while (player.element.isConnected && !file) {
    const answer = await runner.lead.ask({ do: "record", format, to: last, every: Math.max(1, Math.round(every) || 1), name: `${player.fileName()}.xml` });
    if (!answer.ok) break;
    file = answer.file;
    if (progress(last > since ? ((answer.step ?? since) - since) / (last - since) : 1) === false && !file) break;
  }
  await runner.seek(step);
  if (playing) runner.play();
  return file;
}

/** The button that begins a movie and ends it. */
export class Film {
  readonly button = iconButton("record", "Record a movie", "R", () => this.toggle(), { class: "icon wide-only", "aria-pressed": "false" });
  recorder: Recorder | undefined;

  constructor(private player: Player) {}

  toggle(): void {
    const { recorder, player } = this;
    if (recorder) {
      this.recorder = undefined;
      void recorder.stop().then((movie) => save(movie, `${player.fileName()}.${movie.type.includes("mp4") ? "mp4" : "webm"}`));
      say("Movie saved");
    } else {
      try {
        this.recorder = new Recorder(player.runner.panes);
        player.runner.play();
        say("Recording");
      } catch (error) {
        toast(error instanceof Error ? error.message : String(error), true);
      }
    }
    this.button.setAttribute("aria-pressed", String(this.recorder !== undefined));
    this.button.classList.toggle("recording", this.recorder !== undefined);
  }
}
