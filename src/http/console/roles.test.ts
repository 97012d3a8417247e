// Who may ask for what: every operation with every role. A new operation needs a row here before anything passes.

import { expect, test } from "vitest";
import { secrets } from "../../../test/ground/secrets.ts";
import { fileRoutes } from "../../../test/town/console-files.ts";
import { consoleTown } from "../../../test/town/console-town.ts";
import { roles, type StaffRole } from "../../nouns/role.ts";
import { LINED_REPORTS } from "../../reports/report-tables.ts";
import { sql } from "../../store/sql.ts";
import { consoleApi } from "./api.ts";
import type { SystemOffice } from "./operation/system-office.ts";

/** A server whose machine is somebody else's, and whose backups nobody has lent. */
const system = { isOperator: async () => false, openLent: async () => undefined } as unknown as SystemOffice; // of the rest nothing is asked
const { db, member } = await consoleTown({
  console: { from: [], pages: undefined, running: undefined, secrets, system },
});

/** One letter a role. */
const letters: Record<string, StaffRole> = {
  A: "administrator",
  S: "supervisor",
  G: "agent",
  V: "viewer",
  C: "accountant",
  T: "standard",
  R: "read-only",
};

/** Those who may, and what they may. */
const table: Record<string, string> = {
  ASGVCTR: `session.show session.changePassword session.list session.end totp.begin totp.confirm totp.drop
    recoveryCodes.renew signIns.list     directory.list search.everywhere`,
  ASGTR: `faxes.list faxes.colleagues calls.list calls.show voicemail.list queues.list reports.today contacts.list
    contactGroups.list alarms.now`,
  ASGT: `faxes.mark faxes.assign calls.hangUp calls.transfer calls.send calls.begin webphone.open push.show push.subscribe
    push.forget extensions.setDnd voicemail.markRead voicemail.delete
    agents.breaks agents.move forms.fill contacts.create contacts.update desk.show desk.card desk.note desk.closeNote desk.figures
    desk.ready desk.missed desk.takeMissed desk.leaveMissed desk.settleMissed`,
  AS: `calls.supervise calls.pull reportPlans.list reportPlans.mails reportPlans.create reportPlans.update
    reportPlans.send reportPlans.delete walls.create walls.update walls.delete walls.link walls.unlink queues.setAlarms`,
  ASVTR: `reports.calls reports.queues reports.extensions reports.agents reports.responseTimes reports.forms
    reports.formChoices reports.summary reports.before reports.numbers reports.campaigns reports.tags reports.dispositions alarms.list`,
  ASTR: `forms.list forms.show walls.list`,
  AC: `spending.show spending.breakdown spending.legs`,
  ATR: `calls.message extensions.list groups.list menus.list numbers.list holidays.list office.show setup.show trunks.list rules.list sounds.list
    settings.show deliveries.list exchange.show contactSources.list contactSources.faults blocked.list sms.overview
    sms.count sms.campaigns sms.campaign sms.inbox sms.blacklist sms.consentCampaigns sms.consentsOf readyTexts.list
    campaigns.list campaigns.report faxes.outbox faxes.order`,
  AT: `contacts.delete contactGroups.create contactGroups.rename contactGroups.delete
    blocked.add blocked.remove sms.send sms.cancel sms.addToBlacklist sms.removeFromBlacklist sms.uploadConsents
    readyTexts.create readyTexts.delete campaigns.create campaigns.switch faxes.send faxes.sendAgain faxes.sendNow faxes.cancel deliveries.again
    contactSources.run office.switch imports.upload imports.preview imports.begin imports.list imports.faults
    imports.stop imports.resume`,
  A: `archive.show archive.update archive.test archive.off archive.delete contactSources.create contactSources.update
    contactSources.delete contactSources.confirm contactSources.try extensions.create extensions.update
    extensions.newPassword extensions.phoneDoors extensions.invitePhone extensions.openWebphone extensions.delete mailboxes.update forms.create forms.update
    forms.delete numbers.create numbers.update numbers.delete holidays.create holidays.update holidays.delete trunks.create
    trunks.update trunks.check trunks.testCall trunks.delete sms.createTitle sms.updateAccount sms.renewPassword nodes.list nodes.drain nodes.resume system.show backups.list backups.make
    backups.plan backups.download backups.delete rates.set rates.delete
    campaigns.delete queues.create queues.update queues.delete groups.create groups.update groups.delete menus.create
    menus.update menus.delete rules.create rules.update rules.move rules.delete settings.update crm.update crm.test
    crm.secret keys.list keys.create keys.revoke sounds.upload sounds.speak sounds.update sounds.delete staff.list
    sso.show sso.update sso.test sso.off staff.create staff.update staff.resetPassword staff.resetTotp staff.endSessions staff.delete audit.list`,
};

