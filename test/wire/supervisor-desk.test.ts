import type { Page } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import { expectNoBarriers, expectNoOverflow, openConsole, type Seen, signIn } from "../console/console-browser.ts";
import { eventually } from "../ground/eventually.ts";
import type { Baresip } from "../phones/baresip.ts";
import { openBrowser } from "../phones/browser-phone.ts";
import { earOf } from "../phones/ear.ts";
import { CLEAR, type RealTown, realTown } from "../town/real-town.ts";

// A browser shares its machine with whatever else is tested just then.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const PATIENCE_MS = 60_000;
const EMAIL = "boss@example.com";
const PASSWORD = "a password of my own";
const [ANNS, CALLERS, BOSSS] = [660, 440, 1_000];

let town: RealTown;
let seen: Seen;
let page: Page;
let ann: Baresip;
let caller: Baresip;
let boss: Baresip;

beforeAll(async () => {
  const [opened, browser] = await Promise.all([realTown(), openBrowser()]);
  town = opened;
  await town.command("queue", "members", "200", "1000");
  const account = ["--role", "administrator", "--extension", "1002", "--password", PASSWORD];
  await town.command("staff", "create", EMAIL, "Patron", ...account);
  [ann, caller, boss] = await Promise.all([
    town.phone("1000", ANNS),
    town.phone("1001", CALLERS),
    town.phone("1002", BOSSS),
  ]);
  seen = await openConsole(browser, `http://${town.santral.run.http}/console`, "en");
  page = seen.page;
  await signIn(seen, EMAIL, PASSWORD);
  await page.getByRole("heading", { name: "Live board" }).waitFor();
  seen.complaints.length = 0; // until then nobody was signed in
});

const item = (name: string) => page.getByRole("menuitem", { name, exact: true });
const button = (name: string) => page.getByRole("button", { name, exact: true });

async function choose(label: string, option: RegExp): Promise<void> {
  await page.locator(`input[aria-label="${label}"]`).first().click();
  await page.getByRole("option", { name: option }).first().click();
}

async function picksUp(phone: Baresip, act: () => Promise<unknown>): Promise<void> {
  phone.forget();
  await act();
  await phone.event("CALL_INCOMING", PATIENCE_MS);
  await phone.command("accept");
  await phone.event("CALL_ESTABLISHED", PATIENCE_MS);
}

/** From now on this phone hears these tones and none of the others. */
async function hearsOnly(phone: Baresip, ...tones: number[]): Promise<void> {
  const others = [ANNS, CALLERS, BOSSS].filter((hz) => !tones.includes(hz));
  const ear = await earOf(phone);
  await ear.hearsWhat(
    `only ${tones.join(" and ")}`,
    ({ level }) => tones.every((hz) => level(hz) > CLEAR / 2) && others.every((hz) => level(hz) < CLEAR / 8),
  );
}

test("a supervisor gives an agent a break by its name, and pulls a waiting caller to his own phone", async () => {
  const agents = page.getByRole("region", { name: "Agents" });
  await agents.getByRole("button", { name: "Edit: 1000" }).click();
  await item("Kahve").click();
  await agents.locator("tbody tr", { hasText: "1000" }).getByText("Kahve").waitFor();
  await caller.dial("200");
  await picksUp(boss, async () => {
    await page.getByRole("button", { name: "Put through: 1001" }).click();
    await item("To me").click();
  });
  await Promise.all([hearsOnly(boss, CALLERS), hearsOnly(caller, BOSSS)]);
  caller.forget();
  await boss.hangUp();
  await caller.event("CALL_CLOSED", PATIENCE_MS);
});

