// Sounds made on the spot: no files, and silence on request.
import { recall, remember } from "./header";

export class Sound {
  on = recall("game.sound") !== "off";
  private context: AudioContext | undefined;
  private noise: AudioBuffer | undefined;
  private engine: GainNode | undefined;
  private last = 0;

  toggle(): boolean {
    this.on = !this.on;
    remember("game.sound", this.on ? "on" : "off");
    if (!this.on) this.thrust(0);
    return this.on;
  }

  /** Browsers allow sound only after a key or a touch: call this then. */
  wake(): void {
    if (!this.on || typeof AudioContext === "undefined" || navigator.userActivation?.hasBeenActive === false) return;
    if (this.context === undefined) {
      const context = new AudioContext();
      this.context = context;
      const noise = context.createBuffer(1, context.sampleRate, context.sampleRate);
      const samples = noise.getChannelData(0);
      for (let k = 0; k < samples.length; k += 1) samples[k] = 2 * Math.random() - 1;
      this.noise = noise;
      const source = new AudioBufferSourceNode(context, { buffer: noise, loop: true });
      const filter = new BiquadFilterNode(context, { type: "lowpass", frequency: 320 });
      this.engine = new GainNode(context, { gain: 0 });
      source.connect(filter).connect(this.engine).connect(context.destination);
      source.start();
    }
    void this.context.resume();
  }

  /** The engines: 0 is silence, 1 the main one. */
  thrust(level: number): void {
    if (this.context && this.engine) this.engine.gain.setTargetAtTime(this.on ? 0.16 * level : 0, this.context.currentTime, 0.04);
  }

  bounce(strength: number): void {
    const context = this.ready();
    if (!context || context.currentTime - this.last < 0.03) return;
    this.last = context.currentTime;
    const loud = Math.min(1, Math.sqrt(strength) / 3);
    this.tone(90 + 60 * (1 - loud), 45, 0.18 + 0.2 * loud, 0.35 * loud, "sine");
    this.hiss(900, 0.08, 0.2 * loud);
  }

  crash(): void {
    this.hiss(1400, 0.9, 0.6);
    this.hiss(240, 1.4, 0.7);
    this.tone(120, 30, 1.1, 0.5, "sawtooth");
  }

  win(): void {
    for (const [k, pitch] of [523.25, 659.25, 783.99, 1046.5].entries()) this.tone(pitch, pitch, 0.5, 0.16, "triangle", 0.12 * k);
  }

  again(): void {
    this.tone(520, 260, 0.2, 0.15, "triangle");
  }

  close(): void {
    void this.context?.close();
    this.context = undefined;
  }

  private ready(): AudioContext | undefined {
    return this.on && this.context?.state === "running" ? this.context : undefined;
  }

  private tone(from: number, to: number, seconds: number, loud: number, type: OscillatorType, after = 0): void {
    const context = this.ready();
    if (!context) return;
    const start = context.currentTime + after;
    const oscillator = new OscillatorNode(context, { type, frequency: from });
    oscillator.frequency.exponentialRampToValueAtTime(to, start + seconds);
    oscillator.connect(this.fade(context, start, seconds, loud)).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + seconds);
  }

  private hiss(frequency: number, seconds: number, loud: number): void {
    const context = this.ready();
    if (!context || !this.noise) return;
    const source = new AudioBufferSourceNode(context, { buffer: this.noise });
    const filter = new BiquadFilterNode(context, { type: "lowpass", frequency });
    source.connect(filter).connect(this.fade(context, context.currentTime, seconds, loud)).connect(context.destination);
    source.start();
    source.stop(context.currentTime + seconds);
  }

  private fade(context: AudioContext, start: number, seconds: number, loud: number): GainNode {
    const gain = new GainNode(context, { gain: loud });
    gain.gain.setValueAtTime(Math.max(loud, 1e-4), start);
    gain.gain.exponentialRampToValueAtTime(1e-4, start + seconds);
    return gain;
  }
}
