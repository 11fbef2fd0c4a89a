// Everything that a person can set about a view of a scene, as words of an address; and read back
// from them.
import type { Method } from "./pane";
import type { Shown } from "./stage";

export interface Settings {
  /** One for each pane. */
  methods: Method[];
  speed: number;
  shown: (keyof Shown)[];
  plots: boolean;
  /** What the free plot shows: `x~y;y`, see plotting.ts. */
  plot: string;
  angles: "deg" | "rad";
  corner: boolean;
  view: number[] | undefined;
  /** The chosen body, or the chosen contact: `first-second.place`. */
  selected: number | undefined;
  contact: string | undefined;
  /** The grid of drawing in metres; 0 where nothing snaps. */
  grid: number;
  /** Whether the description of the scene is shown. */
  about: boolean;
  panel: string | undefined;
  /** The moment that is shown; 0 runs from the start. */
  step: number;
}

export const LAYER_NAMES: (keyof Shown)[] = ["velocities", "contacts", "impulses", "islands", "trails", "center", "energy", "cone", "slow"];

const clean = (word: string) => word.replace(/[^\w-]/g, "");

/** Words for an address; what is as usual is left out. */
export function write(settings: Settings): URLSearchParams {
  const words = new URLSearchParams();
  const set = (name: string, value: string | undefined, usual = "") => value !== undefined && value !== usual && words.set(name, value);
  set("methods", settings.methods.map(({ response = "", integrator = "" }) => (integrator ? `${response}:${integrator}` : response)).join(","));
  set("speed", String(settings.speed), "1");
  set("show", settings.shown.join(","));
  // Several methods have their plots, one has none, unless a person wants it otherwise.
  set("plots", settings.plots ? "1" : "0", settings.methods.length > 1 ? "1" : "0");
  set("plot", settings.plot);
  set("angles", settings.angles, "deg");
  set("timing", settings.corner ? "1" : "", "");
  set("view", settings.view?.map((number) => Number(number.toPrecision(9))).join(","));
  set("body", settings.selected === undefined ? undefined : String(settings.selected));
  set("contact", settings.contact);
  set("grid", String(settings.grid), "0.1");
  set("about", settings.about ? "" : "0", "");
  set("panel", settings.panel);
  set("step", String(settings.step), "0");
  return words;
}

/** What an address asks for; what it leaves open is not there. */
export function read(words: URLSearchParams): Partial<Settings> {
  const found: Partial<Settings> = {};
  const methods = words.get("methods");
  if (methods) {
    found.methods = methods.split(",").slice(0, 4).map((word) => {
      const [response, integrator] = word.split(":");
      return { response: clean(response ?? "") || undefined, integrator: clean(integrator ?? "") || undefined };
    });
  }
  const number = (name: string) => (words.get(name) === null || words.get(name) === "" ? NaN : Number(words.get(name)));
  if (number("speed") > 0 && number("speed") <= 64) found.speed = number("speed");
  const shown = words.get("show")?.split(",");
  if (shown) found.shown = LAYER_NAMES.filter((name) => shown.includes(name));
  if (words.has("plots")) found.plots = words.get("plots") === "1";
  if (words.has("plot")) found.plot = words.get("plot")!;
  if (words.get("angles") === "rad") found.angles = "rad";
  if (words.has("timing")) found.corner = words.get("timing") === "1";
  const view = words.get("view")?.split(",").map(Number);
  if (view && (view.length === 4 || view.length === 6) && view.every(Number.isFinite)) found.view = view;
  if (Number.isInteger(number("body")) && number("body") >= 0) found.selected = number("body");
  if (/^\d+-\d+\.\d+$/.test(words.get("contact") ?? "")) found.contact = words.get("contact")!;
  if (number("grid") >= 0) found.grid = number("grid");
  if (words.has("about")) found.about = words.get("about") !== "0";
  if (words.has("panel")) found.panel = clean(words.get("panel")!);
  if (Number.isInteger(number("step")) && number("step") > 0) found.step = number("step");
  return found;
}
