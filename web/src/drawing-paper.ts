// A sheet over the stage while drawing: the grid, what is being drawn, what is chosen and its
// handle.
import { h } from "./dom";
import type { Drawing } from "./drawing";
import type { Point } from "./drawing-shapes";
import { abilities, linesOf, type Thing } from "./drawing-things";
import { faint, palette } from "./palette";
import type { FlatStage } from "./stage2d";

export type Tool = "select" | "disc" | "box" | "polygon" | "wall" | "spring";

export interface Stroke {
  start: Point;
  now: Point;
}

/**
 * Lines of the grid are at least so many pixels apart; finer grids show every fifth or tenth line.
 */
const APART = 9;
/** Pixels between a body and its handle. */
const HANDLE = 26;

type Context = CanvasRenderingContext2D;

export class Paper {
  private canvas = h("canvas", { class: "sketch" });
  private key = "";

  constructor(private drawing: Drawing) {}

  remove(): void {
    this.canvas.remove();
  }

  /** Draws where the view, the choice or the moment changed. */
  follow(): void {
    const { drawing } = this;
    const camera = drawing.isOpen ? drawing.stage?.camera : undefined;
    const { runner } = drawing.player;
    const key = camera ? JSON.stringify([camera.x, camera.y, camera.scale, camera.width, camera.height, drawing.chosen, runner.step, runner.lead.frame?.positions?.[0]]) : "";
    if (key !== this.key) this.draw();
    this.key = key;
  }

  draw(): void {
    const { drawing } = this;
    const { stage } = drawing;
    const { canvas, frame } = drawing.player.runner.lead ?? {};
    if (!drawing.isOpen || !stage || !canvas || !frame) return this.remove();
    if (this.canvas.parentElement !== canvas.parentElement) canvas.after(this.canvas);
    const ratio = Math.min(devicePixelRatio || 1, 2);
    [this.canvas.width, this.canvas.height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio];
    const c = this.canvas.getContext("2d")!;
    c.scale(ratio, ratio);
    this.drawGrid(c, stage);
    const color = getComputedStyle(this.canvas).color;
    c.strokeStyle = c.fillStyle = color;
    c.lineWidth = 2;
    this.drawChosen(c, stage);
    c.setLineDash([6, 4]);
    c.beginPath();
    this.drawStroke(c, stage);
    c.stroke();
    c.setLineDash([]);
  }

  private drawGrid(c: Context, stage: FlatStage): void {
    let { grid } = this.drawing;
    if (grid === 0) return;
    const { camera } = stage;
    for (let k = 0; grid * camera.scale < APART; k++) grid *= k % 2 === 0 ? 5 : 2;
    const { ink } = palette(stage.drawing.background);
    const [[x0, y1], [x1, y0]] = [camera.toPlane(0, 0), camera.toPlane(camera.width, camera.height)];
    for (const major of [false, true]) {
      c.strokeStyle = faint(ink, major ? 0.16 : 0.07);
      c.lineWidth = 1;
      c.beginPath();
      const lines = (low: number, high: number, draw: (at: number) => void) => {
        for (let k = Math.ceil(low / grid); k * grid <= high; k++) if ((k % 10 === 0) === major) draw(k * grid);
      };
      lines(x0, x1, (x) => {
        const sx = Math.round(camera.toScreen(x, 0)[0]) + 0.5;
        c.moveTo(sx, 0);
        c.lineTo(sx, camera.height);
      });
      lines(y0, y1, (y) => {
        const sy = Math.round(camera.toScreen(0, y)[1]) + 0.5;
        c.moveTo(0, sy);
        c.lineTo(camera.width, sy);
      });
      c.stroke();
    }
  }

  /**
   * The handle that turns what is chosen, and about which point; nothing where it cannot be turned.
   */
  handle(): { at: Point; pivot: Point } | undefined {
    const { drawing } = this;
    const { stage, chosen } = drawing;
    const { frame } = drawing.player.runner.lead;
    if (drawing.tool !== "select" || !stage || !frame || !chosen || !abilities(drawing.player.text, drawing.family, chosen).turn) return undefined;
    if (chosen.kind === "wall") {
      const obstacle = stage.drawing.obstacles?.[chosen.index];
      if (!obstacle) return undefined;
      const [x, y] = stage.camera.toScreen(...obstacle.point);
      const long = Math.hypot(...obstacle.normal) || 1;
      return { at: [x + (2 * HANDLE * obstacle.normal[0]) / long, y - (2 * HANDLE * obstacle.normal[1]) / long], pivot: obstacle.point };
    }
    const points = stage.corners(frame, chosen.index);
    const middle: Point = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis]!, 0) / points.length) as Point;
    const top = Math.min(...points.map(([, y]) => y));
    return { at: [middle[0], Math.max(14, top - HANDLE)], pivot: stage.camera.toPlane(...middle) };
  }

  private drawChosen(c: Context, stage: FlatStage): void {
    const { drawing } = this;
    const { chosen, drag } = drawing;
    const { frame } = drawing.player.runner.lead;
    if (drag) {
      const { dx, dy, angle } = drawing.change(drag);
      const pivot = drag.pivot ? stage.camera.toScreen(...drag.pivot) : ([0, 0] as Point);
      c.save();
      c.translate(dx * stage.camera.scale + pivot[0], -dy * stage.camera.scale + pivot[1]);
      c.rotate(-angle);
      c.translate(-pivot[0], -pivot[1]);
      c.setLineDash([6, 4]);
      c.beginPath();
      this.trace(c, stage, drag.thing);
      c.stroke();
      c.restore();
    } else if (chosen && chosen.kind !== "body" && frame) {
      c.beginPath();
      this.trace(c, stage, chosen);
      c.stroke();
    }
    const handle = drag ? undefined : this.handle();
    if (!handle) return;
    c.beginPath();
    c.moveTo(...stage.camera.toScreen(...handle.pivot));
    c.lineTo(...handle.at);
    c.globalAlpha = 0.4;
    c.stroke();
    c.globalAlpha = 1;
    c.beginPath();
    c.arc(...handle.at, 7, 0, 2 * Math.PI);
    c.fill();
  }

  private trace(c: Context, stage: FlatStage, thing: Thing): void {
    const frame = this.drawing.player.runner.lead.frame!;
    const body = thing.kind === "body" ? stage.drawing.bodies[thing.index] : undefined;
    if (body?.shape === "polygon") stage.addOutline(c, frame, thing.index);
    else if (body) c.arc(...stage.center(frame, thing.index), body.radius * stage.camera.scale, 0, 2 * Math.PI);
    for (const [from, to] of linesOf(stage, frame, thing)) {
      c.moveTo(...from);
      c.lineTo(...to);
    }
  }

  private drawStroke(c: Context, stage: FlatStage): void {
    const { stroke, tool, corners, pointer } = this.drawing;
    const at = (place: Point) => stage.camera.toScreen(...place);
    if (stroke) {
      const [[x0, y0], [x1, y1]] = [at(stroke.start), at(stroke.now)];
      if (tool === "disc") c.arc(x0, y0, Math.hypot(x1 - x0, y1 - y0), 0, 2 * Math.PI);
      else if (tool === "box") c.rect(x0, y0, x1 - x0, y1 - y0);
      else {
        c.moveTo(x0, y0);
        c.lineTo(x1, y1);
      }
    }
    [...corners, ...(pointer && corners.length > 0 ? [pointer] : [])].forEach((corner, k) => (k === 0 ? c.moveTo(...at(corner)) : c.lineTo(...at(corner))));
  }
}
