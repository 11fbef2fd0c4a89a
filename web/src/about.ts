// What the scene says about itself, and whether it is shown as it was opened.
import { h, iconButton } from "./dom";
import { recall, remember } from "./header";
import type { Player } from "./player";

export class About {
  readonly element = h("div", { class: "about" });
  private isHidden = recall("about") === "hidden";

  constructor(private player: Player) {}

  refresh(): void {
    const words = this.player.runner.lead.drawing?.description ?? "";
    const isDraft = this.player.text !== this.player.original;
    const parts: (Node | string)[] = [];
    if (words && !this.isHidden) parts.push(h("p", {}, words));
    if (isDraft) {
      parts.push(
        h("p", { class: "draft" }, "Changed; kept on this device. ", h("button", { type: "button", class: "link", onclick: () => void this.player.revert() }, "Back to the original")),
      );
    }
    if (words && !this.isHidden) parts.push(iconButton("close", "Hide the description", "", () => this.hide()));
    else if (words && isDraft) parts.push(h("span", {}));
    this.element.hidden = parts.length === 0;
    this.element.replaceChildren(...parts);
  }

  private hide(): void {
    this.isHidden = true;
    remember("about", "hidden");
    this.refresh();
  }

  /** From the Layers menu. */
  toggle(): void {
    this.isHidden = !this.isHidden;
    remember("about", this.isHidden ? "hidden" : "shown");
    this.refresh();
  }

  /** As a link wants it, on this visit. */
  show(on: boolean): void {
    this.isHidden = !on;
    this.refresh();
  }

  get shown(): boolean {
    return !this.isHidden;
  }
}
