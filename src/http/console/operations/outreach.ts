// Automatic calling and faxes: how far each is, and what became of it. They are begun over the exchange's interface.

import { Type } from "typebox";
import { readReport } from "../../../store/campaign-report.ts";
import { deleteCampaign, findCampaign, listCampaigns, switchCampaign } from "../../../store/campaigns.ts";
import { listFaxRecords } from "../../../store/fax-records.ts";
import { operation } from "../operation.ts";
import { id, pageFields } from "./fields.ts";

const notFound = (id: number) => ({ refused: "not-found", what: "campaign", which: String(id) }) as const;

export const outreach = {
  "campaigns.list": operation({
    role: "read-only",
    parameters: Type.Object(pageFields),
    handle: (page, { db, exchangeId }) => listCampaigns(db, exchangeId, page),
  }),

  "campaigns.report": operation({
    role: "read-only",
    parameters: Type.Object({ id: id(), ...pageFields }),
    async handle({ id, ...page }, { db, exchangeId }) {
      return (await findCampaign(db, exchangeId, id)) ? readReport(db, id, page) : notFound(id);
    },
  }),

  "campaigns.switch": operation({
    role: "standard",
    does: "switched a campaign",
    parameters: Type.Object({ id: id(), on: Type.Boolean() }),
    handle: async ({ id, on }, { db, exchangeId }) =>
      (await switchCampaign(db, { exchangeId, id, on })) ? {} : notFound(id),
  }),

  "campaigns.delete": operation({
    role: "administrator",
    does: "deleted a campaign",
    parameters: Type.Object({ id: id() }),
    handle: async ({ id }, { db, exchangeId }) => ((await deleteCampaign(db, exchangeId, id)) ? {} : notFound(id)),
  }),

  "faxes.list": operation({
    role: "read-only",
    parameters: Type.Object(pageFields),
    handle: (page, { db, exchangeId }) => listFaxRecords(db, exchangeId, {}, page),
  }),
};
