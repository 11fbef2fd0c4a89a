// The engine's home in the page: one worker, one session.
import { initSync, Session } from "../../generated/carom_web.js";

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

onmessage = (event: MessageEvent<WebAssembly.Module | Question>) => {
  try {
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
