// The web phone as its owner has it: the real page in a real browser, with a tone for a voice and ears to find tones.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium, type Frame, type Locator, type Page } from "playwright-core";
import { toneLevel } from "../rtp-phone.ts";
import { temporaryFolder } from "../santral-process.ts";
import { whenOver } from "../when-over.ts";
import { CHROMIUM, FLAGS } from "./browser-phone.ts";
import { eventually } from "./eventually.ts";
import { CLEAR, type RealTown, toneFile } from "./real-town.ts";

/** A browser whose microphone says this tone all the time. */
export async function talkingBrowser(hz: number): Promise<Browser> {
  const voice = toneFile(temporaryFolder(), hz);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    ignoreDefaultArgs: ["--headless", "--mute-audio"],
    args: [...FLAGS, `--use-file-for-fake-audio-capture=${voice}`],
  });
  whenOver(() => browser.close());
  return browser;
}

/** Runs before the page's own script: its ears, and settings that let a pure tone through. */
const EARS = `
  window.tracks = [];
  window.connections = [];
  window.sockets = [];
  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      window.sockets.push(this);
    }
  };
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...given) {
      super(...given);
      window.connections.push(this);
      this.addEventListener("track", ({ track }) => window.tracks.push(track));
    }
  };
  window.heard = async () => {
    const track = window.tracks.findLast(({ readyState }) => readyState === "live");
    if (!track) return { rate: 48000, samples: [] };
    window.voice ??= new AudioContext({ sampleRate: 48000 });
    await window.voice.resume();
    if (window.listensTo !== track) {
      window.source?.disconnect();
      window.listensTo = track;
      window.ears = new AnalyserNode(window.voice, { fftSize: 32768 });
      window.source = window.voice.createMediaStreamSource(new MediaStream([track]));
      window.source.connect(window.ears);
    }
    const samples = new Float32Array(32768);
    window.ears.getFloatTimeDomainData(samples);
    return { rate: 48000, samples: Array.from(samples, (sample) => Math.round(sample * 32767)) };
  };
  if (!localStorage.getItem("santral-choices"))
    localStorage.setItem("santral-choices", JSON.stringify({ cleanSound: false, language: "en" }));
`;

export class WebPhone {
  readonly page: Page;
  readonly #frame: () => Frame;
  /** What the browser complained about. */
  readonly complaints: string[] = [];

  constructor(page: Page, frame: () => Frame = () => page.mainFrame()) {
    this.page = page;
    this.#frame = frame;
    page.on("pageerror", (error) => this.complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
  }

  button(name: string): Locator {
    return this.#frame().getByRole("button", { name, exact: true });
  }

  async press(...names: string[]): Promise<void> {
    for (const name of names) await this.button(name).click();
  }

  async isReady(): Promise<void> {
    await this.#frame().locator('.phone[data-link="registered"]').waitFor();
  }

  async shows(text: string): Promise<void> {
    await this.#frame().getByText(text).first().waitFor();
  }

  async dial(number: string): Promise<void> {
    await this.#frame().getByRole("textbox", { name: "Number or name" }).fill(number);
    await this.press("Call");
  }

  async type(field: string, text: string): Promise<void> {
    await this.#frame().getByRole("textbox", { name: field }).fill(text);
  }

  /** Up: the time runs. */
  async isTalking(): Promise<void> {
    await this.#frame().locator(".time").waitFor();
  }

  async isIdle(): Promise<void> {
    await this.#frame().locator(".tabs").waitFor();
  }

  /** Nothing that it says gets out any more, and the line to the exchange breaks. */
  async losesNetwork(): Promise<void> {
    await this.#frame().evaluate(`
      for (const sender of window.connections.at(-1).getSenders()) sender.replaceTrack(null);
      for (const socket of window.sockets) socket.close();`);
  }

  /** As a browser says it after some seconds without any answer. */
  async noticesLoss(): Promise<void> {
    await this.#frame().evaluate(`
      const connection = window.connections.at(-1);
      Object.defineProperty(connection, "iceConnectionState", { value: "failed" });
      connection.dispatchEvent(new Event("iceconnectionstatechange"));`);
  }

  /** By a new connection, after the old one was lost. */
  async isConnectedAnew(): Promise<void> {
    await eventually("the web phone is connected anew", () =>
      this.#frame().evaluate<boolean>('window.connections.at(-1).iceConnectionState === "connected"'),
    );
  }

  async hears(hz: number): Promise<number> {
    const { rate, samples } = await this.#frame().evaluate<{ rate: number; samples: number[] }>("window.heard()");
    return toneLevel(Int16Array.from(samples), hz, rate);
  }

  async soonHears(hz: number): Promise<void> {
    await eventually(`the web phone hears ${hz} Hz`, async () => (await this.hears(hz)) > CLEAR);
  }
}

export function tokenFor(town: RealTown, extension: string): Promise<string> {
  return town.post("/webphone_tokens", { extension });
}

export function pageUrl(town: RealTown, token: string): string {
  return `http://${town.santral.run.http}/webphone?token=${token}`;
}

export type OpenOptions = { size?: { width: number; height: number }; dark?: boolean };

export async function openWebPhone(
  town: RealTown,
  browser: Browser,
  extension: string,
  { size = { width: 275, height: 700 }, dark = false }: OpenOptions = {},
): Promise<WebPhone> {
  const context = await browser.newContext({
    ...{ viewport: size, colorScheme: dark ? "dark" : "light", permissions: ["microphone"], locale: "en-GB" },
  });
  context.setDefaultTimeout(30_000);
  await context.addInitScript(EARS);
  const phone = new WebPhone(await context.newPage());
  await phone.page.goto(pageUrl(town, await tokenFor(town, extension)));
  await phone.isReady();
  return phone;
}

/** Somebody else's page, at an origin of its own, with the phone in a frame. */
export async function servePageAround(): Promise<{ origin: string; embed(url: string): string }> {
  let embedded = "";
  const server = createServer((_request, answer) => {
    answer.setHeader("Content-Type", "text/html; charset=utf-8");
    answer.end(`<!doctype html><title>CRM</title><script>
      window.told = [];
      addEventListener("message", ({ data, origin }) => window.told.push({ ...data, origin }));
      </script><iframe src="${embedded}" width="275" height="700" allow="microphone; autoplay"></iframe>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  whenOver(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a path
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    embed(url) {
      embedded = url;
      return `${origin}/`;
    },
  };
}
