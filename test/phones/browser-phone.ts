// A telephone in a real browser: Debian's Chromium without a screen, with JsSIP in a page that we serve ourselves.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { pause, realClock, within } from "../../src/clock.ts";
import { whenOver } from "../ground/when-over.ts";
import type { RealTown } from "../town/real-town.ts";
import { toneLevel } from "./tone-level.ts";

export type BrowserPhone = {
  page: Page;
  dial(number: string): Promise<void>;
  answer(): Promise<void>;
  hangUp(): Promise<void>;
  hold(): Promise<void>;
  resume(): Promise<void>;
  press(digits: string, by?: "RFC2833" | "INFO"): Promise<void>;
  /** The last two calls become one without it: REFER with Replaces. */
  join(): Promise<void>;
  /** The next thing that happens must be this one; what happens before it is forgotten. */
  event(name: string): Promise<void>;
  /** How strongly a tone is in the last second that it heard. */
  hears(hz: number): Promise<number>;
  codecs(): Promise<string[]>;
  /** Looks for another way to whoever it speaks with (ICE restart). */
  findAnew(): Promise<void>;
  /** The name of the way that its voice goes. */
  way(): Promise<string>;
};

export const CHROMIUM = "/usr/bin/chromium";

export const FLAGS = [
  ...["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-quic"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
  ...["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"],
  ...["--autoplay-policy=no-user-gesture-required", "--disable-dev-shm-usage"],
];

export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    ignoreDefaultArgs: ["--headless", "--mute-audio"],
    args: FLAGS,
  });
  whenOver(() => browser.close());
  return browser;
}

/** A busy machine may stand still for seconds; nothing here is about speed. */
const PATIENCE_MS = 90_000;

export async function servePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ["test/phones/browser-phone-page.js"],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    define: { global: "window" },
  });
  const script = outputFiles[0]?.text ?? "";
  const server = createServer(({ url }, answer) => {
    const isScript = url === "/phone.js";
    answer.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
    answer.end(isScript ? script : "<!doctype html><title>phone</title><script src=/phone.js></script>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  whenOver(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // it listens on a port, not on a path
}

export async function browserPhone(town: RealTown, from: { browser: Browser; url: string }, user: string, hz: number) {
  const page = await from.browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(from.url);
  const password = town.firstRun.extensions.find(({ number }) => number === user)?.password ?? "";
  const domain = town.firstRun.exchange.sip_domain;
  const server = `ws://${town.santral.run.http}/ws`;
  await page.evaluate(`phone.start(${JSON.stringify({ server, user, password, domain, hz })})`);
  const phone = drive(page);
  await phone.event("registered");
  return phone;
}

function drive(page: Page): BrowserPhone {
  const tell = async (words: string) => void (await page.evaluate(words));
  return {
    page,
    dial: (number) => tell(`phone.dial(${JSON.stringify(number)})`),
    answer: () => tell("phone.answer()"),
    hangUp: () => tell("phone.hangUp()"),
    hold: () => tell("void phone.hold()"),
    resume: () => tell("void phone.resume()"),
    press: (digits, by = "RFC2833") => tell(`void phone.press("${digits}", "${by}")`),
    join: () => tell("phone.join()"),
    codecs: () => page.evaluate<string[]>("phone.codecs()"),
    findAnew: () => tell("phone.findAnew()"),
    way: () => page.evaluate<string>("phone.way()"),
    async event(name) {
      const all: string[] = [];
      for (const end = within(realClock, PATIENCE_MS); realClock.ticks() < end; await pause(realClock, 50)) {
        all.push(...(await page.evaluate<string[]>("phone.happened()")));
        if (all.includes(name)) return;
        if (all.some((it) => it.startsWith("failed"))) break; // what is waited for cannot come any more
      }
      throw new Error(`the browser never said ${name}, but ${all.join(", ")}`);
    },
    async hears(hz) {
      const { rate, samples } = await page.evaluate<{ rate: number; samples: number[] }>("phone.heard()");
      return toneLevel(Int16Array.from(samples), hz, rate);
    },
  };
}
