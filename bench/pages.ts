// What each page of the console asks for: node bench/run.mjs bench/pages.ts [calls] [contacts]
//
// Every page of the console's own table is opened by a browser that has nothing yet, in an office with a year of calls. The
// yardstick is the frame alone, as an address shows it that no page has.

import { readFileSync } from "node:fs";
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from "playwright-core";
import { pause, realClock } from "../src/clock.ts";
import { figure } from "./figure.ts";
import { type Office, openOffice, PASSWORD, people } from "./office.ts";

const CALLS = Number(process.argv[2] ?? 20_000);
const CONTACTS = Number(process.argv[3] ?? 5_000);
const ONLY = process.argv[4];
/** In kilobytes, as they go over the wire. */
const GOAL_MB = 0.4;
const QUIET_MS = 400;

const paths = [...readFileSync("console/app/pages.ts", "utf8").matchAll(/(\.\.\.)?page\(\["([^"]+)"/g)].flatMap(
  ([, isChanged, path = ""]) =>
    isChanged || path.includes(":") || (ONLY && !ONLY.split(",").includes(path)) ? [] : [path],
);

type Request = { url: string; bytes: number; type: string };
type Weighed = { path: string; requests: Request[]; asked: string[]; rowsAsked: number; rowsShown: number };

const office = await openOffice({ calls: CALLS, contacts: CONTACTS });
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
try {
  const cookies = await signIn(browser, office);
  const frame = await weigh(browser, { office, cookies, path: "/nowhere" });
  tell(frame, frame);
  const pages: Weighed[] = [];
  for (const path of paths) {
    const page = await weigh(browser, { office, cookies, path });
    tell(page, frame);
    pages.push(page);
  }
  sumUp(pages, frame);
} finally {
  await browser.close();
  await office.close();
}

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

async function signIn(browser: Browser, { url }: Office): Promise<Cookies> {
  const context = await browser.newContext({ locale: "en-GB" });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('input[type="email"]').fill(people.boss.email);
  await page.locator('input[type="password"]').fill(PASSWORD);
  await page.locator('button[type="submit"]').click();
  await page.locator("h1", { hasText: "Live board" }).waitFor();
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}

async function weigh(browser: Browser, { office, cookies, path }: { office: Office; cookies: Cookies; path: string }) {
  const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 800 } });
  await context.addCookies(cookies);
  const page = await context.newPage();
  const noted = await noteRequests(await context.newCDPSession(page));
  const answers: unknown[] = [];
  const asked: string[] = [];
  page.on("response", (response) => {
    const name = /\/console\/api\/([\w.]+)$/.exec(response.url())?.[1];
    if (name === undefined) return;
    asked.push(`${name} ${response.request().postData() ?? ""}`);
    void response.json().then(
      (it) => answers.push(it),
      () => undefined,
    );
  });
  await page.goto(`${office.url}${path}`);
  await isQuiet(page, noted);
  const weighed: Weighed = {
    path,
    requests: [...noted.values()],
    asked,
    rowsAsked: answers.reduce<number>((sum, answer) => sum + rowsIn(answer), 0),
    rowsShown: await page.locator("main :is(tbody tr, .tile, .station, section.surface)").count(),
  };
  await context.close();
  return weighed;
}

type Noted = Map<string, Request>;

async function noteRequests(session: CDPSession): Promise<Noted> {
  const noted: Noted = new Map();
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  session.on("Network.requestWillBeSent", ({ requestId, request, type }) =>
    noted.set(requestId, { url: request.url, bytes: 0, type: type ?? "" }),
  );
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const request = noted.get(requestId);
    if (request) request.bytes = encodedDataLength;
  });
  return noted;
}

/** It has what it wanted, and has wanted nothing more for a while. */
async function isQuiet(page: Page, noted: Noted): Promise<void> {
  await page.locator("main").waitFor();
  for (let before = -1; before !== noted.size; await pause(realClock, QUIET_MS)) before = noted.size;
  const loading = page.locator('main [role="status"] .mantine-Loader-root');
  while ((await loading.count()) > 0) await loading.first().waitFor({ state: "detached" });
}

/** Things in lists, however deep; a list of words or numbers belongs to its thing. */
function rowsIn(value: unknown): number {
  if (Array.isArray(value)) {
    const things = value.filter((it) => typeof it === "object" && it !== null && !Array.isArray(it));
    return things.length;
  }
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + rowsIn(inner), 0);
}

function sizes({ requests }: Weighed) {
  const of = (is: (request: Request) => boolean) => {
    const some = requests.filter(is);
    return { count: some.length, kb: some.reduce((sum, { bytes }) => sum + bytes, 0) / 1_024 };
  };
  return {
    all: of(() => true),
    scripts: of(({ url }) => url.endsWith(".js")),
    answers: of(({ url }) => url.includes("/console/api/")),
  };
}

function twice({ asked }: Weighed): string[] {
  return [...new Set(asked.filter((it, at) => asked.indexOf(it) !== at))];
}

function tell(page: Weighed, frame: Weighed): void {
  const { all, scripts, answers } = sizes(page);
  const cell = (text: string | number, width: number) => String(text).padStart(width);
  const more = all.kb - sizes(frame).all.kb;
  if (page === frame)
    console.log(
      "page              requests      KB  beyond frame  scripts KB  questions  answers KB   rows asked/shown",
    );
  console.log(
    (page === frame ? "(frame alone)" : page.path).padEnd(17) +
      cell(all.count, 9) +
      cell(all.kb.toFixed(0), 8) +
      cell(more.toFixed(0), 14) +
      cell(scripts.kb.toFixed(0), 12) +
      cell(answers.count, 11) +
      cell(answers.kb.toFixed(1), 12) +
      cell(`${page.rowsAsked}/${page.rowsShown}`, 19),
  );
  if (ONLY)
    for (const { url, bytes } of page.requests.toSorted((a, b) => b.bytes - a.bytes)) console.log(`  ${bytes} ${url}`);
  for (const question of twice(page)) console.log(`  asked twice: ${question}`);
}

function sumUp(pages: Weighed[], frame: Weighed): void {
  const own = sizes(frame).all;
  const heaviest = pages.toSorted((a, b) => sizes(b).all.kb - sizes(a).all.kb)[0];
  const busiest = pages.toSorted((a, b) => b.requests.length - a.requests.length)[0];
  if (!heaviest || !busiest) return;
  const about = { better: "less" as const, yardstick: "the frame alone", with: `${CALLS} calls, ${CONTACTS} contacts` };
  const heavy = sizes(heaviest).all.kb;
  const weight = { value: heavy / 1_024, unit: "MB" as const, goal: GOAL_MB, ratio: heavy / own.kb };
  figure({ name: "heaviest-page", ...weight, ...about });
  console.log(`heaviest: ${heaviest.path}; most requests: ${busiest.path} (${busiest.requests.length})`);
}
