// Takes orders for faxes: everything that can be wrong with one is said before it is taken, and nothing is dialled then.

import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import type { Clock } from "../../../clock.ts";
import type { NoTurn } from "../../../fair-turns.ts";
import type { Drawer } from "../../../media/documents/drawer.ts";
import type { DrawingRefusal } from "../../../media/documents/drawing.ts";
import type { Fineness } from "../../../media/documents/paper.ts";
import { printPdf } from "../../../media/documents/pdf.ts";
import { readTiff } from "../../../media/fax/tiff.ts";
import type { Objects } from "../../../objects/objects.ts";
import type { Database } from "../../../store/db.ts";
import { createFaxOrder } from "../../../store/fax-orders.ts";
import { forEver, type RequestLimit } from "../../../store/limit.ts";
import { DecodedUpload, decodeUpload } from "../../../uploads/upload.ts";
import type { Requester } from "../../../webhooks/requester.ts";
import { readNumber, storedForm, written } from "../../plan/numbers.ts";
import type { SettingsBook } from "../../plan/settings.ts";
import { type DrawPage, type KeptFax, keepingPictures } from "./page-pictures.ts";

export type FaxOrderRequest = {
  /** The number of ours that sends; the exchange's usual one by default. */
  from: string | undefined;
  header: string;
  to: string;
  document: SentDocument;
  fineness: Fineness;
};

/** A data URI or bare base64, a file of a form, where to fetch it, or the pages of a fax that we keep. */
export type SentDocument = { text: string | DecodedUpload } | { file: Buffer } | { url: string } | { kept: string };

export type FaxRefusal =
  | { refused: "no-fax"; why: string }
  | { refused: "invalid-number"; number: string }
  | { refused: "not-own-number"; number: string }
  | { refused: "no-own-number" }
  | { refused: "not-base64" }
  | { refused: "too-large"; limitBytes: number }
  | { refused: "not-fetched"; why: string }
  | { refused: "pages-gone" }
  /** Too many of this exchange wait already. */
  | NoTurn
  | DrawingRefusal;

export type FaxOffice = {
  /** What to install, when fax cannot work here. */
  whyNot(): Promise<string | undefined>;
  order(exchangeId: number, wanted: FaxOrderRequest, limit?: RequestLimit): Promise<{ id: number } | FaxRefusal>;
  /** One page of a kept fax as PNG; undefined when there is no such page. */
  preview: DrawPage;
  /** An order that waited is due now. */
  due(): void;
  /** The order of that call was taken back. */
  dropped(callUuid: string): void;
};

export type FaxOfficeParts = {
  db: Database;
  clock: Clock;
  objects: Objects;
  drawer: Drawer;
  settings: SettingsBook;
  requester: Requester;
  whyNot(): Promise<string | undefined>;
  /** An order was taken. */
  taken(): void;
  dropped(callUuid: string): void;
};

const MEBIBYTE = 1024 ** 2;
export const LARGEST_DOCUMENT = 20 * MEBIBYTE;
const FETCHING_TAKES_MS = 30_000;

export function openFaxOffice(parts: FaxOfficeParts): FaxOffice {
  return {
    whyNot: parts.whyNot,
    order: (exchangeId, wanted, limit = forEver) => takeOrder(parts, exchangeId, wanted, limit),
    preview: keepingPictures((kept, page) => drawPage(parts, kept, page)),
    due: parts.taken,
    dropped: parts.dropped,
  };
}

async function drawPage({ objects, drawer }: FaxOfficeParts, { exchangeId, objectKey }: KeptFax, page: number) {
  const input = await objects.fetched(objectKey);
  if (input === undefined) return undefined;
  const output = objects.scratch(".png");
  const drawn = await drawer.preview({ input, output, page }, { whose: exchangeId });
  if ("refused" in drawn) return drawn.refused === "no-turn" ? drawn : undefined;
  return readFile(output).finally(() => rm(output, { force: true }));
}

