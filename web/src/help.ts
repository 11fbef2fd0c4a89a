// The help panel: keys, pointer, what the menus mean.
import { h, iconButton } from "./dom";

const KEYS: [string, string][] = [
  ["Space", "run or pause"],
  ["→ ←", "one step on or back; with Shift ten"],
  ["Home", "back to the start"],
  [", .", "slower, faster"],
  ["+ − 0", "zoom in, out, fit"],
  ["1 2 4", "one, two or four methods side by side"],
  ["V C I L", "velocities, contacts, impulses, islands"],
  ["B M J", "trails, path of the mass centre, energy bars"],
  ["O W", "friction cone of the chosen contact, slow motion around impacts"],
  ["K", "knobs: turn the numbers of the scene while it runs"],
  ["G", "plots of energy, momentum and penetration"],
  ["H", "plot anything against anything"],
  ["D", "draw: add, move, turn and delete bodies"],
  ["E", "edit the scene as text"],
  ["N", "select the next body; with Shift the one before"],
  ["Alt + arrows", "push the selected body"],
  ["Ctrl + Z, Ctrl + Y", "undo, redo"],
  ["Esc", "choose nothing; close the panel"],
  ["S", "save scene, trajectory or picture"],
  ["P, R", "save a picture; record a movie"],
  ["F", "full screen"],
  ["T", "frame and engine time in the corner"],
  ["?", "this panel"],
];

export function showHelp(): void {
  const rows = KEYS.map(([key, meaning]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, meaning)));
  const dialog = h(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    h("div", { class: "dialog-head" }, h("h2", { id: "help-title" }, "Help"), iconButton("close", "Close", "Esc", () => dialog.close())),
    h(
      "p",
      {},
      "Carom simulates in this page: nothing is sent anywhere. While a scene runs, drag a body to hold it and let go to throw it; while it is paused, drag it to put it somewhere else. Drag the background to move the view, use the wheel or two fingers to zoom. Click a body or a contact to read its numbers.",
    ),
    h(
      "p",
      {},
      "Drop a scene file on the page, or paste its text, to open it. A link from Share holds the whole scene. Lengths are metres, times seconds, masses kilograms.",
    ),
    h(
      "p",
      {},
      "A scene in a frame (Share, In a course page) answers to messages: ",
      h("code", {}, "frame.contentWindow.postMessage({ carom: \"play\" }, \"*\")"),
      ", likewise pause, restart, seek, knob and state; it answers with a message of its own.",
    ),
    h("table", {}, h("caption", {}, "Keys"), h("tbody", {}, ...rows)),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}
