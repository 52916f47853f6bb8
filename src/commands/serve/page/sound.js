// Soft wooden sounds, synthesized: a knock for a placed man, two notes for a mill, a lower knock for a removed
// man.

import { settings } from "./settings.js";

let context = null;

/** Sounds as lists of tones, each with its pitch in hertz, its start in seconds and its volume. */
const SOUNDS = {
  move: [[310, 0, 0.3], [180, 0, 0.35]],
  mill: [[523, 0, 0.16], [784, 0.09, 0.16]],
  remove: [[150, 0, 0.4], [95, 0.02, 0.3]],
  end: [[392, 0, 0.16], [494, 0.12, 0.16], [587, 0.24, 0.16]],
};
const LENGTH = { move: 0.09, mill: 0.35, remove: 0.14, end: 0.5 };

/** Plays a sound if sounds are on and the browser allows it. */
export function play(name) {
  if (!settings.sound || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  for (const [pitch, after, volume] of SOUNDS[name]) {
    const from = context.currentTime + after;
    const [tone, gain] = [context.createOscillator(), context.createGain()];
    tone.type = name === "mill" || name === "end" ? "sine" : "triangle";
    tone.frequency.setValueAtTime(pitch, from);
    gain.gain.setValueAtTime(volume, from);
    gain.gain.exponentialRampToValueAtTime(0.001, from + LENGTH[name]);
    tone.connect(gain).connect(context.destination);
    tone.start(from);
    tone.stop(from + LENGTH[name]);
  }
}
