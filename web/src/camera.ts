// From the plane (y up) to a picture (y down), one scale for both axes.
import type { Drawing } from "./engine/protocol";
import { type Wall, walls } from "./walls";

const MARGIN = 0.06;
/**
 * A fitted view widens until it is this many times as large as what most bodies need: a few that
 * fly off are not followed for ever.
 */
const FAR_FACTOR = 2;
/** More bodies than this are not sorted in every picture to tell a few from most. */
const MOST_SORTED = 2000;
/** Width over height of the window that a scene's viewport is written for. */
const WIDE = 16 / 9;
const ZOOM_LIMITS = [1e-6, 1e9] as const;

interface Box {
  low: [number, number];
  high: [number, number];
}

/** What a fit shows; cameras side by side share it. */
interface Fitted extends Box {
  /** How far it may widen. */
  limit: Box;
}

export class Camera {
  x = 0;
  y = 0;
  /** Pixels for each unit of length. */
  scale = 100;
  width = 1;
  height = 1;
  /** Whether the viewer moved it; a fit follows the size of the picture until then. */
  moved = false;
  /**
   * Half the width and height that the viewer chose to see: shown whole in a picture of any size.
   */
  seen: [number, number] | undefined;
  /** A hand places bodies: the view does not run away under it. */
  frozen = false;
  private fitted: Fitted | undefined;
  /** How far each body reaches from its place. */
  private reaches: number[] = [];

  toScreen(x: number, y: number): [number, number] {
    return [this.width / 2 + (x - this.x) * this.scale, this.height / 2 - (y - this.y) * this.scale];
  }

  toPlane(sx: number, sy: number): [number, number] {
    return [this.x + (sx - this.width / 2) / this.scale, this.y - (sy - this.height / 2) / this.scale];
  }

  pan(dx: number, dy: number): void {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
    this.keep();
  }

  /** The viewer chose what is seen now. */
  private keep(): void {
    this.moved = true;
    this.seen = [this.width / 2 / this.scale, this.height / 2 / this.scale];
  }

  /** Looks at a place, so that so much is seen to either side of it. */
  lookAt(x: number, y: number, seen: [number, number]): void {
    [this.x, this.y] = [x, y];
    this.seen = seen;
    this.moved = true;
    this.refit();
  }

  /** Zooms so that the point under (sx, sy) stays there. */
  zoom(factor: number, sx: number, sy: number): void {
    const [x, y] = this.toPlane(sx, sy);
    this.scale = Math.min(Math.max(this.scale * factor, ZOOM_LIMITS[0]), ZOOM_LIMITS[1]);
    const [nx, ny] = this.toPlane(sx, sy);
    this.x += x - nx;
    this.y += y - ny;
    this.keep();
  }

  /** The scene's own viewport where it has one, else everything with a margin. */
  fit(drawing: Drawing, positions: Float64Array, stride: number): void {
    this.moved = false;
    this.seen = undefined;
    this.fitted = undefined;
    const viewport = drawing.viewport;
    // A half-plane reaches everywhere: it is no part of the box.
    this.reaches = drawing.bodies.map((body) => (body.shape === "plane" ? NaN : body.radius + Math.max(0, ...(body.points ?? []).map(([x, y]) => Math.hypot(x!, y!)))));
    const box = bounds(this.reaches, positions, stride);
    if (viewport && viewport.size > 0) {
      [this.x, this.y] = viewport.center;
      this.scale = Math.min(this.width, this.height) / (2 * viewport.size);
      // Viewports are written for wide windows: a narrower picture, a phone's or one beside a
      // panel, shows what stands beside the square too.
      const beside = box ? Math.max(this.x - box.low[0], box.high[0] - this.x) / (1 - MARGIN) : 0;
      this.scale = Math.min(this.scale, this.width / (2 * Math.min(beside, WIDE * viewport.size)));
      return;
    }
    if (!box) {
      this.show({ low: [-0.5, -0.5], high: [0.5, 0.5] });
      return;
    }
    includeWalls(walls(drawing, positions), box.low, box.high);
    this.fitted = { ...box, limit: around(box) };
    this.show(box);
  }

  /** Shows the same in a picture of another size; false where nothing was fitted. */
  refit(): boolean {
    if (this.moved && this.seen) {
      this.scale = Math.min(this.width / 2 / this.seen[0], this.height / 2 / this.seen[1]);
      return true;
    }
    if (this.fitted) this.show(this.fitted);
    return this.fitted !== undefined;
  }

