// `carom validate` in the page: cases with closed forms, computed by this very browser. Nothing
// leaves the machine.
import { h, short } from "./dom";
import { WorkerLink } from "./engine/link";
import type { Finding } from "./engine/protocol";
import { setTitle } from "./header";
import type { View } from "./view";

/** How far a number is off, in what it may be. */
function badness({ error, tolerance }: Finding): number {
  if (error === null) return Infinity;
  return error === 0 ? 0 : error / tolerance;
}

class Validation implements View {
  private link = new WorkerLink();
  private button = h("button", { type: "button", class: "chief", onclick: () => void this.run() }, "Validate");
  private progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "Cases that are done" });
  private said = h("p", { role: "status" });
  private rows = h("tbody", {});
  private table = h("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Cases", hidden: true });
  private wanted: string | null;
  private closed = false;

  constructor(host: HTMLElement, params: URLSearchParams) {
    // `#validate=cradle` asks for some cases only.
    this.wanted = params.get("validate") || null;
    const titles = ["case", "numbers", "worst of them", "right", "ours", "error", "allowed"];
    this.table.append(h("table", {}, h("thead", {}, h("tr", {}, ...titles.map((words) => h("th", { scope: "col" }, words)))), this.rows));
    host.replaceChildren(
      h(
        "div",
        { class: "compare validate" },
        h("h2", {}, "Is it right?"),
        h("p", {}, "Cases whose answers are known in closed form, each under every response that should meet it, with default settings, computed in this browser: the same bits as those of the program. All of them take minutes."),
        h("div", { class: "row" }, this.button, this.progress),
        this.said,
        this.table,
      ),
    );
  }

  private async run(): Promise<void> {
    this.button.disabled = true;
    this.rows.replaceChildren();
    this.table.hidden = true;
    if (this.link.lost !== undefined) this.link = new WorkerLink();
    const { cases, message } = await this.link.ask({ do: "validate" });
    const chosen = (cases ?? []).filter((one) => !this.wanted || one.name.includes(this.wanted));
    this.progress.hidden = false;
    let [held, count, failed] = [0, 0, message];
    for (const [k, { name, about }] of chosen.entries()) {
      this.progress.value = k / chosen.length;
      this.said.textContent = `${name}: ${about}`;
      const { findings, message } = await this.link.ask({ do: "validate", case: name });
      if (this.closed) return;
      if (!findings) failed = `${name}: ${message}`;
      else {
        held += findings.filter((one) => one.holds).length;
        count += findings.length;
        this.rows.append(this.row(name, about, findings));
        this.table.hidden = false;
      }
    }
    this.progress.hidden = true;
    this.button.disabled = false;
    const all = held === count && failed === undefined;
    this.said.replaceChildren(h("span", { class: all ? "ok" : "bad" }, `${all ? "✓" : "✗"} ${held.toLocaleString("en")} of ${count.toLocaleString("en")} numbers hold, in ${chosen.length} cases`), failed === undefined ? "" : ` (${failed})`);
  }

  private row(name: string, about: string, findings: Finding[]): HTMLElement {
    const broken = findings.filter((one) => !one.holds).length;
    const worst = findings.reduce((a, b) => (badness(b) > badness(a) ? b : a));
    const number = (value: number | null) => h("td", { class: "value" }, value === null ? "–" : short(value));
    return h(
      "tr",
      { "data-holds": broken === 0 ? "yes" : "no" },
      h("th", { scope: "row", title: about }, name),
      h("td", { class: "value" }, h("span", { class: broken === 0 ? "ok" : "bad" }, broken === 0 ? `✓ ${findings.length} hold` : `✗ ${broken} of ${findings.length} fail`)),
      h("td", {}, `${worst.quantity}, ${worst.method}${worst.failure ? `: ${worst.failure}` : ""}`),
      number(worst.right),
      number(worst.ours),
      number(worst.error),
      number(worst.tolerance),
    );
  }

  close(): void {
    this.closed = true;
    this.link.close();
  }
}

export function mount(host: HTMLElement, params: URLSearchParams): View {
  setTitle("Validate");
  document.body.dataset["view"] = "compare";
  return new Validation(host, params);
}
