// The page: which view is shown, and what works everywhere.
import { h } from "./dom";
import { dress, EMBEDDED } from "./embed";
import { engineCode } from "./engine/link";
import { buildHeader, setTitle } from "./header";
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
  lessons: () => import("./lessons"),
  lesson: () => import("./lessons"),
  compare: () => import("./compare"),
  validate: () => import("./validate"),
};

/**
 * Longer texts are kept here and not in the address: browsers cut addresses off at about two
 * million characters.
 */
const LONGEST_IN_LINK = 2_000_000;

let view: View | undefined;
let shown = 0;
/** The view that is being opened: one after the other, for they share the page. */
let opening: Promise<void> = Promise.resolve();
let leaving = new AbortController();

function show(): Promise<void> {
  const mine = ++shown;
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  opening = opening.then(() => (mine === shown ? open(mine, signal) : undefined));
  return opening;
}

async function open(mine: number, left: AbortSignal): Promise<void> {
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
    // Who went on meanwhile has it closed by the next view.
    view = await mount(host, params, left);
    if (mine === shown) leaving = new AbortController();
  } catch (error) {
    if (mine !== shown) return;
    setTitle(undefined);
    delete document.body.dataset["view"];
    const words = error instanceof Error ? error.message : String(error);
    host.replaceChildren(
      h("div", { class: "failure", role: "alert" }, h("h1", {}, "This view could not be opened"), h("p", {}, `${words.charAt(0).toUpperCase()}${words.slice(1)}.`), h("p", {}, h("a", { href: "#" }, "All scenes"))),
    );
  }
}

/** Opens a scene that was dropped or pasted. */
async function openText(text: string, name?: string): Promise<void> {
  const words = name ? `&name=${encodeURIComponent(name)}` : "";
  const packed = text.length > LONGEST_IN_LINK ? "" : await pack(text);
  location.hash = packed ? `s=${packed}${words}` : `local=${keep(text)}${words}`;
}

/** Files for the comparison, which is opened for them. */
async function dropped(files: File[]): Promise<void> {
  if (!view?.drop) {
    const { Comparison } = await import("./compare");
    const text = (view as { text?: string } | undefined)?.text;
    const scene = text !== undefined && !files.some((file) => /\.xml$/i.test(file.name)) ? [new File([text], "scene.xml")] : [];
    history.pushState(null, "", "#compare");
    await show();
    if (view instanceof Comparison) await view.take([...scene, ...files]);
    return;
  }
  await view.drop(files);
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
  if (isInput(event.target, event.key)) return;
  if (event.ctrlKey || event.metaKey) {
    const again = event.key.toLowerCase() === "y" || (event.key.toLowerCase() === "z" && event.shiftKey);
    if ((again || event.key.toLowerCase() === "z") && view?.undo) {
      event.preventDefault();
      view.undo(again);
    }
    return;
  }
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
  const files = [...(event.dataTransfer?.files ?? [])];
  // A trajectory is for comparing, and so are files for who compares.
  if (files.length > 0 && (view?.drop || files.some((file) => /\.(bin|carom|npz)$/i.test(file.name)))) return void dropped(files);
  const file = files[0];
  const text = event.dataTransfer?.getData("text") ?? "";
  if (file) void file.text().then((content) => openText(content, file.name));
  else if (text.includes("<scene")) void openText(text);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => view?.repaint?.());

dress();
buildHeader(() => view?.repaint?.());
/**
 * Keeps the page for when there is no network, once somebody does something with it: a look at the
 * gallery stays light.
 */
function keepOffline(): void {
  if (EMBEDDED || !("serviceWorker" in navigator) || !isSecureContext) return;
  navigator.serviceWorker.register(new URL("offline.js", document.baseURI)).catch(() => undefined);
}
for (const kind of ["pointerdown", "keydown", "hashchange"]) addEventListener(kind, keepOffline, { once: true });

// The engine loads while a scene is drawn; the gallery waits until somebody reaches for one.
if (location.hash.length > 1) engineCode().catch(() => undefined);
void show();
