// Bodies and edges grouped by what they look like: a group is drawn as one path.
import type { Drawing } from "./engine/protocol";
import { faint, mix, type Palette, readable } from "./palette";

/** Bodies of one colour, fill and shape. */
export interface Look {
  rim: string;
  fill: string;
  discs: number[];
  polygons: number[];
}

/** Edges of one colour and radius. */
export interface EdgeLook {
  color: string;
  radius: number;
  members: number[];
}

export function looksOf(drawing: Drawing, colors: Palette): Look[] {
  const looks = new Map<string, Look>();
  const particles = drawing.family === "particles";
  drawing.bodies.forEach((body, index) => {
    if (body.shape === "plane") return;
    const own = particles
      ? body.fixed ? colors.fixedParticle : colors.particle
      : body.fixed ? colors.fixedBody : colors.body;
    const color = readable(body.color ?? own, colors);
    const solid = body.solid || body.shape === "disc";
    const key = `${color} ${solid} ${body.fixed}`;
    let look = looks.get(key);
    if (!look) {
      const rim = particles ? mix(color, colors.dark ? "#ffffff" : "#000000", 0.35) : color;
      const inside = particles ? color : solid ? mix(color, colors.paper, colors.dark ? 0.35 : 0.45) : faint(color, body.fixed ? 0 : 0.1);
      look = { rim, fill: inside, discs: [], polygons: [] };
      looks.set(key, look);
    }
    (body.shape === "disc" ? look.discs : look.polygons).push(index);
  });
  return [...looks.values()];
}

export function edgeLooksOf(drawing: Drawing, colors: Palette): EdgeLook[] {
  const edges = new Map<string, EdgeLook>();
  (drawing.edges ?? []).forEach((edge, index) => {
    const color = readable(edge.color ?? colors.edge, colors);
    const key = `${color} ${edge.radius}`;
    if (!edges.has(key)) edges.set(key, { color, radius: edge.radius, members: [] });
    edges.get(key)!.members.push(index);
  });
  return [...edges.values()];
}
