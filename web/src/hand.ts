// Pointers on a stage: hold and throw a body, move the view, zoom with wheel or two fingers, click
// to inspect.
import type { Pane } from "./pane";
import type { Player } from "./player";
import { add, minus, type Vector } from "./orbit";

interface Pointer {
  x: number;
  y: number;
}

/** A pointer that moved less than this many pixels was a click. */
const CLICK = 5;

export class Hand {
  private pointers = new Map<number, Pointer>();
  private start: Pointer = { x: 0, y: 0 };
  private moved = false;
  private held: { body: number; local: [number, number, number]; center: Vector; from: Vector } | undefined;
  private waiting = false;
  private abort = new AbortController();

  constructor(
    private pane: Pane,
    private player: Player,
  ) {
    const { canvas } = pane;
    const signal = this.abort.signal;
    canvas.addEventListener("pointerdown", (event) => this.down(event), { signal });
    canvas.addEventListener("pointermove", (event) => this.move(event), { signal });
    canvas.addEventListener("pointerup", (event) => this.up(event), { signal });
    canvas.addEventListener("pointercancel", (event) => this.up(event), { signal });
    canvas.addEventListener("wheel", (event) => this.wheel(event), { signal, passive: false });
    canvas.addEventListener("dblclick", () => this.fit(), { signal });
  }

  private place(event: MouseEvent): Pointer {
    const box = this.pane.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private down(event: PointerEvent): void {
    const { stage, frame, canvas } = this.pane;
    if (!stage || !frame || event.button > 1) return;
    canvas.setPointerCapture(event.pointerId);
    const place = this.place(event);
    this.pointers.set(event.pointerId, place);
    if (this.pointers.size > 1) {
      this.release();
      return;
    }
    this.start = place;
    this.moved = false;
    const picked = stage.pick(frame, place.x, place.y);
    if (picked?.kind === "body" && event.button === 0) {
      const body = this.pane.drawing!.bodies[picked.index]!;
      if (!body.fixed && !body.kinematic) {
        const local = stage.localPoint(frame, picked.index, place.x, place.y);
        this.held = { body: picked.index, local, center: stage.centerOf(frame, picked.index), from: stage.target(frame, picked.index, place.x, place.y) };
      }
    }
  }

  private move(event: PointerEvent): void {
    const { stage } = this.pane;
    const before = this.pointers.get(event.pointerId);
    if (!stage || !before) {
      this.hover(event);
      return;
    }
    const place = this.place(event);
    if (Math.hypot(place.x - this.start.x, place.y - this.start.y) > CLICK) this.moved = true;
    if (this.pointers.size === 2) this.pinch(event.pointerId, before, place);
    else if (this.held && this.moved) void this.hold(place);
    else if (!this.held && this.moved) stage.pan(place.x - before.x, place.y - before.y, event.shiftKey || (event.buttons & 4) !== 0);
    this.pointers.set(event.pointerId, place);
    this.share();
  }

  private up(event: PointerEvent): void {
    if (!this.pointers.delete(event.pointerId)) return;
    if (!this.moved && this.pointers.size === 0 && event.type === "pointerup") {
      const { stage, frame } = this.pane;
      if (stage && frame) this.player.pick(stage.pick(frame, this.start.x, this.start.y));
    }
    this.release();
  }

  private hover(event: PointerEvent): void {
    const { stage, frame, canvas } = this.pane;
    if (!stage || !frame || event.pointerType === "touch") return;
    const place = this.place(event);
    const picked = stage.pick(frame, place.x, place.y);
    const body = picked?.kind === "body" ? this.pane.drawing!.bodies[picked.index] : undefined;
    const isFree = body && !body.fixed && !body.kinematic;
    canvas.style.cursor = isFree ? (this.player.runner.playing ? "grab" : "move") : picked ? "pointer" : "default";
  }

  /** Tells the engine where the held point is to go; one message at a time. */
  private async hold(place: Pointer): Promise<void> {
    const { stage, frame } = this.pane;
    if (!this.held || !stage || !frame || this.waiting) return;
    this.waiting = true;
    this.pane.canvas.style.cursor = this.player.runner.playing ? "grabbing" : "move";
    this.player.touching.pushed();
    const { body, local, center, from } = this.held;
    if (this.player.runner.playing) {
      await this.player.runner.all({ do: "hold", body, local, target: stage.target(frame, body, place.x, place.y) });
    } else {
      // Time stands still: the body is put where the pointer is.
      for (const pane of this.player.runner.panes) pane.stage?.freeze(true);
      const target = minus(stage.target(frame, body, place.x, place.y), from);
      await this.player.touching.place({ body, position: this.player.touching.snapped(add(center, target)) }, `place ${body}`);
    }
    this.waiting = false;
    // The pointer went on meanwhile.
    const last = [...this.pointers.values()][0];
    if (this.held && last && (last.x !== place.x || last.y !== place.y) && !this.player.runner.playing) void this.hold(last);
  }

  private release(): void {
    if (this.held && this.moved && this.player.runner.playing) void this.player.runner.all({ do: "release" });
    if (this.held && this.moved && !this.player.runner.playing) void this.settle();
    this.held = undefined;
  }

  /** Waits for the last place to be taken, then tells. */
  private async settle(): Promise<void> {
    await this.player.runner.look();
    this.player.touching.dropped();
  }

  private pinch(id: number, before: Pointer, now: Pointer): void {
    const other = [...this.pointers.entries()].find(([key]) => key !== id)?.[1];
    if (!other) return;
    const distance = (p: Pointer) => Math.max(10, Math.hypot(p.x - other.x, p.y - other.y));
    const { stage } = this.pane;
    stage!.pan((now.x - before.x) / 2, (now.y - before.y) / 2, true);
    stage!.zoom(distance(now) / distance(before), (now.x + other.x) / 2, (now.y + other.y) / 2);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { x, y } = this.place(event);
    const lines = event.deltaMode === 1 ? 20 : 1;
    this.pane.stage?.zoom(Math.exp(-Math.max(-200, Math.min(200, event.deltaY * lines)) * 0.002), x, y);
    this.share();
  }

  private fit(): void {
    if (this.pane.frame) this.pane.stage?.fit(this.pane.frame);
    this.share();
  }

  /** All panes look at the same place. */
  private share(): void {
    for (const pane of this.player.runner.panes) {
      if (pane !== this.pane && this.pane.stage) pane.stage?.follow(this.pane.stage);
    }
    this.player.runner.redraw();
  }

  close(): void {
    this.abort.abort();
  }
}
