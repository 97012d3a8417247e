// The stories of forms about calls: an administrator who defines one and reads the report, and how it looks on a phone.

import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { expectNoBarriers, expectNoOverflow, openConsole, type Seen, signIn } from "../console/console-browser.ts";
import { eventually } from "../ground/eventually.ts";
import type { RealTown } from "../town/real-town.ts";
import type { Baresip } from "./baresip.ts";
import { pageUrl, tokenFor, type WebPhone } from "./web-phone.ts";
import { hangsUpWell, onlyCall } from "./webphone-story.ts";

type Boss = Seen & { form: number };

const BOSS = { email: "boss@example.com", password: "a password of my own" };

/** An administrator's console in the same browser, which defines the form that queue 230 asks for. */
async function consoleWithForm(town: RealTown, browser: Browser): Promise<Boss> {
  const { email, password } = BOSS;
  await town.command("staff", "create", email, "Patron", "--role", "administrator", "--password", password);
  const seen = await openConsole(browser, `http://${town.santral.run.http}/console`, "en");
  await signIn(seen, email, password);
  await seen.page.getByRole("heading", { name: "Live board" }).waitFor();
  const field = { help: "", required: false, choices: [], least: null, most: null, earliest: null, latest: null };
  const fields = [
    { ...field, is: "short-text", label: "Subject", required: true, help: "In a few words" },
    { ...field, is: "one-of", label: "Result", choices: ["Solved", "Open"] },
    { ...field, is: "several-of", label: "About", choices: ["Invoice", "Delivery", "Price"] },
    { ...field, is: "yes-no", label: "Call again" },
    { ...field, is: "number", label: "Amount", most: 100 },
    { ...field, is: "long-text", label: "Note" },
  ];
  const { id: form } = await asks<{ id: number }>(seen, "forms.create", { name: "Conversation", active: true, fields });
  await town.command("queue", "create", "230", "Conversations", "form=Conversation", "--members", "1000");
  await town.command("agent", "login", "1000");
  return { ...seen, form };
}

/** As the console's own page asks. */
function asks<Reply>({ page }: Seen, name: string, body: object): Promise<Reply> {
  const asked = JSON.stringify({ name, body: JSON.stringify(body) });
  return page.evaluate<Reply>(`(async ({ name, body }) => {
    const headers = { "content-type": "application/json", "x-santral-console": "1" };
    return (await fetch("/console/api/" + name, { method: "POST", headers, body })).json();
  })(${asked})`);
}

async function fitsThePhone(web: WebPhone, what: string): Promise<void> {
  for (const width of [240, 275]) await expectNoOverflow(web, width, what);
  for (const colorScheme of ["light", "dark"] as const) {
    await web.page.emulateMedia({ colorScheme });
    await expectNoBarriers(web, `${what}, ${colorScheme}`);
  }
  await web.page.emulateMedia({ colorScheme: "light" });
  await web.page.setViewportSize({ width: 275, height: 700 });
}

export type Story = { town: RealTown; browser: Browser; web: WebPhone; bob: Baresip };

async function takesQueueCall({ town, web, bob }: Story): Promise<string> {
  await bob.dial("230");
  await web.shows("Incoming call");
  await web.press("Answer");
  await web.isTalking();
  await web.soonHears(660);
  return onlyCall(town);
}

const labelIn =
  ({ page }: WebPhone) =>
  (name: string) =>
    page.getByLabel(name, { exact: false });

/** The agent takes a queue's call, fills in, loads the page anew in the middle, and saves after the call. */
export async function fillsInForm(story: Story): Promise<void> {
  const { town, browser } = story;
  const boss = await consoleWithForm(town, browser);
  const call = await fillsInDuringCall(story);
  await savesAfterCall(story);
  await reportShows(town, boss, call);
  await putsAside(story, boss);
  await town.restart();
  expect(await town.command("form", "export", "Conversation")).toContain("Late parcel,Solved,Delivery,Yes,25.5,");
  expect(await town.command("call", call)).toContain("Subject: Late parcel");
}

