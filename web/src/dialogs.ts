// Sharing a link, embedding a scene, and taking things along as files.
import { h, iconButton, say, toast } from "./dom";
import { save } from "./capture";
import type { Player } from "./player";

function dialog(title: string, name: string, ...children: (Node | string | false | undefined)[]): HTMLDialogElement {
  const id = `${name}-title`;
  const box: HTMLDialogElement = h(
    "dialog",
    { class: name, "aria-labelledby": id },
    h("div", { class: "dialog-head" }, h("h2", { id }, title), iconButton("close", "Close", "Esc", () => box.close())),
    ...children,
  );
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => event.target === box && box.close());
  document.body.append(box);
  box.showModal();
  return box;
}

/** Whether this page is served on this machine only: links to it work nowhere else. */
export function isLocal(): boolean {
  return /^(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(location.hostname) || location.hostname === "";
}

export const LOCAL_WARNING = "This page is served on this machine only: the link works here, while the program runs. For others, save the scene and send the file.";

export async function showShare(player: Player): Promise<void> {
  const link = await player.link();
  const field = h("input", { type: "text", readonly: true, value: link, "aria-label": "Link to this scene" });
  const embed = new URL(link);
  embed.searchParams.set("embed", "1");
  const snippet = `<iframe src="${embed.href.replace(/&/g, "&amp;")}" width="640" height="480" style="border:0" title="${player.name.replace(/"/g, "&quot;")}" loading="lazy"></iframe>`;
  const frame = h("textarea", { readonly: true, rows: 4, "aria-label": "HTML to embed this scene" }, snippet);
  const copied = h("p", { role: "status", class: "quiet" });
  const copy = async (text: string) => {
    const done = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    copied.textContent = done ? "Copied." : "Copy it from here.";
  };
  dialog(
    "Share this scene",
    "share",
    h("p", {}, `The whole scene and how it is shown are in the link (${link.length.toLocaleString("en")} characters); nothing is stored anywhere.`),
    player.runner.since > 0 && h("p", { class: "quiet" }, "Numbers were changed on the way: the link runs the scene from its start, with the numbers as they are now."),
    isLocal() && h("p", { class: "warning" }, LOCAL_WARNING),
    field,
    h("div", { class: "row" }, h("button", { type: "button", onclick: () => void copy(link) }, "Copy link")),
    h("h3", {}, "In a course page"),
    h("p", { class: "quiet" }, "Paste this where the scene is to stand. The page can talk to it: see Help."),
    frame,
    h("div", { class: "row" }, h("button", { type: "button", onclick: () => void copy(snippet) }, "Copy HTML")),
    copied,
  );
  field.select();
  void copy(link);
}

const FORMATS = [
  ["npz", "Arrays for numpy (.npz)"],
  ["csv", "Tables for spreadsheets (three .csv in a .zip)"],
  ["carom", "Carom's own file (.carom): compare, resume, render"],
  ["glb", "Animation for Blender (.glb)"],
] as const;

export function showSave(player: Player): void {
  const { runner } = player;
  const spatial = runner.lead.drawing?.family === "spatial-bodies";
  const end = h("input", { type: "number", min: 1, step: 1, value: Math.max(runner.reached, runner.step) || runner.planned, "aria-label": "Last step of the trajectory" });
  const every = h("input", { type: "number", min: 1, step: 1, value: 1, "aria-label": "Every so many steps" });
  const progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "Progress of the file" });
  const buttons = FORMATS.filter(([format]) => format !== "glb" || spatial).map(([format, words]) =>
    h("button", { type: "button", onclick: () => void make(format) }, words),
  );
  const make = async (format: (typeof FORMATS)[number][0]) => {
    for (const button of buttons) button.disabled = true;
    progress.hidden = false;
    const name = `${player.fileName()}${format === "csv" ? "-csv.zip" : `.${format}`}`;
    const bytes = await player.record(format, Number(end.value), Number(every.value), (share) => {
      progress.value = share;
      // A file that takes too long is given up by closing the dialog.
      return box.open;
    });
    for (const button of buttons) button.disabled = false;
    progress.hidden = true;
    if (!bytes) return;
    save(new Blob([bytes]), name);
    toast(`${name} is saved: ${(bytes.length / 1000).toFixed(0)} kB`);
  };
  const film = h("button", { type: "button", onclick: () => {
    player.film.toggle();
    box.close();
  } }, player.film.recorder ? "End the movie and save it" : "Record a movie from here");
  const box = dialog(
    "Save",
    "save",
    h("h3", {}, "Scene"),
    h("div", { class: "row" }, h("button", { type: "button", onclick: () => {
      save(new Blob([player.text], { type: "application/xml" }), `${player.fileName()}.xml`);
      say("The scene is saved");
    } }, "Scene as text (.xml)")),
    h("h3", {}, "Trajectory"),
    h("p", { class: "quiet" }, "From the first step to step ", end, ", every ", every, " steps. With what was done by hand on the way."),
    h("div", { class: "row" }, ...buttons),
    progress,
    h("h3", {}, "Picture and movie"),
    h("div", { class: "row" }, h("button", { type: "button", onclick: () => void player.photograph() }, "Picture of this moment (.png)"), film),
  );
}
