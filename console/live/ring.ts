// Three tones, for whoever is to look up.

const TONES_HZ = [880, 660, 880];
const TONE_SECONDS = 0.18;

export function ring(): void {
  const context = new AudioContext();
  const volume = new GainNode(context, { gain: 0.2 });
  volume.connect(context.destination);
  for (const [index, hz] of TONES_HZ.entries()) {
    const tone = new OscillatorNode(context, { frequency: hz });
    tone.connect(volume);
    tone.start(context.currentTime + index * TONE_SECONDS * 1.2);
    tone.stop(context.currentTime + index * TONE_SECONDS * 1.2 + TONE_SECONDS);
    if (index === TONES_HZ.length - 1) tone.onended = () => void context.close();
  }
}
