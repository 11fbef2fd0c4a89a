// A view fills the page until another takes its place.

export interface View {
  close(): void;
  /** A key that was pressed outside of inputs; true when it meant something. */
  key?(event: KeyboardEvent): boolean;
  /** Takes back the last change, or does it again. */
  undo?(again: boolean): void;
  /** Files that were dropped on the page; without it they are opened as scenes. */
  drop?(files: File[]): Promise<void>;
  /** The theme is another now. */
  repaint?(): void;
}

/** Fills a host; `left` says that somebody went elsewhere before it was done. */
export type Mount = (host: HTMLElement, params: URLSearchParams, left: AbortSignal) => View | Promise<View>;
