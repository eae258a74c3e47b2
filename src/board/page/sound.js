// Soft sounds, made without files; the page is silent unless the player wants them.

export class Sound {
  constructor() {
    /** @type {AudioContext | null} */
    this.audio = null;
  }

  /** Lets sounds be heard: some browsers allow it only while something is pressed. */
  wake() {
    this.audio ??= new AudioContext();
    if (this.audio.state !== "running") void this.audio.resume();
  }

  /**
   * @param {number} pitch in hertz @param {number} loud from 0 to 1 @param {number} delay @param {number} length both in seconds
   * @param {OscillatorType} [shape]
   */
  tone(pitch, loud, delay, length, shape = "sine") {
    const { audio } = this;
    if (!audio) return;
    const begin = audio.currentTime + 0.01 + delay;
    const [tone, gain] = [audio.createOscillator(), audio.createGain()];
    tone.type = shape;
    tone.frequency.setValueAtTime(pitch, begin);
    gain.gain.setValueAtTime(0, begin);
    gain.gain.linearRampToValueAtTime(loud, begin + 0.005);
    gain.gain.exponentialRampToValueAtTime(0.0005, begin + length);
    tone.connect(gain).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + length);
  }

  /** Wood on wood: deep and short. @param {number} delay in seconds @param {number} loud */
  knock(delay, loud) {
    this.tone(165, loud, delay, 0.11);
    this.tone(420, loud * 0.35, delay, 0.05, "triangle");
  }

  /** A move of one step, or a jump over so many; it lands after `time` milliseconds. @param {number} steps @param {number} time */
  move(steps, time) {
    for (let step = 1; step <= steps; step++) this.knock((time * step) / steps / 1000, step === steps ? 0.22 : 0.09);
  }

  end() {
    [262, 330, 392, 523].forEach((pitch, i) => this.tone(pitch, 0.1, i * 0.13, 0.9));
  }
}
