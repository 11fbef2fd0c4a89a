// What hands do to bodies: push them, put them somewhere; the numbers and plots follow.
import type { Request, Triple } from "./engine/protocol";
import type { Touch } from "./edits";
import type { Player } from "./player";

export class Touching {
  constructor(private player: Player) {}

  push(direction: [number, number], spin: number): void {
    const { selected, lead } = this.player.runner;
    if (selected?.kind !== "body" || !lead.stage) return;
    // A push is felt but does not throw a body out of the picture: a fifth of the view in a second,
    // as the viewer sees it.
    const size = lead.stage.span() / 5;
    const [right, up, out] = lead.stage.axes();
    const velocity = right.map((x, k) => size * (direction[0] * x + direction[1] * up[k]!)) as Triple;
    void this.touch({ do: "push", body: selected.index, velocity, spin: out.map((x) => 2 * spin * x) as Triple });
  }

  /** Puts a body somewhere; touches of one group in a row are undone as one. */
  async place(place: Omit<Extract<Request, { do: "place" }>, "do">, group = ""): Promise<void> {
    await this.touch({ do: "place", ...place }, group);
  }

  /** A place on the grid, where one is on. */
  snapped(position: Triple): Triple {
    return this.player.panels.drawing?.snapped(position) ?? position;
  }

  /** A body that was dragged stands where it is to stand: the text follows while drawing. */
  dropped(): void {
    this.player.edits.endGroup();
    this.player.knobs.refresh();
    void this.player.panels.drawing?.keepPlaces();
  }

  /** Bodies are touched by hand, and the numbers follow. */
  private async touch(touch: Touch, group = ""): Promise<void> {
    this.pushed();
    await this.player.runner.all(this.player.edits.touch(touch, group));
    await this.player.status.inspect();
  }

  /** The future that was plotted is gone. */
  pushed(): void {
    for (const pane of this.player.runner.panes) pane.series.forgetAfter(pane.frame?.step ?? 0);
    this.player.runner.reached = this.player.runner.step;
  }
}
