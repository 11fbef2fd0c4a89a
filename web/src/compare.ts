// The verdict of `carom compare` in the page: a scene and a trajectory, every step from the
// trajectory's step before. Nothing leaves the machine.
import { type Chart, draw, type Look } from "./chart";
import { h, short } from "./dom";
import { WorkerLink } from "./engine/link";
import type { Answer, Difference, Verdict } from "./engine/protocol";
import { setTitle } from "./header";
import { faint, palette } from "./palette";
import { makeStage, NOTHING_SHOWN, type Stage } from "./stage";
import type { View } from "./view";

/** Larger files are for the program: they would have to be held in memory three times. */
const MOST_BYTES = 96 << 20;

export class Comparison implements View {
  private link = new WorkerLink();
  private scene: { name: string; text: string } | undefined;
  private file: { name: string; bytes: Uint8Array } | undefined;
  private said = h("p", { role: "status", class: "compare-said" });
  private result = h("div", { class: "verdict" });
  private course = h("input", { type: "checkbox", onchange: () => void this.compare() });
  private stages: Stage[] = [];
  /** The last verdict, for tests and curious people. */
  verdict: Verdict | undefined;

  constructor(private host: HTMLElement) {
    const choose = (label: string, accept: string) =>
      h("label", { class: "file" }, h("span", {}, label), h("input", { type: "file", accept, onchange: (event: Event) => void this.take([...((event.target as HTMLInputElement).files ?? [])]) }));
    host.replaceChildren(
      h(
        "div",
        { class: "compare" },
        h("h2", {}, "A trajectory against its scene"),
        h("p", {}, "Choose or drop a scene and a trajectory: a course file (.bin), a .carom file, or an .npz with positions and velocities. Every step is computed from the step before it in the file, so that errors do not add up, and the limits are those of the course's grader. Nothing leaves this machine."),
        h("div", { class: "row" }, choose("Scene (.xml)", ".xml"), choose("Trajectory (.bin, .carom, .npz)", ".bin,.carom,.npz"), h("label", { class: "inline" }, this.course, "with the known errors of the course's program")),
        this.said,
        this.result,
      ),
    );
    this.announce();
    (globalThis as { caromCompare?: unknown }).caromCompare = this;
  }

  /** Files that were chosen or dropped, in any order. */
  async take(files: File[]): Promise<void> {
    for (const file of files) {
      if (file.size > MOST_BYTES) {
        this.said.textContent = `${file.name} has ${Math.ceil(file.size / 2 ** 20)} MiB; the page takes ${MOST_BYTES >> 20}. The program has no such limit: carom compare`;
        return;
      }
      const bytes = new Uint8Array(await file.arrayBuffer());
      const isScene = /\.xml$/i.test(file.name) || bytes[0] === 0x3c;
      if (isScene) this.scene = { name: file.name, text: new TextDecoder().decode(bytes) };
      else this.file = { name: file.name, bytes };
    }
    await this.compare();
  }

  drop(files: File[]): Promise<void> {
    return this.take(files);
  }

  private announce(): void {
    const { scene, file } = this;
    this.said.textContent = scene && file ? `Comparing ${file.name} with ${scene.name}…` : scene ? `${scene.name} is there; a trajectory is missing.` : file ? `${file.name} is there; its scene is missing.` : "";
  }

  private async compare(): Promise<void> {
    this.announce();
    if (!this.scene || !this.file) return;
    this.verdict = undefined;
    this.result.replaceChildren();
    const { text } = this.scene;
    if (this.link.lost !== undefined) this.link = new WorkerLink();
    const answer = await this.link.ask({ do: "compare", text, file: base64(this.file.bytes), course: this.course.checked });
    if (!answer.ok || !answer.verdict) {
      this.said.textContent = `${this.file.name} could not be compared: ${answer.message}`;
      return;
    }
    this.said.textContent = `${this.file.name} against ${this.scene.name}`;
    this.verdict = answer.verdict;
    await this.show(answer, answer.verdict, await this.link.ask({ do: "open", text }));
  }

