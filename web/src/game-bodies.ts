// Bodies of the game, drawn in scene units with y upwards. The sun stands at the upper left; what
// spins turns under its light.
import { KEYS, type Look } from "./game-engine";

type Brush = CanvasRenderingContext2D;
/** Towards the sun on the screen. */
const SUN: [number, number] = [-0.64, 0.77];
/** Towards the sun in the field, which may lie on its side. */
let sun = SUN;
let upright = 0;
const ROUND = 6.2832;

const STONES = [
  ["#cbbba5", "#8a7c6c", "#3a332d"],
  ["#b9b4b0", "#75706d", "#2e2b2b"],
  ["#c9a98a", "#86674e", "#35261c"],
  ["#a9b3bd", "#69727c", "#272c32"],
] as const;

/** The field is shown turned by this angle: light and Earth stay as they are on the screen. */
export function turnLight(angle: number): void {
  upright = angle;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  sun = [cos * SUN[0] + sin * SUN[1], cos * SUN[1] - sin * SUN[0]];
}

/** The same bits of surface for the same body, always. */
function surface(body: number, k: number): number {
  const x = Math.sin(body * 127.1 + k * 311.7) * 43758.5453;
  return x - Math.floor(x);
}

export function drawDisc(brush: Brush, x: number, y: number, angle: number, radius: number, body: number): void {
  const stone = STONES[body % STONES.length]!;
  brush.save();
  brush.translate(x, y);
  const light = brush.createRadialGradient(sun[0] * radius * 0.5, sun[1] * radius * 0.5, radius * 0.1, 0, 0, radius);
  light.addColorStop(0, stone[0]);
  light.addColorStop(0.65, stone[1]);
  light.addColorStop(1, stone[2]);
  brush.beginPath();
  brush.arc(0, 0, radius, 0, ROUND);
  brush.fillStyle = light;
  brush.fill();
  brush.clip();
  const craters = 4 + (body % 4);
  for (let k = 0; k < craters; k += 1) {
    const [far, turn, size] = [radius * (0.15 + 0.72 * surface(body, k)), angle + ROUND * surface(body, k + 20), radius * (0.1 + 0.17 * surface(body, k + 40))];
    const [cx, cy] = [far * Math.cos(turn), far * Math.sin(turn)];
    brush.beginPath();
    brush.arc(cx - sun[0] * size * 0.18, cy - sun[1] * size * 0.18, size, 0, ROUND);
    brush.fillStyle = "rgb(255 245 225 / 0.20)";
    brush.fill();
    brush.beginPath();
    brush.arc(cx, cy, size * 0.92, 0, ROUND);
    brush.fillStyle = "rgb(20 15 12 / 0.38)";
    brush.fill();
  }
  const shade = brush.createRadialGradient(sun[0] * radius * 0.7, sun[1] * radius * 0.7, radius * 0.6, sun[0] * radius * 0.35, sun[1] * radius * 0.35, radius * 1.5);
  shade.addColorStop(0, "transparent");
  shade.addColorStop(1, "rgb(2 3 10 / 0.85)");
  brush.fillStyle = shade;
  brush.fillRect(-radius, -radius, 2 * radius, 2 * radius);
  brush.restore();
}

export function drawShard(brush: Brush, x: number, y: number, angle: number, look: Look, body: number): void {
  const stone = STONES[(body + 1) % STONES.length]!;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const corners = look.outline.map(([px, py]): [number, number] => [x + cos * px - sin * py, y + sin * px + cos * py]);
  brush.lineJoin = "round";
  brush.lineWidth = 2 * look.radius;
  corners.forEach((corner, k) => {
    const next = corners[(k + 1) % corners.length]!;
    const [mx, my] = [(corner[0] + next[0]) / 2 - x, (corner[1] + next[1]) / 2 - y];
    const facing = (mx * sun[0] + my * sun[1]) / Math.hypot(mx, my);
    brush.fillStyle = mix(stone, 0.5 + 0.42 * facing + 0.14 * (surface(body, k) - 0.5));
    brush.strokeStyle = brush.fillStyle;
    brush.beginPath();
    brush.moveTo(x, y);
    brush.lineTo(...corner);
    brush.lineTo(...next);
    brush.closePath();
    brush.fill();
    brush.beginPath();
    brush.moveTo(...corner);
    brush.lineTo(...next);
    brush.stroke();
  });
}

