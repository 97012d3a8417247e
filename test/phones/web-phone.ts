// The web phone as its owner has it: the real page in a real browser, with a tone for a voice and ears to find tones.

import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Frame,
  type Locator,
  type Page,
} from "playwright-core";
import { eventually } from "../ground/eventually.ts";
import { temporaryFolder } from "../ground/santral-process.ts";
import { whenOver } from "../ground/when-over.ts";
import { CLEAR, type RealTown, toneFile } from "../town/real-town.ts";
import { CHROMIUM, FLAGS } from "./browser-phone.ts";
import { toneLevel } from "./tone-level.ts";

/** A browser whose microphone says this tone all the time. */
export async function talkingBrowser(hz: number, more: readonly string[] = []): Promise<Browser> {
  const voice = toneFile(temporaryFolder(), hz);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    ignoreDefaultArgs: ["--headless", "--mute-audio"],
    args: [...FLAGS, ...more, `--use-file-for-fake-audio-capture=${voice}`],
  });
  whenOver(() => browser.close());
  return browser;
}

/** Runs before the page's own script: its ears, and settings that let a pure tone through. */
const EARS = `
  window.tracks = [];
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...given) {
      super(...given);
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
  try {
    if (!localStorage.getItem("santral-choices"))
      localStorage.setItem("santral-choices", JSON.stringify({ cleanSound: false, language: "en" }));
  } catch {
    // Denied to a frame of another site; the phone has to live with that, too.
  }
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
    await this.#frame().getByRole("combobox", { name: "Number or name" }).fill(number);
    await this.press("Call");
  }

  async type(field: string, text: string): Promise<void> {
    await this.#frame().getByRole("textbox", { name: field }).fill(text);
  }

  /** In a call that is up, and not on the way back to one. */
  async isTalking(): Promise<void> {
    await this.#frame().locator('.person[data-at="talking"]').waitFor();
  }

  async isIdle(): Promise<void> {
    await this.#frame().locator(".tabs").waitFor();
  }

  /** From now on, who posts anything to it. */
  async noticesPosts(): Promise<void> {
    await this.#frame().evaluate(`
      window.posters = [];
      addEventListener("message", ({ origin }) => window.posters.push(origin));`);
  }

  /** The phone itself has heard it before: it listens for longer. */
  async wasPostedBy(origin: string): Promise<void> {
    await eventually(`${origin} has posted something`, () =>
      this.#frame().evaluate<boolean>(`window.posters.includes(${JSON.stringify(origin)})`),
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

/** `at`: an origin by which the exchange can be reached, too. */
export function pageUrl(town: RealTown, token: string, at = `http://${town.santral.run.http}`): string {
  return `${at}/webphone?token=${token}`;
}

export type OpenOptions = { size?: { width: number; height: number }; dark?: boolean; at?: string };

/** Of a person's own, with its own memory; a certificate that we made ourselves is good enough. */
export async function openContext(browser: Browser, more: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    permissions: ["microphone"],
    locale: "en-GB",
    ignoreHTTPSErrors: true,
    ...more,
  });
  context.setDefaultTimeout(90_000);
  await context.addInitScript(EARS);
  return context;
}

export async function openWebPhone(
  town: RealTown,
  browser: Browser,
  extension: string,
  { size = { width: 275, height: 700 }, dark = false, at }: OpenOptions = {},
): Promise<WebPhone> {
  const context = await openContext(browser, { viewport: size, colorScheme: dark ? "dark" : "light" });
  const phone = new WebPhone(await context.newPage());
  await phone.page.goto(pageUrl(town, await tokenFor(town, extension), at));
  await phone.isReady();
  return phone;
}

/** Pages of other people: whatever host a browser asks for, it gets a page with these addresses in frames. */
export async function servePagesAround(certificate: { key: string; cert: string }) {
  const server = createServer(certificate, ({ url = "" }, answer) => {
    const frames = new URL(url, "https://page").searchParams.getAll("frame");
    answer.setHeader("Content-Type", "text/html; charset=utf-8");
    answer.end(`<!doctype html><title>CRM</title><script>
      window.told = [];
      addEventListener("message", ({ data, origin }) => window.told.push({ ...data, origin }));
      </script>${frames.map((at) => `<iframe src="${at}" width="275" height="700" allow="microphone; autoplay"></iframe>`).join("")}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  whenOver(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a path
  const originOf = (host: string) => `https://${host}:${port}`;
  const around = (host: string, ...frames: string[]) =>
    `${originOf(host)}/?${frames.map((at) => `frame=${encodeURIComponent(at)}`).join("&")}`;
  return { originOf, around };
}
