// Faxes the whole way: ordered over HTTP, sent by a real machine to the sandbox's, fetched again, and compared.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { papersIn, type SandboxPaper, trayIn } from "../../src/exchange/features/sandbox/fax-machines.ts";
import { encodeG4 } from "../../src/media/fax/g4.ts";
import { writeTiff } from "../../src/media/fax/tiff.ts";
import { type Database, openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import { sql } from "../../src/store/sql.ts";
import { attachmentOf, type MailServer, openMailServer } from "../customer/mail-server.ts";
import { crowded, type DrawnPage, differences, drawPages } from "../fax/drawn-pages.ts";
import { HEADER_ROWS, renderedDifferences } from "../fax/rendered.ts";
import { childOf } from "../ground/children.ts";
import { eventually } from "../ground/eventually.ts";
import { whenOver } from "../ground/when-over.ts";
import { recordOf } from "../town/call-story.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

type FaxRecord = {
  call_uuid: string;
  direction: string;
  pages_count: string;
  transfer_rate: number;
  success: boolean;
  result: string;
  original_destination: string;
  caller_id_number: string;
  answer_stamp: string | null;
};

/** A fax takes as long as it takes, and a machine that does much else as well is not faster. */
const PATIENCE = 120;
const LONG_MS = PATIENCE * 3_000;
const FAX_NUMBER = "908505323333";

let town: RealTown;
let mail: MailServer;
let db: Database;

const plain = drawPages(2);
// Whoever breaks off in the middle of the second page must find it long enough, on a machine that stood still for a while.
const long = (rows?: number) => [plain[0]!, crowded(plain[1]!, rows)]; // two, as asked for
const story = { plain, pages: long(), cut: long(20), killed: "" };

/** One fax loses its machine in the middle of its second page; the others begin then, all at once. */
beforeAll(async () => {
  mail = await openMailServer();
  whenOver(() => mail.close());
  town = await realTown({ SANTRAL_FAX_RETRY_SECONDS: "1,1,1,1", SANTRAL_SMTP_URL: `smtp://127.0.0.1:${mail.port}` });
  db = openDatabase(connectionTo(join(town.data, "pg"), "postgres"), realClock, { connections: 1 });
  whenOver(() => db.close());
  await town.command("number", "create", FAX_NUMBER, "fax/office@example.com");
  await order("905000000009", story.pages);
  expect(JSON.parse(await town.ask("/fax_orders"))).toMatchObject({
    fax_orders: [{ remote_station_id: "905000000009", status: "Bekliyor" }],
  });
  await eventually("one page is over", () => isConfirmed(1), PATIENCE);
  story.killed = new Date().toISOString();
  process.kill(machinesPid()!, "SIGKILL"); // it was just sending
  const others = { "905000000022": story.cut, "905000000010": story.plain, "905000000020": story.plain };
  await Promise.all(Object.entries(others).map(([number, pages]) => order(number, pages)));
  await town.command("sandbox", "call", "--from", "905000000009", "--to", FAX_NUMBER);
}, LONG_MS);

const uploaded = (pages: DrawnPage[]) =>
  `data:image/tiff;base64,${writeTiff(pages.map((page) => ({ ...page, across: 204, g4: encodeG4(page) }))).toString("base64")}`;

function order(to: string, pages: DrawnPage[]): Promise<string> {
  return town.post("/fax_orders", {
    remote_station_id: to,
    local_station_header: "ŞİRKET ÇÖĞÜ",
    filedata: uploaded(pages),
  });
}

async function records(filter: Record<string, string>): Promise<FaxRecord[]> {
  const { fdrs } = JSON.parse(await town.ask("/fdrs", filter)) as { fdrs: FaxRecord[] };
  return fdrs.reverse(); // the oldest first
}

const sentTo = (number: string) => records({ original_destination: number });

async function untilSent(number: string): Promise<FaxRecord[]> {
  return eventually(
    `a fax to ${number} is sent`,
    async () => {
      const found = await sentTo(number);
      return found.at(-1)?.success ? found : undefined;
    },
    PATIENCE,
  );
}

/** Papers of one machine, the oldest first. */
async function tray(number: string): Promise<SandboxPaper[]> {
  const papers = await papersIn(trayIn(join(town.data, "faxes")));
  return papers.filter((paper) => paper.number === number).reverse();
}

/** Faster than asking the command line: the second page must not be over as well. */
async function isConfirmed(pages: number): Promise<boolean> {
  const found = await db.query(sql`select from fax_orders where confirmed_pages = $1`, [pages]);
  return found.length > 0;
}

/** The fax machines' process: a child of the server. */
const machinesPid = () => childOf(town.santral.run.pid, "fax-machines");

describe("a fax order", () => {
  test(
    "goes on where it was when the machine died in mid-page, and what arrived equals what was sent",
    async () => {
      const { pages, killed } = story;
      const [broken, rest, ...more] = await untilSent("905000000009");
      expect(more).toEqual([]);
      expect(broken).toMatchObject({ pages_count: "1 / 2", success: false, result: "Başarısız", direction: "Giden" });
      expect(rest).toMatchObject({ pages_count: "1 / 1", success: true, result: "Başarılı", transfer_rate: 14400 });
      const last = await eventually("the rest lies in the tray", async () =>
        (await tray("905000000009")).find(({ at }) => at > killed),
      );
      expect(await differences(last.tiff, [pages[1]!], { headerRows: HEADER_ROWS })).toEqual([0]);
      expect(await renderedDifferences(readFileSync(last.pdf), [pages[1]!])).toEqual([0]);
      await expectDocument(rest!.call_uuid, pages);
      const { cdr } = await recordOf(town, broken!.call_uuid);
      expect(cdr).toMatchObject({ direction: "Giden (API)", result: "Cevaplandı" });
    },
    LONG_MS,
  );

  test(
    "reaches a machine without T.38, as sound",
    async () => {
      const calls = await untilSent("905000000010");
      // Sound that a busy machine tears may cost a call; the next one brings what is missing.
      const brought = calls.map(({ pages_count }) => Number.parseInt(pages_count, 10));
      expect(brought.reduce((sum, pages) => sum + pages, 0)).toBe(2);
      const rest = story.plain.slice(-brought.at(-1)!); // one call at least, or it would not be sent
      const paper = await eventually("the paper lies in the tray", async () =>
        (await tray("905000000010")).findLast(({ pages }) => pages === rest.length),
      );
      expect(await differences(paper.tiff, rest, { headerRows: HEADER_ROWS })).toEqual(rest.map(() => 0));
    },
    LONG_MS,
  );

  test(
    "for a machine that breaks off in mid-page brings the rest with the next call",
    async () => {
      const calls = await untilSent("905000000022");
      // On a machine that is short of time it may break off before the first page was confirmed, and be called again.
      const brought = calls.map(({ pages_count }) => pages_count).filter((pages) => pages !== "0 / 2");
      expect(brought).toEqual(["1 / 2", "1 / 1"]);
    },
    LONG_MS,
  );

  test(
    "for a machine that is always busy is given up after the last try",
    async () => {
      const busy = await eventually("it is given up", async () => {
        const calls = await sentTo("905000000020");
        return calls.length === 5 && calls;
      });
      for (const call of busy) expect(call).toMatchObject({ pages_count: "0 / 2", success: false, answer_stamp: null });
      const nothing = async () => JSON.parse(await town.ask("/fax_orders")).fax_orders.length === 0;
      await eventually("no order waits", nothing, PATIENCE);
    },
    LONG_MS,
  );
});

test(
  "a fax that comes in is kept, recorded and sent on by e-mail",
  async () => {
    const received = await eventually(
      "a fax came in",
      async () => (await records({ direction: "inbound" }))[0],
      PATIENCE,
    );
    expect(received).toMatchObject({
      direction: "Gelen",
      caller_id_number: "05000000009",
      original_destination: FAX_NUMBER,
      pages_count: "2 / 2",
      transfer_rate: 14400,
      success: true,
      result: "Başarılı",
    });
    expect((await recordOf(town, received.call_uuid)).cdr).toMatchObject({ direction: "Gelen", result: "Cevaplandı" });
    const letter = await eventually("the fax comes by e-mail", async () => mail.letters[0]);
    expect(letter.to).toEqual(["office@example.com"]);
    const { type, bytes } = attachmentOf(letter);
    expect({ type, begins: bytes.toString("latin1", 0, 8) }).toEqual({ type: "application/pdf", begins: "%PDF-1.4" });
  },
  LONG_MS,
);

test.runIf(process.env.SANTRAL_TEST_FAX)(
  "an order goes on with the next page when the whole exchange was killed in mid-fax",
  async () => {
    const pages = drawPages(2).map(crowded);
    await order("905000000009", pages);
    const isHalf = sql`select from fax_orders where confirmed_pages = 1 and state = 'sending'`;
    await eventually("one page is over", async () => (await db.query(isHalf)).length > 0, PATIENCE);
    await town.restart();
    const [broken, rest] = await eventually(
      "the rest is sent",
      async () => {
        const found = (await sentTo("905000000009")).slice(-2);
        return found.at(-1)?.success && found.at(-1)?.pages_count === "1 / 1" && found;
      },
      PATIENCE,
    );
    expect(broken).toMatchObject({ pages_count: "1 / 2", success: false });
    expect(rest).toMatchObject({ pages_count: "1 / 1", success: true });
    await expectDocument(rest!.call_uuid, pages);
  },
  LONG_MS,
);

/** By its temporary URL, as PDF, as TIFF and as a picture. */
async function expectDocument(callUuid: string, pages: DrawnPage[]): Promise<void> {
  const url = await town.post("/fax_document_url", { call_uuid: callUuid });
  expect(url).toMatch(/\/fax_document\/F[0-9a-f-]{36}$/);
  const [pdf, tiff, png] = await Promise.all(["", "?format=tiff", "?format=png&page=2"].map((end) => fetch(url + end)));
  expect(pdf!.headers.get("content-type")).toBe("application/pdf");
  expect(await renderedDifferences(Buffer.from(await pdf!.arrayBuffer()), pages)).toEqual([0, 0]);
  expect(tiff!.headers.get("content-type")).toBe("image/tiff");
  expect(png!.headers.get("content-type")).toBe("image/png");
}
