// A scene in a frame of another page: only the controls that it asks for, and messages to and from
// that page.
//
// The page around sends { carom: "play" | "pause" | "restart" | "seek" | "knob" | "state" |
// "layers", ... } and gets { carom: "state", id, ... } or { carom: "refused", id, why } back.
import type { Player } from "./player";
import { LAYER_NAMES } from "./settings";

/**
 * What the address asks for; a page inside a notebook has no address, and gets this from
 * notebook.mjs.
 */
const ASKED = new URLSearchParams((globalThis as { caromSearch?: string }).caromSearch ?? location.search);

export const EMBEDDED = ASKED.has("embed");

/** What may be shown in a frame: `?embed=1&controls=play,time,speed,methods,knobs`. */
const CONTROLS = ["play", "time", "speed", "methods", "knobs", "plots", "layers", "panes"];
const USUAL = ["play", "time"];

/** Puts on the page what the address asks for. */
export function dress(): void {
  if (!EMBEDDED) return;
  const asked = ASKED.get("controls");
  const shown = asked === null ? USUAL : asked.split(",").filter((word) => CONTROLS.includes(word));
  document.documentElement.dataset["embed"] = shown.join(" ");
}

interface Wish {
  carom?: unknown;
  id?: unknown;
  step?: unknown;
  time?: unknown;
  name?: unknown;
  value?: unknown;
  show?: unknown;
}

export function listen(player: Player): () => void {
  if (!EMBEDDED) return () => undefined;
  const answer = (words: object) => parent.postMessage(words, "*");
  const receive = (event: MessageEvent<Wish>) => {
    // Only the page around may steer.
    if (event.source !== parent || typeof event.data !== "object" || event.data === null || typeof event.data.carom !== "string") return;
    const { id } = event.data;
    act(player, event.data).then(
      () => answer({ ...state(player), id }),
      (error) => answer({ carom: "refused", id, why: error instanceof Error ? error.message : String(error) }),
    );
  };
  addEventListener("message", receive);
  answer({ ...state(player), carom: "ready" });
  return () => removeEventListener("message", receive);
}

async function act(player: Player, wish: Wish): Promise<void> {
  const { runner } = player;
  switch (wish.carom) {
    case "play": return runner.play();
    case "pause": return runner.pause();
    case "restart": return player.restart();
    case "state": return;
    case "seek": {
      const step = typeof wish.step === "number" ? wish.step : typeof wish.time === "number" ? wish.time / runner.dt : NaN;
      if (!Number.isFinite(step)) throw new Error("seek needs a step or a time");
      runner.pause();
      return runner.seek(runner.planned > 0 ? Math.min(step, runner.planned) : step);
    }
    case "knob":
      if (typeof wish.name !== "string" || typeof wish.value !== "number") throw new Error("knob needs a name and a value");
      if (!(await player.knobs.turn(wish.name, wish.value))) throw new Error(`there is no knob ${wish.name}, or it cannot take ${wish.value}`);
      return;
    case "layers":
      for (const name of LAYER_NAMES) runner.shown[name] = Array.isArray(wish.show) && wish.show.includes(name);
      return runner.look();
    default: throw new Error(`carom does not know ${String(wish.carom)}`);
  }
}

/** What a page around may read. */
function state(player: Player): object {
  const { runner } = player;
  const frame = runner.lead.frame;
  return {
    carom: "state",
    name: player.name,
    playing: runner.playing,
    step: runner.step,
    time: player.time(),
    dt: runner.dt,
    planned: runner.planned,
    positions: [...(frame?.positions ?? [])],
    quantities: frame?.quantities,
    knobs: player.knobs.named(),
    trouble: runner.lead.trouble ?? null,
  };
}
