// The first page: every scene of the gallery with its picture.
import { h } from "./dom";
import { engineCode } from "./engine/link";
import { setTitle } from "./header";
import { themeIsDark } from "./palette";
import type { View } from "./view";

interface Entry {
  name: string;
  /** Moving, as a GIF: shown to who points at it. */
  moving: boolean;
  /** Still, light and dark. */
  still: boolean;
  text: string;
}

/** What there is besides scenes. */
const WAYS = [
  ["#lessons", "Six lessons", "Text, scenes and questions"],
  ["#new&panel=draw&still", "A scene of your own", "Draw it, or write its text"],
  ["#game", "The asteroid game", "The same engine, at play"],
  ["#compare", "Check a course file", "A trajectory against its scene"],
  ["#validate", "Validate the engine", "Against closed forms, here"],
] as const;

/** Where the gallery was left; coming back finds it there. */
let scrolled = 0;

export async function mount(host: HTMLElement): Promise<View> {
  setTitle(undefined);
  document.body.dataset["view"] = "gallery";
  const response = await fetch(new URL("gallery.json", document.baseURI));
  const entries: Entry[] = await response.json();
  const missing: { name: string; canvas: HTMLCanvasElement }[] = [];
  const cards = entries.map((entry) => {
    const picture = entry.still ? still(entry) : h("canvas", { class: "no-picture" });
    if (picture instanceof HTMLCanvasElement) missing.push({ name: entry.name, canvas: picture });
    const card = h("a", { href: `#scene=${entry.name}` }, picture, h("h2", {}, title(entry.name)), h("p", {}, entry.text));
    if (entry.moving) animate(card, entry);
    return h("li", {}, card);
  });
  host.replaceChildren(
    h(
      "div",
      { class: "gallery" },
      h(
        "div",
        { class: "intro" },
        h("h1", {}, "Exact collision and contact, live"),
        h("p", {}, "Pick a scene, change a number, and see what happens. Lay up to four methods side by side and compare what they do to energy, momentum and overlap."),
        h("p", { class: "quiet" }, "Or drop a scene file anywhere on this page, or paste its text."),
        h("nav", { class: "ways", "aria-label": "More than scenes" }, ...WAYS.map(([hash, name, about]) => h("a", { href: hash }, h("strong", {}, name), h("span", {}, about)))),
      ),
      h("ul", { class: "cards" }, ...cards),
    ),
  );
  if (missing.length > 0) void import("./thumbnail").then(({ drawThumbnails }) => drawThumbnails(missing));
  host.scrollTop = scrolled;
  const engine = (event: Event) => {
    // The engine is on its way once somebody reaches for a scene: until then the page stays light.
    if ((event.target as HTMLElement).closest?.(".cards a")) void engineCode().catch(() => undefined);
  };
  const abort = new AbortController();
  for (const kind of ["pointerover", "focusin", "touchstart"]) host.addEventListener(kind, engine, { signal: abort.signal, passive: true });
  return {
    close: () => {
      scrolled = host.scrollTop;
      abort.abort();
      host.replaceChildren();
    },
    repaint: () => {
      for (const picture of host.querySelectorAll<HTMLImageElement>("img[data-name]")) picture.src = pictureOf(picture.dataset["name"]!);
      if (missing.length > 0) void import("./thumbnail").then(({ drawThumbnails }) => drawThumbnails(missing));
    },
  };
}

const pictureOf = (name: string) => `scenes/${name}${themeIsDark() ? "-dark" : ""}.webp`;

function still(entry: Entry): HTMLElement {
  return h("img", { src: pictureOf(entry.name), "data-name": entry.name, alt: "", loading: "lazy", width: 320, height: 240, decoding: "async" });
}

/**
 * Pointing at a card or reaching it by keys lets it move; not for who wants no motion, nor in the
 * dark, where moving pictures are light.
 */
function animate(card: HTMLElement, entry: Entry): void {
  const picture = card.querySelector("img");
  if (!picture) return;
  const start = () => {
    if (!themeIsDark() && !matchMedia("(prefers-reduced-motion: reduce)").matches) picture.src = `scenes/${entry.name}.gif`;
  };
  const stop = () => (picture.src = pictureOf(entry.name));
  card.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && start());
  card.addEventListener("pointerleave", stop);
  card.addEventListener("focus", () => card.matches(":focus-visible") && start());
  card.addEventListener("blur", stop);
}

/** A file name as words. */
export function title(name: string): string {
  const words = name.replace(/\.xml$/, "").replace(/[-_]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
