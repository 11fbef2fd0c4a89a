// The panel at the side: one of several at a time; the large ones are loaded when they are opened
// for the first time.
import type { Drawing } from "./drawing";
import { h, iconButton } from "./dom";
import type { SceneEditor } from "./editor";
import type { Player } from "./player";

export type Panel = "editor" | "inspector" | "knobs" | "plot" | "draw" | null;
export const PANELS: Record<NonNullable<Panel>, string> = { editor: "Scene", inspector: "Numbers", knobs: "Knobs", plot: "Plot", draw: "Draw" };

export class Panels {
  readonly element = h("aside", { class: "panel", hidden: true, "aria-label": "Side panel" });
  shown: Panel = null;
  editor: SceneEditor | undefined;
  drawing: Drawing | undefined;
  private closed = false;
  private asked = 0.1;

  constructor(private player: Player) {}

  /** The grid of drawing in metres; 0 where nothing snaps. */
  get grid(): number {
    return this.drawing?.grid ?? this.asked;
  }

  set grid(metres: number) {
    this.asked = metres;
    if (this.drawing) this.drawing.grid = metres;
  }

  toggle(panel: NonNullable<Panel>): void {
    void this.open(this.shown === panel ? null : panel);
  }

  async open(panel: Panel): Promise<void> {
    if (panel === "editor") await this.loadEditor();
    if (panel === "draw") await this.loadDrawing();
    if (this.closed) return;
    const { player } = this;
    this.shown = panel;
    const contents = { editor: this.editor?.element, inspector: player.inspector.element, knobs: player.knobs.element, plot: player.plotting.element, draw: this.drawing?.element };
    const content = panel && contents[panel];
    this.element.hidden = !content;
    this.element.replaceChildren();
    if (content) {
      const close = iconButton("close", "Close the panel", "", () => void this.open(null));
      this.element.append(h("div", { class: "panel-head" }, h("h2", {}, PANELS[panel]), close), content);
    }
    if (panel === "editor") this.editor!.focus();
    player.panelChanged();
  }

  private async loadEditor(): Promise<void> {
    if (this.editor) return;
    const { SceneEditor } = await import("./editor");
    if (this.closed || this.editor) return;
    const { player } = this;
    this.editor = new SceneEditor(player.text, {
      check: async (text) => {
        const answer = await player.runner.lead.ask({ do: "check", text });
        if (answer.report) return answer.report;
        return { can_run: false, errors: 1, warnings: 0, summary: answer.message ?? "", build_error: answer.message ?? null, problems: [] };
      },
      apply: (text) => text !== player.text && void player.apply(text),
    });
  }

  private async loadDrawing(): Promise<void> {
    this.player.runner.pause();
    if (this.drawing) return this.drawing.toStart();
    const { Drawing } = await import("./drawing");
    if (this.closed) return;
    this.drawing ??= new Drawing(this.player);
    this.drawing.grid = this.asked;
    await this.drawing?.toStart();
  }

  /** After the text or the choice changed. */
  refresh(): void {
    this.drawing?.refresh();
    this.editor?.replace(this.player.text);
  }

  close(): void {
    this.closed = true;
    this.editor?.close();
    this.drawing?.close();
  }
}
