// Ordering a fax: both forms in which clients ask for one, and every reason not to take it.

import { Type } from "typebox";
import { type FaxRefusal, LARGEST_DOCUMENT, type SentDocument } from "../../exchange/features/faxes/fax-office.ts";
import { echo, type RefusedAnswer, refuse, text } from "../door/answer.ts";
import { endpoint } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { content, oneOf, telephone, words } from "../parameters/schema.ts";

export const group = "Faxes";
export const notAvailable = [
  503,
  "fax needs libspandsp2: sudo apt-get install -y --no-install-recommends libspandsp2",
] as const;

const MEBIBYTE = 1024 * 1024;
/** Base64 is a third longer than what it holds, and a form may write three signs for one. */
const LONGEST_BODY = 64 * MEBIBYTE;
const tooLarge = `Document is too large (maximum is ${LARGEST_DOCUMENT / MEBIBYTE} MB)`;
const FORM_1 = "remote_station_id";
const FORM_2 = "destination";

const parameters = Type.Object({
  remote_station_id: Type.Optional(telephone({ description: "the recipient's number", example: "902123205072" })),
  local_station_id: Type.Optional(
    telephone({ description: "the number of ours that sends; by default the exchange's", example: "902129630131" }),
  ),
  local_station_header: Type.Optional(
    words({ longest: 100, description: "printed on top of each page", example: "Örnek A.Ş." }),
  ),
  filedata: Type.Optional(
    content({
      description: "`data:<media type>;base64,<data>` or bare base64, in either alphabet",
      example: "data:image/png;base64,iVBORw0KGgo…",
    }),
  ),
  destination: Type.Optional(telephone({ description: "another name for `remote_station_id`" })),
  document_url: Type.Optional(
    words({ longest: 2_000, description: "where the document is", example: "https://example.com/invoice.pdf" }),
  ),
  resolution: Type.Optional(
    oneOf(["fine", "standard"], { description: "`fine` by default; `standard` takes half the time" }),
  ),
});

const refusals = [
  [400, "remote_station_id can't be blank"],
  [400, "invalid remote_station_id: 12"],
  [400, "invalid local_station_id: 905550000000"],
  [400, "filedata can't be blank"],
  [400, "invalid base64"],
  [400, "Document should be a PDF, PNG, JPEG, TIFF or plain text"],
  [400, "Document is encrypted"],
  [400, "Document cannot be read"],
  [400, "Document is empty"],
  [400, "Document has too many pages (maximum is 100)"],
  [400, "Document takes too much time or memory"],
  [400, "document_url cannot be fetched: the answer is 404"],
  [400, "NO_ROUTE_DESTINATION"],
  [413, tooLarge],
  notAvailable,
] as const;

export const orderFax = endpoint({
  needs: ["faxes"],
  group,
  methods: ["POST"],
  paths: ["/fax_orders"],
  summary: "Send a fax",
  description:
    "The document is a PDF, a PNG or JPEG picture, a TIFF with all its pages, or plain text; at most 20 MB and 100 " +
    "pages. It comes as `filedata` with `remote_station_id`, or as `document_url` with `destination`: then it is " +
    "fetched at once, without following redirects. Answers the order's ID when the pages are drawn. A number that " +
    "is busy or does not answer is tried again; pages that have arrived are not sent twice.",
  parameters,
  guards: [key, limit("default"), body, schema],
  reply: "text",
  longestBody: LONGEST_BODY,
  example: "20212",
  refusals,
  async handle(sent, { faxes, exchangeId }) {
    const field = sent.remote_station_id === undefined && sent.document_url !== undefined ? FORM_2 : FORM_1;
    const to = sent.remote_station_id ?? sent.destination;
    if (to === undefined) return refuse(400, `${field} can't be blank`);
    const document = documentIn(sent);
    if (!document) return refuse(400, "filedata can't be blank");
    const ordered = await faxes.order(exchangeId, {
      ...{ to, document, from: sent.local_station_id, header: sent.local_station_header ?? "" },
      fineness: sent.resolution ?? "fine",
    });
    return "refused" in ordered ? inWords(ordered, field) : text(ordered.id);
  },
});

type Sent = { filedata?: string | { bytes: Buffer }; document_url?: string };

function documentIn({ filedata, document_url }: Sent): SentDocument | undefined {
  if (typeof filedata === "string") return { text: filedata };
  if (filedata) return { file: filedata.bytes };
  return document_url === undefined ? undefined : { url: document_url };
}

type Say<Kind> = (refusal: Extract<FaxRefusal, { refused: Kind }>, field: string) => RefusedAnswer;

const sentences: { [Kind in FaxRefusal["refused"]]: Say<Kind> } = {
  "no-fax": ({ why }) => refuse(503, why),
  "invalid-number": ({ number }, field) => refuse(400, `invalid ${field}: ${echo(number)}`),
  "not-own-number": ({ number }) => refuse(400, `invalid local_station_id: ${echo(number)}`),
  "no-own-number": () => refuse(400, "NO_ROUTE_DESTINATION"),
  "not-base64": () => refuse(400, "invalid base64"),
  "too-large": () => refuse(413, tooLarge),
  "not-fetched": ({ why }) => refuse(400, `document_url cannot be fetched: ${why}`),
  "unknown-type": () => refuse(400, "Document should be a PDF, PNG, JPEG, TIFF or plain text"),
  encrypted: () => refuse(400, "Document is encrypted"),
  broken: () => refuse(400, "Document cannot be read"),
  empty: () => refuse(400, "Document is empty"),
  "too-many-pages": ({ limit }) => refuse(400, `Document has too many pages (maximum is ${limit})`),
  "too-much": () => refuse(400, "Document takes too much time or memory"),
};

function inWords(refusal: FaxRefusal, field: string): RefusedAnswer {
  // The record has a row for every kind; the compiler cannot pair the row with its refusal by itself.
  return (sentences[refusal.refused] as (refusal: FaxRefusal, field: string) => RefusedAnswer)(refusal, field);
}
