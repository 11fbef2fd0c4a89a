// A view fills the page until another takes its place.

export interface View {
  close(): void;
  /** A key that was pressed outside of inputs; true when it meant something. */
  key?(event: KeyboardEvent): boolean;
  /** The theme is another now. */
  repaint?(): void;
}

export type Mount = (host: HTMLElement, params: URLSearchParams) => View | Promise<View>;
