// Faxes between exchanges that are processes of their own, over real SIP, T.38 and sound, in the time that faxes take.
// They go at once, the longest story first, since each takes as long as the sheet of paper it stands for.

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import type { FaxDemands } from "../../src/exchange/features/faxes/run-fax.ts";
import { type FaxEvent, faxFailures } from "../../src/media/fax/fax-engine.ts";
import { crowded, type DrawnPage, differences, drawPages, writePages } from "../fax/drawn-pages.ts";
import { buildOffice, type OfficeProcess, startOffice } from "../fax/office-process.ts";
import { whenOver } from "../ground/when-over.ts";

/** A busy machine needs patience; a fax of one page takes twenty seconds by itself. */
const PATIENCE_MS = 300_000;
const MOST_SOUND_CALLS = 3;
/** After the two have met, one tells the other for a second how it is going to send. */
const IN_MID_SENTENCE_MS = 500;
/** Longer than a fax machine waits for an answer. */
const AWAY_MS = 4_000;
/** With gaps in its sound a fax goes slower. */
const RATES = [14400, 12000, 9600, 7200, 4800, 2400];
const HEADER = { when: "15.11.2026 09:18", from: "Şişli Ağız ve Diş Sağlığı", to: "+903124445566" };
const HEADER_ROWS = 34;
const SENDER = "+902121112233";
const RECEIVER = "+903124445566";
const LONG = process.env.SANTRAL_TEST_FAX_LONG === "yes";

let folder: string;
let program: string;
let ankara: OfficeProcess;
let istanbul: OfficeProcess;
let calls = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "santral-fax-"));
  whenOver(() => rm(folder, { recursive: true, force: true }));
  program = await buildOffice();
  whenOver(() => rm(program, { force: true }));
  [ankara, istanbul] = await Promise.all([open(), open()]);
});

describe.concurrent("a fax from Istanbul to Ankara", { timeout: PATIENCE_MS }, () => {
  test("ends cleanly when the fax machines die in mid-page, and the rest goes with the next call", async () => {
    const izmir = await open();
    const pages = drawPages(2);
    // Half a minute of it: however late we hear of the first page, the second one is not over.
    const endless = crowded(pages[1]!, 135); // two, as asked for
    const broken = await fax([pages[0]!, endless], {
      from: izmir,
      onSenderEvent: (event) => event.is === "page" && izmir.signalFaxMachines("SIGKILL"),
    });
    expect(broken.sent.result).toMatchObject({ ok: false, code: -2 });
    expect(broken.received).toMatchObject({ result: { ok: false, pages: 1 }, cause: "NORMAL_CLEARING" });
    expect(confirmed(broken.events)).toEqual([1]);
    expect(await differences(broken.path, pages.slice(0, 1))).toEqual([0]);
    const rest = await fax(pages, { from: izmir, send: { fromPage: 2 } });
    expect(rest.sent.result).toMatchObject({ ok: true, pages: 1 });
    expect(await differences(rest.path, pages.slice(1))).toEqual([0]);
  });

  test("goes as data when the receiver asks for it, and looks the same below its header", async () => {
    const pages = drawPages(1);
    const { sent, received, path } = await fax(pages, { send: { header: HEADER } });
    const both = { ok: true, pages: 1, rate: 14400, ecm: true, t38: true, resolution: 196, code: 0 };
    expect(sent.result).toMatchObject({ ...both, remoteStationId: RECEIVER });
    expect(received.result).toMatchObject({ ...both, remoteStationId: SENDER });
    expect(await differences(path, pages, { headerRows: HEADER_ROWS })).toEqual([0]);
  });

  test("has three pages, each told when it is over, and goes as data when the sender asks for it", async () => {
    const pages = drawPages(3, { down: 98, rows: 150 });
    const { sent, events, path } = await fax(pages, { receive: { t38: "accept" } });
    expect(sent.result).toMatchObject({ ok: true, pages: 3, t38: true, resolution: 98 });
    expect(confirmed(events)).toEqual([1, 2, 3]);
    expect(await differences(path, pages)).toEqual([0, 0, 0]);
  });

  test("waits for a machine that does not get to work for some seconds", async () => {
    const offices = await Promise.all([open(), open()]);
    const pages = drawPages(1, { down: 98, rows: 150 });
    const [from, to] = offices;
    const signalBoth = (signal: NodeJS.Signals) => {
      for (const office of offices) office.signalFaxMachines(signal);
    };
    const { sent, path } = await fax(pages, {
      from: from!, // as many as were opened
      to: to!,
      onSenderEvent(event) {
        if (event.is !== "met") return;
        realClock.after(IN_MID_SENTENCE_MS, () => signalBoth("SIGSTOP"));
        realClock.after(IN_MID_SENTENCE_MS + AWAY_MS, () => signalBoth("SIGCONT"));
      },
    });
    expect(sent.result).toMatchObject({ ok: true, pages: 1, t38: true });
    expect(await differences(path, pages)).toEqual([0]);
  });

  test("goes as sound when the receiver refuses data", async () => {
    const pages = drawPages(1);
    const { sent, received, path } = await faxAsSound(pages, { receive: { t38: "never" } });
    expect(sent.result).toMatchObject({ ok: true, pages: 1, t38: false });
    expect(RATES).toContain(sent.result.rate);
    expect(received.result).toMatchObject({ ok: true, pages: 1, t38: false });
    expect(await differences(path, pages)).toEqual([0]);
  });

  test("goes as sound in the other law when the sender refuses data", async () => {
    const pages = drawPages(2);
    const { sent, path } = await faxAsSound(pages, { send: { t38: "never" }, codecs: ["PCMU"] });
    expect(sent.result).toMatchObject({ ok: true, pages: 2, t38: false });
    expect(await differences(path, pages)).toEqual([0, 0]);
  });

  test("arrives whole though one in ten packets does not", async () => {
    const pages = drawPages(1);
    const { sent, path } = await fax(pages, { loss: 0.1 });
    expect(sent.result).toMatchObject({ ok: true, pages: 1, t38: true });
    expect(await differences(path, pages)).toEqual([0]);
  });

  test("is refused without a call that lasts, and nothing is kept of pages that never came", async () => {
    const path = join(folder, "nothing.tif");
    const wanted: FaxDemands = { role: "send", pages: { tiff: path }, stationId: SENDER };
    const received = await ankara.expect("0", { role: "receive", pages: { tiff: path }, stationId: RECEIVER });
    const sent = await istanbul.send({ to: ankara.door, dial: "0", wanted });
    expect(sent.result).toMatchObject({ ok: false, code: -6 });
    expect(await received.over).toMatchObject({ result: { ok: false, pages: 0 }, cause: "NORMAL_CLEARING" });
    expect(existsSync(path)).toBe(false);
  });

  test.runIf(LONG)("has twenty pages", { timeout: 600_000 }, async () => {
    const pages = drawPages(20);
    const { sent, path } = await fax(pages, {});
    expect(sent.result).toMatchObject({ ok: true, pages: 20, t38: true });
    expect(await differences(path, pages)).toEqual(pages.map(() => 0));
  });
});

