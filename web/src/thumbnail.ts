// Pictures for scenes that have none: run for a moment in an engine of its own and drawn once.
import { WorkerLink } from "./engine/link";
import { makeStage, NOTHING_SHOWN } from "./stage";

/** Simulated seconds after which a scene is likely to show what it is about. */
const MOMENT = 0.7;

export async function drawThumbnails(pictures: { name: string; canvas: HTMLCanvasElement }[]): Promise<void> {
  if (pictures.length === 0) return;
  const link = new WorkerLink();
  for (const { name, canvas } of pictures) {
    const response = await fetch(new URL(`scenes/${name}.xml`, document.baseURI));
    const opened = await link.ask({ do: "open", text: await response.text() });
    if (!opened.ok || !canvas.isConnected) continue;
    const frame = await link.ask({ do: "advance", to: Math.round(MOMENT / opened.dt!) }, 400);
    // Drawn out of sight and copied: a page may hold only a few WebGL pictures at a time.
    const hidden = document.createElement("canvas");
    hidden.style.cssText = "position:absolute;visibility:hidden;width:320px;height:240px";
    document.body.append(hidden);
    const stage = await makeStage(opened.drawing!, hidden);
    stage.resize(opened);
    stage.fit(frame);
    stage.draw(frame, NOTHING_SHOWN, null);
    [canvas.width, canvas.height] = [hidden.width, hidden.height];
    canvas.getContext("2d")!.drawImage(hidden, 0, 0);
    stage.close();
    hidden.remove();
  }
  link.close();
}
