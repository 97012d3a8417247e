// Faxes: order one, see which wait, read what became of them, fetch the pages.

import { Readable } from "node:stream";
import { Type } from "typebox";
import type { FaxOffice } from "../../exchange/features/faxes/fax-office.ts";
import type { KeptFax } from "../../exchange/features/faxes/page-pictures.ts";
import { spellingsOf } from "../../exchange/plan/spellings.ts";
import { listFaxOrders } from "../../store/fax-orders.ts";
import { type FaxRecordFilter, faxPagesOf, hasFaxDocument, listFaxRecords } from "../../store/fax-records.ts";
import { openWithTicket } from "../../store/tickets.ts";
import { type FileAnswer, refuse, text } from "../door/answer.ts";
import type { Context } from "../door/context.ts";
import { endpoint, type Refused } from "../door/endpoint.ts";
import { body, key, limit, schema, ticket } from "../door/guards.ts";
import { flag, oneOf, pageParameters, telephone, wholeNumber, words } from "../parameters/schema.ts";
import { group, notAvailable } from "./fax-order.ts";
import { orderExample, recordExample, showOrder, showRecord } from "./fax-record.ts";
import { paged, pageOf, paginationExample, readUuid } from "./paging.ts";
import { rangeParameters, readRange } from "./range.ts";
import { EXPIRED, fileOf, issueUrl } from "./tickets.ts";

const UUID = recordExample.call_uuid;
const LARGEST_PREVIEW_PAGE = 2_000;

export const listOrders = endpoint({
  needs: ["faxes"],
  group,
  methods: ["GET"],
  paths: ["/fax_orders"],
  summary: "List faxes that are still to be sent, newest first",
  description: "A fax that was sent or given up leaves this list; its calls are among the fax records.",
  parameters: Type.Object(pageParameters),
  guards: [key, limit("default"), body, schema],
  reply: "json",
  example: { fax_orders: [orderExample], pagination: paginationExample },
  refusals: [{ refused: "out-of-range", field: "limit", least: 10, most: 100 }, notAvailable],
  async handle(parameters, { db, faxes, exchangeId, tenant }) {
    const page = pageOf(parameters);
    const unavailable = await whyNot(faxes);
    if (unavailable) return unavailable;
    const found = await listFaxOrders(db, exchangeId, page);
    return paged("fax_orders", found, page, (order) => showOrder(order, tenant.timeZone));
  },
});

export const listRecords = endpoint({
  needs: ["faxes"],
  group,
  methods: ["GET"],
  paths: ["/fdrs"],
  summary: "List fax records, newest first",
  description: "One record a call. `pages_count` is how many pages arrived and how many were to be sent in this call.",
  parameters: Type.Object({
    ...rangeParameters,
    direction: Type.Optional(oneOf(["inbound", "outbound", "internal"])),
    caller_id_number: Type.Optional(telephone({ description: "the sender, in any form" })),
    original_destination: Type.Optional(telephone({ description: "the recipient, in any form" })),
    success: Type.Optional(flag()),
    ...pageParameters,
  }),
  guards: [key, limit("default"), body, schema],
  reply: "json",
  example: { fdrs: [recordExample], pagination: paginationExample },
  refusals: [
    { refused: "range-too-long", days: 31 },
    { refused: "malformed", field: "start_stamp_from" },
    { refused: "not-one-of", field: "direction", choices: ["inbound", "outbound", "internal"] },
    { refused: "out-of-range", field: "limit", least: 10, most: 100 },
    notAvailable,
  ],
  async handle(parameters, { db, faxes, exchangeId, tenant, clock }) {
    const unavailable = await whyNot(faxes);
    if (unavailable) return unavailable;
    const range = readRange(parameters, { timeZone: tenant.timeZone, now: clock.wall(), atMost31Days: true });
    if ("says" in range) return range;
    const { direction, success, caller_id_number, original_destination } = parameters;
    const filter: FaxRecordFilter = {
      from: range.from,
      before: range.before,
      direction,
      success,
      callerNumbers: caller_id_number === undefined ? undefined : spellingsOf(caller_id_number),
      destinations: original_destination === undefined ? undefined : spellingsOf(original_destination),
    };
    const page = pageOf(parameters);
    const found = await listFaxRecords(db, exchangeId, filter, page);
    return paged("fdrs", found, page, (record) => showRecord(record, tenant.timeZone));
  },
});

