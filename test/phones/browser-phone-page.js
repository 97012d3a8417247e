// What runs inside the browser: a phone that says one tone, and hands out the last samples it heard.

import * as JsSIP from "jssip";

const RATE = 48_000;
const HEARD_SAMPLES = 32_768;

let ua;
/** The call that was made or taken last, and those before it. */
let session;
const sessions = [];
let voice;
let ears;
let remote;
const happened = [];

function say(what) {
  happened.push(what);
}

function follow(taken) {
  session = taken;
  sessions.push(taken);
  for (const event of ["progress", "accepted", "confirmed", "ended", "failed", "hold", "unhold"])
    taken.on(event, (facts) => say(event === "failed" ? `failed: ${facts.cause}` : event));
  let gathered;
  taken.on("icecandidate", ({ ready }) => {
    clearTimeout(gathered);
    gathered = setTimeout(ready, 250);
  });
  if (taken.connection) listen(taken.connection);
  else taken.on("peerconnection", ({ peerconnection }) => listen(peerconnection));
}

function listen(connection) {
  connection.addEventListener("track", ({ track }) => {
    const stream = new MediaStream([track]);
    // A remote stream only runs while an element plays it.
    const element = new Audio();
    element.srcObject = stream;
    element.muted = true;
    void element.play();
    // The same track comes again after a hold; heard twice it would drown itself.
    remote?.disconnect();
    remote = voice.createMediaStreamSource(stream);
    remote.connect(ears);
  });
}

function tone(hz) {
  const oscillator = new OscillatorNode(voice, { frequency: hz });
  const softly = new GainNode(voice, { gain: 0.25 });
  const microphone = new MediaStreamAudioDestinationNode(voice);
  oscillator.connect(softly).connect(microphone);
  oscillator.start();
  return microphone.stream;
}

/** Each call gets a track of its own: hold and mute switch it off. */
const media = () => ({ mediaStream: window.tone.clone(), pcConfig: { iceServers: [] } });

window.phone = {
  start({ server, user, password, domain, hz }) {
    voice = new AudioContext({ sampleRate: RATE });
    ears = new AnalyserNode(voice, { fftSize: HEARD_SAMPLES });
    window.tone = tone(hz);
    ua = new JsSIP.UA({
      sockets: [new JsSIP.WebSocketInterface(server)],
      uri: `sip:${user}@${domain}`,
      password,
      register_expires: 120,
      session_timers: false,
    });
    ua.on("registered", () => say("registered"));
    ua.on("registrationFailed", ({ cause }) => say(`failed: ${cause}`));
    ua.on("newRTCSession", ({ originator, session: taken }) => {
      follow(taken);
      if (originator === "remote") say("incoming");
    });
    ua.start();
  },
  dial: (number) => void ua.call(number, media()),
  answer: () => session.answer(media()),
  hangUp: () => session.terminate(),
  hold: () => session.hold(),
  resume: () => session.unhold(),
  press: (digits, transportType) => session.sendDTMF(digits, { transportType, duration: 120, interToneGap: 80 }),
  /** Looks for another way to whoever it speaks with (ICE restart). */
  findAnew: () => new Promise((done) => session.renegotiate({ rtcOfferConstraints: { iceRestart: true } }, done)),
  /** The way that its voice goes. */
  async way() {
    const report = [...(await session.connection.getStats()).values()];
    const pair = report.find(
      ({ type, nominated, state }) => type === "candidate-pair" && nominated && state === "succeeded",
    );
    const { usernameFragment = "" } = report.find(({ id }) => id === pair?.localCandidateId) ?? {};
    return usernameFragment;
  },
  /** The last two calls become one without us. */
  join() {
    const [first, second] = sessions.slice(-2);
    first.refer(second.remote_identity.uri, { replaces: second });
  },
  happened: () => happened.splice(0),
  heard() {
    const samples = new Float32Array(HEARD_SAMPLES);
    ears.getFloatTimeDomainData(samples);
    return { rate: RATE, samples: Array.from(samples, (sample) => Math.round(sample * 32_767)) };
  },
  async codecs() {
    const report = [...(await session.connection.getStats()).values()];
    return report.filter(({ type }) => type === "codec").map(({ mimeType }) => mimeType);
  },
};
