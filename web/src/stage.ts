// What every stage does, flat or spatial: show frames, find what is under a pointer, and move the view.
import type { Answer, Drawing } from "./engine/protocol";

export interface Shown {
  velocities: boolean;
  contacts: boolean;
  impulses: boolean;
  islands: boolean;
}

export type Picked = { kind: "body"; index: number } | { kind: "contact"; index: number } | null;

export interface Stage {
  readonly canvas: HTMLCanvasElement;
  /** Draws a frame; called whenever something changed. */
  draw(frame: Answer, shown: Shown, selected: Picked): void;
  /** What is under a point of the canvas, in CSS pixels. */
  pick(frame: Answer, x: number, y: number): Picked;
  /** The point of a body that is under a pointer, from its centre in its own axes. */
  localPoint(frame: Answer, body: number, x: number, y: number): [number, number, number];
  /** Where a held point is to go when the pointer is there. */
  target(frame: Answer, body: number, x: number, y: number): [number, number, number];
  /** Moves the view; spatial ones turn unless they are to slide. */
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

/** A stage for a drawing: spatial bodies come with a library of their own, which is loaded when it is needed. */
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
  return new FlatStage(drawing, canvas);
}

/** Whether this browser draws in space; `?plain` in the address asks for the plain way. */
function hasWebGL2(): boolean {
  if (new URLSearchParams(location.search).has("plain")) return false;
  return document.createElement("canvas").getContext("webgl2") !== null;
}