  private async show(answer: Answer, verdict: Verdict, opened: Answer): Promise<void> {
    const mark = (pass: boolean) => h("span", { class: pass ? "ok" : "bad" }, pass ? "✓ ok" : "✗ fail");
    const rows = verdict.residuals.map((r) => h("tr", {}, h("td", {}, mark(r.pass)), h("th", { scope: "row" }, r.quantity), h("td", { class: "value" }, short(r.sum)), h("td", {}, r.sumLimit === null ? "" : `of ${short(r.sumLimit)}`), h("td", { class: "value" }, short(r.largest)), h("td", {}, `of ${short(r.largestLimit)}`)));
    const { missed, superfluous, wrong_normals } = verdict.collisions;
    const sentence = (words: string, d: Difference) => `${words}: step ${d.frame}${d.body === null ? "" : `, body ${d.body}`}, ${d.quantity} is ${d.got} instead of ${d.expected} (off by ${short(d.difference)}).`;
    const pictures = h("div", { class: "pictures" });
    this.result.replaceChildren(
      h("p", { class: `stamp ${verdict.pass ? "ok" : "bad"}` }, verdict.pass ? "Pass" : "Fail", h("small", {}, ` ${verdict.frames.toLocaleString("en")} frames${verdict.frames < verdict.plannedFrames ? ` of ${verdict.plannedFrames.toLocaleString("en")}` : ""}${verdict.identical ? ", and a free run has the same bits" : ""}`)),
      verdict.failure ? h("p", { class: "bad" }, verdict.failure) : "",
      h("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Residuals" }, h("table", {}, h("thead", {}, h("tr", {}, ...["", "", "sum", "limit", "largest", "limit"].map((words) => h("td", {}, words)))), h("tbody", {}, ...rows))),
      h("p", {}, mark(verdict.collisionsPass), ` collisions${verdict.collisionsPass ? "" : `: ${missed} missed, ${superfluous} superfluous, ${wrong_normals} with a wrong normal`}`),
      verdict.first ? h("p", {}, sentence("First difference", verdict.first)) : "",
      pictures,
    );
    await this.picture(answer, verdict, opened, pictures);
  }

  /**
   * The step that is off most: what was expected, and over it in the colours of the scene what was
   * computed.
   */
  private async picture(answer: Answer, verdict: Verdict, opened: Answer, box: HTMLElement): Promise<void> {
    for (const stage of this.stages.splice(0)) stage.close();
    if (!opened.ok || !answer.expected || answer.expected.length === 0) return;
    const frame = (positions: Float64Array): Answer => ({ ...opened, positions, step: verdict.step ?? 0 });
    const [got, expected] = [h("canvas", { role: "img", "aria-label": `What Carom computes at step ${verdict.step}` }), h("canvas", { class: "ghost", role: "img", "aria-label": `What the file has at step ${verdict.step}` })];
    const chart = h("canvas", { class: "distances", role: "img", "aria-label": "Distance of the two at every step" });
    box.replaceChildren(
      h("figure", {}, h("div", { class: "overlaid" }, got, expected), h("figcaption", {}, `Step ${verdict.step}, the worst: computed, and faint what the file has.`)),
      h("figure", {}, chart, h("figcaption", {}, "Largest distance of a coordinate, step by step.")),
    );
    for (const [canvas, positions] of [[got, answer.expected], [expected, answer.got!]] as const) {
      const stage = await makeStage(opened.drawing!, canvas);
      this.stages.push(stage);
      stage.resize(frame(answer.expected));
      stage.fit(frame(answer.expected));
      const worst = verdict.first?.body ?? null;
      stage.draw(frame(positions), NOTHING_SHOWN, worst === null || canvas !== got ? null : { kind: "body", index: worst });
    }
    const { series, paper, ink } = palette(null);
    const look: Look = { width: Math.max(260, chart.clientWidth), height: 220, paper, ink, quiet: faint(ink, 0.75), grid: faint(ink, 0.12) };
    [chart.width, chart.height] = [2 * look.width, 2 * look.height];
    const c = chart.getContext("2d", { alpha: false })!;
    c.scale(2, 2);
    const points = [...(answer.distances ?? [])].map((distance, k): [number, number] => [k + 1, distance]);
    const plotted: Chart = { x: "step", y: "distance [m, rad]", lines: [{ label: "off by", color: series[1]!, dash: [], points }] };
    draw(plotted, look, c);
  }

  close(): void {
    this.link.close();
    for (const stage of this.stages) stage.close();
    this.host.replaceChildren();
  }
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let k = 0; k < bytes.length; k += 8192) binary += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return btoa(binary);
}

export async function mount(host: HTMLElement): Promise<View> {
  document.body.dataset["view"] = "compare";
  setTitle("Compare");
  return new Comparison(host);
}
