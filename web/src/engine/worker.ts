// What works beside the page: an engine with its session, or who paints many bodies (easel.ts).
import { initSync, Session } from "../../generated/carom_web.js";
import { paintLook } from "../bodies2d";
import type { Sitters, Sitting } from "../easel";

interface Question {
  request: string;
  budget: number;
}

let session: Session | undefined;
let panic: string | undefined;

(globalThis as unknown as { caromPanicked: (message: string) => void }).caromPanicked = (message) => {
  panic = message;
};

const post = postMessage as (message: unknown, transfer?: Transferable[]) => void;

let sitters: Sitters | undefined;
let canvas: OffscreenCanvas | undefined;

/** The bodies of one frame, on nothing. */
function paint({ positions, view, ratio }: Sitting): ImageBitmap {
  const [width, height] = [Math.max(1, Math.round(view.width * ratio)), Math.max(1, Math.round(view.height * ratio))];
  if (canvas?.width !== width || canvas.height !== height) canvas = new OffscreenCanvas(width, height);
  const c = canvas.getContext("2d")!;
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  for (const look of sitters!.looks) paintLook(c, sitters!.cast, positions, view, look);
  return canvas.transferToImageBitmap();
}

onmessage = (event: MessageEvent<WebAssembly.Module | Question | { sitters: Sitters } | { sitting: Sitting }>) => {
  try {
    if ("sitters" in event.data) {
      sitters = event.data.sitters;
      return;
    }
    if ("sitting" in event.data) {
      const bodies = paint(event.data.sitting);
      post({ bodies }, [bodies]);
      return;
    }
    if (event.data instanceof WebAssembly.Module) {
      initSync({ module: event.data });
      session = new Session();
      post({ ready: true });
      return;
    }
    if (!session) throw new Error("the engine is not there yet");
    const start = performance.now();
    const bytes = session.handle(event.data.request, event.data.budget);
    post({ bytes: bytes.buffer, took: performance.now() - start }, [bytes.buffer]);
  } catch (error) {
    // A panic or memory that ran out: the session is lost, the page starts a new worker.
    post({ lost: panic ?? String(error instanceof Error ? error.message : error) });
  }
};
