// Reports by mail: plans, what became of their letters, and one sent now. Whoever runs the staff sees everybody's plans,
// anybody else his own.

import { Type } from "typebox";
import { reportPlan } from "../../../nouns/report-plan.ts";
import { hasRight } from "../../../nouns/role.ts";
import { enqueueMails } from "../../../reports/owed-mails.ts";
import { isRefusal } from "../../../store/refusal.ts";
import { listReportMails } from "../../../store/report-mails.ts";
import {
  createReportPlan,
  deleteReportPlan,
  listReportPlans,
  oweReportNow,
  type PlansOf,
  updateReportPlan,
} from "../../../store/report-plans.ts";
import { type ConsoleContext, operation } from "../operation/operation.ts";
import { id, name, nothing, pageFields } from "./fields.ts";
import { changesSchema } from "./noun-schema.ts";
import { responseFilter } from "./response-times.ts";

const fields = changesSchema(reportPlan);
const which = Type.Object({ id: id() });
const notFound = (id: number) => ({ refused: "not-found", what: "report plan", which: String(id) }) as const;
const NO_EXPORTS = { refused: "not-your-role", needs: "exports" } as const;
const NOBODY = { refused: "invalid", field: "addresses", fault: { is: "minItems", limit: 1 } } as const;

function plansOf({ exchangeId, staff }: ConsoleContext): PlansOf {
  return { exchangeId, staffId: hasRight(staff, "manage-staff") ? undefined : staff.id };
}

export const reportPlans = {
  "reportPlans.list": operation({
    right: "mail-reports",
    reads: true,
    parameters: nothing,
    handle: (_, context) => listReportPlans(context.db, plansOf(context)),
  }),

  "reportPlans.mails": operation({
    right: "mail-reports",
    reads: true,
    parameters: Type.Object(pageFields),
    handle: async (page, context) => ({
      ...(await listReportMails(context.db, plansOf(context), page)),
      sendsMail: context.sendsMail,
    }),
  }),

  "reportPlans.create": operation({
    right: "mail-reports",
    parameters: Type.Object({ name: name(100), changes: fields, filter: Type.Object(responseFilter) }),
    async handle({ name, changes, filter }, { db, exchangeId, staff, clock }) {
      // What is mailed is carried away.
      if (!hasRight(staff, "exports")) return NO_EXPORTS;
      if (!changes.addresses?.length) return NOBODY;
      const made = { exchangeId, staffId: staff.id, filter, changes: { ...changes, name }, nowMs: clock.wall() };
      return createReportPlan(db, made);
    },
  }),

  "reportPlans.update": operation({
    right: "mail-reports",
    parameters: Type.Object({ id: id(), changes: fields }),
    async handle({ id, changes }, context) {
      if (!hasRight(context.staff, "exports")) return NO_EXPORTS;
      if (changes.addresses?.length === 0) return NOBODY;
      const wanted = { ...plansOf(context), id, changes, nowMs: context.clock.wall() };
      const changed = await updateReportPlan(context.db, wanted);
      return isRefusal(changed) ? changed : changed ? {} : notFound(id);
    },
  }),

  "reportPlans.send": operation({
    right: "mail-reports",
    parameters: which,
    async handle({ id }, context) {
      const { db, exchangeId, clock } = context;
      const mails = await oweReportNow(db, { ...plansOf(context), id, nowMs: clock.wall() });
      if (!mails) return notFound(id);
      await enqueueMails(db, exchangeId, mails);
      return { letters: mails.length };
    },
  }),

  "reportPlans.delete": operation({
    right: "mail-reports",
    parameters: which,
    handle: async ({ id }, context) =>
      (await deleteReportPlan(context.db, { ...plansOf(context), id })) ? {} : notFound(id),
  }),
};
