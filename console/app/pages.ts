// Every page: where it is, how it is called, and the file it is fetched from when somebody opens it.
// A new page is one line here, one icon in ui/icon.tsx and one folder in pages/.

import { type ComponentType, lazy } from "react";
import type { OperationName } from "../ask/ask.ts";
import type { IconName } from "../ui/icon.tsx";
import type { Both } from "../words/language.tsx";
import { fetchPage } from "./fetch-page.ts";
import { groupTitles, pageTitles } from "./texts.ts";

/**
 * `needs`: what the page asks for first; who may not ask does not see it in the navigation, and is told why not when
 * he opens it all the same. `operator`: only for those who run the servers; the page tells anybody else why not.
 */
export type Page = {
  path: string;
  needs: OperationName;
  title: Both;
  icon: IconName;
  show: ComponentType;
  operator?: true;
};
export type PageGroup = { title: Both; pages: Page[] };

type Fetch = () => Promise<ComponentType>;

/** `fetch` names one component of a file: pages have no default exports. */
const page = ([path, needs]: [string, OperationName], icon: IconName, title: Both, fetch: Fetch): Page => ({
  path,
  needs,
  title,
  icon,
  show: lazy(async () => ({ default: await fetchPage(fetch) })),
});

const desk: Fetch = async () => (await import("../pages/desk/desk.tsx")).Desk;
const board: Fetch = async () => (await import("../pages/board/board.tsx")).Board;
const calls: Fetch = async () => (await import("../pages/calls/calls.tsx")).Calls;
const oneCall: Fetch = async () => (await import("../pages/calls/one-call.tsx")).OneCall;
const voicemail: Fetch = async () => (await import("../pages/voicemail/voicemail.tsx")).Voicemail;
const contacts: Fetch = async () => (await import("../pages/contacts/contacts.tsx")).Contacts;
const blocked: Fetch = async () => (await import("../pages/blocked/blocked.tsx")).BlockedNumbers;
const extensions: Fetch = async () => (await import("../pages/extensions/extensions.tsx")).Extensions;
const queues: Fetch = async () => (await import("../pages/places/queues.tsx")).Queues;
const groups: Fetch = async () => (await import("../pages/places/groups.tsx")).Groups;
const forms: Fetch = async () => (await import("../pages/forms/forms.tsx")).Forms;
const formReport: Fetch = async () => (await import("../pages/forms/report.tsx")).FormReport;
const numbers: Fetch = async () => (await import("../pages/lines/numbers.tsx")).Numbers;
const trunks: Fetch = async () => (await import("../pages/lines/trunks.tsx")).Trunks;
const sounds: Fetch = async () => (await import("../pages/sounds/sounds.tsx")).Sounds;
const menus: Fetch = async () => (await import("../pages/menus/menus.tsx")).Menus;
const messages: Fetch = async () => (await import("../pages/messages/messages.tsx")).Messages;
const reports: Fetch = async () => (await import("../pages/reports/reports.tsx")).Reports;
const responseTimes: Fetch = async () => (await import("../pages/response-times/response-times.tsx")).ResponseTimes;
const reportMails: Fetch = async () => (await import("../pages/report-mails/report-mails.tsx")).ReportMails;
const wallboard: Fetch = async () => (await import("../pages/wallboard/wallboard.tsx")).Wallboard;
const alarms: Fetch = async () => (await import("../pages/alarms/alarms.tsx")).Alarms;
const walls: Fetch = async () => (await import("../pages/walls/walls.tsx")).Walls;
const campaigns: Fetch = async () => (await import("../pages/outreach/campaigns.tsx")).Campaigns;
const imports: Fetch = async () => (await import("../pages/imports/imports.tsx")).Imports;
const faxes: Fetch = async () => (await import("../pages/faxes/faxes.tsx")).Faxes;
const settings: Fetch = async () => (await import("../pages/settings/settings.tsx")).Settings;
const spending: Fetch = async () => (await import("../pages/spending/spending.tsx")).Spending;
const staff: Fetch = async () => (await import("../pages/staff/staff.tsx")).Staff;
const audit: Fetch = async () => (await import("../pages/staff/audit.tsx")).Audit;
const system: Fetch = async () => (await import("../pages/system/system.tsx")).System;
const nodes: Fetch = async () => (await import("../pages/nodes/nodes.tsx")).Nodes;
const account: Fetch = async () => (await import("../pages/account/account.tsx")).Account;