/** From dark (0) over middle to light (1). */
function mix([light, middle, dark]: readonly [string, string, string], amount: number): string {
  const at = Math.max(0, Math.min(1, amount));
  const [from, to, part] = at < 0.5 ? [dark, middle, 2 * at] : [middle, light, 2 * at - 1];
  const channel = (color: string, k: number) => Number.parseInt(color.slice(1 + 2 * k, 3 + 2 * k), 16);
  const mixed = [0, 1, 2].map((k) => Math.round(channel(from, k) * (1 - part) + channel(to, k) * part));
  return `rgb(${mixed.join(" ")})`;
}

const LANDS: [number, number, number, number][] = [
  [-0.5, 0.35, 0.42, 0.3],
  [-0.3, -0.35, 0.22, 0.42],
  [0.35, 0.3, 0.5, 0.26],
  [0.55, -0.25, 0.26, 0.3],
  [1.3, 0.1, 0.4, 0.36],
  [1.5, -0.5, 0.24, 0.16],
  [-1.2, 0.0, 0.34, 0.44],
];

export function drawEarth(brush: Brush, x: number, y: number, radius: number, seconds: number): void {
  brush.save();
  brush.translate(x, y);
  brush.rotate(-upright);
  const air = brush.createRadialGradient(0, 0, radius * 0.95, 0, 0, radius * 1.45);
  air.addColorStop(0, "rgb(110 190 255 / 0.55)");
  air.addColorStop(1, "transparent");
  brush.fillStyle = air;
  brush.beginPath();
  brush.arc(0, 0, radius * 1.45, 0, ROUND);
  brush.fill();
  brush.beginPath();
  brush.arc(0, 0, radius, 0, ROUND);
  const sea = brush.createRadialGradient(SUN[0] * radius * 0.5, SUN[1] * radius * 0.5, 0, 0, 0, radius);
  sea.addColorStop(0, "#4fb0ff");
  sea.addColorStop(0.6, "#1b6fd0");
  sea.addColorStop(1, "#0a2f74");
  brush.fillStyle = sea;
  brush.fill();
  brush.clip();
  const turn = 0.03 * seconds;
  for (const [lx, ly, width, height] of LANDS) {
    // Lands move with the turning globe and come in again on the other side.
    const across = ((((lx + turn + 1.6) % 3.2) + 3.2) % 3.2) - 1.6;
    brush.fillStyle = "#4b9a58";
    brush.beginPath();
    brush.ellipse(across * radius, ly * radius, width * radius, height * radius, lx, 0, ROUND);
    brush.fill();
    brush.fillStyle = "rgb(196 176 110 / 0.55)";
    brush.beginPath();
    brush.ellipse(across * radius, (ly - 0.05) * radius, 0.5 * width * radius, 0.45 * height * radius, lx + 0.6, 0, ROUND);
    brush.fill();
  }
  brush.fillStyle = "rgb(255 255 255 / 0.85)";
  for (const pole of [1, -1]) {
    brush.beginPath();
    brush.ellipse(0, pole * radius * 0.98, 0.5 * radius, 0.16 * radius, 0, 0, ROUND);
    brush.fill();
  }
  brush.strokeStyle = "rgb(255 255 255 / 0.45)";
  brush.lineWidth = 0.07 * radius;
  brush.lineCap = "round";
  for (let k = 0; k < 7; k += 1) {
    const drift = ((((surface(3, k) * 3 + 0.05 * seconds) % 3) + 3) % 3) - 1.5;
    const high = (surface(5, k) - 0.5) * 1.5 * radius;
    brush.beginPath();
    brush.moveTo((drift - 0.2) * radius, high);
    brush.quadraticCurveTo(drift * radius, high + 0.12 * radius, (drift + 0.25) * radius, high);
    brush.stroke();
  }
  const night = brush.createRadialGradient(SUN[0] * radius * 0.8, SUN[1] * radius * 0.8, radius * 0.7, SUN[0] * radius * 0.5, SUN[1] * radius * 0.5, radius * 1.75);
  night.addColorStop(0, "transparent");
  night.addColorStop(1, "rgb(2 4 18 / 0.92)");
  brush.fillStyle = night;
  brush.fillRect(-radius, -radius, 2 * radius, 2 * radius);
  brush.restore();
}

