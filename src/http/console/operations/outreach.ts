// Automatic calling: begun as over the exchange's interface, how far each is, and what became of it.

import { Type } from "typebox";
import { readReport } from "../../../store/campaign-report.ts";
import {
  deleteCampaign,
  findCampaign,
  listCampaigns,
  switchCampaign,
  untilNobodyIsDialled,
} from "../../../store/campaigns.ts";
import { createCampaign, createEmptyCampaign } from "../../exchange/campaigns.ts";
import { forward } from "../operation/forward.ts";
import { operation } from "../operation/operation.ts";
import { campaignFields, campaignOrder } from "./campaign-order.ts";
import { id, pageFields } from "./fields.ts";

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
    async handle(wanted, context) {
      const begin = wanted.numbers.trim() === "" ? createEmptyCampaign : createCampaign;
      return forward(begin, await campaignFields(wanted), context);
    },
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
};
