// Which methods are laid side by side.
import type { Answer } from "./engine/protocol";
import type { Method } from "./pane";

/** Methods that contrast most with a scene's own, in the order in which they are laid beside it. */
const CONTRASTS = ["gr-lcp", "lcp", "impulse", "penalty", "simple", "gr-velocity-projection", "velocity-projection", "none"];

/** So many methods: those that are there, and others beside them. */
export function contrasted(methods: Method[], count: number, opened: Answer): Method[] {
  const own = methods[0]?.response ?? opened.response!;
  const known = opened.responses!;
  const others = [...CONTRASTS, ...known].filter((response, k, all) => response !== own && known.includes(response) && all.indexOf(response) === k);
  const kept = methods.slice(0, count);
  const taken = new Set(kept.map((method) => method.response ?? own));
  const fresh = others.filter((response) => !taken.has(response));
  const integrator = methods[0]?.integrator;
  while (kept.length < count) kept.push({ response: fresh.shift() ?? own, integrator });
  return kept;
}