async function fillsInDuringCall(story: Story): Promise<string> {
  const { web } = story;
  const label = labelIn(web);
  await web.page.reload();
  await web.isReady();
  const call = await takesQueueCall(story);
  await label("Subject").fill("Late parcel");
  await label("Result").selectOption("Open");
  await label("Delivery").check();
  await label("Amount").fill("250");
  await fitsThePhone(web, "the form of a call that is up");
  await picture(web.page, "form-in-call");

  await web.page.reload();
  await web.isTalking();
  await web.soonHears(660);
  expect(await label("Subject").inputValue(), "kept across the reload").toBe("Late parcel");
  expect(await label("Delivery").isChecked()).toBe(true);
  await label("Subject").fill("");
  await web.press("Save");
  await web.shows("This cannot be left empty.");
  await web.shows("At most 100.");
  expect(await label("Subject").getAttribute("aria-invalid")).toBe("true");
  await eventually("the keyboard is at the field", () =>
    web.page.evaluate<boolean>(`document.activeElement.id.endsWith("f1")`),
  );
  return call;
}

async function savesAfterCall({ town, web, bob }: Story): Promise<void> {
  const label = labelIn(web);
  await web.press("Hang up");
  await bob.event("CALL_CLOSED");
  await web.shows("Forms to fill in");
  await fitsThePhone(web, "the form of a call that is over");
  await picture(web.page, "form-after-call");
  await label("Subject").fill("Late parcel");
  await label("Amount").fill("25,5");
  // Its session ends in the middle of it; with the next one what was typed is there.
  await town.command("webphone", "revoke", "1000");
  await web.page.locator('.phone[data-link="refused"]').waitFor();
  await web.page.goto(pageUrl(town, await tokenFor(town, "1000")));
  await web.isReady();
  await web.page.locator('.tabs [data-view="forms"]').click();
  expect(await label("Subject").inputValue(), "kept across the end of the session").toBe("Late parcel");
  expect(await label("Amount").inputValue()).toBe("25,5");
  await label("Call again").selectOption("Yes");
  await web.press("Save");
  await web.page.locator('.tabs [data-view="forms"]').waitFor({ state: "detached" });
}

async function putsAside(story: Story, boss: Boss): Promise<void> {
  const { town, web, bob } = story;
  const label = labelIn(web);
  await takesQueueCall(story);
  await label("Subject").waitFor();
  await web.press("Later");
  await label("Subject").waitFor({ state: "detached" });
  await hangsUpWell(web, bob, 1_000);
  await web.page.locator('.tabs [data-view="forms"]').click();
  await web.shows("put aside");
  await boss.page.goto(`http://${town.santral.run.http}/console/form-report?which=owed`);
  await boss.page.getByRole("cell", { name: "Conversation (1)" }).waitFor();
}

/** The administrator sees it, corrects it at the call, and fetches it as a table. */
async function reportShows(town: RealTown, boss: Boss, call: string): Promise<void> {
  const { page } = boss;
  const { http } = town.santral.run;
  await page.goto(`http://${http}/console/form-report?form=${boss.form}`);
  await page.getByRole("cell", { name: "Late parcel" }).waitFor();
  await page.getByRole("cell", { name: "25.5" }).waitFor();
  await page.getByRole("region", { name: "Result" }).getByText("100%").waitFor();
  for (const width of [1440, 390] as const) {
    await expectNoOverflow(boss, width, "the report about forms");
    await expectNoBarriers(boss, `the report about forms at ${width}`);
    await picture(page, `form-report-${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`http://${http}/console/calls/${call}`);
  await page.getByText("Filled in by 1000", { exact: false }).waitFor();
  await expectNoBarriers(boss, "a call with its form");
  await picture(page, "form-of-call");
  await page.getByRole("button", { name: "Correct", exact: true }).click();
  await page.getByRole("dialog").getByLabel("Result").first().click();
  await page.getByRole("option", { name: "Solved" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("corrected by boss@example.com", { exact: false }).waitFor();
  const { rows } = await asks<{ rows: object[] }>(boss, "audit.list", { page: 1, limit: 20, about: "forms.fill" });
  expect(rows).toMatchObject([
    { doer: "staff", who: BOSS.email, details: { uuid: call, answers: "(hidden)" } },
    { doer: "web phone", who: "1000", details: { uuid: call } },
  ]);
  const link = await page
    .goto(`http://${http}/console/form-report?form=${boss.form}`)
    .then(() => page.getByRole("link", { name: "Download CSV" }).getAttribute("href"));
  const table = await page.evaluate<string>(`fetch(${JSON.stringify(link)}).then((answer) => answer.text())`);
  expect(table.split("\r\n")[0]).toContain("Corrected by,Call,Subject,Result,About,Call again,Amount,Note");
  expect(table).toContain(`${call},Late parcel,Solved,Delivery,Yes,25.5,`);
}

/** To look at: `SANTRAL_TEST_SHOTS` names the folder. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SANTRAL_TEST_SHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}
