import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import { expectNoBarriers, expectNoOverflow, openConsole, type Seen, signIn } from "../console/console-browser.ts";
import { type EventReceiver, openReceiver, PRIVATE_WEBHOOKS } from "../customer/event-receiver.ts";
import { attachmentOf, type MailServer, openMailServer } from "../customer/mail-server.ts";
import { eventually } from "../ground/eventually.ts";
import { whenOver } from "../ground/when-over.ts";
import type { Baresip } from "../phones/baresip.ts";
import { openBrowser } from "../phones/browser-phone.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

// A browser shares its machine with whatever else is tested just then.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** Where pictures are put, for whoever wants to look at them. */
const SHOTS = process.env.SANTRAL_TEST_SHOTS;

const EMAIL = "boss@example.com";
const PASSWORD = "a password of my own";

/** Notes on the desktop, written down instead of shown. */
const NOTES = `
  window.notes = [];
  window.Notification = class {
    static permission = "granted";
    constructor(title, { body }) { window.notes.push(body); }
    close() { window.notes.push("closed"); }
  };
`;

let town: RealTown;
let browser: Browser;
let seen: Seen;
let page: Page;
let screen: Seen;
let caller: Baresip;
let crm: EventReceiver;
let mail: MailServer;
let link: string;

beforeAll(async () => {
  [crm, mail] = await Promise.all([openReceiver(), openMailServer()]);
  whenOver(() => mail.close());
  const env = { ...PRIVATE_WEBHOOKS, SANTRAL_SMTP_URL: `smtp://127.0.0.1:${mail.port}` };
  [town, browser] = await Promise.all([realTown(env), openBrowser()]);
  await town.command("queue", "members", "200", "1000");
  await town.command("queue", "set", "200", "alarm-wait-seconds=2", "alarm-addresses=desk@example.com");
  await town.command("agent", "break", "1000");
  await town.command("exchange", "set", "crm-queue-alarm=yes", "language=en");
  await town.post("/crm_integrations", { notification_url: crm.url, ringing: "off", answered: "off", hangup: "off" });
  await town.command("staff", "create", EMAIL, "Patron", "--role", "administrator", "--password", PASSWORD);
  caller = await town.phone("1001", 440);
  seen = await openConsole(browser, `http://${town.santral.run.http}/console`, "en");
  await seen.context.addInitScript(NOTES);
  page = seen.page;
  await signIn(seen, EMAIL, PASSWORD);
  await page.getByRole("heading", { name: "Live board" }).waitFor();
  screen = await openConsole(browser, `http://${town.santral.run.http}/wall#nothing`, "en");
  seen.complaints.length = 0; // until then nobody was signed in
});

const shoot = async (who: Page, name: string) => {
  if (SHOTS) await who.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
};

const choose = async (label: string, option: string) => {
  await page.getByLabel(label).first().click();
  await page.getByRole("option", { name: option }).click();
};

const tile = (name: string) => screen.page.getByRole("region", { name, exact: true });