export const createDocumentUrl = endpoint({
  needs: ["faxes"],
  group,
  methods: ["POST", "GET"],
  paths: ["/fax_document_url"],
  summary: "A temporary URL of a fax's pages",
  description:
    "Of a fax that was transferred well, in either direction. The URL lives for one hour. The answer is the URL as " +
    "text, whatever the Accept header says.",
  parameters: Type.Object({
    call_uuid: Type.Optional(words({ description: "the call's uuid (required)", example: UUID })),
    id: Type.Optional(words({ description: "another name for call_uuid" })),
  }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "https://exchange.example.com/fax_document/F8f14e45f-ceea-467f-a1b2-c3d4e5f60718",
  refusals: [{ refused: "blank", field: "call_uuid" }, { refused: "call-has-no-file", uuid: UUID }, notAvailable],
  async handle(parameters, context) {
    const unavailable = await whyNot(context.faxes);
    if (unavailable) return unavailable;
    const sent = parameters.call_uuid ?? parameters.id;
    if (sent === undefined) return refuse({ refused: "blank", field: "call_uuid" });
    const uuid = readUuid(sent);
    if (!uuid || !(await hasFaxDocument(context.db, context.exchangeId, uuid)))
      return refuse({ refused: "call-has-no-file", uuid: sent });
    const { url } = await issueUrl("fax", uuid, context);
    return text(url);
  },
});

export const downloadDocument = endpoint({
  needs: ["faxes"],
  group,
  methods: ["GET", "HEAD"],
  paths: ["/fax_document/:ticket"],
  summary: "Fetch a fax's pages",
  description:
    "Needs no key: the ticket is the protection, for one hour. PDF; `format=tiff` gives the pages as they were " +
    "sent, `format=png` a picture of one page. Range requests are answered.",
  parameters: Type.Object({
    ticket: words({ example: "F8f14e45f-ceea-467f-a1b2-c3d4e5f60718" }),
    format: Type.Optional(oneOf(["pdf", "tiff", "png"])),
    page: Type.Optional(
      wholeNumber({ least: 1, most: LARGEST_PREVIEW_PAGE, default: 1, description: "with `format=png`" }),
    ),
  }),
  guards: [ticket, limit("download"), body, schema],
  reply: "file",
  example: "(PDF)",
  refusals: [{ refused: "ticket-expired" }, { refused: "no-such-page", page: 3 }],
  async handle({ ticket, format = "pdf", page = 1 }, context) {
    const { db, clock, objects } = context;
    const opened = await openWithTicket(db, ticket, clock.wall());
    if (opened?.opens !== "fax") return EXPIRED;
    if (format === "pdf") return (await fileOf(objects, opened.objectKey, opened.mediaType)) ?? EXPIRED;
    const pages = await faxPagesOf(db, opened.exchangeId, opened.subject);
    if (pages === undefined) return EXPIRED;
    if (format === "tiff") return (await fileOf(objects, pages, "image/tiff")) ?? EXPIRED;
    return showPage(context, { fax: { exchangeId: opened.exchangeId, objectKey: pages }, page });
  },
});

async function showPage(
  { objects, faxes, limit }: Context & { faxes: FaxOffice },
  { fax, page }: { fax: KeptFax; page: number },
): Promise<FileAnswer | Refused> {
  if ((await objects.size(fax.objectKey)) === undefined) return EXPIRED;
  const picture = await limit.hold(faxes.preview(fax, page));
  if (!picture) return refuse({ refused: "no-such-page", page });
  if ("refused" in picture) return refuse({ refused: "fax", no: picture });
  return {
    says: "file",
    mediaType: "image/png",
    size: picture.length,
    open: async ({ from, to }) => Readable.from([picture.subarray(from, to + 1)]),
  };
}

async function whyNot(faxes: FaxOffice): Promise<Refused | undefined> {
  const why = await faxes.whyNot();
  return why === undefined ? undefined : refuse({ refused: "fax", no: { refused: "no-fax", why } });
}
