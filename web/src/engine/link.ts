// A line to an engine: a worker here, or a socket to the program that serves the page.
import { type Answer, decode, type Request } from "./protocol";

/**
 * Answers come in the order of requests. A link that is lost answers everything with its reason.
 */
export interface Link {
  ask(request: Request, budget?: number): Promise<Answer>;
  /** Milliseconds that the oldest open request has waited. */
  waiting(): number;
  close(reason?: string): void;
  readonly lost: string | undefined;
}

/** Milliseconds that one request may take, as far as steps can be counted. */
const BUDGET = 100;

interface Open {
  since: number;
  settle: (answer: Answer) => void;
}

abstract class Queue implements Link {
  lost: string | undefined;
  protected open: Open[] = [];
  private count = 0;

  ask(request: Request, budget = BUDGET): Promise<Answer> {
    if (this.lost !== undefined) return Promise.resolve(failed(this.lost));
    return new Promise((settle) => {
      this.open.push({ since: performance.now(), settle });
      this.send(JSON.stringify({ id: ++this.count, ...request }), budget);
    });
  }

  waiting(): number {
    return this.open.length === 0 ? 0 : performance.now() - this.open[0]!.since;
  }

  close(reason = "the engine was stopped"): void {
    if (this.lost !== undefined) return;
    this.lost = reason;
    this.end();
    for (const { settle } of this.open.splice(0)) settle(failed(reason));
  }

  protected receive(bytes: ArrayBuffer, took: number): void {
    this.open.shift()?.settle(decode(bytes, took));
  }

  protected abstract send(text: string, budget: number): void;
  protected abstract end(): void;
}

function failed(message: string): Answer {
  return { ok: false, message, took: 0 };
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** The engine's code: fetched and compiled once, shared by all workers. */
export function engineCode(): Promise<WebAssembly.Module> {
  compiled ??= fetch(new URL("engine.wasm", document.baseURI)).then(async (response) => {
    if (!response.ok) throw new Error(`engine.wasm: ${response.status} ${response.statusText}`);
    // Some static hosts do not know the type; then the bytes are compiled after they came.
    if (response.headers.get("content-type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
  });
  return compiled;
}

/** An engine in a worker of its own. */
export class WorkerLink extends Queue {
  private worker = new Worker(new URL("worker.js", document.baseURI), { type: "module" });

  constructor() {
    super();
    this.worker.onmessage = ({ data }) => {
      if (data.bytes) this.receive(data.bytes, data.took);
      else if (data.lost !== undefined) this.close(`the engine stopped: ${data.lost}`);
    };
    this.worker.onerror = (event) => this.close(`the engine did not start: ${event.message}`);
    engineCode().then(
      (module) => this.worker.postMessage(module),
      (error) => this.close(`the engine could not be loaded: ${error}`),
    );
  }

  protected send(request: string, budget: number): void {
    // The module goes first: messages keep their order.
    void engineCode().then(() => this.worker.postMessage({ request, budget }), () => undefined);
  }

  protected end(): void {
    this.worker.terminate();
  }
}

/** The native engine of the program that serves the page. */
export class SocketLink extends Queue {
  private socket: WebSocket;
  private early: string[] | undefined = [];

  constructor() {
    super();
    const address = new URL("engine", document.baseURI);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    this.socket = new WebSocket(address);
    this.socket.binaryType = "arraybuffer";
    let sent = performance.now();
    this.socket.onopen = () => {
      for (const text of this.early ?? []) this.socket.send(text);
      this.early = undefined;
      sent = performance.now();
    };
    this.socket.onmessage = ({ data }) => {
      this.receive(data, performance.now() - sent);
      sent = performance.now();
    };
    this.socket.onclose = () => this.close("the program that serves this page is gone, or refused the connection");
  }

  protected send(text: string): void {
    if (this.early) this.early.push(text);
    else this.socket.send(text);
  }

  protected end(): void {
    this.socket.close();
  }
}
