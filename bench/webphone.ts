// What calls of real web phones cost the exchange and its WebRTC gateway: node bench/run.mjs bench/webphone.ts [calls]

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { pause, realClock } from "../src/clock.ts";
import { figure } from "./figure.ts";

const CALLS = Number(process.argv[2] ?? 5);
const SECONDS = 10;
const TICKS_A_SECOND = 100;
/** Answers at once and says back what it hears. */
const ECHO = "905000000001";
/** What the gateway was planned to cost, measured in a trial of the same library: each call costs less among many. */
const PLANNED = "5.5 % with 1 call, 2.1 % with 10, 1.7 % with 30";
const PROGRAM = "dist/santral.js";

const folder = mkdtempSync(join(tmpdir(), "webphone-bench-"));
const data = join(folder, "data");
const free = "127.0.0.1:0";
const env = { ...process.env, SANTRAL_DATA: data, SANTRAL_HTTP: free, SANTRAL_SIP: free, SANTRAL_LOG: "warn" };
const exchange = spawn(process.execPath, [PROGRAM, "start"], { env, stdio: ["ignore", "ignore", "inherit"] });
const { http } = await written<{ http: string }>(join(data, "run.json"));
const { exchange: first } = await written<{ exchange: { key: string } }>(join(data, "first-run.json"));
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  ignoreDefaultArgs: ["--headless", "--mute-audio"],
  args: [
    ...["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"],
    ...["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"],
    "--autoplay-policy=no-user-gesture-required",
  ],
});

try {
  const began = performance.now();
  const first = await openPage(0);
  console.log(`the page is a phone after ${(performance.now() - began).toFixed(0)} ms, account and token included`);
  const pages = [first];
  for (let n = 1; n < CALLS; n++) pages.push(await openPage(n));
  const idle = await measured();
  const setUps: number[] = [];
  for (const page of pages) setUps.push(await call(page));
  const busy = await measured();
  setUps.sort((one, other) => one - other);
  const perCall = (busySeconds: number, idleSeconds: number) => ((busySeconds - idleSeconds) / SECONDS / CALLS) * 100;
  const gateway = perCall(busy.gateway, idle.gateway);
  const rest = perCall(busy.exchange, idle.exchange);
  console.log(
    `set-up of ${CALLS} calls, from the click: median ${setUps[CALLS >> 1]?.toFixed(0)} ms, longest ${setUps.at(-1)?.toFixed(0)} ms`,
  );
  console.log(`the exchange itself   ${rest.toFixed(2)} % of a core a call   ratio 1.00`);
  console.log(
    `its WebRTC gateway    ${gateway.toFixed(2)} % of a core a call   ratio ${(gateway / rest).toFixed(2)}   (planned: ${PLANNED})`,
  );
  const beside = { yardstick: "the exchange itself", ratio: gateway / rest };
  const what = { unit: "%" as const, better: "less" as const, with: `${CALLS} calls of pages in Chromium to an echo` };
  figure({ name: "web-phone-call-gateway", value: gateway, ...beside, ...what });
  figure({ name: "web-phone-call-exchange", value: rest, ...what });
} finally {
  await browser.close();
  exchange.kill("SIGTERM");
  await new Promise((ended) => exchange.once("exit", ended));
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

async function openPage(n: number): Promise<Page> {
  const extension = String(1_100 + n);
  command("extension", "create", extension);
  command("staff", "create", `${extension}@example.com`, "Bench", "--extension", extension);
  const body = new URLSearchParams({ key: first.key, extension });
  const token = await (await fetch(`http://${http}/webphone_tokens`, { method: "POST", body })).text();
  const page = await (await browser.newContext({ permissions: ["microphone"] })).newPage();
  await page.goto(`http://${http}/webphone?token=${token}`);
  await page.locator('.phone[data-link="registered"]').waitFor();
  return page;
}

async function call(page: Page): Promise<number> {
  await page.locator(".number input").fill(ECHO);
  const began = performance.now();
  await page.locator(".keypad .go").click();
  await page.locator(".time").waitFor();
  return performance.now() - began;
}

/** CPU seconds of the exchange with its media threads, and of the gateway, while nothing changes. */
async function measured(): Promise<{ exchange: number; gateway: number }> {
  const gateway = gatewayPid();
  const before = { exchange: cpuSeconds(exchange.pid), gateway: cpuSeconds(gateway) };
  await pause(realClock, SECONDS * 1_000);
  return { exchange: cpuSeconds(exchange.pid) - before.exchange, gateway: cpuSeconds(gateway) - before.gateway };
}

function gatewayPid(): number | undefined {
  const isGateway = (pid: string) => {
    try {
      const parent = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1];
      return Number(parent) === exchange.pid && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("webrtc-gateway");
    } catch {
      return false; // it ended while we looked
    }
  };
  const found = readdirSync("/proc").find((name) => /^\d+$/.test(name) && isGateway(name));
  return found === undefined ? undefined : Number(found);
}

function cpuSeconds(pid: number | undefined): number {
  if (pid === undefined) return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

function command(...words: string[]): void {
  execFileSync(process.execPath, [PROGRAM, ...words], { env, stdio: ["ignore", "ignore", "inherit"] });
}

async function written<Value>(path: string): Promise<Value> {
  for (;;) {
    try {
      return JSON.parse(readFileSync(path, "utf8")) as Value; // our own program wrote it
    } catch {
      await pause(realClock, 100);
    }
  }
}
