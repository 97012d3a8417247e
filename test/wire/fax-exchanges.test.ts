// Two exchanges, each a server of its own with a trunk to the other: a fax ordered at one is read at the other.

import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { encodeG4 } from "../../src/media/fax/g4.ts";
import { writeTiff } from "../../src/media/fax/tiff.ts";
import { openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import { sql } from "../../src/store/sql.ts";
import { type DrawnPage, drawPages } from "../fax/drawn-pages.ts";
import { renderedDifferences } from "../fax/rendered.ts";
import { eventually } from "../ground/eventually.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

const SENDER_ADDRESS = "127.0.0.2";
/** Sound that a busy machine tears may cost a call; the next one comes at once. */
const SENDER_SETTINGS = { SANTRAL_SIP: `${SENDER_ADDRESS}:0`, SANTRAL_FAX_RETRY_SECONDS: "1,1,1" };
const RECEIVER_ADDRESS = "127.0.0.1";
const DATA_NUMBER = "908505324444";
const SOUND_NUMBER = "908505325555";
/** More pages take longer, and show no more: for those who want to see it. */
const WANTED_PAGES = process.env.SANTRAL_TEST_FAX_PAGES;
const DATA_PAGES = Number(WANTED_PAGES ?? 3);
const SOUND_PAGES = Number(WANTED_PAGES ?? 1);
/** A machine that is short of time makes sound with gaps, and faxes go slower then. */
const RATES = [14400, 12000, 9600, 7200, 4800, 2400];
const patienceFor = (pages: number) => 120 + pages * 10;

type FaxRecord = Record<"direction" | "pages_count" | "result" | "call_uuid" | "original_destination", string> & {
  transfer_rate: number;
  duration: number;
  success: boolean;
};

let sender: RealTown;
let receiver: RealTown;

beforeAll(async () => {
  [sender, receiver] = await Promise.all([realTown(SENDER_SETTINGS), realTown()]);
  await Promise.all([
    joinTo(sender, { town: receiver, address: RECEIVER_ADDRESS }),
    joinTo(receiver, { town: sender, address: SENDER_ADDRESS }),
    receiver.command("number", "create", DATA_NUMBER, "fax"),
    receiver.command("number", "create", SOUND_NUMBER, "fax"),
  ]);
});

async function joinTo(
  town: RealTown,
  other: { town: RealTown; address: string },
  { name = "other", more = [] as string[] } = {},
): Promise<void> {
  const port = other.town.santral.run.sip?.split(":")[1];
  const reach = [`port=${port}`, `source-addresses=${other.address}`, "health-check=no", ...more];
  await town.command("trunk", "create", name, other.address, ...reach);
  await town.trunkIsUp(name);
}

/** Of the calls to this number. */
async function recordsOf(town: RealTown, number: string): Promise<FaxRecord[]> {
  const { fdrs } = JSON.parse(await town.ask("/fdrs")) as { fdrs: FaxRecord[] };
  return fdrs.filter(({ original_destination }) => original_destination === number);
}

/** Of the call that brought it over. */
async function recordOf(town: RealTown, number: string): Promise<FaxRecord | undefined> {
  return (await recordsOf(town, number)).find(({ success }) => success);
}

async function documentOf(town: RealTown, callUuid: string): Promise<Buffer> {
  const answer = await fetch(await town.post("/fax_document_url", { call_uuid: callUuid }));
  expect(answer.headers.get("content-type")).toBe("application/pdf");
  return Buffer.from(await answer.arrayBuffer());
}

/** Orders it, and expects the same pages and the same word of them on both sides; then tells what each has noted. */
async function fax(number: string, pages: DrawnPage[]) {
  const tiff = writeTiff(pages.map((page) => ({ ...page, across: 204, g4: encodeG4(page) })));
  const filedata = `data:image/tiff;base64,${tiff.toString("base64url")}`;
  const local_station_header = "Gönderen Şirketi";
  await sender.post("/fax_orders", { remote_station_id: number, local_station_header, filedata });
  const sent = await eventually("the sender has a record", () => recordOf(sender, number), patienceFor(pages.length));
  const received = await eventually("the receiver has a record", () => recordOf(receiver, number));
  const same = { pages_count: `${pages.length} / ${pages.length}`, success: true, result: "Başarılı" };
  expect(sent).toMatchObject({ ...same, direction: "Giden" });
  expect(received).toMatchObject({ ...same, direction: "Gelen", transfer_rate: sent.transfer_rate });
  // The one counts from its INVITE to its BYE, the other from when it got to read them.
  expect(Math.abs(sent.duration - received.duration)).toBeLessThanOrEqual(15);
  const documents = await Promise.all([documentOf(sender, sent.call_uuid), documentOf(receiver, received.call_uuid)]);
  for (const pdf of documents) expect(await renderedDifferences(pdf, pages)).toEqual(pages.map(() => 0));
  if (WANTED_PAGES)
    console.log(`${pages.length} pages to ${number}: ${sent.duration} s at ${sent.transfer_rate} bit/s`);
  return { sent, received };
}

/** No call in vain stands beside the one that brought it, on either side. */
async function expectFirstCallDelivered(number: string): Promise<void> {
  const calls = [...(await recordsOf(sender, number)), ...(await recordsOf(receiver, number))];
  expect(calls.map(({ result }) => result)).toEqual(["Başarılı", "Başarılı"]);
}

/** The interface's record does not say how it went; the one behind it does, and so do the legs of the call's own. */
async function wayOf(town: RealTown, { call_uuid }: FaxRecord) {
  const db = openDatabase(connectionTo(join(town.data, "pg"), "postgres"), realClock, { connections: 1 });
  const asked = db.query<{ t38: boolean | null; codecs: string[] }>(
    sql`select t38, array(select distinct read_codec from cdr_legs where cdr_legs.call_uuid = fax.call_uuid) as codecs
     from fax_records fax where call_uuid = $1`,
    [call_uuid],
  );
  const [record] = await asked.finally(() => db.close());
  return record;
}

test("a fax goes as data, the pages are the same, and so is what both have to say", {
  timeout: patienceFor(DATA_PAGES) * 2_000,
}, async () => {
  const { sent, received } = await fax(DATA_NUMBER, drawPages(DATA_PAGES));
  await expectFirstCallDelivered(DATA_NUMBER);
  expect(sent.transfer_rate).toBe(14400);
  const asData = { t38: true, codecs: ["T.38"] };
  expect([await wayOf(sender, sent), await wayOf(receiver, received)]).toEqual([asData, asData]);
});

test("over a trunk that shall not use T.38 a fax goes as sound, with the same pages and words", {
  timeout: patienceFor(SOUND_PAGES) * 2_000,
}, async () => {
  const more = ["t38=no", "priority=1"];
  await joinTo(sender, { town: receiver, address: RECEIVER_ADDRESS }, { name: "sound", more });
  const { sent, received } = await fax(SOUND_NUMBER, drawPages(SOUND_PAGES));
  // Data waits for a busy machine, sound is torn by it: whoever looks on purpose has a machine with time.
  if (WANTED_PAGES) await expectFirstCallDelivered(SOUND_NUMBER);
  expect(RATES).toContain(sent.transfer_rate);
  const asSound = { t38: false, codecs: ["PCMA"] };
  expect([await wayOf(sender, sent), await wayOf(receiver, received)]).toEqual([asSound, asSound]);
});