test("a board is made, and its link opened by somebody whom nobody has signed in", async () => {
  await screen.page.getByText("This link is no longer valid").waitFor();
  await page.goto(`http://${town.santral.run.http}/console/walls`);
  await page.getByRole("button", { name: "Add board" }).click();
  await page.getByLabel("Name").fill("Entrance");
  await shoot(page, "walls-form");
  await page.getByRole("button", { name: "Create board" }).click();
  await page.getByRole("button", { name: "Make a link: Entrance" }).click();
  link = (await page.getByTestId("once-Link").textContent()) ?? "";
  expect(link).toMatch(/\/wall#B[\w-]{43}$/);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
  await shoot(page, "walls");
  await expectNoBarriers(seen, "boards");
  await screen.page.goto(link); // only what stands behind the # is another: the page opens it by itself
  await screen.page.getByRole("heading", { name: "Entrance" }).waitFor();
  await tile("Waiting").getByText("0", { exact: true }).waitFor();
  await tile("Alarms").getByText("No alarms").waitFor();
  expect(await screen.context.cookies()).toEqual([]);
});

test("a caller waits too long: boards, the screen, the desktop, the CRM and a mailbox are told once, and once when it is over", async () => {
  await page.goto(`http://${town.santral.run.http}/console`);
  await page.getByRole("heading", { name: "Live board" }).waitFor();
  await caller.dial("200");
  await tile("Waiting").getByText("1", { exact: true }).waitFor();
  const now = page.getByRole("region", { name: "Alarms now" });
  await now.getByText(/^200 .*: the longest wait 0:0\d \(threshold 0:02\)/).waitFor();
  await tile("Alarms")
    .getByText(/the longest wait 0:0\d/)
    .waitFor();
  await tile("Longest wait").getByText("Alarm").waitFor();
  for (const scheme of ["light", "dark"] as const) {
    await screen.page.emulateMedia({ colorScheme: scheme });
    await expectNoBarriers(screen, `the screen in the ${scheme}`);
    for (const width of [390, 1440]) {
      await expectNoOverflow(screen, width, "the screen");
      await shoot(screen.page, `screen-${scheme}-${width}`);
    }
  }
  await shoot(page, "board-alarm");
  await expectNoBarriers(seen, "the board with an alarm");
  await page.getByRole("link", { name: "Queues", exact: true }).click();
  const elsewhere = page.getByRole("link", { name: "Go to the live board" });
  await elsewhere.waitFor();
  await expectNoBarriers(seen, "a page beside an alarm");
  await elsewhere.click();
  await now.getByText("the longest wait").waitFor();
  const begun = await crm.event({ event_type: "queue_alarm", state: "began" });
  expect(begun).toMatchObject({ queue: "200", alarm: "longest_wait", threshold: "2" });

  caller.forget();
  await caller.hangUp();
  const ended = await crm.event({ event_type: "queue_alarm", state: "ended" });
  expect([ended.alarm_id, ended.start_stamp]).toEqual([begun.alarm_id, begun.start_stamp]);
  await now.getByText("the longest wait").waitFor({ state: "detached" });
  await tile("Alarms").getByText("No alarms").waitFor();
  await eventually("two letters", async () => mail.letters.length === 2);
  expect(mail.letters.map(({ text }) => /^Subject: (Alarm(?: over)?):/m.exec(text)?.[1])).toEqual([
    "Alarm",
    "Alarm over",
  ]);
  expect(crm.events.map(({ event_type, state }) => `${event_type} ${state}`)).toEqual([
    "queue_alarm began",
    "queue_alarm ended",
  ]);
  expect(await page.evaluate<string[]>("window.notes")).toEqual([
    expect.stringMatching(/^200 .*the longest wait/),
    "closed",
  ]);
  await page.getByRole("link", { name: "Alarms", exact: true }).click();
  await page.getByRole("cell", { name: "the longest wait" }).waitFor();
  await shoot(page, "alarms");
  await expectNoBarriers(seen, "the alarms there were");
});

test("a report is planned on its page, sent at once, and arrives with its table; it is paused and deleted", async () => {
  await page.getByRole("link", { name: "Reports", exact: true }).click();
  await page.getByRole("region", { name: "Queues: service level" }).getByRole("button", { name: "By mail" }).click();
  const form = page.getByRole("dialog", { name: "By mail: Queues" });
  await form.getByLabel("Name").fill("Queues of yesterday");
  await form.getByRole("button", { name: "Create" }).click();
  await form.getByText("This cannot be empty.").waitFor();
  await form.getByLabel(/^To/).fill("chief@example.com");
  await page.keyboard.press("Enter");
  await choose("How often", "Every week");
  await choose("Attached as", "CSV");
  await shoot(page, "report-plan-form");
  await expectNoBarriers(seen, "the form of a report by mail");
  await form.getByRole("button", { name: "Create" }).click();
  await form.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Reports by mail" }).click();
  await page.getByRole("cell", { name: /every Monday at 08:00/ }).waitFor();
  const before = mail.letters.length;
  await page.getByRole("button", { name: "Send now: Queues of yesterday" }).click();
  await page.getByRole("cell", { name: /^sent / }).waitFor();
  expect(mail.letters.slice(before).map(({ to }) => to)).toEqual([["chief@example.com"]]);
  expect(attachmentOf(mail.letters[before]!).bytes.toString("utf8")).toMatch(/^\uFEFFQueue,Name,Calls,/); // just counted
  for (const width of [390, 1280]) {
    await expectNoOverflow(seen, width, "reports by mail");
    await shoot(page, `report-mails-${width}`);
  }
  await expectNoBarriers(seen, "reports by mail");
  await page.getByRole("button", { name: "Pause: Queues of yesterday" }).click();
  await page.getByText("Paused", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Delete: Queues of yesterday" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No reports by mail yet").waitFor();
});

test("a supervisor makes a board of his queue alone, and sets from where on it calls for attention", async () => {
  const email = "lead@example.com";
  const account = ["--role", "supervisor", "--password", PASSWORD, "--queues", "200"];
  await town.command("staff", "create", email, "Lider", ...account);
  const lead = await openConsole(browser, `http://${town.santral.run.http}/console`, "en");
  await signIn(lead, email, PASSWORD);
  await lead.page.getByRole("link", { name: "Wall screens" }).click();
  await lead.page.getByText("No boards yet").waitFor();
  await lead.page.getByRole("button", { name: "Add board" }).click();
  const form = lead.page.getByRole("dialog", { name: "Add board" });
  await form.getByLabel("Name").fill("Lead");
  await form.getByRole("button", { name: "Create board" }).click();
  await form.getByText("This cannot be empty.").waitFor();
  await form.getByLabel("Queues (at least one)").click();
  await lead.page.getByRole("option", { name: /^200/ }).click();
  await lead.page.keyboard.press("Tab");
  await form.getByRole("button", { name: "Create board" }).click();
  await lead.page.getByRole("button", { name: "Make a link: Lead" }).waitFor();
  await lead.page.getByRole("link", { name: "Alarms", exact: true }).click();
  await lead.page.getByRole("button", { name: /^Edit: 200/ }).click();
  await lead.page.getByLabel("When so many callers wait").fill("12");
  await lead.page.getByRole("button", { name: "Save" }).click();
  await lead.page.getByRole("region", { name: "Thresholds by queue" }).getByText("12", { exact: true }).waitFor();
  await expectNoBarriers(lead, "the alarms of a supervisor");
  for (const width of [390, 1280]) await expectNoOverflow(lead, width, "the alarms of a supervisor");
  await lead.context.close();
});

test("the link is taken back, and the screen goes dark", async () => {
  await page.getByRole("link", { name: "Wall screens" }).click();
  await page.getByRole("button", { name: "Take the link back: Entrance" }).click();
  await page.getByRole("button", { name: "Take back", exact: true }).click();
  await screen.page.getByText("This link is no longer valid").waitFor();
  expect(await screen.page.getByText("Entrance").count()).toBe(0);
  await screen.page.reload();
  await screen.page.getByText("This link is no longer valid").waitFor();
  await expectNoBarriers(screen, "a dark screen");
  expect([seen.complaints, screen.complaints]).toEqual([[], []]);
});
