// What the exchange sees when the fax process is not what it should be: without its library, dying, or stuck.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { eventually } from "../../../test/ground/eventually.ts";
import { testClock } from "../../../test/ground/test-clock.ts";
import { silentLog } from "../../log.ts";
import { type FaxDrill, openFaxProcess } from "./fax-process.ts";

const TO_SEND = { role: "send", pages: { tiff: "/nowhere.tif" }, stationId: "1" } as const;
const SOUND = { codec: "PCMA", enginePort: 9 } as const;
const BY_THE_PARENT = `process.on("disconnect", () => process.exit(0));`;
const READY = `process.send({ is: "ready" }, () => undefined);`;

let folder: string;
let engine: FaxDrill;
let processPath: string;
const clock = testClock();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "santral-fax-process-"));
});
afterEach(() => engine.stop());
afterAll(() => rm(folder, { recursive: true, force: true }));

test("without the library everybody is told what to install, until it is there", async () => {
  const why = "fax needs libspandsp2: sudo apt-get install";
  await machines(`${BY_THE_PARENT} process.send({ is: "missing", why: ${JSON.stringify(why)} }, () => undefined);`);
  expect(await engine.availability()).toEqual({ available: false, why });
  const session = engine.start(TO_SEND);
  expect(await session.done).toMatchObject({ ok: false, code: -1, text: why });
  expect(await session.openAudio(SOUND)).toHaveProperty("refused");
  await writeFile(processPath, `${BY_THE_PARENT} ${READY}`);
  expect(await engine.availability()).toEqual({ available: false, why });
  clock.pass(60_000);
  expect(await engine.availability()).toEqual({ available: true });
});

test("a process that dies ends its faxes, and the next fax has another one", async () => {
  await machines(
    `${BY_THE_PARENT} ${READY} process.on("message", (order) => order.do === "openAudio" && process.exit(7));`,
  );
  const session = engine.start(TO_SEND);
  const opening = session.openAudio(SOUND);
  expect(await session.done).toMatchObject({ ok: false, code: -2 });
  expect(await opening).toHaveProperty("refused");
  expect(await session.openT38()).toHaveProperty("refused");
  session.terminate();
  session.close();
  expect(engine.pid()).toBeUndefined();
  engine.start(TO_SEND);
  expect(engine.pid()).toBeDefined();
});

test("two who ask for a line at once are both answered, and who still waits at the end is refused", async () => {
  await machines(
    `${BY_THE_PARENT} ${READY}
     let asked = 0;
     process.on("message", ({ do: what, session }) => {
       if (what !== "openT38" || ++asked % 2 === 1) return;
       for (const port of [4000, 4000]) process.send({ is: "opened", what: "t38", session, port }, () => undefined);
     });`,
  );
  const session = engine.start(TO_SEND);
  expect(await Promise.all([session.openT38(), session.openT38()])).toEqual([{ port: 4000 }, { port: 4000 }]);
  const third = session.openT38();
  session.close();
  expect(await third).toHaveProperty("refused");
});

test("a process without a heartbeat is ended", async () => {
  await machines(`${READY} setInterval(() => undefined, 100_000);`);
  const session = engine.start(TO_SEND);
  expect(await engine.availability()).toEqual({ available: true });
  clock.pass(60_000);
  expect(await session.done).toMatchObject({ ok: false, code: -2 });
});

test("a process that cannot even start is no fax machine", async () => {
  await machines("process.exit(1);");
  expect(await engine.availability()).toMatchObject({ available: false });
  expect(await eventually("its end is noticed", async () => engine.pid() === undefined)).toBe(true);
});

/** The program that is started from now on. */
async function machines(program: string): Promise<void> {
  processPath = join(folder, `machines-${program.length}.mjs`);
  await writeFile(processPath, program);
  await engine?.stop();
  const places = { bind: "127.0.0.1", ports: { from: 0, to: 0 }, inside: "127.0.0.1" };
  engine = openFaxProcess({ places, folder, documents: [], processPath, clock, log: silentLog });
}
