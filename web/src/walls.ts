// Half-planes of a picture.
import type { Drawing } from "./engine/protocol";

/** A half-plane: of particles where the scene has it, of rigid bodies where the frame has it. */
export interface Wall {
  point: [number, number];
  normal: [number, number];
  color: string | null;
}

export function walls(drawing: Drawing, positions: ArrayLike<number>): Wall[] {
  const bodies = drawing.family === "rigid-bodies" ? drawing.bodies : [];
  const planes = bodies.flatMap(({ shape, normal, color }, index): Wall[] => {
    if (shape !== "plane") return [];
    const [x, y, angle] = [0, 1, 2].map((k) => positions[3 * index + k]!) as [number, number, number];
    const [[nx, ny], s, c] = [normal!, Math.sin(angle), Math.cos(angle)];
    return [{ point: [x, y], normal: [c * nx - s * ny, s * nx + c * ny], color }];
  });
  return [...(drawing.obstacles ?? []), ...planes];
}
