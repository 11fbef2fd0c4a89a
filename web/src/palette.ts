// Colours of the pictures of crates/render, and whether they can be seen.

export interface Palette {
  dark: boolean;
  paper: string;
  ink: string;
  particle: string;
  fixedParticle: string;
  edge: string;
  body: string;
  fixedBody: string;
  spring: string;
  obstacle: string;
  velocity: string;
  contact: string;
  impulse: string;
  selected: string;
  series: string[];
}

// crates/render/src/color.rs: SERIES and SERIES_ON_DARK, after Okabe and Ito.
const SERIES = ["#0062a0", "#c85200", "#008260", "#b0528a", "#28282e", "#268cc4", "#b47800", "#7a54be"];
const SERIES_ON_DARK = ["#5cb0ec", "#ff9242", "#34ca9e", "#e892c8", "#d6d6dc", "#86d2ff", "#f0be3c", "#b89ef6"];

const LIGHT: Palette = {
  dark: false,
  paper: "#ffffff",
  ink: "#18181b",
  particle: "#a64b00",
  fixedParticle: "#781818",
  edge: "#006363",
  body: "#18181b",
  fixedBody: "#8b0000",
  spring: "#266e46",
  obstacle: "#464e5c",
  velocity: "#0062c8",
  contact: "#c80078",
  impulse: "#c85200",
  selected: "#0062a0",
  series: SERIES,
};

const DARK: Palette = {
  dark: true,
  paper: "#181a1f",
  ink: "#ececf0",
  particle: "#ff9242",
  fixedParticle: "#e07a7a",
  edge: "#3fb8b8",
  body: "#d6d6dc",
  fixedBody: "#e07a7a",
  spring: "#34ca9e",
  obstacle: "#8d97a8",
  velocity: "#6cb6ff",
  contact: "#ff6cbc",
  impulse: "#ffb054",
  selected: "#5cb0ec",
  series: SERIES_ON_DARK,
};

/** The palette of a background: that of the scene where it has one, else that of the theme. */
export function palette(background: string | null): Palette {
  const dark = background ? luminance(background) < 0.18 : themeIsDark();
  const base = dark ? DARK : LIGHT;
  return background ? { ...base, paper: background } : base;
}

/** Whether the page is dark now. */
export function themeIsDark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** The colour, or a lighter or darker one of its hue where it would not be seen on the paper. */
export function readable(color: string, colors: Palette): string {
  let share = 0;
  let mixed = color;
  while (contrast(mixed, colors.paper) < (colors.dark ? 3 : 1.9) && share < 1) {
    share += 0.15;
    mixed = mix(color, colors.ink, share);
  }
  return mixed;
}

function channels(color: string): [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** A mixture: `share` of `other`, the rest of `color`. */
export function mix(color: string, other: string, share: number): string {
  const [a, b] = [channels(color), channels(other)];
  const hex = a.map((channel, k) => Math.round(channel * (1 - share) + b[k]! * share).toString(16).padStart(2, "0"));
  return `#${hex.join("")}`;
}

/** The colour with an opacity. */
export function faint(color: string, opacity: number): string {
  return `rgb(${channels(color).join(" ")} / ${opacity})`;
}

// WCAG 2.1, "relative luminance" and "contrast ratio".
function luminance(color: string): number {
  const linear = channels(color).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * linear[0]! + 0.7152 * linear[1]! + 0.0722 * linear[2]!;
}

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}
