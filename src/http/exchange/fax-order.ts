// Ordering a fax: both forms in which clients ask for one, and every reason not to take it.

import { Type } from "typebox";
import { type FaxRefusal, LARGEST_DOCUMENT, type SentDocument } from "../../exchange/features/faxes/fax-office.ts";
import { DecodedUpload } from "../../uploads/upload.ts";
import { refuse, text } from "../door/answer.ts";
import { endpoint, type Refused } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { type Content, content, oneOf, telephone, words } from "../parameters/schema.ts";

export const group = "Faxes";
const why = "fax needs libspandsp2: sudo apt-get install -y --no-install-recommends libspandsp2";
export const notAvailable = { refused: "fax", no: { refused: "no-fax", why } } as const;

const MEBIBYTE = 1024 * 1024;
/** Base64 is a third longer than what it holds, and a form may write three signs for one. */
const LONGEST_BODY = 64 * MEBIBYTE;
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
  { refused: "blank", field: "remote_station_id" },
  { refused: "misfit", field: "remote_station_id", value: "12" },
  { refused: "misfit", field: "local_station_id", value: "905550000000" },
  { refused: "blank", field: "filedata" },
  { refused: "fax", no: { refused: "not-base64" } },
  { refused: "fax", no: { refused: "unknown-type" } },
  { refused: "fax", no: { refused: "encrypted" } },
  { refused: "fax", no: { refused: "broken" } },
  { refused: "fax", no: { refused: "empty" } },
  { refused: "fax", no: { refused: "too-many-pages", limit: 100 } },
  { refused: "fax", no: { refused: "too-much" } },
  { refused: "fax", no: { refused: "no-turn" } },
  { refused: "fax", no: { refused: "not-fetched", why: "the answer is 404" } },
  { refused: "fax", no: { refused: "no-own-number" } },
  { refused: "fax", no: { refused: "too-large", limitBytes: LARGEST_DOCUMENT } },
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
  async handle(sent, { faxes, exchangeId, limit }) {
    const field = sent.remote_station_id === undefined && sent.document_url !== undefined ? FORM_2 : FORM_1;
    const to = sent.remote_station_id ?? sent.destination;
    if (to === undefined) return refuse({ refused: "blank", field });
    const document = documentIn(sent);
    if (!document) return refuse({ refused: "blank", field: "filedata" });
    const order = {
      to,
      document,
      from: sent.local_station_id,
      header: sent.local_station_header ?? "",
      fineness: sent.resolution ?? "fine",
    };
    const ordered = await faxes.order(exchangeId, order, limit);
    return "refused" in ordered ? refusedFax(ordered, field) : text(ordered.id);
  },
});

type Sent = { filedata?: Content; document_url?: string };

function documentIn({ filedata, document_url }: Sent): SentDocument | undefined {
  if (typeof filedata === "string" || filedata instanceof DecodedUpload) return { text: filedata };
  if (filedata) return { file: filedata.bytes };
  return document_url === undefined ? undefined : { url: document_url };
}

export function refusedFax(no: FaxRefusal, field: string): Refused {
  if (no.refused === "invalid-number") return refuse({ refused: "misfit", field, value: no.number });
  if (no.refused === "not-own-number")
    return refuse({ refused: "misfit", field: "local_station_id", value: no.number });
  return refuse({ refused: "fax", no: no.refused === "broken" ? { refused: "broken" } : no });
}
