// Six guided pages: text, formulas, a live scene with its knobs, a question and its answer.
import { h } from "./dom";
import { setTitle } from "./header";
import frictionText from "./lessons/friction.html";
import frictionScene from "./lessons/friction.xml";
import penaltyText from "./lessons/penalty.html";
import penaltyScene from "./lessons/penalty.xml";
import restitutionText from "./lessons/restitution.html";
import restitutionScene from "./lessons/restitution.xml";
import simultaneousText from "./lessons/simultaneous.html";
import simultaneousScene from "./lessons/simultaneous.xml";
import tumblingText from "./lessons/tumbling.html";
import tumblingScene from "./lessons/tumbling.xml";
import twoText from "./lessons/two-bodies.html";
import twoScene from "./lessons/two-bodies.xml";
import { Player } from "./player";
import type { View } from "./view";

interface Lesson {
  name: string;
  title: string;
  summary: string;
  text: string;
  scene: string;
  /** How the scene is shown: words of an address, see settings.ts. */
  shown: string;
  question: string;
  answer: string;
}

export const LESSONS: Lesson[] = [
  {
    name: "restitution", title: "Restitution", summary: "What one number says about a bounce, and why infinitely many of them end.",
    text: restitutionText, scene: restitutionScene, shown: "plot=time~b0.y&panel=plot",
    question: "A ball with e = 0.8 is dropped. After how many bounces does it rise to less than a tenth of its height?",
    answer: "The height after n bounces is 0.64ⁿ of the first. 0.64⁵ = 0.107 is still above a tenth, 0.64⁶ = 0.069 is below: after six.",
  },
  {
    name: "two-bodies", title: "Two bodies, momentum and energy", summary: "What contact cannot change, and what it can.",
    text: twoText, scene: twoScene, shown: "show=center,energy&plot=time~momentumX;kinetic&panel=plot",
    question: "A ball of mass 1 meets one of mass 2 at rest, with e = 0.5. Which velocities do they have afterwards?",
    answer: "The reduced mass is 2/3, so j = 1.5 · 2/3 · 1 = 1. The first ball loses all of its momentum and stands still; the second moves with 1/2. Set the knobs and look.",
  },
  {
    name: "penalty", title: "Why penalty stiffens", summary: "Springs instead of contacts, and the price of a small overlap.",
    text: penaltyText, scene: penaltyScene, shown: "plot=time~total;penetration&panel=plot",
    question: "You want half the depth. By how much must the step shrink?",
    answer: "Half the depth needs four times the stiffness, since d goes with 1/√k. The longest step goes with 1/√k as well: it shrinks to a half. The work doubles each time the depth is halved.",
  },
  {
    name: "simultaneous", title: "Simultaneous impact", summary: "One ball against two that touch: four methods, more than one right answer.",
    text: simultaneousText, scene: simultaneousScene, shown: "methods=gr-lcp,lcp,impulse,penalty&plots=",
    question: "Show that −⅓, ⅔, ⅔ keeps the kinetic energy.",
    answer: "½ (1/9 + 4/9 + 4/9) = ½ · 9/9 = ½, as before. Both answers lie on the same sphere of energy and the same plane of momentum: the circle in which the two meet holds infinitely many more.",
  },
  {
    name: "friction", title: "Resting contact and friction", summary: "A block on a slope: complementarity, Coulomb's cone, and when it slides.",
    text: frictionText, scene: frictionScene, shown: "show=cone&plot=time~b1.vx&panel=plot&step=1",
    question: "With gravity 3 along and 9.34 across the slope: from which µ on does the block stay?",
    answer: "From µ = 3 / 9.34 = 0.321 on. Try 0.32 and 0.33: with the first it creeps, with the second it does not move at all, to the last bit.",
  },
  {
    name: "tumbling", title: "Tumbling in 3D", summary: "Why a thrown book turns over, and about which axis it does not.",
    text: tumblingText, scene: tumblingScene, shown: "plot=time~b0.omega;angular&panel=plot",
    question: "Two of the three moments are equal, as in a square plate. What does λ become?",
    answer: "If I₁ = I₂ or I₂ = I₃, one bracket is zero and so is λ: the disturbance neither grows nor swings, the axis wanders slowly at a constant rate. A square plate does not flip.",
  },
];

export async function mount(host: HTMLElement, params: URLSearchParams, left: AbortSignal): Promise<View> {
  const lesson = LESSONS.find(({ name }) => name === params.get("lesson"));
  return lesson ? new LessonView(host, lesson).open(left) : list(host);
}

