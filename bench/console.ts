// The console in a browser: what the first page weighs, when it can be used, and what a busy live board costs.
//
//   npm run build && node bench/run.mjs bench/console.ts

import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import Fastify from "fastify";
import { chromium, type Page } from "playwright-core";
import { WebSocketServer } from "ws";
import { pause, realClock } from "../src/clock.ts";
import type { PanelChange } from "../src/exchange/panel.ts";
import { mountPages } from "../src/http/console/pages.ts";
import { figure } from "./figure.ts";

const EXTENSIONS = 500;
const CHANGES_A_SECOND = 50;
const MEASURED_MS = 10_000;
const PAGES = "dist/console";

const states = ["available", "ringing", "on a call", "unregistered"] as const;

const viewers = new Set<(message: object) => void>();

const session = {
  id: 1,
  name: "Bench",
  email: "bench@example.com",
  role: "administrator",
  extension: "1000",
  mustChangePassword: false,
  hasTotp: false,
  isRunning: true,
  may: [],
  needs: {},
  exchange: { name: "Bench", sipDomain: "bench.localhost", timeZone: "Europe/Istanbul" },
};

const { server, url } = await openServer();
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const loaded = new Set<string>();
  page.on("response", (response) => response.url().endsWith(".js") && loaded.add(new URL(response.url()).pathname));
  const first = await firstUse(page);
  const bytes = [...loaded].reduce((sum, path) => sum + gzipSync(readFileSync(join(PAGES, path.slice(9)))).length, 0);
  console.log(`first page: ${(bytes / 1_024).toFixed(0)} KB of script (gzipped) in ${loaded.size} files; limit 300 KB`);
  const page500 = { better: "less" as const, with: `${EXTENSIONS} extensions, Chromium` };
  figure({ name: "console-first-script", value: bytes / 1_048_576, unit: "MB", goal: 0.3, ...page500 });
  figure({ name: "console-usable", value: first, unit: "ms", goal: 1_500, ...page500 });
  console.log(`usable after ${first.toFixed(0)} ms, warm ${(await firstUse(page)).toFixed(0)} ms; limit 1500 ms`);
  console.log(`all pages together: ${(scriptsOf(PAGES) / 1_024).toFixed(0)} KB`);
  const idle = await busyShare(page, 3_000);
  const stop = change();
  const share = await busyShare(page, MEASURED_MS);
  stop();
  console.log(
    `live board, ${EXTENSIONS} extensions, ${CHANGES_A_SECOND} changes/s: ${(share * 100).toFixed(1)} % of a core in the page` +
      ` (idle ${(idle * 100).toFixed(1)} %); limit 30 %`,
  );
  figure({ name: "live-board", value: share * 100, unit: "%", goal: 30, ...page500 });
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
}

/** From asking for the page until the last extension's tile is there. */
async function firstUse(page: Page): Promise<number> {
  const began = performance.now();
  await page.goto(url);
  await page.locator(`[data-extension="${1_000 + EXTENSIONS - 1}"]`).waitFor();
  return performance.now() - began;
}

/** Of the page's main thread: script, style, layout and paint. */
async function busyShare(page: Page, ms: number): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  const busy = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  };
  const before = await busy();
  await pause(realClock, ms);
  return ((await busy()) - before) / (ms / 1_000);
}

function scriptsOf(folder: string): number {
  return readdirSync(join(folder, "assets"))
    .filter((name) => name.endsWith(".js"))
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, "assets", name))).length, 0);
}

function extension(at: number, state: (typeof states)[number]): PanelChange {
  const number = String(1_000 + at);
  return { what: "extension", id: number, now: { number, name: `Extension ${number}`, state } };
}

/** As the server tells them: every fifty milliseconds what has changed since. */
function change(): () => void {
  const perMessage = Math.round(CHANGES_A_SECOND / 20);
  let turn = 0;
  let isOn = true;
  const tell = () => {
    if (!isOn) return;
    const changes = Array.from({ length: perMessage }, () =>
      extension(turn++ % EXTENSIONS, states[turn % 4] ?? "available"),
    );
    for (const viewer of viewers) viewer({ is: "changes", nowMs: realClock.wall(), changes });
    realClock.after(50, tell);
  };
  tell();
  return () => {
    isOn = false;
  };
}

async function openServer(): Promise<{ server: Server; url: string }> {
  const app = Fastify();
  app.post("/console/api/session.show", async () => session);
  app.post("/console/api/reports.today", async () => ({ calls: 0, inbound: 0, outbound: 0, missed: 0, talk: 0 }));
  await app.register(async (scope) => mountPages(scope, PAGES), { prefix: "/console" });
  await app.ready();
  const server = createServer((request, reply) => app.routing(request, reply));
  const sockets = new WebSocketServer({ server, path: "/console/live" });
  sockets.on("connection", (socket) => {
    const tell = (message: object) => socket.send(JSON.stringify(message));
    viewers.add(tell);
    socket.on("close", () => viewers.delete(tell));
    const changes = Array.from({ length: EXTENSIONS }, (_, at) => extension(at, "available"));
    tell({ is: "snapshot", nowMs: realClock.wall(), changes });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/console` };
}
