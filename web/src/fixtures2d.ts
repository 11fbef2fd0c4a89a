// What stands around flat bodies: half-planes, and springs between them.
import type { Anchor, Answer } from "./engine/protocol";
import { faint, type Palette, readable } from "./palette";
import type { FlatStage } from "./stage2d";
import { walls } from "./walls";

const TAU = 2 * Math.PI;

export function drawObstacles(c: CanvasRenderingContext2D, stage: FlatStage, frame: Answer, colors: Palette): void {
  const { camera } = stage;
  const far = camera.width + camera.height;
  for (const { point, normal, color } of walls(stage.drawing, frame.positions!)) {
    const length = Math.hypot(normal[0], normal[1]);
    if (!(length > 0)) continue;
    const ink = readable(color ?? colors.obstacle, colors);
    const out = [normal[0] / length, -normal[1] / length] as const;
    const along = [-out[1], out[0]] as const;
    const [px, py] = camera.toScreen(point[0], point[1]);
    const shift = (camera.width / 2 - px) * along[0] + (camera.height / 2 - py) * along[1];
    const foot = [px + shift * along[0], py + shift * along[1]] as const;
    if (Math.abs((camera.width / 2 - foot[0]) * out[0] + (camera.height / 2 - foot[1]) * out[1]) > 2 * far) continue;
    const at = (s: number, t: number) => [foot[0] + s * along[0] + t * out[0], foot[1] + s * along[1] + t * out[1]] as const;
    c.fillStyle = faint(ink, 0.12);
    c.beginPath();
    c.moveTo(...at(-far, 0));
    c.lineTo(...at(far, 0));
    c.lineTo(...at(far, -3 * far));
    c.lineTo(...at(-far, -3 * far));
    c.fill();
    c.strokeStyle = faint(ink, 0.5);
    c.lineWidth = 1;
    c.beginPath();
    for (let s = -Math.ceil(far / 12) * 12; s < far; s += 12) {
      c.moveTo(...at(s, 0));
      c.lineTo(...at(s - 8, -8));
    }
    c.stroke();
    c.strokeStyle = ink;
    c.lineWidth = 2;
    c.beginPath();
    c.moveTo(...at(-far, -1));
    c.lineTo(...at(far, -1));
    c.stroke();
  }
}

export function drawSprings(c: CanvasRenderingContext2D, stage: FlatStage, frame: Answer, colors: Palette): void {
  for (const spring of stage.drawing.springs ?? []) {
    const [start, end] = [anchorPlace(stage, frame, spring.start), anchorPlace(stage, frame, spring.end)];
    const along = [end[0] - start[0], end[1] - start[1]] as const;
    const length = Math.hypot(along[0], along[1]);
    c.strokeStyle = readable(spring.color ?? colors.spring, colors);
    c.fillStyle = c.strokeStyle;
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(...start);
    if (length > 24) {
      const unit = [along[0] / length, along[1] / length] as const;
      for (let k = 0; k <= 16; k++) {
        const s = 6 + ((length - 12) * k) / 16;
        const side = k === 0 || k === 16 ? 0 : k % 2 === 1 ? 4 : -4;
        c.lineTo(start[0] + s * unit[0] - side * unit[1], start[1] + s * unit[1] + side * unit[0]);
      }
    }
    c.lineTo(...end);
    c.stroke();
    c.beginPath();
    for (const [x, y] of [start, end]) {
      c.moveTo(x + 2.5, y);
      c.arc(x, y, 2.5, 0, TAU);
    }
    c.fill();
  }
}

/** Where an end of a spring is in the picture. */
export function anchorPlace(stage: FlatStage, frame: Answer, anchor: Anchor): [number, number] {
  const [px, py] = anchor.point as [number, number];
  if (anchor.body === undefined) return stage.camera.toScreen(px, py);
  const base = 3 * anchor.body;
  const [x, y, angle] = [frame.positions![base]!, frame.positions![base + 1]!, frame.positions![base + 2]!];
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  return stage.camera.toScreen(x + c * px - s * py, y + s * px + c * py);
}
