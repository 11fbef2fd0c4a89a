// Pictures and movies of what is shown.
import type { Pane } from "./pane";

/** All stages on one canvas, as they stand side by side, with the names of their methods. */
function compose(panes: Pane[], into: HTMLCanvasElement): void {
  const boxes = panes.map((pane) => pane.canvas.getBoundingClientRect());
  const ratio = panes[0]!.canvas.width / Math.max(1, boxes[0]!.width);
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  // Movies want even sizes.
  const even = (value: number) => Math.max(2, 2 * Math.floor(value / 2));
  const width = even((Math.max(...boxes.map((box) => box.right)) - left) * ratio);
  const height = even((Math.max(...boxes.map((box) => box.bottom)) - top) * ratio);
  if (into.width !== width || into.height !== height) {
    into.width = width;
    into.height = height;
  }
  const c = into.getContext("2d", { alpha: false })!;
  c.fillStyle = getComputedStyle(document.body).backgroundColor;
  c.fillRect(0, 0, width, height);
  panes.forEach((pane, k) => {
    const [x, y] = [(boxes[k]!.left - left) * ratio, (boxes[k]!.top - top) * ratio];
    c.drawImage(pane.canvas, x, y);
    if (panes.length > 1) {
      c.font = `${13 * ratio}px system-ui, sans-serif`;
      c.textBaseline = "top";
      c.fillStyle = "#80808c";
      c.fillText(pane.responses.value, x + 10 * ratio, y + 10 * ratio);
    }
  });
}

export async function picture(panes: Pane[]): Promise<Blob> {
  const canvas = document.createElement("canvas");
  compose(panes, canvas);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser gave no picture"))), "image/png");
  });
}

export class Recorder {
  private canvas = document.createElement("canvas");
  private recorder: MediaRecorder;
  private parts: Blob[] = [];
  /** Pictures so far. */
  taken = 0;

  /** Begins a movie. Throws where the browser cannot record. */
  constructor(private panes: Pane[]) {
    compose(panes, this.canvas);
    const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"].find((t) => MediaRecorder.isTypeSupported(t));
    if (!type) throw new Error("this browser cannot record movies");
    this.recorder = new MediaRecorder(this.canvas.captureStream(60), { mimeType: type, videoBitsPerSecond: 12e6 });
    this.recorder.ondataavailable = ({ data }) => this.parts.push(data);
    this.recorder.start(1000);
  }

  /** Takes what is shown now; called after every drawn frame. */
  take(): void {
    compose(this.panes, this.canvas);
    this.taken += 1;
  }

  async stop(): Promise<Blob> {
    await new Promise((resolve) => {
      this.recorder.onstop = resolve;
      this.recorder.stop();
    });
    return new Blob(this.parts, { type: this.recorder.mimeType });
  }
}

/** Hands a file to the person. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
