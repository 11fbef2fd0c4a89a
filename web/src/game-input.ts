// What the player holds down: keys, touch pads, or one press at a time.
import { h } from "./dom";
import { KEYS } from "./game-engine";

const BY_CODE: Record<string, number> = {
  KeyW: KEYS.forward,
  KeyA: KEYS.left,
  KeyS: KEYS.backward,
  KeyD: KEYS.right,
  ArrowUp: KEYS.forward,
  ArrowLeft: KEYS.left,
  ArrowDown: KEYS.backward,
  ArrowRight: KEYS.right,
};
const BY_LETTER: Record<string, number> = { w: KEYS.forward, a: KEYS.left, s: KEYS.backward, d: KEYS.right };

/** Ticks that a pad lasts when it is pressed by a key or a switch, which cannot hold it. */
const PULSE = 12;

export class Input {
  private held = new Map<string, number>();
  private pulses = new Map<number, number>();

  constructor(private onFirst: () => void) {}

  /** The mask of an engine that a key means, on any layout of keys. */
  static engine(event: KeyboardEvent): number {
    return BY_LETTER[event.key.toLowerCase()] ?? BY_CODE[event.code] ?? 0;
  }

  press(name: string, mask: number): void {
    this.held.set(name, mask);
    this.onFirst();
  }

  release(name: string): void {
    this.held.delete(name);
  }

  releaseAll(): void {
    this.held.clear();
    this.pulses.clear();
  }

  private padded = 0;

  /**
   * A gamepad, where one is there: the left stick or the cross turns, the right trigger or the
   * first button thrusts, the left trigger or the second brakes. True when its start button was
   * just pressed.
   */
  poll(): boolean {
    const pad = navigator.getGamepads?.().find((found) => found?.connected);
    const down = (button: number) => (pad?.buttons[button]?.value ?? 0) > 0.3;
    const before = this.padded;
    this.padded = 0;
    if (!pad) return false;
    const side = pad.axes[0] ?? 0;
    if (side < -0.35 || down(14)) this.padded |= KEYS.left;
    if (side > 0.35 || down(15)) this.padded |= KEYS.right;
    if (down(7) || down(0) || down(12)) this.padded |= KEYS.forward;
    if (down(6) || down(1) || down(13)) this.padded |= KEYS.backward;
    if (this.padded !== 0 && before === 0) this.onFirst();
    const start = down(9);
    const pressed = start && !this.started;
    this.started = start;
    return pressed;
  }

  private started = false;

  /** The mask of the tick that comes. */
  take(): number {
    let mask = this.padded;
    for (const bits of this.held.values()) mask |= bits;
    for (const [bits, left] of this.pulses) {
      mask |= bits;
      if (left > 1) this.pulses.set(bits, left - 1);
      else this.pulses.delete(bits);
    }
    return mask;
  }

  /** Touch pads: turning for the left thumb, thrust for the right one. */
  pads(): HTMLElement {
    const pad = (label: string, sign: string, mask: number) => {
      const name = `pad-${mask}`;
      const button = h("button", { type: "button", class: "pad", "aria-label": label }, sign);
      button.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        button.setPointerCapture(event.pointerId);
        button.classList.add("down");
        this.press(name, mask);
      });
      const up = () => {
        button.classList.remove("down");
        this.release(name);
      };
      for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(end, up);
      button.addEventListener("contextmenu", (event) => event.preventDefault());
      button.addEventListener("click", (event) => {
        if (event.detail !== 0) return;
        this.pulses.set(mask, PULSE);
        this.onFirst();
      });
      return button;
    };
    return h(
      "div",
      { class: "pads", role: "group", "aria-label": "Engines" },
      h("div", {}, pad("Turn left", "⟲", KEYS.left), pad("Turn right", "⟳", KEYS.right)),
      h("div", {}, pad("Brake", "▼", KEYS.backward), pad("Thrust", "▲", KEYS.forward)),
    );
  }
}
