// Pages of faxes for the browser: pictures that we draw ourselves of what came, and the document to carry away.

import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { FaxOffice } from "../../exchange/features/faxes/fax-office.ts";
import { hasRight, type Right } from "../../nouns/role.ts";
import { writeAuditLine } from "../../store/audit.ts";
import type { Db } from "../../store/db.ts";
import { type FaxPages, receivedPages } from "../../store/fax-inbox.ts";
import { outgoingPages } from "../../store/fax-outbox.ts";
import { type Scope, scopeOf } from "../../store/scope.ts";
import type { StaffSession } from "../../store/staff-sessions.ts";
import { type FileAnswer, type RefusedAnswer, refuse, send } from "../door/answer.ts";
import type { Services } from "../door/context.ts";
import { fileOf } from "../exchange/tickets.ts";
import { comesFirst } from "./operation/comes-first.ts";
import { readerOf } from "./operations/faxes.ts";
import type { SessionOf } from "./tables.ts";

type Asked = { id: string; staff: StaffSession; scope: Scope };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ORDER = /^[1-9]\d{0,14}$/;
const PAGE = /^[1-9]\d{0,3}$/;

/** Those that came and those that go out: who may see one, and where its pages lie. */
const kinds: Record<string, { right: Right; pagesOf(db: Db, asked: Asked): Promise<FaxPages | undefined> }> = {
  received: {
    right: "see-faxes",
    pagesOf: async (db, { id, staff, scope }) =>
      UUID.test(id)
        ? receivedPages(db, { ...readerOf({ staff, scope }), callUuid: id, exchangeId: staff.exchangeId })
        : undefined,
  },
  sent: {
    right: "see-sent-faxes",
    pagesOf: async (db, { id, staff }) =>
      ORDER.test(id) ? outgoingPages(db, staff.exchangeId, Number(id)) : undefined,
  },
};

const forms: Record<string, { mediaType: string; keyOf(pages: FaxPages): string }> = {
  pdf: { mediaType: "application/pdf", keyOf: ({ pdfKey }) => pdfKey },
  tif: { mediaType: "image/tiff", keyOf: ({ objectKey }) => objectKey },
};

const no = (status: 401 | 403 | 404) => refuse({ refused: "http", status });

export function mountFaxes(
  scope: FastifyInstance,
  { db, objects }: Services,
  { faxes, sessionOf }: { faxes: FaxOffice | undefined; sessionOf: SessionOf },
): void {
  for (const [kind, { right, pagesOf }] of Object.entries(kinds)) {
    scope.get(`/fax/${kind}/:id/pages/:page`, async (request, reply) => {
      const found = await look(request);
      const { page } = request.params as { page: string };
      if ("says" in found) return send(reply, found);
      const fax = { exchangeId: found.staff.exchangeId, objectKey: found.pages.objectKey };
      const answer = PAGE.test(page) ? await picture(faxes, fax, Number(page)) : no(404);
      return send(reply.header("cache-control", "private, no-store"), answer);
    });
    for (const [form, { mediaType, keyOf }] of Object.entries(forms))
      scope.get(`/fax/${kind}/:id/document.${form}`, async (request, reply) => {
        const found = await look(request);
        if ("says" in found) return send(reply, found);
        const file = await fileOf(objects, keyOf(found.pages), mediaType);
        if (!file) return send(reply, no(404));
        const { exchangeId, email: who } = found.staff;
        const details = { fax: found.id, format: form };
        await writeAuditLine(found.own, { exchangeId, doer: "staff", who, did: "fax-fetched", details });
        const name = `${kind}-${found.id}.${form}`;
        reply
          .header("cache-control", "private, no-store")
          .header("content-disposition", `attachment; filename="${name}"`);
        return send(reply, file);
      });

    async function look(request: FastifyRequest): Promise<Found | RefusedAnswer> {
      const staff = await sessionOf(request);
      if (!staff || comesFirst(staff)) return no(401);
      if (!hasRight(staff, right)) return no(403);
      const id = (request.params as { id: string }).id.toLowerCase();
      const own = db.forExchange(staff.exchangeId);
      const pages = await pagesOf(own, { id, staff, scope: await scopeOf(own, staff) });
      return pages ? { id, staff, own, pages } : no(404);
    }
  }
}

type Found = { id: string; staff: StaffSession; own: Db; pages: FaxPages };

async function picture(
  faxes: FaxOffice | undefined,
  fax: { exchangeId: number; objectKey: string },
  page: number,
): Promise<FileAnswer | RefusedAnswer> {
  const drawn = await faxes?.preview(fax, page);
  if (!drawn) return no(404);
  if ("refused" in drawn) return refuse({ refused: "fax", no: drawn });
  return {
    says: "file",
    mediaType: "image/png",
    size: drawn.length,
    open: async ({ from, to }) => Readable.from([drawn.subarray(from, to + 1)]),
  };
}
