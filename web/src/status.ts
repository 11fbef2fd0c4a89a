// Reports on a run while it goes on: frame times, numbers of what is chosen, words for screen readers.
import { findContact } from "./contacts";
import { h } from "./dom";
import type { Player } from "./player";

/** Milliseconds between two looks at the numbers of the chosen body, and between two descriptions of the picture. */
const NUMBERS = 120;
const WORDS = 1000;
/** Texts that are longer take too long to be read several times a second. */
const LONGEST = 200_000;

export class Status {
  readonly corner = h("output", { class: "corner", hidden: true, "aria-label": "Frame and engine time" });
  private inspected = 0;
  private turned = 0;
  private described = -Infinity;

  constructor(private player: Player) {}

  afterFrame(): void {
    const { player } = this;
    player.controls.update();
    player.plotting.update();
    player.panels.drawing?.update();
    player.film.recorder?.take();
    const now = performance.now();
    if (player.panelShown === "inspector" && now - this.inspected > NUMBERS) void this.inspect(false);
    if (player.runner.playing && now - this.turned > NUMBERS) this.followKnobs(now);
    if (!this.corner.hidden) {
      const { rate, draw, engine, steps } = player.runner.timing;
      this.corner.textContent = `${rate.toFixed(0)} frames/s · drawing ${draw.toFixed(1)} ms · engine ${engine.toFixed(1)} ms · ${steps.toFixed(1)} steps/frame`;
    }
    if (now - this.described > WORDS) {
      this.described = now;
      this.describe();
    }
  }

  /** The knobs of the chosen body follow it. */
  private followKnobs(now: number): void {
    const { knobs, runner, text } = this.player;
    if (runner.selected?.kind !== "body" || !knobs.element.isConnected || text.length > LONGEST) return;
    this.turned = now;
    knobs.refresh();
  }

  private describe(): void {
    const { player } = this;
    const { scroller, runner } = player;
    // A region that scrolls can be scrolled by keys too.
    if (scroller.scrollHeight > scroller.clientHeight) scroller.tabIndex = 0;
    else scroller.removeAttribute("tabindex");
    for (const pane of runner.panes) {
      const words = pane.frame?.diagnostics?.words;
      const count = pane.drawing?.bodies.length ?? 0;
      pane.canvas.setAttribute("aria-label", `${pane.responses.value}: ${count} bodies at ${player.time().toFixed(2)} seconds${words ? `, the last step ${words}` : ""}`);
    }
  }

  /** The numbers of the chosen body or contact; of a run that stands still only where something changed. */
  async inspect(always: boolean): Promise<void> {
    const { player } = this;
    const { selected, lead } = player.runner;
    if (player.panelShown !== "inspector" || (!always && !player.runner.playing)) return;
    this.inspected = performance.now();
    const { inspector } = player;
    if (lead.frame) inspector.step(lead.frame);
    if (!selected) return inspector.nothing();
    if (selected.kind === "contact") return inspector.contact(lead.frame!, findContact(lead.frame!.contacts, selected.name), selected.name, lead.drawing?.friction ?? 0);
    const answer = await lead.ask({ do: "inspect", body: selected.index });
    if (answer.inspection) inspector.body(answer.inspection, lead.drawing?.family === "spatial-bodies");
  }
}
