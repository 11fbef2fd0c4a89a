// Over a stage: what its arrows mean, and bars of energy.
import { h, short } from "./dom";
import type { Answer } from "./engine/protocol";
import type { Legend } from "./past";

export class Overlay {
  private legend = h("ul", { class: "legend", "aria-label": "Legend", hidden: true });
  private bars: Record<"kinetic" | "potential" | "lost", { bar: HTMLElement; value: HTMLElement }>;
  private energy: HTMLElement;
  readonly element: HTMLElement;
  private words = "";
  /** Energy at the start, and the greatest of all: the bars are shares of it. */
  private start = NaN;
  private greatest = 0;
  private lowest = Infinity;

  constructor() {
    const row = (name: string) => ({ bar: h("span", { class: `bar ${name}` }), value: h("output", { "aria-label": `${name} energy` }) });
    this.bars = { kinetic: row("kinetic"), potential: row("potential"), lost: row("lost") };
    const line = (words: string, { bar, value }: { bar: HTMLElement; value: HTMLElement }) => h("div", {}, h("span", {}, words), h("span", { class: "track" }, bar), value);
    this.energy = h("div", { class: "energy-bars", hidden: true }, line("kinetic", this.bars.kinetic), line("potential", this.bars.potential), line("lost", this.bars.lost));
    this.element = h("div", { class: "overlay" }, this.legend, this.energy);
  }

  reset(): void {
    this.start = NaN;
    this.greatest = 0;
    this.lowest = Infinity;
  }

  show(legend: Legend[], frame: Answer | undefined): void {
    const words = JSON.stringify(legend);
    if (words !== this.words) {
      this.words = words;
      this.legend.hidden = legend.length === 0;
      this.legend.replaceChildren(
        ...legend.map(({ color, pixels, words }) => {
          const arrow = h("span", { class: "arrow" });
          arrow.style.width = `${Math.max(6, pixels)}px`;
          arrow.style.setProperty("--key", color);
          return h("li", {}, arrow, words);
        }),
      );
    }
    this.energy.hidden = frame === undefined;
    if (frame) this.showEnergy(frame);
  }

  /** Potential energy is counted from the lowest that was seen: only its changes mean something. */
  private showEnergy(frame: Answer): void {
    const [kinetic, potential] = [frame.quantities!.kinetic ?? NaN, frame.quantities!.potential ?? NaN];
    if (!Number.isFinite(kinetic + potential)) return;
    if (Number.isNaN(this.start)) this.start = kinetic + potential;
    this.lowest = Math.min(this.lowest, potential);
    const lost = this.start - kinetic - potential;
    this.greatest = Math.max(this.greatest, kinetic + potential - this.lowest, this.start - this.lowest);
    const set = (row: { bar: HTMLElement; value: HTMLElement }, value: number, words: string) => {
      row.bar.style.width = `${Math.min(100, Math.max(0, (100 * value) / (this.greatest || 1)))}%`;
      row.value.textContent = words;
    };
    set(this.bars.kinetic, kinetic, `${short(kinetic)} J`);
    set(this.bars.potential, potential - this.lowest, `${short(potential)} J`);
    set(this.bars.lost, Math.abs(lost), lost < 0 ? `gained ${short(-lost)} J` : `${short(lost)} J`);
  }
}
