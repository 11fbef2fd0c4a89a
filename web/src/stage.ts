// What every stage does, in 2D or 3D: show frames, find what is under a pointer, and move the view.
import type { ContactName } from "./contacts";
import type { Legend, Past } from "./past";
import type { Answer, Drawing, Triple } from "./engine/protocol";

export interface Shown {
  velocities: boolean;
  contacts: boolean;
  impulses: boolean;
  islands: boolean;
  /** Where every body was. */
  trails: boolean;
  /** The path of the centre of mass. */
  center: boolean;
  /** Bars of kinetic and potential energy. */
  energy: boolean;
  /** The friction cone of the chosen contact. */
  cone: boolean;
  /** Slow motion around impacts. */
  slow: boolean;
}

export const NOTHING_SHOWN: Shown = { velocities: false, contacts: false, impulses: false, islands: false, trails: false, center: false, energy: false, cone: false, slow: false };

/** A contact is known by its name; its number is that of the frame in which it was clicked. */
export type Picked = { kind: "body"; index: number } | { kind: "contact"; index: number; name: ContactName } | null;

export interface Stage {
  readonly canvas: HTMLCanvasElement;
  /** Draws a frame; called whenever something changed. */
  draw(frame: Answer, shown: Shown, selected: Picked, past?: Past): void;
  /**
   * Draws a frame of a run that goes on, or the last one that is ready; gives the frame that is in
   * the picture now, if it is another than before.
   */
  drawRunning?(frame: Answer, shown: Shown, selected: Picked, past?: Past): Answer | undefined;
  /** What the arrows of the last picture mean. */
  readonly legend: Legend[];
  /** The same bodies with other numbers: sizes, colours. */
  redescribe(drawing: Drawing): void;
  /** What is under a point of the canvas, in CSS pixels. */
  pick(frame: Answer, x: number, y: number): Picked;
  /** The point of a body that is under a pointer, from its centre in its own axes. */
  localPoint(frame: Answer, body: number, x: number, y: number): [number, number, number];
  /** Where the centre of a body is in the scene. */
  centerOf(frame: Answer, body: number): Triple;
  /** Where a held point is to go when the pointer is there. */
  target(frame: Answer, body: number, x: number, y: number): [number, number, number];
  /** Keeps a fitted view as it is while a hand places bodies, or lets it follow them again. */
  freeze(on: boolean): void;
  /** How wide what is shown is, in metres. */
  span(): number;
  /**
   * Directions in the scene: to the right of the picture, up in it, and out of it towards the
   * viewer.
   */
  axes(): [Triple, Triple, Triple];
  /** The view in numbers, for links; nothing while it is fitted. */
  view(): number[] | undefined;
  setView(numbers: number[]): void;
  /** Moves the view; 3D ones turn unless they are to slide. */
  pan(dx: number, dy: number, slide?: boolean): void;
  zoom(factor: number, x: number, y: number): void;
  fit(frame: Answer): void;
  /** Takes on the size of its box; says whether anything changed. */
  resize(frame: Answer): boolean;
  /** Colours are others now. */
  repaint(): void;
  /** The same view as another stage of the same scene. */
  follow(other: Stage): void;
  close(): void;
}

/**
 * A stage for a drawing: 3D comes with a library of their own, which is loaded when it is needed.
 */
export async function makeStage(drawing: Drawing, canvas: HTMLCanvasElement): Promise<Stage> {
  if (drawing.family === "spatial-bodies") {
    if (hasWebGL2()) {
      const { SpatialStage } = await import("./stage3d");
      return new SpatialStage(drawing, canvas);
    }
    const { PlainStage } = await import("./plain3d");
    return new PlainStage(drawing, canvas);
  }
  const { FlatStage } = await import("./stage2d");
  const stage = new FlatStage(drawing, canvas);
  if (drawing.tag === "asteroids" && drawing.family === "rigid-bodies") stage.painter = await import("./game-bodies");
  return stage;
}

/** Whether this browser has WebGL2; `?plain` in the address asks for the plain way. */
function hasWebGL2(): boolean {
  if (new URLSearchParams(location.search).has("plain")) return false;
  return document.createElement("canvas").getContext("webgl2") !== null;
}