const setup: Fetch = async () => (await import("../pages/setup/setup.tsx")).Setup;

export const pageGroups: PageGroup[] = [
  {
    title: groupTitles.live,
    pages: [
      page(["/desk", "desk.show"], "headset", pageTitles.desk, desk),
      page(["/", "reports.today"], "board", pageTitles.board, board),
      page(["/wallboard", "reports.today"], "wall", pageTitles.wallboard, wallboard),
      page(["/walls", "walls.list"], "wall", pageTitles.walls, walls),
      page(["/alarms", "alarms.list"], "bell", pageTitles.alarms, alarms),
      page(["/reports", "reports.calls"], "chart", pageTitles.reports, reports),
      page(["/form-report", "reports.forms"], "form", pageTitles.formReport, formReport),
      page(["/response-times", "reports.responseTimes"], "clock", pageTitles.responseTimes, responseTimes),
      page(["/report-mails", "reportPlans.list"], "inbox", pageTitles.reportMails, reportMails),
    ],
  },
  {
    title: groupTitles.conversations,
    pages: [
      page(["/calls", "calls.list"], "call", pageTitles.calls, calls),
      page(["/voicemail", "voicemail.list"], "voicemail", pageTitles.voicemail, voicemail),
      page(["/contacts", "contacts.list"], "book", pageTitles.contacts, contacts),
      page(["/blocked", "blocked.list"], "block", pageTitles.blocked, blocked),
      page(["/sms", "sms.overview"], "message", pageTitles.messages, messages),
      page(["/campaigns", "campaigns.list"], "out", pageTitles.campaigns, campaigns),
      page(["/imports", "imports.list"], "upload", pageTitles.imports, imports),
      page(["/faxes", "faxes.list"], "audit", pageTitles.faxes, faxes),
    ],
  },
  {
    title: groupTitles.exchange,
    pages: [
      page(["/extensions", "extensions.list"], "phone", pageTitles.extensions, extensions),
      page(["/queues", "queues.list"], "queue", pageTitles.queues, queues),
      page(["/groups", "groups.list"], "group", pageTitles.groups, groups),
      page(["/forms", "groups.list"], "form", pageTitles.forms, forms),
      page(["/menus", "menus.list"], "menu", pageTitles.menus, menus),
      page(["/numbers", "numbers.list"], "number", pageTitles.numbers, numbers),
      page(["/trunks", "trunks.list"], "trunk", pageTitles.trunks, trunks),
      page(["/announcements", "sounds.list"], "sound", pageTitles.sounds, sounds),
    ],
  },
  {
    title: groupTitles.administration,
    pages: [
      page(["/setup", "setup.show"], "check", pageTitles.setup, setup),
      page(["/settings", "settings.show"], "settings", pageTitles.settings, settings),
      page(["/spending", "spending.show"], "coins", pageTitles.spending, spending),
      page(["/staff", "staff.list"], "people", pageTitles.staff, staff),
      page(["/audit", "audit.list"], "audit", pageTitles.audit, audit),
      page(["/system", "system.show"], "server", pageTitles.system, system),
      { ...page(["/nodes", "nodes.list"], "server", pageTitles.nodes, nodes), operator: true },
    ],
  },
];

/** Reached from other pages, and not from the navigation. */
const inside: Page[] = [
  page(["/calls/:uuid", "calls.show"], "call", pageTitles.oneCall, oneCall),
  page(["/account", "session.list"], "person", pageTitles.account, account),
];

export const pages: Page[] = [...pageGroups.flatMap(({ pages }) => pages), ...inside];
