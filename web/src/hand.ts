// Pointers on a stage: hold and throw a body, move the view, zoom with wheel or two fingers, click to inspect.
import type { Pane } from "./pane";
import type { Player } from "./player";

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
  private held: { body: number; local: [number, number, number] } | undefined;
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
      if (!body.fixed && !body.scripted) this.held = { body: picked.index, local: stage.localPoint(frame, picked.index, place.x, place.y) };
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
    canvas.style.cursor = body ? (body.fixed ? "pointer" : "grab") : picked ? "pointer" : "default";
  }

  /** Tells the engine where the held point is to go; one message at a time. */
  private async hold(place: Pointer): Promise<void> {
    const { stage, frame } = this.pane;
    if (!this.held || !stage || !frame || this.waiting) return;
    this.waiting = true;
    this.pane.canvas.style.cursor = "grabbing";
    this.player.pushed();
    const target = stage.target(frame, this.held.body, place.x, place.y);
    await this.player.runner.all({ do: "hold", ...this.held, target });
    this.waiting = false;
  }

  private release(): void {
    if (this.held && this.moved) void this.player.runner.all({ do: "release" });
    this.held = undefined;
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