const mayAsk = new Map(
  Object.entries(table).flatMap(([who, names]) =>
    names.split(/\s+/).map((name): [string, StaffRole[]] => [name, [...who].map((letter) => letters[letter]!)]),
  ),
);

test("every operation stands in the table, and nothing else does", () => {
  expect([...mayAsk.keys()].sort()).toEqual(Object.keys(consoleApi).sort());
  expect(Object.values(letters).sort()).toEqual(Object.keys(roles).sort());
});

test("every operation is open to the roles of its row, and closed to all others", async () => {
  for (const role of Object.values(letters)) {
    const visitor = await member(role);
    const { may } = await visitor.ask("session.show", {});
    const check = async ([name, allowed]: [string, StaffRole[]]) => {
      // What no schema takes: who may ask is told that, and nothing is done.
      const response = await visitor.post(`/console/api/${name}`, { "no such parameter": 1 });
      const { refused } = (await response.json()) as { refused: string };
      const answer = refused === "several-fields" ? "invalid" : refused;
      expect([name, role, answer]).toEqual([name, role, allowed.includes(role) ? "invalid" : "not-your-role"]);
      const isShown = allowed.includes(role) && !/^(nodes|system|backups)\./.test(name); // those are for who runs the servers
      expect([name, role, may.includes(name)]).toEqual([name, role, isShown]);
    };
    for (const row of mayAsk) await check(row);
  }
});

const A_DAY = "from=2026-05-04T00:00:00Z&before=2026-05-05T00:00:00Z";
const A_CALL = "00000000-0000-4000-8000-000000000000";

/** A row for each way of writing it down. */
const tables = (name: string, query: string, ...row: Row): [string, Row][] =>
  ["csv", "xlsx"].map((ending) => [`${name}.${ending}?${query}`, row]);

type Row = [who: string, answer: number];

/** What a browser fetches by itself: who may, and what he is answered, where nothing is there to be fetched. */
const files = new Map<string, Row>([
  ...tables("calls", "", "ASTR", 200),
  ...tables("forms", A_DAY, "ASVTR", 200),
  ...tables("response-times", A_DAY, "ASVTR", 200),
  ...LINED_REPORTS.flatMap((what) => tables(`report-${what}`, A_DAY, "ASVTR", 200)),
  ...tables("spending", `${A_DAY}&by=trunk`, "AC", 200),
  ...tables("spending-calls", A_DAY, "AC", 200),
  ...tables("import-faults", "id=1", "AT", 400),
  [`sound/recording/${A_CALL}`, ["ASTR", 404]],
  [`sound/voicemail/${A_CALL}`, ["ASGTR", 404]],
  ["sound/announcement/1", ["ATR", 404]],
  [`fax/received/${A_CALL}/pages/1`, ["ASGTR", 404]],
  [`fax/received/${A_CALL}/document.pdf`, ["ASGTR", 404]],
  [`fax/received/${A_CALL}/document.tif`, ["ASGTR", 404]],
  ["fax/sent/1/pages/1", ["ATR", 404]],
  ["fax/sent/1/document.pdf", ["ATR", 404]],
  ["fax/sent/1/document.tif", ["ATR", 404]],
  ["backup/aWordThatWasNeverLent", ["A", 404]],
  ["pop?link=https://crm.example.com/1", ["ASGT", 404]],
]);

test("every file that the console gives out stands in the table, and nothing else does", async () => {
  const fits = (url: string, path: string) =>
    new RegExp(`^${url.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}$`).test(`/console/${path.split("?")[0]}`);
  const routes = await fileRoutes();
  const rows = [...files.keys()];
  expect(routes.length).toBeGreaterThan(20);
  expect(routes.filter((url) => !rows.some((path) => fits(url, path)))).toEqual([]);
  expect(rows.filter((path) => !routes.some((url) => fits(url, path)))).toEqual([]);
});

test("files ask for rights of their own, which an account is given or denied whatever its role says", async () => {
  for (const role of Object.values(letters)) {
    const { get } = await member(role);
    for (const [path, [who, answer]] of files) {
      const may = [...who].some((letter) => letters[letter] === role);
      const { status } = await get(`/console/${path}`);
      expect([path, role, status]).toEqual([path, role, may ? answer : 403]);
    }
  }
  const [agent, standard] = [await member("agent"), await member("standard")];
  await db.query(sql`update staff set recordings = 'yes', exports = 'yes' where id = $1`, [agent.id]);
  await db.query(sql`update staff set recordings = 'no', exports = 'no' where id = $1`, [standard.id]);
  const [recording, calls] = ["/console/sound/recording/x", "/console/calls.csv"];
  expect([(await agent.get(recording)).status, (await agent.get(calls)).status]).toEqual([404, 200]);
  expect([(await standard.get(recording)).status, (await standard.get(calls)).status]).toEqual([403, 403]);
});
