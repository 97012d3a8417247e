// Automatic calling and faxes: begun as over the exchange's interface, how far each is, and what became of it.

import { Type } from "typebox";
import { readReport } from "../../../store/campaign-report.ts";
import {
  deleteCampaign,
  findCampaign,
  listCampaigns,
  switchCampaign,
  untilNobodyIsDialled,
} from "../../../store/campaigns.ts";
import { listFaxRecords } from "../../../store/fax-records.ts";
import { createCampaign } from "../../exchange/campaigns.ts";
import { orderFax } from "../../exchange/fax-order.ts";
import { forward } from "../operation/forward.ts";
import { operation } from "../operation/operation.ts";
import { campaignFields, campaignOrder } from "./campaign-order.ts";
import { id, name, orNothing, pageFields } from "./fields.ts";

const MEBIBYTE = 1024 * 1024;

const notFound = (id: number) => ({ refused: "not-found", what: "campaign", which: String(id) }) as const;

export const outreach = {
  "campaigns.list": operation({
    right: "see-campaigns",
    reads: true,
    parameters: Type.Object(pageFields),
    handle: (page, { db, exchangeId }) => listCampaigns(db, exchangeId, page),
  }),

  "campaigns.create": operation({
    right: "run-campaigns",
    hides: ["numbers"],
    longestBody: 8 * MEBIBYTE,
    parameters: campaignOrder,
    handle: (wanted, context) => forward(createCampaign, campaignFields(wanted), context),
  }),

  "campaigns.report": operation({
    right: "see-campaigns",
    reads: true,
    parameters: Type.Object({ id: id(), ...pageFields }),
    async handle({ id, ...page }, { db, exchangeId }) {
      return (await findCampaign(db, exchangeId, id)) ? readReport(db, id, page) : notFound(id);
    },
  }),

  "campaigns.switch": operation({
    right: "run-campaigns",
    apart: true,
    parameters: Type.Object({ id: id(), on: Type.Boolean() }),
    async handle({ id, on }, { db, exchangeId, clock, record }) {
      const switched = await record(async ({ db }) =>
        (await switchCampaign(db, { exchangeId, id, on })) ? {} : notFound(id),
      );
      if (!on && !("refused" in switched)) await untilNobodyIsDialled(db, clock, id);
      return switched;
    },
  }),

  "campaigns.delete": operation({
    right: "set-up",
    apart: true,
    parameters: Type.Object({ id: id() }),
    async handle({ id }, { db, exchangeId, clock, record }) {
      const deleted = await record(async ({ db }) => ((await deleteCampaign(db, exchangeId, id)) ? {} : notFound(id)));
      if (!("refused" in deleted)) await untilNobodyIsDialled(db, clock, id);
      return deleted;
    },
  }),

  "faxes.list": operation({
    right: "see-faxes",
    reads: true,
    parameters: Type.Object(pageFields),
    handle: (page, { db, exchangeId }) => listFaxRecords(db, exchangeId, {}, page),
  }),

  "faxes.send": operation({
    right: "send-faxes",
    apart: true,
    hides: ["content"],
    longestBody: 29 * MEBIBYTE,
    parameters: Type.Object({ to: name(32), from: orNothing(32), content: Type.String({ maxLength: 28 * MEBIBYTE }) }),
    async handle({ to, from, content }, context) {
      const { faxes } = context;
      if (!faxes) return { refused: "not-running" } as const;
      const order = { remote_station_id: to, local_station_id: from || undefined, filedata: content };
      return forward(orderFax, order, { ...context, faxes });
    },
  }),
};
