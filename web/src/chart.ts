// A plot as lines, drawn on a canvas or written as SVG: the same picture twice.
import { short } from "./dom";

export interface Line {
  label: string;
  color: string;
  dash: number[];
  points: [number, number][];
  /** Whether its values are read at the axis on the right. */
  right?: boolean;
}

export interface Chart {
  x: string;
  y: string;
  /** The name of the axis on the right, for a second unit. */
  right?: string;
  /** So much of x is shown at least, from the first value on. */
  span?: number;
  lines: Line[];
  /** Where the timeline stands: an x, or a place for each line. */
  cursor?: { x?: number; places: [number, number][] };
}

export interface Look {
  width: number;
  height: number;
  paper: string;
  ink: string;
  quiet: string;
  grid: string;
}

/** What both kinds of picture can do. */
interface Brush {
  line(points: [number, number][], color: string, width: number, dash: number[]): void;
  text(words: string, x: number, y: number, align: "left" | "center" | "right", color: string, turned?: boolean): void;
  dot(x: number, y: number, color: string): void;
  clip(x: number, y: number, width: number, height: number): void;
  unclip(): void;
}

const ROOM = { left: 72, right: 20, second: 84, top: 10, bottom: 36 };

/** The least and the greatest number of some lines; none where there are no numbers. */
function extent(lines: Line[], axis: 0 | 1): [number, number] | undefined {
  let [low, high] = [Infinity, -Infinity];
  for (const { points } of lines) {
    for (const point of points) {
      const value = point[axis];
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return low <= high ? [low, high] : undefined;
}

function rangeAcross({ lines, span = 0 }: Chart): [number, number] {
  const [low, high] = extent(lines, 0) ?? [0, 0];
  return high - low > span ? [low, high] : [low, low + (span || 1)];
}

function rangeUp(lines: Line[]): [number, number] {
  const found = extent(lines, 1);
  if (!found) return [0, 1];
  const [low, high] = found;
  // What differs by rounding only is one value.
  const size = Math.max(Math.abs(low), Math.abs(high));
  // Nothing but zeros: any range shows that.
  if (size === 0) return [0, 1];
  const spread = high - low > 1e-13 * size ? high - low : 0;
  const room = spread * 0.06 || Math.max(size * 1e-3, 1e-9);
  return [low - room, high + room];
}

/** Where values of a chart land in its picture. */
export function scales(chart: Chart, look: Look) {
  const right = chart.right === undefined ? ROOM.right : ROOM.second;
  const [wide, high] = [look.width - ROOM.left - right, look.height - ROOM.top - ROOM.bottom - legendRows(chart, look) * 18];
  const top = look.height - ROOM.bottom - high;
  const x = rangeAcross(chart);
  const sides = [rangeUp(chart.lines.filter((line) => !line.right)), rangeUp(chart.lines.filter((line) => line.right))] as const;
  return {
    px: (value: number) => ROOM.left + ((value - x[0]) / (x[1] - x[0])) * wide,
    py: (value: number, line?: Line) => {
      const [low, up] = sides[line?.right ? 1 : 0];
      return top + (1 - (value - low) / (up - low)) * high;
    },
    xOf: (px: number) => x[0] + ((px - ROOM.left) / wide) * (x[1] - x[0]),
    box: [ROOM.left, top, wide, high] as const,
    x,
    sides,
  };
}

function legendRows(chart: Chart, look: Look): number {
  return Math.ceil(chart.lines.length / Math.max(1, Math.floor(look.width / 190)));
}

function paint(chart: Chart, look: Look, brush: Brush): void {
  const { px, py, box: [left, top, wide, high], x, sides } = scales(chart, look);
  const marks = Math.max(2, Math.floor(high / 40));
  const [across, up] = [ticks(...x, Math.max(2, Math.floor(wide / 80))), ticks(...sides[0], marks)];
  const [below, beside] = [tickWords(across), tickWords(up)];
  across.forEach((value, k) => {
    brush.line([[px(value), top], [px(value), top + high]], look.grid, 1, []);
    brush.text(below[k]!, px(value), top + high + 15, "center", look.quiet);
  });
  up.forEach((value, k) => {
    brush.line([[left, py(value)], [left + wide, py(value)]], look.grid, 1, []);
    brush.text(beside[k]!, left - 6, py(value) + 4, "right", look.quiet);
  });
  brush.text(chart.x, left + wide, look.height - 4, "right", look.ink);
  brush.text(chart.y, 12, top + high / 2, "center", look.ink, true);
  if (chart.right !== undefined) {
    // Its own marks, and no second grid.
    const values = ticks(...sides[1], marks);
    const words = tickWords(values);
    const onRight = chart.lines.find((line) => line.right);
    values.forEach((value, k) => {
      const y = py(value, onRight);
      brush.line([[left + wide, y], [left + wide + 4, y]], look.quiet, 1, []);
      brush.text(words[k]!, left + wide + 7, y + 4, "left", look.quiet);
    });
    brush.text(chart.right, look.width - 4, top + high / 2, "center", look.ink, true);
  }
  const columns = Math.max(1, Math.floor(look.width / 190));
  chart.lines.forEach(({ label, color, dash, right }, k) => {
    const [x, y] = [left + (k % columns) * 180, 13 + Math.floor(k / columns) * 18];
    brush.line([[x, y - 4], [x + 22, y - 4]], color, 2, dash);
    brush.text(right ? `${label} (right)` : label, x + 28, y, "left", look.ink);
  });
  brush.clip(left, top, wide, high);
  for (const line of chart.lines) {
    const { points, color, dash } = line;
    let run: [number, number][] = [];
    const end = () => {
      if (run.length > 0) brush.line(run, color, 1.7, dash);
      run = [];
    };
    for (const [x, y] of points) {
      if (Number.isFinite(x + y)) run.push([px(x), py(y, line)]);
      else end();
    }
    end();
  }
  const { cursor } = chart;
  if (cursor?.x !== undefined) brush.line([[px(cursor.x), top], [px(cursor.x), top + high]], look.ink, 1, [3, 3]);
  cursor?.places.forEach(([x, y], k) => Number.isFinite(x + y) && brush.dot(px(x), py(y, chart.lines[k]), chart.lines[k]?.color ?? look.ink));
  brush.unclip();
}

/** Round values between two, about so many. */
function ticks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count;
  if (!(rough > 0) || !Number.isFinite(rough)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((digit) => digit * power >= rough)! * power;
  const found: number[] = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-9 && found.length < 40; value += step) found.push(Math.abs(value) < step * 1e-9 ? 0 : value);
  return found;
}

/**
 * Words for ticks, no two the same: with more digits where that is enough, else what each is above
 * the first.
 */
export function tickWords(values: number[]): string[] {
  const differ = (words: string[]) => new Set(words).size === words.length;
  const plain = values.map(short);
  if (differ(plain)) return plain;
  const step = values[1]! - values[0]!;
  const long = values.map((value) => value.toFixed(Math.min(9, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)))));
  if (differ(long) && long.every((words) => words.length <= 8)) return long;
  return values.map((value, k) => (k === 0 ? short(value) : `+${short(value - values[0]!)}`));
}

