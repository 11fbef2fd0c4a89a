// Reports on a run while it goes on: frame times, numbers of what is chosen, words for screen
// readers.
import { findContact } from "./contacts";
import { h } from "./dom";
import type { Answer } from "./engine/protocol";
import type { Player } from "./player";

/**
 * Milliseconds between two looks at the numbers of the chosen body, and between two descriptions of
 * the picture.
 */
const NUMBERS = 120;
const WORDS = 1000;
/** Texts that are longer take too long to be read several times a second. */
const LONGEST = 200_000;

export class Status {
  readonly corner = h("output", { class: "corner", hidden: true, "aria-label": "Frame and engine time" });
  private inspected = 0;
  private turned = 0;
  /** The frames whose numbers the inspector and the knobs show. */
  private inspectedFrame: Answer | undefined;
  private turnedFrame: Answer | undefined;
  private described = -Infinity;

  constructor(private player: Player) {}

  afterFrame(): void {
    const { player } = this;
    player.controls.update();
    player.plotting.update();
    player.panels.drawing?.update();
    player.film.recorder?.take();
    const now = performance.now();
    const { frame } = player.runner.lead ?? {};
    if (player.panelShown === "inspector" && frame !== this.inspectedFrame && now - this.inspected > NUMBERS) void this.inspect();
    if (frame !== this.turnedFrame && now - this.turned > NUMBERS) this.followKnobs(now, frame);
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
  private followKnobs(now: number, frame: Answer | undefined): void {
    const { knobs, runner, text } = this.player;
    if (runner.selected?.kind !== "body" || !knobs.element.isConnected || text.length > LONGEST) return;
    this.turned = now;
    this.turnedFrame = frame;
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

  /** The numbers of the chosen body or contact. */
  async inspect(): Promise<void> {
    const { player } = this;
    const { selected, lead } = player.runner;
    if (player.panelShown !== "inspector") return;
    this.inspected = performance.now();
    this.inspectedFrame = lead.frame;
    const { inspector } = player;
    if (lead.frame) inspector.step(lead.frame);
    if (!selected) return inspector.nothing();
    if (selected.kind === "contact") return inspector.contact(lead.frame!, findContact(lead.frame!.contacts, selected.name), selected.name, lead.drawing?.friction ?? 0);
    const answer = await lead.ask({ do: "inspect", body: selected.index });
    if (answer.inspection) inspector.body(answer.inspection, lead.drawing?.family === "spatial-bodies");
  }
}
