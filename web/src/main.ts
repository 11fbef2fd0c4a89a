// The page: which view is shown, and what works everywhere.
import { h } from "./dom";
import { engineCode } from "./engine/link";
import { buildHeader } from "./header";
import { showHelp } from "./help";
import { keep } from "./local";
import { pack } from "./share";
import type { Mount, View } from "./view";

/** Views by the first word of the address's hash. */
const VIEWS: Record<string, () => Promise<{ mount: Mount }>> = {
  "": () => import("./gallery"),
  scene: () => import("./player"),
  s: () => import("./player"),
  given: () => import("./player"),
  remote: () => import("./player"),
  new: () => import("./player"),
  game: () => import("./game"),
  local: () => import("./player"),
};

/** Longer texts are kept here and not in the address: browsers cut addresses off at about two million characters. */
const LONGEST_IN_LINK = 2_000_000;

let view: View | undefined;
let shown = 0;

async function show(): Promise<void> {
  const mine = ++shown;
  const host = document.getElementById("view")!;
  const params = new URLSearchParams(location.hash.slice(1));
  const word = [...params.keys()][0] ?? "";
  try {
    const { mount } = await (VIEWS[word] ?? VIEWS[""]!)();
    if (mine !== shown) return;
    view?.close();
    view = undefined;
    host.replaceChildren();
    delete document.body.dataset["view"];
    const next = await mount(host, params);
    if (mine === shown) view = next;
    else next.close();
  } catch (error) {
    host.replaceChildren(h("p", { class: "failure", role: "alert" }, `This view could not be opened: ${error instanceof Error ? error.message : error}`));
  }
}

/** Opens a scene that was dropped or pasted. */
async function openText(text: string, name?: string): Promise<void> {
  const words = name ? `&name=${encodeURIComponent(name)}` : "";
  const packed = text.length > LONGEST_IN_LINK ? "" : await pack(text);
  location.hash = packed ? `s=${packed}${words}` : `local=${keep(text)}${words}`;
}

/** Whether keys are for what has the focus; sliders and boxes only want some of them. */
function isInput(target: EventTarget | null, key = ""): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("textarea, select, [contenteditable], dialog") !== null) return true;
  if (!(target instanceof HTMLInputElement)) return false;
  if (target.type === "range") return key.startsWith("Arrow") || key.startsWith("Page") || key === "Home" || key === "End";
  return target.type !== "checkbox" || key === " ";
}

addEventListener("hashchange", () => void show());
addEventListener("keydown", (event) => {
  if (isInput(event.target, event.key) || event.ctrlKey || event.metaKey) return;
  if (event.key === "?") showHelp();
  else if (!view?.key?.(event)) return;
  event.preventDefault();
});
addEventListener("paste", (event) => {
  if (isInput(event.target)) return;
  const text = event.clipboardData?.getData("text") ?? "";
  if (text.includes("<scene")) void openText(text);
});
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
addEventListener("dragleave", (event) => event.relatedTarget ?? document.body.classList.remove("dropping"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const file = event.dataTransfer?.files[0];
  const text = event.dataTransfer?.getData("text") ?? "";
  if (file) void file.text().then((content) => openText(content, file.name));
  else if (text.includes("<scene")) void openText(text);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => view?.repaint?.());

buildHeader(() => view?.repaint?.());
// The engine loads while the first view is drawn.
engineCode().catch(() => undefined);
void show();