export function draw(chart: Chart, look: Look, c: CanvasRenderingContext2D): void {
  c.fillStyle = look.paper;
  c.fillRect(0, 0, look.width, look.height);
  c.font = "12px system-ui, sans-serif";
  c.lineJoin = "round";
  paint(chart, look, {
    line(points, color, width, dash) {
      c.strokeStyle = color;
      c.lineWidth = width;
      c.setLineDash(dash);
      c.beginPath();
      points.forEach(([x, y], k) => (k === 0 ? c.moveTo(x, y) : c.lineTo(x, y)));
      c.stroke();
      c.setLineDash([]);
    },
    text(words, x, y, align, color, turned) {
      c.save();
      c.fillStyle = color;
      c.textAlign = align;
      c.translate(x, y);
      if (turned) c.rotate(-Math.PI / 2);
      c.fillText(words, 0, 0);
      c.restore();
    },
    dot(x, y, color) {
      c.fillStyle = color;
      c.beginPath();
      c.arc(x, y, 4, 0, 2 * Math.PI);
      c.fill();
    },
    clip(x, y, width, height) {
      c.save();
      c.beginPath();
      c.rect(x, y, width, height);
      c.clip();
    },
    unclip: () => c.restore(),
  });
}

export function toSvg(chart: Chart, look: Look): string {
  const parts: string[] = [];
  const safe = (words: string) => words.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const at = (value: number) => Number(value.toFixed(2));
  paint(chart, look, {
    line: (points, color, width, dash) => parts.push(`<polyline fill="none" stroke="${color}" stroke-width="${width}"${dash.length > 0 ? ` stroke-dasharray="${dash.join(" ")}"` : ""} points="${points.map(([x, y]) => `${at(x)},${at(y)}`).join(" ")}"/>`),
    text: (words, x, y, align, color, turned) => parts.push(`<text x="${at(x)}" y="${at(y)}" fill="${color}" text-anchor="${align === "left" ? "start" : align === "right" ? "end" : "middle"}"${turned ? ` transform="rotate(-90 ${at(x)} ${at(y)})"` : ""}>${safe(words)}</text>`),
    dot: (x, y, color) => parts.push(`<circle cx="${at(x)}" cy="${at(y)}" r="4" fill="${color}"/>`),
    clip: (x, y, width, height) => parts.push(`<clipPath id="plot"><rect x="${x}" y="${y}" width="${width}" height="${height}"/></clipPath><g clip-path="url(#plot)">`),
    unclip: () => parts.push("</g>"),
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${look.width}" height="${look.height}" viewBox="0 0 ${look.width} ${look.height}" font-family="system-ui, sans-serif" font-size="12"><rect width="100%" height="100%" fill="${look.paper}"/>${parts.join("")}</svg>\n`;
}
