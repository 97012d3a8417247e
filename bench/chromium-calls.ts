// Real pages of Chromium as the browsers: each says a tone to a telephone that says nothing, by its own WebRTC.

import { chromium, type Page } from "playwright-core";
import { pause, realClock } from "../src/clock.ts";
import { figure } from "./figure.ts";
import { LightBrowsers } from "./light-browser.ts";
import type { WebEdge } from "./web-edges.ts";

const CHROMIUM = "/usr/bin/chromium";
const FLAGS = [
  ...["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"],
  ...["--autoplay-policy=no-user-gesture-required", "--use-fake-ui-for-media-stream"],
];
const CONNECT_TRIES = 600;

export async function chromiumCalls(
  edge: WebEdge,
  { pages, seconds }: { pages: number; seconds: number },
): Promise<void> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS, ignoreDefaultArgs: ["--headless"] });
  const phones = new LightBrowsers();
  const opened: Page[] = [];
  for (let made = 0; made < pages; made++) {
    const page = await browser.newPage();
    opened.push(page);
    const offer = await page.evaluate<string>(OFFER);
    const { sdp } = await edge.connect(offer, phones.openPhone().port);
    await page.evaluate(`connection.setRemoteDescription({ type: "answer", sdp: ${JSON.stringify(sdp)} })`);
  }
  for (let tries = 0; tries < CONNECT_TRIES; tries++) {
    const states = await Promise.all(opened.map((page) => page.evaluate<string>("connection.connectionState")));
    if (states.every((state) => state === "connected")) break;
    await pause(realClock, 100);
  }
  phones.wire.drain();
  const [before, atMs] = [edge.cpuSeconds(), performance.now()];
  await pause(realClock, seconds * 1_000);
  const percent = (((edge.cpuSeconds() - before) * 1_000) / (performance.now() - atMs) / pages) * 100;
  const sent = await Promise.all(opened.map((page) => page.evaluate<number>(SENT)));
  console.log(
    `chromium         ${String(pages).padStart(5)}   ${percent.toFixed(3).padStart(18)}   packets sent by each: ${sent.join(" ")}`,
  );
  const words = `${pages} pages of Chromium, their voice to phones that say nothing`;
  figure({ name: "browser-call-chromium", value: percent, unit: "%", better: "less", goal: 0.25, with: words });
  await browser.close();
  await edge.stop();
}

const OFFER = `(async () => {
  const voice = new AudioContext();
  const tone = new OscillatorNode(voice, { frequency: 440 });
  const microphone = new MediaStreamAudioDestinationNode(voice);
  tone.connect(microphone);
  tone.start();
  window.connection = new RTCPeerConnection();
  connection.addTrack(microphone.stream.getAudioTracks()[0], microphone.stream);
  await connection.setLocalDescription(await connection.createOffer());
  while (connection.iceGatheringState !== "complete") await new Promise((resolve) => setTimeout(resolve, 50));
  return connection.localDescription.sdp;
})()`;

const SENT = `(async () => {
  const report = [...(await connection.getStats()).values()];
  return report.find(({ type }) => type === "outbound-rtp")?.packetsSent ?? 0;
})()`;
