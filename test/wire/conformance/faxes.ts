// Fax orders, fax records and the pages' temporary URLs.

import { expect } from "vitest";
import { makePdf, makeVastPng } from "../../fax/made-documents.ts";
import type { World } from "../../town/exchange-world.ts";
import { form, jsonType, type Row } from "./row.ts";

export type FaxFacts = { well: string; badly: string; theirs: string; documents: string };

const URL_FORM =
  /^http:\/\/127\.0\.0\.1:\d+\/fax_document\/F[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const unknown = "00000000-0000-4000-8000-000000000000";
const TO = "902123205072";
const PNG = makeVastPng(80, 80).toString("base64");

export function faxRows(world: World, facts: FaxFacts): Row[] {
  return [...orderRows(world), ...listRows(facts), ...urlRows(facts), ...documentRows(facts)];
}

const encoded = (bytes: Buffer) => encodeURIComponent(`data:application/pdf;base64,${bytes.toString("base64")}`);
const no = (what: string, body: string, text: string, status = 400): Row => ({
  what,
  ask: "POST /fax_orders",
  headers: form,
  body,
  status,
  text,
});

function orderRows({ ours }: World): Row[] {
  const pdf = makePdf([{}]);
  const urlSafe = Buffer.from("Fatura ekte???>>>").toString("base64url");
  return [
    {
      what: "a fax as a form with a data URI",
      ask: "POST /fax_orders",
      headers: form,
      body: `remote_station_id=${TO}&local_station_id=${ours.callerIds[1]}&local_station_header=%C5%9Eirket&filedata=${encoded(pdf)}`,
      text: /^\d+$/,
    },
    {
      what: "a fax whose picture is in the query, in the other alphabet and without padding",
      ask: `POST /fax_orders?remote_station_id=0${TO.slice(2)}&filedata=data:text/plain;base64,${urlSafe}`,
      text: /^\d+$/,
    },
    {
      what: "a fax as bare base64 in JSON",
      ask: "POST /fax_orders",
      headers: jsonType,
      body: JSON.stringify({ remote_station_id: TO, filedata: PNG, resolution: "standard" }),
      text: /^\d+$/,
    },
    no("a fax to nobody", `filedata=${encoded(pdf)}`, "remote_station_id can't be blank"),
    no("a fax to no number", `remote_station_id=12&filedata=${encoded(pdf)}`, "invalid remote_station_id: 12"),
    no(
      "a fax from a number of somebody else",
      `remote_station_id=${TO}&local_station_id=905550000000&filedata=${encoded(pdf)}`,
      "invalid local_station_id: 905550000000",
    ),
    no("a fax of nothing", `remote_station_id=${TO}`, "filedata can't be blank"),
    no("a fax that is no base64", `remote_station_id=${TO}&filedata=data:image/png;base64,@@@`, "invalid base64"),
    no("a data URI that is not base64", `remote_station_id=${TO}&filedata=data:text/plain,Merhaba`, "invalid base64"),
    no(
      "a fax of a locked document",
      `remote_station_id=${TO}&filedata=${encoded(makePdf([{}], { password: "x" }))}`,
      "Document is encrypted",
    ),
    no(
      "a fax of half a document",
      `remote_station_id=${TO}&filedata=${encoded(pdf.subarray(0, 300))}`,
      "Document cannot be read",
    ),
    no(
      "a fax of a web page",
      `remote_station_id=${TO}&filedata=data:text/html;base64,${encodeURIComponent(Buffer.from("<html>").toString("base64"))}`,
      "Document should be a PDF, PNG, JPEG, TIFF or plain text",
    ),
    no(
      "a fax of 500 pages",
      `remote_station_id=${TO}&filedata=${encoded(makePdf(Array(500).fill({})))}`,
      "Document has too many pages (maximum is 100)",
    ),
    no("a resolution nobody has", `remote_station_id=${TO}&resolution=best`, "resolution must be fine or standard"),
  ];
}

function documentRows({ documents }: FaxFacts): Row[] {
  const order = (what: string, document_url: string, text: string | RegExp, status = 200): Row => ({
    what,
    ask: "POST /fax_orders",
    headers: jsonType,
    status,
    text,
    body: JSON.stringify({ destination: TO, document_url }),
  });
  const cannot = (why: string) => `document_url cannot be fetched: ${why}`;
  return [
    order("a fax of a document elsewhere", `${documents}/invoice.pdf`, /^\d+$/),
    order("a document that is not there", `${documents}/missing`, cannot("the answer is 404"), 400),
    order("a document that is somewhere else again", `${documents}/moved`, cannot("the answer is 302"), 400),
    order("a document without end", `${documents}/endless`, cannot("the answer is longer than 20971520 bytes"), 400),
    order("a file of this machine", "file:///etc/passwd", cannot("only http and https are called"), 400),
    order("a port that is no web's", "http://127.0.0.1:25/x", /^document_url cannot be fetched: /, 400),
    {
      what: "a document elsewhere for nobody",
      ask: "POST /fax_orders",
      headers: jsonType,
      body: JSON.stringify({ document_url: `${documents}/invoice.pdf` }),
      status: 400,
      text: "destination can't be blank",
    },
  ];
}

function listRows({ well, badly }: FaxFacts): Row[] {
  type Records = { fdrs: { call_uuid: string }[]; pagination: { total_count: number } };
  const record = {
    call_uuid: well,
    direction: "Giden",
    caller_id_number: "908505320000",
    local_station_header: "Şirket",
    original_destination: TO,
    pages_count: "2 / 2",
    transfer_rate: 14400,
    start_stamp: "2018-03-22 14:50:20",
    answer_stamp: "2018-03-22 14:50:25",
    end_stamp: "2018-03-22 14:51:32",
    duration: 72,
    success: true,
    result: "Başarılı",
  };
  const found = (query: string, ...uuids: string[]): Row => ({
    what: `fax records with ${query}`,
    ask: `GET /fdrs?${query}`,
    shows: (body: Records) => expect(body.fdrs.map(({ call_uuid }) => call_uuid)).toEqual(uuids),
  });
  return [
    {
      what: "a fax record",
      ask: "GET /fdrs?success=true",
      json: { fdrs: [record], pagination: { page: 1, total_count: 1, total_pages: 1, limit: 10 } },
    },
    {
      what: "a fax that failed",
      ask: "GET /fdrs?success=false",
      shows: ({ fdrs: [fax] }: { fdrs: object[] }) =>
        expect(fax).toMatchObject({
          direction: "Gelen",
          pages_count: "0 / 0",
          answer_stamp: null,
          result: "Başarısız",
        }),
    },
    found("direction=outbound", well),
    found("direction=internal"),
    found(`original_destination=0${TO.slice(2)}`, well),
    found("caller_id_number=908505320000", well),
    found("start_stamp_from=2018-03-20+00:00:00+UTC&start_stamp_to=2018-04-01+00:00:00+UTC", badly, well),
    found("start_stamp_from=2018-03-23+00:00:00+UTC&start_stamp_to=2018-04-01+00:00:00+UTC", badly),
    found("start_stamp_to=2018-04-01+00:00:00+UTC", badly, well),
    found("start_stamp_to=2018-06-01+00:00:00+UTC"), // 31 days before it nothing came
    {
      what: "fax records nowhere",
      ask: "GET /fdrs?direction=up",
      status: 400,
      text: "direction must be inbound or outbound or internal",
    },
    {
      what: "fax records of 32 days",
      ask: "GET /fdrs?start_stamp_from=2018-03-01+00:00:00+UTC&start_stamp_to=2018-04-02+00:00:00+UTC",
      status: 400,
      text: "date range cannot be longer than 31 days",
    },
    {
      what: "fax records, nine of them",
      ask: "GET /fdrs?limit=9",
      status: 400,
      text: "limit must be between 10 and 100",
    },
    {
      what: "unfinished orders, the newest first, none that is done",
      ask: "GET /fax_orders?limit=100",
      shows: ({ fax_orders }: { fax_orders: { id: number; status: string; created_at: string }[] }) => {
        expect(Object.keys(fax_orders[0]!)).toEqual([
          ...["id", "created_at", "local_station_id", "remote_station_id", "status"],
        ]);
        expect(fax_orders.every(({ status }) => status === "Bekliyor")).toBe(true);
        expect(fax_orders[0]!.created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
        const ids = fax_orders.map(({ id }) => id);
        expect(ids).toEqual([...ids].sort((a, b) => b - a));
      },
    },
    {
      what: "orders, 101 of them",
      ask: "GET /fax_orders?limit=101",
      status: 400,
      text: "limit must be between 10 and 100",
    },
  ];
}

function urlRows({ well, badly, theirs }: FaxFacts): Row[] {
  const missing = (uuid: string) => `cannot find call with call_uuid ${uuid}`;
  const none = (what: string, uuid: string): Row => ({
    what,
    ask: `POST /fax_document_url?call_uuid=${uuid}`,
    status: 400,
    text: missing(uuid),
  });
  return [
    { what: "a fax's URL", ask: `POST /fax_document_url?call_uuid=${well}`, text: URL_FORM },
    {
      what: "a fax's URL for somebody who takes only JSON",
      ask: `POST /fax_document_url?call_uuid=${well}`,
      headers: { accept: "application/json" },
      text: URL_FORM,
    },
    { what: "a fax's URL as a form, with a slash", ask: "POST /fax_document_url/", body: `id=${well}`, text: URL_FORM },
    none("the URL of a fax that failed", badly),
    none("the URL of a fax of somebody else", theirs),
    none("the URL of no call", unknown),
    none("the URL of no uuid", "1234"),
    { what: "the URL of nothing", ask: "POST /fax_document_url", status: 400, text: "call_uuid can't be blank" },
    {
      what: "pages by a ticket nobody issued",
      ask: `GET /fax_document/F${unknown}`,
      key: null,
      status: 400,
      text: "invalid or expired ticket",
    },
    {
      what: "pages by a path",
      ask: "GET /fax_document/..%2f..%2fetc%2fpasswd",
      key: null,
      status: 400,
      text: "invalid or expired ticket",
    },
  ];
}
