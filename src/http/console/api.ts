// The console's table of contents: every operation by the name under which the browser asks for it.

import { alarms } from "./operations/alarms.ts";
import { archive } from "./operations/archive.ts";
import { calls } from "./operations/calls.ts";
import { contactSources } from "./operations/contact-sources.ts";
import { contacts } from "./operations/contacts.ts";
import { desk } from "./operations/desk.ts";
import { deskMissed } from "./operations/desk-missed.ts";
import { directory } from "./operations/directory.ts";
import { extensions } from "./operations/extensions.ts";
import { faxes } from "./operations/faxes.ts";
import { forms } from "./operations/forms.ts";
import { imports } from "./operations/imports.ts";
import { numbers, trunks } from "./operations/lines.ts";
import { messages } from "./operations/messages.ts";
import { nodes } from "./operations/nodes.ts";
import { office } from "./operations/office.ts";
import { outreach } from "./operations/outreach.ts";
import { people } from "./operations/people.ts";
import { places } from "./operations/places.ts";
import { push } from "./operations/push.ts";
import { readyTexts } from "./operations/ready-texts.ts";
import { reportPlans } from "./operations/report-plans.ts";
import { reports } from "./operations/reports.ts";
import { responses } from "./operations/response-times.ts";
import { rules } from "./operations/rules.ts";
import { search } from "./operations/search.ts";
import { session } from "./operations/session.ts";
import { settings } from "./operations/settings.ts";
import { sounds } from "./operations/sounds.ts";
import { spending } from "./operations/spending.ts";
import { sso } from "./operations/sso.ts";
import { staff } from "./operations/staff.ts";
import { system } from "./operations/system.ts";
import { walls } from "./operations/walls.ts";

export const consoleApi = {
  ...session,
  ...push,
  ...search,
  ...calls,
  ...extensions,
  ...places,
  ...alarms,
  ...walls,
  ...reportPlans,
  ...numbers,
  ...office,
  ...trunks,
  ...rules,
  ...sounds,
  ...people,
  ...contacts,
  ...contactSources,
  ...imports,
  ...messages,
  ...readyTexts,
  ...outreach,
  ...faxes,
  ...settings,
  ...archive,
  ...staff,
  ...sso,
  ...reports,
  ...forms,
  ...responses,
  ...nodes,
  ...spending,
  ...system,
  ...directory,
  ...desk,
  ...deskMissed,
};

export type ConsoleApi = typeof consoleApi;