async function takeOrder(
  parts: FaxOfficeParts,
  exchangeId: number,
  wanted: FaxOrderRequest,
  limit: RequestLimit,
): Promise<{ id: number } | FaxRefusal> {
  const why = await parts.whyNot();
  if (why !== undefined) return { refused: "no-fax", why };
  const to = readNumber(wanted.to);
  if (to.is === "invalid" || to.is === "service" || to.is === "extension")
    return { refused: "invalid-number", number: wanted.to };
  const from = await senderOf(parts, exchangeId, wanted.from);
  if (typeof from !== "string") return from;
  const bytes = await limit.hold(bytesOf(parts, wanted.document));
  if (!Buffer.isBuffer(bytes)) return bytes;
  const kept = await limit.hold(keepPages(parts, exchangeId, { bytes, fineness: wanted.fineness }));
  if ("refused" in kept) return kept;
  const id = await createFaxOrder(parts.db.within(limit), {
    ...kept,
    exchangeId,
    createdAt: new Date(parts.clock.wall()),
    localStationId: from,
    localStationHeader: wanted.header,
    remoteStationId: written(to),
  });
  parts.taken();
  return { id };
}

async function senderOf({ settings }: FaxOfficeParts, exchangeId: number, wanted: string | undefined) {
  const book = await settings.of(exchangeId);
  const usual = book?.settings.defaultCallerId ?? [...(book?.numbers.keys() ?? [])][0];
  if (wanted === undefined) return usual ?? ({ refused: "no-own-number" } as const);
  const number = storedForm(wanted);
  return number !== undefined && book?.numbers.has(number)
    ? number
    : ({ refused: "not-own-number", number: wanted } as const);
}

async function bytesOf({ requester, objects }: FaxOfficeParts, document: SentDocument): Promise<Buffer | FaxRefusal> {
  if ("kept" in document) return keptBytes(objects, document.kept);
  if ("url" in document) return fetchDocument(requester, document.url);
  const bytes = "file" in document ? document.file : bytesIn(document.text);
  if (!bytes) return { refused: "not-base64" };
  return bytes.length > LARGEST_DOCUMENT ? { refused: "too-large", limitBytes: LARGEST_DOCUMENT } : bytes;
}

/** What is a fax already is drawn as it is, point for point. */
async function keptBytes(objects: Objects, objectKey: string): Promise<Buffer | FaxRefusal> {
  const size = await objects.size(objectKey);
  if (size === undefined) return { refused: "pages-gone" };
  if (size > LARGEST_DOCUMENT) return { refused: "too-large", limitBytes: LARGEST_DOCUMENT };
  const path = await objects.fetched(objectKey);
  return path === undefined ? { refused: "pages-gone" } : readFile(path);
}

function bytesIn(sent: string | DecodedUpload): Buffer | undefined {
  return (sent instanceof DecodedUpload ? sent : decodeUpload(sent)).bytes;
}

async function fetchDocument(requester: Requester, url: string): Promise<Buffer | FaxRefusal> {
  const answer = await requester.ask(url, {
    method: "GET",
    limitMs: FETCHING_TAKES_MS,
    wantBytes: LARGEST_DOCUMENT,
    asFile: true,
  });
  if ("failed" in answer) return { refused: "not-fetched", why: answer.failed };
  if (answer.status !== 200) return { refused: "not-fetched", why: `the answer is ${answer.status}` };
  return answer.bytes ?? Buffer.alloc(0);
}

/** Drawn by a process of its own; kept as the pages that are sent and as the PDF that shows them. */
async function keepPages(
  { drawer, objects }: FaxOfficeParts,
  exchangeId: number,
  { bytes, fineness }: { bytes: Buffer; fineness: Fineness },
) {
  const [input, output] = [objects.scratch(".document"), objects.scratch(".tif")];
  try {
    await writeFile(input, bytes, { mode: 0o600 });
    const drawn = await drawer.draw({ input, output, fineness }, { whose: exchangeId, bytes: bytes.length });
    if ("refused" in drawn) return drawn;
    const tiff = readTiff(await readFile(output));
    if (tiff.is === "unreadable") throw new Error(`a TIFF of ours cannot be read: ${tiff.why}`);
    const name = `faxes/out-${randomUUID()}`;
    await objects.put(`${name}.pdf`, { bytes: printPdf(tiff.pages, "Faks") });
    await objects.put(`${name}.tif`, { file: output });
    return { objectKey: `${name}.tif`, pages: drawn.pages };
  } finally {
    await Promise.all([input, output].map((file) => rm(file, { force: true })));
  }
}
