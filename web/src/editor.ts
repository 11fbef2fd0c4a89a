// The scene as text, with what `carom check` says underlined in place. Loaded when it is opened for
// the first time.
import { xml } from "@codemirror/lang-xml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import { h } from "./dom";
import type { Problem, Report } from "./engine/protocol";

const HIGHLIGHT = HighlightStyle.define([
  { tag: tags.tagName, color: "var(--code-tag)", fontWeight: "600" },
  { tag: tags.attributeName, color: "var(--code-attribute)" },
  { tag: tags.attributeValue, color: "var(--code-value)" },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: tags.angleBracket, color: "var(--quiet)" },
]);

const DELAY = 250;

export interface Editing {
  /** Says what is wrong with a text. */
  check(text: string): Promise<Report>;
  /** The text can be run; show it. */
  apply(text: string): void;
}

export class SceneEditor {
  readonly element: HTMLElement;
  private view: EditorView;
  private list = h("ol", { class: "findings", "aria-label": "Findings", tabindex: 0 });
  private summary = h("p", { class: "findings-summary", role: "status" });
  private timer: ReturnType<typeof setTimeout> | undefined;
  private checked = 0;

  constructor(
    text: string,
    private editing: Editing,
  ) {
    const box = h("div", { class: "code" });
    this.element = h("div", { class: "editor" }, box, this.summary, this.list);
    this.view = new EditorView({
      parent: box,
      state: EditorState.create({
        doc: text,
        extensions: [
          basicSetup,
          xml(),
          syntaxHighlighting(HIGHLIGHT),
          lintGutter(),
          EditorView.contentAttributes.of({ "aria-label": "Scene as XML text" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) this.later(true);
          }),
        ],
      }),
    });
    // A text that is longer than its box is scrolled by keys as well.
    this.view.scrollDOM.tabIndex = 0;
    this.later(false, 0);
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Another text, without running it. */
  replace(text: string): void {
    if (text === this.text) return;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  focus(): void {
    this.view.focus();
  }

  close(): void {
    clearTimeout(this.timer);
    this.view.destroy();
  }

  private later(apply: boolean, delay = DELAY): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.check(apply), delay);
  }

  private async check(apply: boolean): Promise<void> {
    const mine = ++this.checked;
    const text = this.text;
    const report = await this.editing.check(text);
    // An answer about an older text is of no use.
    if (mine !== this.checked || text !== this.text) return;
    const length = this.view.state.doc.length;
    const marks = report.problems.map((problem): Diagnostic => {
      const from = Math.min(problem.start, length);
      // A place where something is missing is empty; one character shows it.
      const to = Math.min(Math.max(problem.end, from + 1), length);
      const mark: Diagnostic = { from: Math.min(from, to), to, severity: problem.severity, message: sentence(problem) };
      const replace = problem.replace;
      if (replace) mark.actions = [{ name: `Use “${replace.text}”`, apply: () => this.correct(replace) }];
      return mark;
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks));
    this.show(report);
    if (apply && report.can_run) this.editing.apply(text);
  }

  private show(report: Report): void {
    this.summary.textContent = report.build_error ?? (report.can_run && report.warnings === 0 ? "No problems found." : `${report.summary}.`);
    this.summary.dataset["state"] = report.can_run ? "good" : "bad";
    this.list.replaceChildren(
      ...report.problems.map((problem) => {
        const replace = problem.replace;
        const go = () => {
          this.view.dispatch({ selection: { anchor: problem.start }, scrollIntoView: true });
          this.view.focus();
        };
        return h(
          "li",
          { class: problem.severity },
          h("button", { type: "button", class: "link", onclick: go }, `Line ${problem.line}:`),
          ` ${sentence(problem)} `,
          replace && h("button", { type: "button", onclick: () => this.correct(replace) }, `Use “${replace.text}”`),
        );
      }),
    );
  }

  private correct({ start, end, text }: NonNullable<Problem["replace"]>): void {
    this.view.dispatch({ changes: { from: start, to: end, insert: text } });
  }
}

function sentence(problem: Problem): string {
  const more = problem.repeats > 0 ? ` (and ${problem.repeats} times more)` : "";
  const parts = [problem.message, problem.label, problem.help].filter((part) => part);
  return parts.join(": ") + more;
}
