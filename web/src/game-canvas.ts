// The sky of the game: stars, Earth, asteroids in the light of a sun at the upper left, and the
// ship.
import { type Gauges, KEYS, type Look, type Rules } from "./game-engine";
import { drawDisc, drawEarth, drawShard, drawShip, turnLight } from "./game-bodies";

interface Spark {
  x: number;
  y: number;
  vx: number;
  vy: number;
  age: number;
  life: number;
  color: string;
  size: number;
}

interface Star {
  x: number;
  y: number;
  size: number;
  phase: number;
  color: string;
}

export interface Scenery {
  before: Float64Array;
  now: Float64Array;
  /** How far between the two, from 0 to 1. */
  between: number;
  gauges: Gauges;
  /** Seconds for twinkling and turning; it stands still for people who want no motion. */
  seconds: number;
  shipIsThere: boolean;
  /** The best flight, flown along. */
  ghost: { before: Float64Array; now: Float64Array } | undefined;
  /** People who want no motion get no sparks and no twinkling. */
  isStill: boolean;
}

/**
 * Numbers that look random and are the same every time: `Math.random` would make the stars jump
 * when the window is resized.
 */
function scatter(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

export class Sky {
  private context: CanvasRenderingContext2D;
  private backdrop = document.createElement("canvas");
  private stars: Star[] = [];
  private sparks: Spark[] = [];
  private trail: [number, number][] = [];
  private scale = 1;
  private ratio = 1;
  private turned = 0;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private rules: Rules,
    private looks: Look[],
  ) {
    this.context = canvas.getContext("2d")!;
    const random = scatter(20261115);
    const colors = ["#ffffff", "#cfe0ff", "#ffe7c7", "#d9d4ff"];
    this.stars = Array.from({ length: 90 }, () => ({ x: random(), y: random(), size: 0.5 + 1.2 * random() ** 3, phase: 6.28 * random(), color: colors[Math.floor(4 * random())]! }));
    this.resize();
  }

  /** Another field in the same sky. */
  change(looks: Look[]): void {
    this.looks = looks;
    this.sparks = [];
    this.trail = [];
  }

  forgetTrail(): void {
    this.trail = [];
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    this.ratio = Math.min(devicePixelRatio || 1, 2);
    const [width, height] = [Math.max(1, Math.round(clientWidth * this.ratio)), Math.max(1, Math.round(clientHeight * this.ratio))];
    if (this.canvas.width === width && this.canvas.height === height) return;
    [this.canvas.width, this.canvas.height] = [width, height];
    // On a phone held upright the field stands on its side: the ship flies up, and twice as large.
    const stands = height > 1.2 * width;
    const [wide, high] = stands ? [this.rules.halfHeight, this.rules.halfWidth] : [this.rules.halfWidth, this.rules.halfHeight];
    this.scale = Math.min(width / (2 * wide), height / (2 * high));
    this.turned = stands ? Math.PI / 2 : 0;
    turnLight(this.turned);
    this.paintBackdrop(width, height);
  }

  /** Sparks at a place: of a bounce, or of a ship that breaks. */
  burst(x: number, y: number, strength: number, colors: string[]): void {
    const count = Math.min(90, Math.round(4 + 6 * strength));
    for (let k = 0; k < count && this.sparks.length < 400; k += 1) {
      const [angle, speed] = [6.28 * Math.random(), (0.4 + Math.random()) * Math.min(6, 0.8 + strength)];
      this.sparks.push({ x, y, vx: speed * Math.cos(angle), vy: speed * Math.sin(angle), age: 0, life: 0.3 + 0.9 * Math.random() * Math.min(1, strength), color: colors[k % colors.length]!, size: 0.03 + 0.06 * Math.random() });
    }
  }

  draw(scenery: Scenery, elapsed: number): void {
    const { context, canvas } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.backdrop, 0, 0);
    this.twinkle(scenery.seconds);
    context.setTransform(this.scale, 0, 0, -this.scale, canvas.width / 2, canvas.height / 2);
    context.rotate(this.turned);
    this.drawBorder();
    const place = (body: number) => this.between(scenery, body);
    const [earthX, earthY] = place(1);
    this.drawDock(earthX, earthY, scenery);
    drawEarth(context, earthX, earthY, this.looks[1]!.radius, scenery.seconds);
    for (let body = 2; body < this.looks.length; body += 1) {
      const [x, y, angle] = place(body);
      const look = this.looks[body]!;
      if (look.outline.length === 0) drawDisc(context, x, y, angle, look.radius, body);
      else drawShard(context, x, y, angle, look, body);
    }
    if (scenery.ghost) {
      const [x, y, angle] = this.between({ ...scenery, ...scenery.ghost }, 0);
      context.globalAlpha = 0.35;
      drawShip(context, x, y, angle, this.looks[0]!, 0, 0);
      context.globalAlpha = 1;
    }
    if (scenery.isStill) this.sparks = [];
    if (scenery.shipIsThere) {
      const [x, y, angle] = place(0);
      this.drawTrail(x, y);
      this.drawHeading(x, y, scenery.gauges);
      drawShip(context, x, y, angle, this.looks[0]!, scenery.gauges.burning, scenery.seconds);
      if (scenery.gauges.burning & KEYS.forward && elapsed > 0) this.exhaust(x, y, angle, scenery.gauges.velocity);
    }
    this.drawSparks(elapsed);
  }

  /** A body between two ticks; one that jumped to the other side is where it is now. */
  private between({ before, now, between }: Scenery, body: number): [number, number, number] {
    const at = (k: number) => {
      const [from, to] = [before[3 * body + k]!, now[3 * body + k]!];
      return Math.abs(to - from) > this.rules.halfHeight ? to : from + (to - from) * between;
    };
    return [at(0), at(1), at(2)];
  }

  private paintBackdrop(width: number, height: number): void {
    [this.backdrop.width, this.backdrop.height] = [width, height];
    const context = this.backdrop.getContext("2d")!;
    const deep = context.createLinearGradient(0, 0, width, height);
    deep.addColorStop(0, "#0b1024");
    deep.addColorStop(0.55, "#070a18");
    deep.addColorStop(1, "#05060f");
    context.fillStyle = deep;
    context.fillRect(0, 0, width, height);
    const clouds: [number, number, number, string][] = [
      [0.18, 0.2, 0.55, "rgb(88 70 170 / 0.20)"],
      [0.78, 0.72, 0.6, "rgb(20 110 140 / 0.18)"],
      [0.55, 0.1, 0.4, "rgb(170 60 100 / 0.10)"],
    ];
    for (const [x, y, size, color] of clouds) {
      const radius = size * Math.max(width, height);
      const glow = context.createRadialGradient(x * width, y * height, 0, x * width, y * height, radius);
      glow.addColorStop(0, color);
      glow.addColorStop(1, "transparent");
      context.fillStyle = glow;
      context.fillRect(0, 0, width, height);
    }
    const random = scatter(7);
    for (let k = 0; k < 420; k += 1) {
      context.globalAlpha = 0.15 + 0.6 * random() ** 2;
      context.fillStyle = random() > 0.8 ? "#ffdcb8" : "#dfe8ff";
      const size = (0.4 + 0.7 * random()) * this.ratio;
      context.fillRect(random() * width, random() * height, size, size);
    }
    context.globalAlpha = 1;
  }

  private twinkle(seconds: number): void {
    const { context, canvas, ratio } = this;
    for (const star of this.stars) {
      context.globalAlpha = 0.55 + 0.4 * Math.sin(star.phase + 1.4 * seconds);
      context.fillStyle = star.color;
      context.beginPath();
      context.arc(star.x * canvas.width, star.y * canvas.height, star.size * ratio, 0, 6.2832);
      context.fill();
    }
    context.globalAlpha = 1;
  }

  private drawBorder(): void {
    const { context, rules } = this;
    context.strokeStyle = "rgb(150 180 255 / 0.28)";
    context.lineWidth = 1.5 / this.scale;
    context.setLineDash([0.5, 0.35]);
    context.strokeRect(-rules.halfWidth + 0.03, -rules.halfHeight + 0.03, 2 * rules.halfWidth - 0.06, 2 * rules.halfHeight - 0.06);
    context.setLineDash([]);
  }

  /** The ring to reach, green when the ship is slow and straight enough. */
  private drawDock(x: number, y: number, { gauges, seconds }: Scenery): void {
    const { context, rules } = this;
    const good = gauges.speed <= rules.dockSpeed && Math.abs(gauges.spin) <= rules.dockSpin;
    context.strokeStyle = good ? "rgb(96 230 160 / 0.9)" : "rgb(255 196 92 / 0.75)";
    context.fillStyle = good ? "rgb(96 230 160 / 0.06)" : "rgb(255 196 92 / 0.04)";
    context.lineWidth = 0.07;
    context.setLineDash([0.35, 0.25]);
    context.lineDashOffset = -0.4 * seconds;
    context.beginPath();
    context.arc(x, y, rules.dockDistance, 0, 6.2832);
    context.fill();
    context.stroke();
    context.setLineDash([]);
  }

  private drawTrail(x: number, y: number): void {
    const last = this.trail.at(-1);
    if (last === undefined || Math.hypot(x - last[0], y - last[1]) > 0.15) this.trail.push([x, y]);
    if (this.trail.length > 60) this.trail.shift();
    const { context } = this;
    context.lineWidth = 0.07;
    context.lineCap = "round";
    for (let k = 1; k < this.trail.length; k += 1) {
      context.strokeStyle = `rgb(130 190 255 / ${(0.35 * k) / this.trail.length})`;
      context.beginPath();
      context.moveTo(...this.trail[k - 1]!);
      context.lineTo(...this.trail[k]!);
      context.stroke();
    }
  }

  /** Where the ship goes, in a second. */
  private drawHeading(x: number, y: number, { velocity: [vx, vy], speed }: Gauges): void {
    if (speed < 0.15) return;
    const { context } = this;
    context.strokeStyle = "rgb(160 220 255 / 0.55)";
    context.lineWidth = 0.05;
    context.setLineDash([0.12, 0.14]);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + vx, y + vy);
    context.stroke();
    context.setLineDash([]);
  }

  private exhaust(x: number, y: number, angle: number, [vx, vy]: [number, number]): void {
    if (this.sparks.length > 300) return;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const aside = (Math.random() - 0.5) * 1.2;
    this.sparks.push({ x: x - 0.5 * cos, y: y - 0.5 * sin, vx: vx - 5 * cos - aside * sin, vy: vy - 5 * sin + aside * cos, age: 0, life: 0.35, color: "#ffb454", size: 0.05 });
  }

  private drawSparks(elapsed: number): void {
    const { context } = this;
    this.sparks = this.sparks.filter((spark) => (spark.age += elapsed) < spark.life);
    for (const spark of this.sparks) {
      spark.x += spark.vx * elapsed;
      spark.y += spark.vy * elapsed;
      context.globalAlpha = 1 - spark.age / spark.life;
      context.fillStyle = spark.color;
      context.beginPath();
      context.arc(spark.x, spark.y, spark.size, 0, 6.2832);
      context.fill();
    }
    context.globalAlpha = 1;
  }
}
