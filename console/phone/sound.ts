// What is heard and said: the microphone, the other side's voice, and the tones of a telephone.

import type { Choices, MicrophoneTrouble, PhoneState } from "./state.ts";
import type { Store } from "./store.ts";

/** Hz and milliseconds: sound, then silence, over and over. Turkish networks ring at 450 Hz. */
type Cadence = { hz: readonly number[]; onMs: number; offMs: number; volume: number };

const RING: Cadence = { hz: [440, 480], onMs: 1_600, offMs: 2_000, volume: 1 };
const RINGBACK: Cadence = { hz: [450], onMs: 2_000, offMs: 4_000, volume: 0.12 };
const CALL_WAITING: Cadence = { hz: [450], onMs: 200, offMs: 4_000, volume: 0.12 };

export class Sounds {
  readonly #store: Store<PhoneState>;
  readonly #voices = new Map<string, HTMLAudioElement>();
  #context: AudioContext | undefined;
  /** A device of its own, so that a headset on the table does not ring alone. */
  #bell: AudioContext | undefined;
  #stopTone: () => void = () => undefined;
  #tone: Cadence | undefined;

  constructor(store: Store<PhoneState>) {
    this.#store = store;
    store.watch((state, before) => this.#followChoices(state, before));
  }

  /** A stream of its own for each call, because mute and hold switch its track off. */
  async microphone(): Promise<MediaStream | undefined> {
    if (!navigator.mediaDevices) return this.#trouble("insecure");
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: wanted(this.#store.get().choices) });
      if (this.#store.get().trouble) this.#store.change({ trouble: undefined });
      return stream;
    } catch (why) {
      return this.#trouble(troubles[why instanceof DOMException ? why.name : ""] ?? "noMicrophone");
    }
  }

  hear(line: string, track: MediaStreamTrack): void {
    this.forget(line);
    const voice = new Audio();
    voice.srcObject = new MediaStream([track]);
    this.#voices.set(line, voice);
    this.#speakAt(voice);
    void isLetPlay(voice).then((isLet) => !isLet && this.#store.change({ wantsClick: true }));
  }

  forget(line: string): void {
    const voice = this.#voices.get(line);
    if (voice) voice.srcObject = null;
    this.#voices.delete(line);
  }

  /** What the lines call for: ringing for the owner, ringback for a caller, nothing in between. */
  play(what: "ring" | "ringback" | "waiting" | "nothing"): void {
    const cadence = { ring: RING, ringback: RINGBACK, waiting: CALL_WAITING, nothing: undefined }[what];
    if (cadence === this.#tone) return;
    this.#stopTone();
    this.#tone = cadence;
    this.#stopTone = cadence ? this.#begin(cadence) : () => undefined;
  }

  /** Two seconds of ringing, to try the speaker out. */
  tryOut(): void {
    this.play("ring");
    setTimeout(() => this.play("nothing"), 2_000);
  }

  /** After a click the browser lets us be heard. */
  async unlock(): Promise<void> {
    await Promise.all([this.#context?.resume(), this.#bell?.resume()]);
    const areLet = await Promise.all([...this.#voices.values()].map(isLetPlay));
    this.#store.change({ wantsClick: areLet.includes(false) });
  }

  /** Calls `show` with 0 to 1 about ten times a second until what is returned is called. */
  meter(stream: MediaStream, show: (level: number) => void): () => void {
    const context = this.#opened();
    const source = context.createMediaStreamSource(stream);
    const ears = new AnalyserNode(context, { fftSize: 1_024 });
    source.connect(ears);
    const samples = new Float32Array(ears.fftSize);
    const timer = setInterval(() => {
      ears.getFloatTimeDomainData(samples);
      const loudness = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
      show(Math.min(1, loudness * 4));
    }, 100);
    return () => {
      clearInterval(timer);
      source.disconnect();
    };
  }

  #begin({ hz, onMs, offMs, volume }: Cadence): () => void {
    const context = volume === 1 ? this.#openedBell() : this.#opened();
    if (context.state === "suspended") this.#store.change({ wantsClick: true });
    const loudness = volume === 1 ? this.#store.get().choices.ringVolume / 250 : volume;
    const gain = new GainNode(context, { gain: 0 });
    gain.connect(context.destination);
    const pitches = hz.map((frequency) => new OscillatorNode(context, { frequency }));
    for (const pitch of pitches) {
      pitch.connect(gain);
      pitch.start();
    }
    const sound = () => {
      gain.gain.setTargetAtTime(loudness, context.currentTime, 0.02);
      gain.gain.setTargetAtTime(0, context.currentTime + onMs / 1_000, 0.02);
    };
    sound();
    const timer = setInterval(sound, onMs + offMs);
    return () => {
      clearInterval(timer);
      for (const pitch of pitches) pitch.stop();
      gain.disconnect();
    };
  }

  #opened(): AudioContext {
    this.#context ??= openedAt(this.#store.get().choices.speaker);
    // Without a click it stays suspended, which is looked at where it matters. Refused is only one that was closed.
    void this.#context.resume();
    return this.#context;
  }

  #openedBell(): AudioContext {
    this.#bell ??= openedAt(ringsAt(this.#store.get().choices));
    void this.#bell.resume(); // as above
    return this.#bell;
  }

  #followChoices({ choices }: PhoneState, { choices: before }: PhoneState): void {
    if (this.#bell && ringsAt(choices) !== ringsAt(before)) speakAt(this.#bell, ringsAt(choices));
    if (choices.speaker === before.speaker) return;
    for (const voice of this.#voices.values()) this.#speakAt(voice);
    if (this.#context) speakAt(this.#context, choices.speaker);
  }

  #speakAt(voice: HTMLAudioElement): void {
    speakAt(voice, this.#store.get().choices.speaker);
  }

  #trouble(trouble: MicrophoneTrouble): undefined {
    this.#store.change({ trouble });
  }
}

const troubles: Partial<Record<string, MicrophoneTrouble>> = {
  NotAllowedError: "noPermission",
  SecurityError: "noPermission",
  NotFoundError: "noDevice",
  OverconstrainedError: "noDevice",
};

function wanted({ microphone, cleanSound }: Choices): MediaTrackConstraints {
  return {
    echoCancellation: cleanSound,
    noiseSuppression: cleanSound,
    autoGainControl: cleanSound,
    ...(microphone === "" ? {} : { deviceId: { ideal: microphone } }),
  };
}

/** False where the browser wants a click first. A voice that was taken away while it began wants nothing. */
async function isLetPlay(voice: HTMLAudioElement): Promise<boolean> {
  try {
    await voice.play();
    return true;
  } catch (why) {
    return !(why instanceof DOMException && why.name === "NotAllowedError");
  }
}

/** Where nothing else was chosen it rings where it speaks. */
function ringsAt({ ringer, speaker }: Choices): string {
  return ringer || speaker;
}

function openedAt(speaker: string): AudioContext {
  const context = new AudioContext();
  if (speaker !== "") speakAt(context, speaker);
  return context;
}

/** Not every browser lets a page choose. */
function speakAt(where: object, speaker: string): void {
  const { setSinkId } = where as { setSinkId?(id: string): Promise<void> };
  // Unplugged since it was chosen, or not allowed in this frame: the usual one it is.
  void setSinkId?.call(where, speaker).catch(() => undefined);
}

export type Device = { id: string; label: string };

export async function devices(kind: "audioinput" | "audiooutput"): Promise<Device[]> {
  const all = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  return all
    .filter((device) => device.kind === kind && device.deviceId !== "" && device.deviceId !== "default")
    .map(({ deviceId, label }) => ({ id: deviceId, label }));
}