type FaxStory = {
  from?: OfficeProcess;
  to?: OfficeProcess;
  send?: Partial<FaxDemands>;
  receive?: Partial<FaxDemands>;
  codecs?: ["PCMA" | "PCMU"];
  loss?: number;
  onSenderEvent?(event: FaxEvent): unknown;
};

async function fax(pages: DrawnPage[], story: FaxStory) {
  const { from = istanbul, to = ankara, send, receive, codecs, loss, onSenderEvent } = story;
  const dial = String(++calls);
  const tiff = await writePages(join(folder, `sent-${dial}.tif`), pages);
  const path = join(folder, `received-${dial}.tif`);
  const events: FaxEvent[] = [];
  const hear = (event: FaxEvent) => {
    events.push(event);
    onSenderEvent?.(event);
  };
  const received = await to.expect(dial, {
    role: "receive",
    pages: { tiff: path },
    stationId: RECEIVER,
    ...receive,
  });
  const sent = await from.send({
    to: to.door,
    dial,
    ...(codecs ? { codecs } : {}),
    ...(loss ? { loss } : {}),
    wanted: { role: "send", pages: { tiff }, stationId: SENDER, hear, ...send },
  });
  if (sent.result.code === faxFailures.noCall) throw new Error(`the call did not come about: ${sent.result.text}`);
  return { sent, received: await received.over, events, path };
}

/** Data waits for a busy machine, sound is torn by it: a call that was is made again. */
async function faxAsSound(pages: DrawnPage[], story: FaxStory) {
  for (let call = 1; ; call++) {
    const faxed = await fax(pages, story);
    if (call === MOST_SOUND_CALLS || (faxed.sent.result.ok && faxed.received.result.ok)) return faxed;
  }
}

function confirmed(events: FaxEvent[]): number[] {
  return events.flatMap((event) => (event.is === "page" ? [event.confirmed] : []));
}

async function open(): Promise<OfficeProcess> {
  const office = await startOffice(program, "127.0.0.1");
  whenOver(() => office.close());
  return office;
}