export function drawShip(brush: Brush, x: number, y: number, angle: number, look: Look, burning: number, seconds: number): void {
  const [nose, port, starboard] = look.outline as [[number, number], [number, number], [number, number]];
  const flicker = 0.85 + 0.15 * Math.sin(seconds * 61) + 0.08 * Math.sin(seconds * 97);
  brush.save();
  brush.translate(x, y);
  brush.rotate(angle);
  if (burning & KEYS.forward) {
    flame(brush, port[0] - 0.02, 0, 0.26, 1.25 * flicker, Math.PI, true);
  }
  if (burning & KEYS.backward) {
    flame(brush, 0.35, 0.2, 0.09, 0.5 * flicker, 0.25, false);
    flame(brush, 0.35, -0.2, 0.09, 0.5 * flicker, -0.25, false);
  }
  // A jet at the nose pushes it the other way; its twin at the tail makes it a turn.
  if (burning & KEYS.left) {
    flame(brush, 0.5, -0.1, 0.07, 0.4 * flicker, -Math.PI / 2, false);
    flame(brush, -0.32, 0.42, 0.07, 0.4 * flicker, Math.PI / 2, false);
  }
  if (burning & KEYS.right) {
    flame(brush, 0.5, 0.1, 0.07, 0.4 * flicker, Math.PI / 2, false);
    flame(brush, -0.32, -0.42, 0.07, 0.4 * flicker, -Math.PI / 2, false);
  }
  brush.lineJoin = "round";
  brush.lineWidth = 2 * look.radius;
  const hull = brush.createLinearGradient(0, 0.45, 0, -0.45);
  const up = Math.cos(angle + upright) >= 0;
  hull.addColorStop(up ? 0 : 1, "#f4f7ff");
  hull.addColorStop(0.5, "#b7c4dd");
  hull.addColorStop(up ? 1 : 0, "#5a6a8c");
  brush.fillStyle = hull;
  brush.strokeStyle = hull;
  brush.beginPath();
  brush.moveTo(...nose);
  brush.lineTo(...port);
  brush.lineTo(port[0] + 0.12, 0);
  brush.lineTo(...starboard);
  brush.closePath();
  brush.fill();
  brush.stroke();
  brush.fillStyle = "#e4573d";
  for (const side of [1, -1]) {
    brush.beginPath();
    brush.moveTo(-0.02, side * 0.27);
    brush.lineTo(-0.4, side * 0.43);
    brush.lineTo(-0.34, side * 0.2);
    brush.closePath();
    brush.fill();
  }
  const glass = brush.createRadialGradient(0.28, 0.03, 0, 0.22, 0, 0.2);
  glass.addColorStop(0, "#dff6ff");
  glass.addColorStop(1, "#1f6fae");
  brush.fillStyle = glass;
  brush.beginPath();
  brush.ellipse(0.2, 0, 0.17, 0.09, 0, 0, ROUND);
  brush.fill();
  brush.restore();
}

function flame(brush: Brush, x: number, y: number, width: number, length: number, direction: number, big: boolean): void {
  brush.save();
  brush.translate(x, y);
  brush.rotate(direction);
  const heat = brush.createLinearGradient(0, 0, length, 0);
  heat.addColorStop(0, "#ffffff");
  heat.addColorStop(0.2, big ? "#ffe08a" : "#bfe6ff");
  heat.addColorStop(0.55, big ? "rgb(255 130 40 / 0.85)" : "rgb(110 180 255 / 0.7)");
  heat.addColorStop(1, "transparent");
  brush.fillStyle = heat;
  brush.beginPath();
  brush.moveTo(0, width);
  brush.quadraticCurveTo(length * 0.5, width * 0.9, length, 0);
  brush.quadraticCurveTo(length * 0.5, -width * 0.9, 0, -width);
  brush.closePath();
  brush.fill();
  brush.restore();
}