  /**
   * The same view as another camera: the same place and all that is seen there, in a picture that
   * may have another size.
   */
  follow(other: Camera): void {
    const { x, y, moved, fitted, seen } = other;
    const share = Math.min(this.width, this.height) / Math.min(other.width, other.height);
    Object.assign(this, { x, y, moved, fitted, seen, scale: other.scale * share });
    if (moved || fitted) this.refit();
  }

  /** Widens a fitted view that nobody moved when bodies leave it. */
  widen(positions: Float64Array, stride: number): void {
    const { fitted } = this;
    if (this.moved || this.frozen || !fitted) return;
    const box = bounds(this.reaches, positions, stride);
    if (!box) return;
    const { limit } = fitted;
    if (!holds(limit, box) && this.reaches.length <= MOST_SORTED) grow(limit, around(most(positions, stride)));
    const within = ([0, 1] as const).map((axis) => [Math.max(box.low[axis], limit.low[axis]), Math.min(box.high[axis], limit.high[axis])] as const);
    grow(fitted, { low: [within[0]![0], within[1]![0]], high: [within[0]![1], within[1]![1]] });
    this.show(fitted);
  }

  private show({ low, high }: Box): void {
    // Without size, one unit of room is as good as any.
    const least = 1e-6 * Math.max(high[0] - low[0], high[1] - low[1]) || 1;
    const size = [Math.max(high[0] - low[0], least), Math.max(high[1] - low[1], least)] as const;
    if (!Number.isFinite(size[0] + size[1])) return;
    [this.x, this.y] = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    const room = 1 - 2 * MARGIN;
    this.scale = Math.min((this.width * room) / size[0], (this.height * room) / size[1]);
  }
}

/** The square with the same middle that is larger by the factor that a view may widen. */
function around({ low, high }: Box): Box {
  const [x, y] = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
  const far = (FAR_FACTOR * (Math.max(high[0] - low[0], high[1] - low[1]) || 1)) / 2;
  return { low: [x - far, y - far], high: [x + far, y + far] };
}

function holds(outer: Box, inner: Box): boolean {
  return ([0, 1] as const).every((axis) => inner.low[axis] >= outer.low[axis] && inner.high[axis] <= outer.high[axis]);
}

function grow(box: Box, other: Box): void {
  for (const axis of [0, 1] as const) {
    box.low[axis] = Math.min(box.low[axis], other.low[axis]);
    box.high[axis] = Math.max(box.high[axis], other.high[axis]);
  }
}

/** Where the bodies are but for the outermost tenth at each end, or one of three and more. */
function most(positions: Float64Array, stride: number): Box {
  const ends = ([0, 1] as const).map((axis) => {
    const places = positions.filter((place, k) => k % stride === axis && Number.isFinite(place)).sort();
    const few = places.length < 3 ? 0 : Math.max(1, Math.floor(places.length / 10));
    return [places[few]!, places[places.length - 1 - few]!] as const;
  });
  return { low: [ends[0]![0], ends[1]![0]], high: [ends[0]![1], ends[1]![1]] };
}

/** The smallest box around all bodies whose places are numbers. */
function bounds(reaches: number[], positions: Float64Array, stride: number): Box | undefined {
  const low: [number, number] = [Infinity, Infinity];
  const high: [number, number] = [-Infinity, -Infinity];
  reaches.forEach((reach, index) => {
    const [x, y] = [positions[stride * index]!, positions[stride * index + 1]!];
    if (!Number.isFinite(x + y + reach)) return;
    low[0] = Math.min(low[0], x - reach);
    low[1] = Math.min(low[1], y - reach);
    high[0] = Math.max(high[0], x + reach);
    high[1] = Math.max(high[1], y + reach);
  });
  return low[0] <= high[0] ? { low, high } : undefined;
}

/** Walls that are not much farther away than the bodies are large belong into the picture. */
function includeWalls(all: Wall[], low: [number, number], high: [number, number]): void {
  const middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2] as const;
  const reach = 1.5 * Math.max(high[0] - low[0], high[1] - low[1]);
  for (const { point, normal } of all) {
    const length = Math.hypot(normal[0], normal[1]);
    const distance = ((middle[0] - point[0]) * normal[0] + (middle[1] - point[1]) * normal[1]) / length;
    if (!(Math.abs(distance) <= reach)) continue;
    const foot = [middle[0] - (distance * normal[0]) / length, middle[1] - (distance * normal[1]) / length] as const;
    for (const axis of [0, 1] as const) {
      low[axis] = Math.min(low[axis], foot[axis]);
      high[axis] = Math.max(high[axis], foot[axis]);
    }
  }
}