function list(host: HTMLElement): View {
  document.body.dataset["view"] = "lessons";
  setTitle("Lessons");
  const items = LESSONS.map(({ name, title, summary }, k) => h("li", {}, h("a", { href: `#lesson=${name}` }, h("strong", {}, `${k + 1}. ${title}`), h("span", {}, summary))));
  host.replaceChildren(h("div", { class: "lesson-list" }, h("h2", {}, "Six lessons on contact"), h("p", {}, "Each has a scene that you can touch, knobs to turn, a plot, and a question. They build on each other, and each stands alone."), h("ol", {}, ...items)));
  return { close: () => host.replaceChildren() };
}

class LessonView implements View {
  private player: Player | undefined;
  private abort = new AbortController();
  private themeOnScreen: string | undefined;

  constructor(
    private host: HTMLElement,
    private lesson: Lesson,
  ) {}

  async open(left: AbortSignal): Promise<View> {
    const { lesson, host } = this;
    const place = LESSONS.indexOf(lesson);
    const text = h("div", { class: "lesson-text" });
    // Written by us, and part of the page.
    text.innerHTML = lesson.text;
    text.addEventListener("click", (event) => this.act((event.target as HTMLElement).closest<HTMLElement>("[data-do]")));
    const live = h("div", { class: "lesson-live" });
    const knobs = h("section", { class: "lesson-knobs" });
    const turn = (other: Lesson | undefined, words: string) => (other ? h("a", { href: `#lesson=${other.name}` }, words.replace("%", other.title)) : h("a", { href: "#lessons" }, "All lessons"));
    host.replaceChildren(
      h(
        "div",
        { class: "lesson" },
        h(
          "article",
          { class: "lesson-page", tabindex: 0, "aria-label": lesson.title },
          h("p", { class: "quiet" }, `Lesson ${place + 1} of ${LESSONS.length}`),
          h("h2", {}, lesson.title),
          text,
          knobs,
          h("section", { class: "question" }, h("h3", {}, "Question"), h("p", {}, lesson.question), h("details", {}, h("summary", {}, "Answer"), h("p", {}, lesson.answer))),
          h("nav", { "aria-label": "Lessons" }, turn(LESSONS[place - 1], "← %"), h("button", { type: "button", onclick: () => print() }, "Print"), turn(LESSONS[place + 1], "% →")),
        ),
        live,
      ),
    );
    this.player = new Player(live, lesson.scene, lesson.title, false);
    const { player } = this;
    left.addEventListener("abort", () => player.runner.close());
    const words = new URLSearchParams(lesson.shown);
    words.set("still", "");
    await this.player.start(words);
    document.body.dataset["view"] = "lesson";
    knobs.append(h("h3", {}, "Turn the numbers"), this.player.knobs.element);
    const { signal } = this.abort;
    addEventListener("beforeprint", () => this.print(true), { signal });
    addEventListener("afterprint", () => this.print(false), { signal });
    return this;
  }

  /** The buttons in the text. */
  private act(button: HTMLElement | null): void {
    const { player } = this;
    if (!button || !player) return;
    // On a phone the scene is further down: who starts it wants to see it.
    if (matchMedia("(max-width: 720px)").matches) this.host.querySelector(".lesson-live")?.scrollIntoView({ block: "start" });
    const { do: what, time, name, value } = button.dataset;
    if (what === "run") void player.restart().then(() => player.runner.play());
    else if (what === "seek") {
      player.runner.pause();
      void player.runner.seek(Number(time) / player.runner.dt);
    } else if (what === "knob") void player.knobs.turn(name!, Number(value)).then(() => player.restart()).then(() => player.runner.play());
  }

  /** On paper: dark ink on white, the answer open, the scene as it stands. */
  private print(on: boolean): void {
    const { dataset } = document.documentElement;
    const details = this.host.querySelector("details");
    if (details) details.open = on;
    if (on) this.themeOnScreen = dataset["theme"];
    if (on) dataset["theme"] = "light";
    else if (this.themeOnScreen === undefined) delete dataset["theme"];
    else dataset["theme"] = this.themeOnScreen;
    this.repaint();
    const { runner } = this.player!;
    for (const pane of runner.panes) pane.draw(runner.shown, runner.selected, false);
  }

  key(event: KeyboardEvent): boolean {
    return this.player?.key(event) ?? false;
  }

  undo(again: boolean): void {
    void this.player?.undo(again);
  }

  repaint(): void {
    this.player?.repaint();
  }

  close(): void {
    this.abort.abort();
    this.player?.close();
    this.host.replaceChildren();
  }
}
