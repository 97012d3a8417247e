// The microphone of this computer while something is recorded with it: how loud it is, and in the end the sound.

/** Why there is none; each has words of its own. */
export type NoMicrophone = "insecure" | "unable" | "absent" | "forbidden" | "busy";

export type Microphone = {
  /** From 0, silence, to 1, as loud as can be. */
  level(): number;
  seconds(): number;
  /** Ends the recording; the microphone is free afterwards. */
  finish(): Promise<Blob>;
  /** Ends it and forgets what was recorded. */
  drop(): void;
};

export async function openMicrophone(): Promise<Microphone | NoMicrophone> {
  if (!window.isSecureContext) return "insecure";
  if (!navigator.mediaDevices || typeof MediaRecorder === "undefined") return "unable";
  try {
    const wanted = { audio: { echoCancellation: true, noiseSuppression: true, channelCount: 1 } };
    return record(await navigator.mediaDevices.getUserMedia(wanted));
  } catch (error) {
    return reasons[error instanceof DOMException ? error.name : ""] ?? "busy";
  }
}

/** By the names that the browser's own errors have; any other means that somebody else holds it. */
const reasons: Partial<Record<string, NoMicrophone>> = {
  NotAllowedError: "forbidden",
  SecurityError: "forbidden",
  NotFoundError: "absent",
  OverconstrainedError: "absent",
  NotSupportedError: "unable",
};

function record(stream: MediaStream): Microphone {
  const recorder = new MediaRecorder(stream);
  const parts: Blob[] = [];
  const meter = openMeter(stream);
  const beganMs = performance.now();
  const close = () => {
    for (const track of stream.getTracks()) track.stop();
    meter.close();
  };
  recorder.ondataavailable = ({ data }) => parts.push(data);
  // Whoever pulls the plug of a microphone ends the recording, too; what there is of it is kept.
  const finished = new Promise<Blob>((resolve) => {
    recorder.onstop = () => {
      close();
      resolve(new Blob(parts, { type: recorder.mimeType }));
    };
  });
  const stop = () => {
    if (recorder.state !== "inactive") recorder.stop();
  };
  recorder.start(1_000);
  return {
    level: meter.level,
    seconds: () => (performance.now() - beganMs) / 1_000,
    finish: () => {
      stop();
      return finished;
    },
    drop: stop,
  };
}

/** Quieter than this is nothing: hardly a room is. */
const SILENCE_DB = -60;

function openMeter(stream: MediaStream): { level(): number; close(): void } {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 1_024;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    level: () => {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      return Math.min(1, Math.max(0, 1 - (10 * Math.log10(power + 1e-12)) / SILENCE_DB));
    },
    close: () => void context.close(),
  };
}