test("a supervisor puts a waiting caller through to an agent, and sends the call elsewhere", async () => {
  await caller.dial("200");
  // The whole line leads to the story, by keyboard as well.
  const line = page.locator(".covered", { has: page.getByRole("button", { name: "Put through: 1001" }) });
  await line.getByRole("link").press("Enter");
  await page.getByRole("heading", { name: "Call", exact: true }).waitFor();
  await page.goBack();
  await picksUp(ann, async () => {
    await page.getByRole("button", { name: "Put through: 1001" }).click();
    await page.getByRole("menuitem", { name: /^1000/ }).click();
  });
  await Promise.all([hearsOnly(ann, CALLERS), hearsOnly(caller, ANNS)]);

  // Whoever is in a call leads to it, from his tile and from his line.
  await page.locator('[data-extension="1000"][data-state="on a call"]').click({ position: { x: 40, y: 60 } });
  await page.getByRole("heading", { name: "Call", exact: true }).waitFor();
  const story = page.url();
  await page.goBack();
  await page
    .getByRole("region", { name: "Agents" })
    .locator("tbody tr", { hasText: "1000" })
    .click({ position: { x: 200, y: 10 } });
  await page.getByRole("heading", { name: "Call", exact: true }).waitFor();
  expect(page.url()).toBe(story);
  await page.goBack();

  ann.forget();
  await page.getByRole("button", { name: "Actions: 1001" }).click();
  await item("Send elsewhere…").click();
  await choose("Where to", /^Extension$/);
  await choose("Where to: Extension", /^1002/);
  await picksUp(boss, () => button("Send").click());
  await ann.event("CALL_CLOSED", PATIENCE_MS);
  await Promise.all([hearsOnly(boss, CALLERS), hearsOnly(caller, BOSSS)]);
  caller.forget();
  await boss.hangUp();
  await caller.event("CALL_CLOSED", PATIENCE_MS);

  // Whoever is in none leads to the calls that he had.
  const tile = page.locator('[data-extension="1000"][data-state="available"]');
  await tile.getByRole("link").press("Enter");
  await page.getByRole("heading", { name: "Calls and recordings" }).waitFor();
  expect(new URL(page.url()).searchParams.get("extension")).toBe("1000");
  await page.goBack();
});

test("a supervisor listens, whispers, joins and takes the call over, and each hears whom he shall hear", async () => {
  await town.command("agent", "resume", "1000");
  await picksUp(ann, () => caller.dial("200"));
  await Promise.all([hearsOnly(ann, CALLERS), hearsOnly(caller, ANNS)]);
  await picksUp(boss, async () => {
    await page.getByRole("button", { name: "Actions: 1001" }).click();
    await item("Listen: 1000").click();
  });
  await page.getByText("You listen to 1000 and 1001").waitFor();
  await hearsOnly(boss, CALLERS, ANNS);
  await Promise.all([hearsOnly(ann, CALLERS), hearsOnly(caller, ANNS)]);
  const rows = page.getByRole("region", { name: "Calls now" }).locator("tbody tr");
  expect(await rows.count()).toBe(1);
  await rows.getByText("You listen").waitFor();
  await expectNoBarriers(seen, "the board with a listener");
  for (const width of [390, 1440]) await expectNoOverflow(seen, width, "the board with a listener");

  await page.getByText("Whisper", { exact: true }).click();
  await page.getByText("You whisper to 1000, who talks with 1001").waitFor();
  await hearsOnly(ann, CALLERS, BOSSS);
  await hearsOnly(caller, ANNS);

  await page.getByText("Join", { exact: true }).click();
  await page.getByText("You are in the call of 1000 and 1001").waitFor();
  await Promise.all([hearsOnly(ann, CALLERS, BOSSS), hearsOnly(caller, ANNS, BOSSS)]);

  ann.forget();
  await button("Take over").click();
  await ann.event("CALL_CLOSED", PATIENCE_MS);
  await Promise.all([hearsOnly(boss, CALLERS), hearsOnly(caller, BOSSS)]);

  await rows.first().click();
  await page.getByText("takes the call over from extension 1000", { exact: false }).waitFor();
  await page.goBack();
  caller.forget();
  await button("Hang up: 1001").click();
  await caller.event("CALL_CLOSED", PATIENCE_MS);
});

test("in the list of calls nobody has listened, and in the audit trail everything was done by somebody", async () => {
  await page.getByRole("link", { name: "Calls and recordings" }).first().click();
  await eventually("three calls", async () => (await page.locator("tbody tr").count()) === 3);
  await page.goto(`http://${town.santral.run.http}/console/audit`);
  for (const said of ["put a waiting caller through out of turn", "sent a call elsewhere", "hung up a call"])
    await page.getByText(said).first().waitFor();
  for (const mode of ["listen", "whisper", "join", "take over"])
    await page.getByText(`supervises extension 1000 (${mode})`, { exact: false }).first().waitFor();
  expect(seen.complaints).toEqual([]);
});
