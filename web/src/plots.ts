// Energy, momentum and penetration under a pane, drawn live.
import uPlot from "uplot";
import { tickWords } from "./chart";
import { faint, palette } from "./palette";
import type { Series } from "./series";

interface Line {
  key: "total" | "kinetic" | "potential" | "momentum" | "penetration";
  label: string;
  color: number;
}

const PLOTS: { title: string; unit: string; lines: Line[] }[] = [
  {
    title: "Energy",
    unit: "J",
    lines: [
      { key: "total", label: "total", color: 4 },
      { key: "kinetic", label: "kin.", color: 0 },
      { key: "potential", label: "pot.", color: 1 },
    ],
  },
  { title: "Momentum", unit: "kg m/s", lines: [{ key: "momentum", label: "size", color: 2 }] },
  { title: "Penetration", unit: "m", lines: [{ key: "penetration", label: "deepest", color: 3 }] },
];

/** Ranges that two panes can share, so that plots side by side are compared by eye. */
export type Ranges = Map<string, [number, number]>;

export class Plots {
  readonly element = document.createElement("div");
  private plots: uPlot[] = [];
  private series: Series | undefined;
  private ranges: Ranges = new Map();
  /** So much time is shown at least. */
  private span = 1;
  private reader: ResizeObserver;

  constructor() {
    this.element.className = "plots";
    this.build();
    this.reader = new ResizeObserver(() => this.resize());
    this.reader.observe(this.element);
  }

  /** Makes the plots anew: on a change of theme. */
  build(): void {
    for (const plot of this.plots) plot.destroy();
    this.element.replaceChildren();
    const colors = palette(null);
    this.plots = PLOTS.map(({ title, unit, lines }) => {
      const box = document.createElement("figure");
      const caption = document.createElement("figcaption");
      caption.textContent = `${title} [${unit}]`;
      for (const line of lines.length > 1 ? lines : []) {
        const key = document.createElement("span");
        key.textContent = line.label;
        key.style.setProperty("--key", colors.series[line.color]!);
        caption.append(key);
      }
      box.append(caption);
      this.element.append(box);
      const axis = { stroke: colors.ink, grid: { stroke: faint(colors.ink, 0.1), width: 1 }, ticks: { show: false }, font: "11px system-ui" };
      return new uPlot(
        {
          width: 200,
          height: 84,
          legend: { show: false },
          cursor: { show: false },
          padding: [6, 14, 0, 0],
          scales: {
            x: { time: false, range: (_plot, low, high) => [low ?? 0, Math.max(high ?? 0, (low ?? 0) + this.span)] },
            y: { range: (_plot, low, high) => this.range(title, low, high) },
          },
          axes: [
            { ...axis, size: 20, gap: 2, space: 60 },
            { ...axis, size: 52, gap: 3, space: 26, values: (_plot, values) => tickWords(values) },
          ],
          series: [{}, ...lines.map((line) => ({ stroke: colors.series[line.color]!, width: 1.5, points: { show: false } }))],
        },
        [[], ...lines.map(() => [])],
        box,
      );
    });
    this.resize();
    if (this.series) this.show(this.series, this.ranges, this.span);
  }

  show(series: Series, ranges: Ranges, span: number): void {
    this.series = series;
    this.span = span;
    this.ranges = ranges;
    const { samples } = series;
    const times = samples.map((sample) => sample.time);
    this.plots.forEach((plot, k) => {
      plot.setData([times, ...PLOTS[k]!.lines.map((line) => samples.map((sample) => finite(sample[line.key])))] as uPlot.AlignedData);
    });
  }

  close(): void {
    this.reader.disconnect();
    for (const plot of this.plots) plot.destroy();
  }

  private range(title: string, low: number, high: number): [number, number] {
    const [a, b] = this.ranges.get(title) ?? [low ?? 0, high ?? 1];
    // Nothing but zeros: any range shows that.
    if (a === 0 && b === 0) return [0, 1];
    const room = Math.max((b - a) * 0.08, Math.abs(b) * 1e-6);
    return [a === 0 ? 0 : a - room, b + room];
  }

  private resize(): void {
    for (const plot of this.plots) {
      const width = plot.root.parentElement!.clientWidth;
      if (width > 0 && width !== plot.width) plot.setSize({ width, height: 84 });
    }
  }
}

/** The ranges over all series: the same for every pane. */
export function commonRanges(all: Series[]): Ranges {
  const ranges: Ranges = new Map();
  for (const { title, lines } of PLOTS) {
    let [low, high] = [Infinity, -Infinity];
    for (const { samples } of all) {
      for (const sample of samples) {
        for (const { key } of lines) {
          const value = sample[key];
          if (!Number.isFinite(value)) continue;
          low = Math.min(low, value);
          high = Math.max(high, value);
        }
      }
    }
    if (title !== "Energy") low = Math.min(low, 0);
    if (low <= high) ranges.set(title, [low, high]);
  }
  return ranges;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
