// Every fax operation over a real socket, with every reason to refuse; and what each says where fax cannot work.

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { type FaxOffice, openFaxOffice } from "../../src/exchange/features/faxes/fax-office.ts";
import { openSettings } from "../../src/exchange/plan/settings.ts";
import { openDrawer } from "../../src/media/documents/drawer.ts";
import { printPdf } from "../../src/media/documents/pdf.ts";
import { encodeG4 } from "../../src/media/fax/g4.ts";
import { writeTiff } from "../../src/media/fax/tiff.ts";
import { runnerIn } from "../../src/programs/program.ts";
import type { Db } from "../../src/store/db.ts";
import { sql } from "../../src/store/sql.ts";
import { openRequester } from "../../src/webhooks/requester.ts";
import { drawPages } from "../fax/drawn-pages.ts";
import { makePdf } from "../fax/made-documents.ts";
import { exchangeWorld } from "../town/exchange-world.ts";
import { httpTown } from "../town/http-town.ts";
import { type FaxFacts, faxRows } from "./conformance/faxes.ts";
import { play } from "./conformance/row.ts";

const WHY_NOT = "fax needs libspandsp2: sudo apt-get install -y --no-install-recommends libspandsp2";
const SLOW = 240_000;

let office: FaxOffice | undefined;
// The server wants an office before there is a database for one.
const door: FaxOffice = {
  whyNot: async () => office?.whyNot(),
  order: (exchangeId, request) => office!.order(exchangeId, request), // asked only once it is there
  preview: async (objectKey, page) => office?.preview(objectKey, page),
  due: () => undefined,
  dropped: () => undefined,
};

const world = await exchangeWorld({ faxes: door });
const settings = await openSettings(world.db);
const requester = openRequester({ clock: realClock, privateAllowed: true });
const shelf = await openShelf();
const means = {
  db: world.db,
  clock: realClock,
  objects: world.objects,
  settings,
  requester,
  drawer: openDrawer({
    runProgram: runnerIn("limited"),
    clock: realClock,
    program: resolve("dist/document-drawer.js"),
    atOnce: 2,
  }),
  whyNot: async () => undefined,
  taken: () => undefined,
  dropped: () => undefined,
};
office = openFaxOffice(means);
afterAll(async () => {
  shelf.server.close();
  shelf.server.closeAllConnections();
  requester.close();
  await settings.close();
});

const coded = drawPages(2).map((page) => ({ ...page, across: 204, g4: encodeG4(page) }));
const pages = { tiff: writeTiff(coded), pdf: printPdf(coded, "Faks") };
const facts: FaxFacts = {
  ...(await keepFaxes(world.db, world.ours.id)),
  theirs: (await keepFaxes(world.db, world.theirs.id)).well,
  documents: shelf.url,
};

for (const row of faxRows(world, facts)) test(row.what, () => play(row, world), SLOW);

/** Documents that are fetched: one that is there, one that moved, one that never ends. */
async function openShelf() {
  const server = createServer((request, response) => {
    if (request.url === "/invoice.pdf") return void response.end(makePdf([{}, {}]));
    if (request.url === "/moved") return void response.writeHead(302, { location: "/invoice.pdf" }).end();
    if (request.url !== "/endless") return void response.writeHead(404).end();
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(1 << 20)));
    };
    response.on("drain", more);
    more();
    return undefined;
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function keepFaxes(db: Db, exchangeId: number): Promise<{ well: string; badly: string }> {
  const [well, badly] = [randomUUID(), randomUUID()];
  await world.objects.put(`faxes/${well}.tif`, { bytes: pages.tiff });
  await world.objects.put(`faxes/${well}.pdf`, { bytes: pages.pdf });
  await db.query(
    sql`insert into fax_records (call_uuid, exchange_id, direction, caller_id_number, local_station_header,
       original_destination, pages, total_pages, transfer_rate, start_stamp, answer_stamp, end_stamp,
       duration_seconds, success, object_key, pdf_key)
     values ($1, $3, 'outbound', '908505320000', 'Şirket', '902123205072', 2, 2, 14400, '2018-03-22 11:50:20Z',
         '2018-03-22 11:50:25Z', '2018-03-22 11:51:32Z', 72, true, $4, $5),
       ($2, $3, 'inbound', '02123205072', '', '908505320000', 0, 0, 0, '2018-03-24 11:50:20Z', null,
         '2018-03-24 11:51:32Z', 72, false, null, null)`,
    [well, badly, exchangeId, `faxes/${well}.tif`, `faxes/${well}.pdf`],
  );
  return { well, badly };
}

describe("the pages of a fax", () => {
  test("come as PDF, as TIFF and as a picture, in parts where asked, and to no other door", {
    timeout: SLOW,
  }, async () => {
    const url = (await world.ask(`POST /fax_document_url?call_uuid=${facts.well}`)).text;
    const get = async (end: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(url + end, { headers });
      const bytes = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, type: answer.headers.get("content-type"), bytes };
    };
    expect(await get("")).toEqual({ status: 200, type: "application/pdf", bytes: pages.pdf });
    expect(await get("?format=tiff")).toEqual({ status: 200, type: "image/tiff", bytes: pages.tiff });
    const part = await get("", { range: "bytes=0-4" });
    expect([part.status, part.bytes.toString()]).toEqual([206, "%PDF-"]);
    const picture = await get("?format=png&page=2");
    expect([picture.status, picture.type]).toEqual([200, "image/png"]);
    expect(picture.bytes.toString("latin1", 1, 4)).toBe("PNG");
    expect((await get("?format=png&page=3")).bytes.toString()).toBe("there is no page 3");
    expect((await get("?format=gif")).status).toBe(400);
    expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
    const elsewhere = await fetch(url.replace("/fax_document/", "/recording/"));
    expect([elsewhere.status, await elsewhere.text()]).toEqual([400, "invalid or expired ticket"]);
  });

  test("are gone for a ticket whose hour is over", async () => {
    const url = (await world.ask(`POST /fax_document_url?call_uuid=${facts.well}`)).text;
    await world.db.query(sql`update tickets set expires_at = now() - interval '1 second'`);
    expect((await fetch(url)).status).toBe(400);
  });
});

test("a document inside the operator's own network is not fetched, unless he allows it", async () => {
  const strict = openRequester({ clock: realClock, privateAllowed: false });
  const guarded = openFaxOffice({ ...means, requester: strict });
  const request = { to: "902123205072", from: undefined, header: "", fineness: "fine" } as const;
  const refused = await guarded.order(world.ours.id, { ...request, document: { url: `${shelf.url}/invoice.pdf` } });
  expect(refused).toEqual({ refused: "not-fetched", why: "127.0.0.1 is not a public address" });
  strict.close();
});

test("where the library is missing every fax operation says what to install", async () => {
  const without: FaxOffice = {
    whyNot: async () => WHY_NOT,
    order: async () => ({ refused: "no-fax", why: WHY_NOT }),
    preview: async () => undefined,
    due: () => undefined,
    dropped: () => undefined,
  };
  const town = await httpTown({ faxes: without });
  const asked = ["POST /fax_orders?remote_station_id=902123205072&filedata=SGk=", "GET /fax_orders", "GET /fdrs"];
  for (const line of [...asked, `POST /fax_document_url?call_uuid=${randomUUID()}`]) {
    const { status, text } = await town.ask(line);
    expect([line, status, text]).toEqual([line, 503, WHY_NOT]);
  }
});
