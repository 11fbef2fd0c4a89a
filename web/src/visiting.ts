// How a scene is shown: taken from an address or from the last visit, and put into links.
import { EMBEDDED } from "./embed";
import { PANELS, type Panel } from "./panels";
import type { Player } from "./player";
import * as settings from "./settings";
import type { Touched } from "./engine/protocol";
import { pack, unpack } from "./share";

/** Links of scenes without an end go no further. */
const MOST_STEPS = 1_000_000;

/** How scenes were shown in this tab, by their address: coming back finds them so. */
const VISITS = "carom.visit.";

/** Shows a scene as its address or the last visit wants it. */
export async function begin(player: Player, params: URLSearchParams): Promise<void> {
  const { runner } = player;
  const remembered = new URLSearchParams(recallVisit(location.hash));
  const wanted = { ...settings.read(params), ...settings.read(remembered) };
  if (wanted.methods) player.methods = wanted.methods;
  if (wanted.speed) runner.speed = wanted.speed;
  for (const name of wanted.shown ?? []) runner.shown[name] = true;
  if (wanted.angles) player.inspector.unit = wanted.angles;
  if (wanted.corner) player.showCorner(true);
  if (wanted.plot) player.plotting.read(wanted.plot);
  const report = await player.arrange(player.methods.length);
  const count = Number(params.get("panes"));
  if (!wanted.methods && (count === 2 || count === 4)) await player.compare(count);
  if (wanted.plots !== undefined) player.showPlots(wanted.plots);
  if (wanted.view) setView(player, wanted.view);
  await repeatTouches(player, params);
  // A damaged link may ask for a step that no patience reaches.
  if (wanted.step) await runner.seek(Math.min(wanted.step, runner.planned || MOST_STEPS));
  const bodies = runner.lead.drawing?.bodies.length ?? 0;
  if (wanted.selected !== undefined && wanted.selected < bodies) {
    runner.selected = { kind: "body", index: wanted.selected };
    await runner.look();
    player.knobs.refresh();
  }
  if (wanted.contact !== undefined) {
    const [first, second, place] = wanted.contact.split(/[-.]/).map(Number) as [number, number, number];
    runner.selected = { kind: "contact", index: -1, name: { first, second, place } };
    await runner.look();
  }
  if (wanted.grid !== undefined) player.panels.grid = wanted.grid;
  if (wanted.about !== undefined) player.about.show(wanted.about);
  const asked = wanted.panel && wanted.panel in PANELS ? wanted.panel : undefined;
  const named = report ? "editor" : (asked ?? (params.has("new") ? "editor" : undefined));
  if (named) await player.panels.open(named as NonNullable<Panel>);
  else if (EMBEDDED && document.documentElement.dataset["embed"]!.includes("knobs")) await player.panels.open("knobs");
  const still = params.has("still") || wanted.step !== undefined || matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!report && !still) runner.play();
}

/** Remembers how a scene is shown until the tab is closed. */
export function remember(player: Player, hash: string): void {
  if (!player.runner.lead?.opened) return;
  try {
    sessionStorage.setItem(VISITS + hash, settings.write(settingsOf(player)).toString());
  } catch {
    // Frames of other sites, and browsers that keep nothing, forget it.
  }
}

function recallVisit(hash: string): string {
  try {
    return sessionStorage.getItem(VISITS + hash) ?? "";
  } catch {
    return "";
  }
}

/** Everything that a person can set, as it is now. */
export function settingsOf(player: Player): settings.Settings {
  const { runner } = player;
  const methods = runner.panes.map((pane, k) => ({
    response: player.methods[k]?.response ?? pane.opened?.response,
    integrator: player.methods[k]?.integrator ?? pane.opened?.integrator,
  }));
  return {
    methods,
    speed: runner.speed,
    shown: settings.LAYER_NAMES.filter((name) => runner.shown[name]),
    plots: player.plotsShown,
    plot: player.plotting.write(),
    angles: player.angleUnit,
    corner: player.cornerShown,
    view: runner.lead.stage?.view(),
    selected: runner.selected?.kind === "body" ? runner.selected.index : undefined,
    contact: runner.selected?.kind === "contact" ? `${runner.selected.name.first}-${runner.selected.name.second}.${runner.selected.name.place}` : undefined,
    grid: player.panels.grid,
    about: player.about.shown,
    panel: player.panelShown ?? undefined,
    step: runner.playing ? 0 : runner.step,
  };
}

/** A link that holds the scene, how it is shown, and what hands did to its bodies. */
export async function linkTo(player: Player): Promise<string> {
  const link = new URL(location.href);
  const touches = await touchesOf(player);
  const hands = touches.length > 0 ? `&hands=${await pack(JSON.stringify(touches))}` : "";
  link.hash = `s=${await pack(player.text)}&name=${encodeURIComponent(player.name)}&${settings.write(settingsOf(player))}${hands}${player.isRemote ? "&remote" : ""}`;
  return link.href;
}

/**
 * What hands did; nothing where numbers were turned on the way, for then the run cannot be had
 * again from its start.
 */
async function touchesOf({ runner }: Player): Promise<Touched[]> {
  if (runner.since > 0) return [];
  return (await runner.lead.ask({ do: "touches" })).touches ?? [];
}

async function repeatTouches(player: Player, params: URLSearchParams): Promise<void> {
  const packed = params.get("hands");
  if (packed === null) return;
  const touches = JSON.parse(await unpack(packed)) as Touched[];
  await player.runner.all({ do: "repeat", touches });
}

function setView({ runner }: Player, numbers: number[]): void {
  const { stage, drawing } = runner.lead;
  const wanted = drawing?.family === "spatial-bodies" ? 6 : 4;
  if (!stage || numbers.length !== wanted) return;
  stage.setView(numbers);
  for (const pane of runner.panes.slice(1)) pane.stage?.follow(stage);
  runner.redraw();
}
