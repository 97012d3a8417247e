import { beforeAll, expect, test, vi } from "vitest";
import { pause, realClock, since } from "../../src/clock.ts";
import { freezeDatabase, takeDatabaseAway } from "../ground/embedded-database.ts";
import { eventually } from "../ground/eventually.ts";
import { shows } from "../ground/interop.ts";
import { santral } from "../ground/santral-process.ts";
import type { Baresip } from "../phones/baresip.ts";
import { talked } from "../phones/ear.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

vi.setConfig({ testTimeout: 300_000 });

/** How long a request may take here, and by when its 503 has come on a machine that does much else. */
const REQUEST_SECONDS = 3;
const SOON_MS = 30_000;
/** An API key is remembered for a second; after that the database is asked whose it is. */
const FORGOTTEN_MS = 1_500;

let town: RealTown;
let ann: Baresip;
let bob: Baresip;

beforeAll(async () => {
  town = await realTown({ SANTRAL_REQUEST_SECONDS: String(REQUEST_SECONDS), SANTRAL_DATABASE_SECONDS: "5" });
  [ann, bob] = await Promise.all([
    town.phone("1000", 440, { answerMode: "auto" }),
    town.phone("1001", 660, { answerMode: "auto" }),
  ]);
}, 300_000);

const readiness = async () => {
  const answer = await town.santral.get("/readyz");
  return `${answer.status} ${await answer.text()}`;
};
const becomes = (state: string | RegExp) =>
  eventually(`/readyz says ${state}`, async () => (await readiness()).match(state) !== null);
const recordsOfCalls = async () => (JSON.parse(await town.ask("/cdrs")) as { cdrs: { result: string }[] }).cdrs;

async function talk(): Promise<void> {
  await ann.dial("1001");
  await ann.event("CALL_ESTABLISHED");
  await talked([ann, 660], [bob, 440]);
}

async function hangUp(): Promise<void> {
  await ann.hangUp();
  await bob.event("CALL_CLOSED");
}

test("a database that hangs delays no call, requests are told so, and none of them is carried out later", async () => {
  await talk();
  await pause(realClock, FORGOTTEN_MS);
  const { thaw } = freezeDatabase(town.data);
  const frozenMs = realClock.ticks();
  const leaving = AbortSignal.timeout(500);
  const url = `http://${town.santral.run.http}/originate?key=${town.firstRun.exchange.key}&extension=1001&destination=1000`;
  const left = fetch(url, { signal: leaving }).catch(() => "gone");
  const contact = { name: "Nobody", surname: "Waits", phone: "05321234567" };
  const answers = await Promise.all([
    town.tell("/originate", { extension: "1000", destination: "1001" }),
    town.tell("/contacts", contact),
    town.post("/contacts", contact).then(String, String),
  ]);
  expect(answers[0]).toEqual({ status: 503, text: expect.stringMatching(/not done in time|Service Unavailable/) });
  expect(answers[1].status).toBe(503);
  expect(answers[2]).toContain("503");
  expect(await left).toBe("gone");
  expect(since(realClock, frozenMs)).toBeLessThan(SOON_MS);
  expect(await readiness()).toBe("503 the database does not answer");
  expect((await town.santral.get("/healthz")).status).toBe(200);
  expect(await (await town.santral.get("/metrics")).text()).toContain("santral_ready 0");
  await talked([ann, 660], [bob, 440]);

  thaw();
  await becomes("200 ready");
  await talked([ann, 660], [bob, 440]);
  await hangUp();
  await eventually("the call has its record", async () => (await recordsOfCalls()).length > 0);
  await talk(); // whatever was to come later has come by now
  await hangUp();
  await eventually("the second has its record", async () => (await recordsOfCalls()).length > 1);
  expect(await recordsOfCalls()).toHaveLength(2);
  const { contacts } = JSON.parse(await town.ask("/contacts")) as { contacts: { name: string }[] };
  expect(contacts.filter(({ name }) => name === "Nobody")).toEqual([]);
});

test(
  "an embedded database that cannot start is tried again while calls go on, and what is owed is written when it is back",
  shows("calls: while the database is away", "baresip"),
  async () => {
    const before = (await recordsOfCalls()).length;
    await talk();
    const { giveBack } = takeDatabaseAway(town.data);
    await becomes(/^503 the database does not answer: .*could not/);
    await eventually("it was tried more than once", async () => {
      return town.santral.output().split("the embedded database does not start").length > 3;
    });
    await talked([ann, 660], [bob, 440]);
    expect((await town.tell("/originate", { extension: "1000", destination: "1001" })).status).toBe(503);
    expect((await town.santral.get("/healthz")).status).toBe(200);
    const doctor = await santral(town.data, ["doctor"]);
    expect(doctor.stdout + doctor.stderr).toContain("the server takes no new work: the database does not answer");
    await hangUp();

    giveBack();
    await becomes("200 ready");
    expect(town.santral.output()).toContain("the embedded database is back");
    await eventually("the call has its record", async () => (await recordsOfCalls()).length > before);
    await talk();
    await hangUp();
    await eventually("so has the next", async () => (await recordsOfCalls()).length > before + 1);
    expect(await recordsOfCalls()).toHaveLength(before + 2);
  },
);

test(
  "a call that begins and ends while the database is away has its record, though the process is killed before it is back",
  shows("calls: while the database is away", "baresip"),
  async () => {
    const before = (await recordsOfCalls()).length;
    const { giveBack } = takeDatabaseAway(town.data);
    await becomes(/^503 the database does not answer/);
    await talk();
    await hangUp();
    await eventually("it is over", async () => {
      const metrics = await (await town.santral.get("/metrics")).text();
      return /^santral_calls_up 0$/m.test(metrics) && !/^santral_arrears_entries 0$/m.test(metrics);
    });
    await town.restart(giveBack);
    await becomes("200 ready");
    const records = await recordsOfCalls();
    expect(records).toHaveLength(before + 1);
    expect(records[0]).toMatchObject({ result: "Cevaplandı" });
    expect(town.santral.output()).not.toContain("a crash cut off");
  },
);
