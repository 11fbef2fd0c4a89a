// The first page: every scene of the gallery with its picture.
import { h } from "./dom";
import { setTitle } from "./header";
import type { View } from "./view";

interface Entry {
  name: string;
  pictured: boolean;
  text: string;
}

export async function mount(host: HTMLElement): Promise<View> {
  setTitle(undefined);
  document.body.dataset["view"] = "gallery";
  const response = await fetch(new URL("gallery.json", document.baseURI));
  const entries: Entry[] = await response.json();
  const missing: { name: string; canvas: HTMLCanvasElement }[] = [];
  const cards = entries.map((entry, k) => {
    const picture = entry.pictured
      ? h("img", { src: `scenes/${entry.name}.gif`, alt: "", loading: k < 6 ? "eager" : "lazy", width: 240, height: 240, decoding: "async" })
      : h("canvas", { class: "no-picture" });
    if (picture instanceof HTMLCanvasElement) missing.push({ name: entry.name, canvas: picture });
    return h("li", {}, h("a", { href: `#scene=${entry.name}` }, picture, h("h2", {}, title(entry.name)), h("p", {}, entry.text)));
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
        h("p", { class: "quiet" }, "Or drop a scene file anywhere on this page, paste its text, or ", h("a", { href: "#new" }, "start from an empty one"), ". Or play ", h("a", { href: "#game" }, "the asteroid game"), ": same engine, same exactness."),
      ),
      h("ul", { class: "cards" }, ...cards),
    ),
  );
  if (missing.length > 0) void import("./thumbnail").then(({ drawThumbnails }) => drawThumbnails(missing));
  return { close: () => host.replaceChildren() };
}

/** A file name as words. */
export function title(name: string): string {
  const words = name.replace(/\.xml$/, "").replace(/[-_]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
