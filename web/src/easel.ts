// Many bodies of a running scene are painted in a worker: a path of thousands of discs takes
// longer than the page may stand still between two pictures.
import type { Cast, View } from "./bodies2d";
import type { Answer } from "./engine/protocol";
import type { Look } from "./looks2d";

/** Fewer bodies than this are painted sooner than they are sent. */
export const MANY = 400;

/** Whom to paint, and how; colours may change. */
export interface Sitters {
  cast: Cast;
  looks: Look[];
}

/** One frame of them, in a picture with so many pixels for each of the layout. */
export interface Sitting {
  positions: Float64Array;
  view: View;
  ratio: number;
}

export interface Painted {
  frame: Answer;
  view: View;
  bodies: ImageBitmap;
}

export class Easel {
  /** Whether it cannot paint; the page does so itself then. */
  lost = false;
  private worker: Worker;
  /** What was asked for, in its order; nothing where nobody wants it any more. */
  private asked: ({ frame: Answer; view: View } | undefined)[] = [];
  private painted: Painted | undefined;

  constructor() {
    this.worker = new Worker(new URL("worker.js", document.baseURI), { type: "module" });
    this.worker.onmessage = ({ data }: MessageEvent<{ bodies?: ImageBitmap }>) => this.receive(data.bodies);
    this.worker.onerror = () => (this.lost = true);
  }

  /** Whether so much was asked for that no more should be: one is painted, one waits. */
  get busy(): boolean {
    return this.asked.length >= 2;
  }

  /** Whether a picture of this frame is on its way. */
  expects(frame: Answer): boolean {
    return this.asked.some((sitting) => sitting?.frame === frame);
  }

  static get possible(): boolean {
    return typeof OffscreenCanvas !== "undefined" && typeof OffscreenCanvas.prototype.transferToImageBitmap === "function";
  }

  describe(sitters: Sitters): void {
    this.worker.postMessage({ sitters });
  }

  /** Asks for a picture of a frame. */
  ask(frame: Answer, { x, y, scale, width, height }: View, ratio: number): void {
    const view = { x, y, scale, width, height };
    const positions = frame.positions!.slice();
    this.asked.push({ frame, view });
    const sitting: Sitting = { positions, view, ratio };
    this.worker.postMessage({ sitting }, [positions.buffer]);
  }

  /** The last picture that came, once. */
  take(): Painted | undefined {
    const { painted } = this;
    this.painted = undefined;
    return painted;
  }

  /** What was asked for is of no use any more. */
  forget(): void {
    this.take()?.bodies.close();
    this.asked.fill(undefined);
  }

  close(): void {
    this.forget();
    this.worker.terminate();
  }

  private receive(bodies: ImageBitmap | undefined): void {
    const sitting = this.asked.shift();
    if (!bodies) this.lost = true;
    else if (!sitting) bodies.close();
    else {
      this.take()?.bodies.close();
      this.painted = { ...sitting, bodies };
    }
  }
}
