// Elements in one expression each.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, unknown>;

/** An element with attributes, listeners (`onclick`…) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
    else if (name === "value") (element as HTMLInputElement).value = String(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

const ICONS: Record<string, string> = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  step: "M6 5v14l9-7zM16 5h2.5v14H16z",
  back: "M18 5v14l-9-7zM5.5 5H8v14H5.5z",
  restart: "M12 5a7 7 0 1 1-6.6 4.7l1.9.7A5 5 0 1 0 12 7v3L7.5 6 12 2z",
  edit: "M4 20v-4L15.5 4.5l4 4L8 20zM14 6l4 4",
  share: "M12 3l5 5h-3.500v7h-3V8H7zM5 13v7h14v-7h-2v5H7v-5z",
  camera: "M8.500 6l1.500-2h4l1.500 2H20v13H4V6zM12 9a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0 2a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
  record: "M12 6a6 6 0 1 1 0 12 6 6 0 0 1 0-12z",
  stop: "M6 6h12v12H6z",
  layers: "M12 3l9 5-9 5-9-5zM4.500 11.500L12 15.700l7.500-4.200L21 12.500l-9 5-9-5zM4.500 15.500L12 19.700l7.500-4.200L21 16.500l-9 5-9-5z",
  full: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
  fit: "M11 4h2v3h-2zM11 17h2v3h-2zM4 11h3v2H4zM17 11h3v2h-3zM12 8.500a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7zm0 2a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3z",
  theme: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18v-2a7 7 0 0 0 0-14z",
  help: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zm0 2a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm-1 10h2v2h-2zm1-8a3.200 3.200 0 0 1 3.200 3.200c0 2-2.200 2.300-2.200 3.800h-2c0-2.500 2.200-2.600 2.200-3.800a1.200 1.200 0 0 0-2.400 0h-2A3.200 3.200 0 0 1 12 7z",
  close: "M6.400 5L12 10.600 17.600 5 19 6.400 13.400 12l5.600 5.600-1.400 1.400L12 13.400 6.400 19 5 17.600 10.600 12 5 6.400z",
  sound: "M4 9h4l5-4v14l-5-4H4zM15.500 8.500a5 5 0 0 1 0 7l-1.200-1.200a3.300 3.300 0 0 0 0-4.600zM18 6a8.500 8.500 0 0 1 0 12l-1.300-1.300a6.700 6.700 0 0 0 0-9.400z",
  mute: "M4 9h4l5-4v14l-5-4H4zM15 9.400L16.400 8l2.100 2.100L20.600 8 22 9.400 19.900 11.500 22 13.600 20.600 15l-2.100-2.100L16.400 15 15 13.600l2.100-2.100z",
  plots: "M4 4h2v14h14v2H4zM8 14l3-5 3 3 4-7 1.700 1-5.300 9.200-3-3L9.700 15z",
  knobs: "M4 7h9v2H4zM17 7h3v2h-3zM13.500 5h2.500v6h-2.500zM4 15h3v2H4zM11 15h9v2h-9zM7.500 13h2.500v6h-2.500z",
  draw: "M5 4h6v6H5zM7 6v2h2V6zM16.500 4a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7zm0 2a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3zM11 13h2v3h3v2h-3v3h-2v-3H8v-2h3z",
  save: "M11 3h2v9l3-3 1.400 1.400L12 15.800l-5.400-5.400L8 9l3 3zM5 17h2v2h10v-2h2v4H5z",
  chart: "M4 4h2v14h14v2H4zM9 9a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3zm4 3a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3zm4-7a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3z",
  undo: "M9 5v3h5a5.500 5.500 0 0 1 0 11H8v-2h6a3.500 3.500 0 0 0 0-7H9v3L4 9z",
  redo: "M15 5v3h-5a5.500 5.500 0 0 0 0 11h6v-2h-6a3.500 3.500 0 0 1 0-7h5v3l5-4z",
  gauge: "M12 5a9 9 0 0 1 9 9 9 9 0 0 1-1.500 5h-2.500a7 7 0 1 0-10 0H4.500A9 9 0 0 1 12 5zm4 4.500l-3 5a1.500 1.500 0 1 1-1.600-1z",
};

/** A small picture for a button; words are the button's own business. */
export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(svg.namespaceURI, "path");
  path.setAttribute("d", ICONS[name] ?? "");
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

/** A button with a picture and a name that is said, and shown as a tip with its key. */
export function iconButton(name: string, label: string, key: string, onclick: () => void, extra: Attributes = {}): HTMLButtonElement {
  const tip = key ? `${label} (${key})` : label;
  return h("button", { type: "button", class: "icon", "aria-label": label, title: tip, onclick, ...extra }, icon(name));
}

/** Swaps the picture and the name of a button. */
export function relabel(button: HTMLButtonElement, name: string, label: string, key: string): void {
  if (button.getAttribute("aria-label") === label) return;
  button.replaceChildren(icon(name));
  button.setAttribute("aria-label", label);
  button.title = `${label} (${key})`;
}

/** Says something to people who listen to the page. */
export function say(words: string): void {
  const status = document.getElementById("status");
  if (status && status.textContent !== words) status.textContent = words;
}

/** Says something to everybody, for a while; what failed stays until it is put away. */
export function toast(words: string, failed = false): void {
  let host = document.getElementById("toasts");
  if (!host) document.body.append((host = h("div", { id: "toasts" })));
  const old = [...host.children].find((child) => (child as HTMLElement).dataset["words"] === words);
  old?.remove();
  const box = h("div", { class: failed ? "toast failed" : "toast", role: failed ? "alert" : "status", "data-words": words }, h("span", {}, words));
  box.append(iconButton("close", "Dismiss", "", () => box.remove()));
  host.append(box);
  while (host.children.length > 3) host.firstElementChild!.remove();
  if (!failed) setTimeout(() => box.remove(), 4000);
}

/** Methods as scenes of the gallery call them. */
export function methodName(name: string): string {
  return name === "forward-backward-euler" ? "symplectic-euler" : name;
}

/** A number for people: the digits that matter. */
export function short(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) {
    const [digits, power] = value.toExponential(2).split("e") as [string, string];
    const raised = [...String(Number(power))].map((sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)]!)).join("");
    return `${Number(digits)}·10${raised}`.replace("-", "−");
  }
  return String(Number(value.toPrecision(4))).replace("-", "−");
}
