// The bar at the top: where one is, and what concerns the whole page.
import { h, iconButton } from "./dom";
import { showHelp } from "./help";
import { themeIsDark } from "./palette";

let place: HTMLElement;
/** Where a view puts its own buttons. */
let tools: HTMLElement;

export function buildHeader(onTheme: () => void): void {
  place = h("h1", { class: "place", hidden: true });
  tools = h("div", { class: "tools", role: "toolbar", "aria-label": "Scene" });
  const mark = h("img", { src: "icon.svg", alt: "", width: 24, height: 24 });
  const theme = iconButton("theme", "Dark or light", "", () => {
    const next = themeIsDark() ? "light" : "dark";
    document.documentElement.dataset["theme"] = next;
    remember("theme", next);
    onTheme();
  });
  const home = h("a", { class: "home", href: "#", "aria-label": "Carom, all scenes" }, mark, h("span", {}, "Carom"));
  const common = h("div", { class: "tools", role: "toolbar", "aria-label": "Page" }, theme, iconButton("help", "Help", "?", showHelp));
  document.getElementById("top")!.replaceChildren(home, place, tools, common);
  const stored = recall("theme");
  if (stored === "dark" || stored === "light") document.documentElement.dataset["theme"] = stored;
}

export function setTitle(name: string | undefined): void {
  place.textContent = name ?? "";
  place.hidden = name === undefined;
  document.title = name ? `${name} · Carom` : "Carom";
  tools.replaceChildren();
}

export function setTools(...buttons: HTMLElement[]): void {
  tools.replaceChildren(...buttons);
}

/** A note kept on this device; browsers may refuse. */
export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`carom.${key}`, value);
  } catch {
    // Private windows keep nothing: that is what they are for.
  }
}

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`carom.${key}`);
  } catch {
    return null;
  }
}
