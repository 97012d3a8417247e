import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import { expectNoBarriers, expectNoOverflow, openConsole, signIn } from "../console/console-browser.ts";
import { BUCKET, openS3Server, S3_LOGIN } from "../customer/s3.ts";
import { eventually } from "../ground/eventually.ts";
import { whenOver } from "../ground/when-over.ts";
import { openBrowser } from "../phones/browser-phone.ts";
import { realTown } from "../town/real-town.ts";

// A browser shares its machine with whatever else is tested just then.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const EMAIL = "boss@example.com";
const PASSWORD = "a password of my own";

let page: Page;
let url: string;

beforeAll(async () => {
  const [town, browser] = await Promise.all([realTown({ SANTRAL_PRIVATE_WEBHOOKS: "true" }), openBrowser()]);
  url = `http://${town.santral.run.http}/console`;
  await town.command("staff", "create", EMAIL, "Patron", "--role", "administrator", "--password", PASSWORD);
  const seen = await openConsole(browser, url, "en");
  page = seen.page;
  await seen.context.grantPermissions(["microphone"]);
  await signIn(seen, EMAIL, PASSWORD);
  await page.getByRole("heading", { name: "Live board" }).waitFor();
});

type Asked = { name: string; body: object };

/** What the server has, asked as the page itself asks. */
function ask<Reply>(name: string, body: object = {}): Promise<Reply> {
  const post = async ({ name, body }: Asked): Promise<unknown> => {
    const headers = { "content-type": "application/json", "x-santral-console": "1" };
    return (await fetch(`/console/api/${name}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
  };
  return page.evaluate(post, { name, body }) as Promise<Reply>;
}

const button = (name: string, inside: Page | Locator = page) => inside.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog").last();

async function choose(label: string, option: string): Promise<void> {
  await page.locator(`input[aria-label="${label}"]`).first().click();
  await page.getByRole("option", { name: option }).first().click();
}

test("an announcement is spoken into the microphone, heard, named and kept", async () => {
  await page.goto(`${url}/announcements`);
  await button("Record").click();
  await button("Start recording").click();
  const timer = page.getByTestId("recorded");
  await eventually("a second was recorded", async () => !(await timer.textContent())?.startsWith("0:00"));
  await eventually("the level moves", async () => {
    const shown = await page.getByTestId("level").getAttribute("aria-valuenow");
    return Number(shown) > 0;
  });
  await button("Stop recording").click();
  await button("Save announcement").waitFor();
  await eventually("its length is known", async () => !(await dialog().textContent())?.includes("/ 0:00"));
  await page.getByLabel("Name", { exact: false }).first().fill("Karşılama sesi");
  await button("Save announcement").click();
  await page.getByRole("cell", { name: "Karşılama sesi", exact: true }).waitFor();
  const sounds = await ask<{ name: string; duration_ms: number }[]>("sounds.list");
  expect(sounds.find(({ name }) => name === "Karşılama sesi")?.duration_ms).toBeGreaterThan(500);
});

test("without a microphone the page says why, and what to do", async () => {
  await page.evaluate(
    `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("none", "NotFoundError"))`,
  );
  await button("Record").click();
  await button("Start recording").click();
  await page.getByText("This computer has no microphone.", { exact: false }).waitFor();
  await page.keyboard.press("Escape");
});

test("an announcement that is missing is spoken in the middle of a form, and is the one chosen there", async () => {
  await page.goto(`${url}/queues`);
  await page.getByRole("button", { name: /Edit: 200/ }).click();
  const making = page.getByRole("button", { name: /^New announcement: / }).first();
  const label = (await making.getAttribute("aria-label"))?.replace(/^[^:]+: /, "") ?? "";
  await making.click();
  // The form beneath has a name as well.
  await button("Speak and save", dialog()).waitFor();
  await dialog().getByLabel("Name", { exact: false }).first().fill("Formda söylenen");
  await dialog().locator("textarea").first().fill("Bekleyin");
  await button("Speak and save", dialog()).click();
  const chosen = page.getByLabel(label, { exact: false }).and(page.locator("input:not([type=hidden])")).first();
  await eventually("it is chosen", async () => (await chosen.inputValue()) === "Formda söylenen");
  await button("Save", dialog()).click();
  const spoken = (await ask<{ id: number; name: string }[]>("sounds.list")).find(
    ({ name }) => name === "Formda söylenen",
  );
  await eventually("the queue has it", async () => {
    const queue = (await ask<Record<string, unknown>[]>("queues.list")).find(({ number }) => number === "200");
    return Object.values(queue ?? {}).includes(spoken?.id);
  });
});

type Menu = { number: string; key_targets: Record<string, string>; timeout_target: string | null };
const menuTen = async () => (await ask<Menu[]>("menus.list")).find(({ number }) => number === "10");

test("in the picture of the flow a key is changed by the keyboard, another added, and taken out again", async () => {
  await page.goto(`${url}/menus`);
  const keyTwo = page.getByRole("button", { name: "Change this way: Key 2", exact: false }).first();
  await keyTwo.focus();
  await page.keyboard.press("Enter");
  await choose("Leads to", "Ring group");
  await button("Save", dialog()).click();
  await page.getByText("Choose one.").waitFor();
  await choose("Leads to: Ring group", "700");
  await button("Save", dialog()).click();
  await eventually("key 2 leads to the group", async () => (await menuTen())?.key_targets["2"] === "group/700");
  await page.getByRole("button", { name: "Add a way: Menu 10", exact: false }).first().click();
  await dialog().getByLabel("When").first().click();
  await page.getByRole("option", { name: "Key 9" }).click();
  await choose("Leads to", "Repeat the menu");
  await button("Save", dialog()).click();
  await eventually("key 9 is there", async () => (await menuTen())?.key_targets["9"] === "restart");
  await page.getByRole("button", { name: "Change this way: Key 9", exact: false }).first().click();
  await button("Delete", dialog()).click();
  await eventually("it is asked for", async () => (await page.getByText("Are you sure?").count()) > 0);
  await button("Delete", dialog()).click();
  await eventually("key 9 is gone", async () => (await menuTen())?.key_targets["9"] === undefined);
  expect(await menuTen()).toMatchObject({ key_targets: { "2": "group/700" }, timeout_target: "queue/200" });
});

test("rules say which of them never gets a call, until they stand in another order", async () => {
  await ask("trunks.create", { name: "carrier", host: "127.0.0.1", changes: { port: 5999 } });
  await page.goto(`${url}/trunks`);
  for (const [name, prefix] of [
    ["Everywhere", ""],
    ["Mobiles", "905"],
  ] as const) {
    await button("Add a rule").click();
    await page.getByLabel("Name", { exact: false }).first().fill(name);
    await page.getByLabel("Begins with", { exact: false }).fill(prefix);
    await button("Add rule", dialog()).click();
    await page.getByRole("cell", { name }).first().waitFor();
  }
  await page.getByText("The rule “Everywhere” before it matches every number of this one.").waitFor();
  await button("Move up: Mobiles").click();
  await page.getByText("Never used").waitFor({ state: "detached" });
  const rules = await ask<{ name: string }[]>("rules.list");
  expect(rules.map(({ name }) => name)).toEqual(["Mobiles", "Everywhere"]);
  const { rows } = await ask<{ rows: { did: string }[] }>("audit.list", { page: 1, limit: 1, about: EMAIL });
  expect(rows).toMatchObject([{ did: "rules.move" }]);
});

test("the recording archive is tried before it is kept, and its secret is not shown again", async () => {
  const s3 = await openS3Server();
  whenOver(() => s3.close());
  await page.goto(`${url}/settings?tab=archive`);
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: false }).first().fill(text);
  await fill("Address", s3.url);
  await page.getByLabel("Bucket", { exact: true }).fill(BUCKET);
  await fill("Access key, or user", S3_LOGIN.accessKey);
  await fill("Secret key, or password", "wrong");
  await button("Try it").click();
  await page
    .getByText("A test file could not be written: it does not take the key or password", { exact: false })
    .waitFor();
  await fill("Secret key, or password", S3_LOGIN.secretKey);
  await button("Try it").click();
  await page.getByText("A small file was written, read back and deleted.").waitFor();
  type Shown = { settings: Record<string, unknown> | null };
  expect((await ask<Shown>("archive.show")).settings).toBeNull();
  await button("Save").click();
  await page.getByText(`Recordings go to ${BUCKET} (${s3.url})`).waitFor();
  const { settings } = await ask<Shown>("archive.show");
  expect(settings).toMatchObject({ active: true, has_secret: true, bucket: BUCKET, after_days: 0, local_days: 30 });
  expect(settings).not.toHaveProperty("sealedSecret");
  expect(settings).not.toHaveProperty("secret");
  await button("Switch off").click();
  await button("Switch on again").waitFor();
  const { rows } = await ask<{ rows: { did: string; details: object }[] }>("audit.list", {
    page: 1,
    limit: 5,
    about: EMAIL,
  });
  expect(rows.map(({ did }) => did)).toEqual([
    "archive.off",
    "archive.update",
    "archive.test",
    "archive.test",
    "rules.move",
  ]);
  expect(rows[1]).toMatchObject({ details: { changes: { secret: "(hidden)" } } });
});

type Form = { name: string; version: number; fields: { label: string; is: string; choices: string[] }[] };

test("a form about calls is defined, its fields put in order, and chosen at a queue", async () => {
  await page.goto(`${url}/forms`);
  await button("Add a form").click();
  await dialog().getByLabel("Name", { exact: false }).first().fill("Satisfaction");
  const field = (at: number) => dialog().getByRole("group", { name: `Field ${at}`, exact: true });
  await field(1).getByLabel("Label", { exact: false }).fill("Mood");
  await field(1).getByLabel("Kind", { exact: false }).first().click();
  await page.getByRole("option", { name: "One of a list" }).click();
  await button("Create form", dialog()).click();
  await field(1).getByText("Write at least one choice.").waitFor();
  for (const choice of ["Good", "Bad"]) {
    await field(1).getByLabel("Choices", { exact: false }).first().fill(choice);
    await page.keyboard.press("Enter");
  }
  await button("Add a field", dialog()).click();
  await field(2).getByLabel("Label", { exact: false }).fill("Note");
  await button("Move field 2 up", dialog()).focus();
  await page.keyboard.press("Enter");
  await expectNoBarriers({ page }, "the editor of a form");
  for (const width of [390, 1440]) await expectNoOverflow({ page }, width, "the editor of a form");
  await button("Create form", dialog()).click();
  await page.getByRole("cell", { name: "Satisfaction", exact: true }).waitFor();
  expect(await ask<Form[]>("forms.list")).toMatchObject([
    { name: "Satisfaction", version: 1, fields: [{ label: "Note" }, { label: "Mood", choices: ["Good", "Bad"] }] },
  ]);
  await page.goto(`${url}/queues`);
  await page.getByRole("button", { name: "Edit: 200", exact: false }).click();
  await dialog().getByLabel("Call form", { exact: false }).first().click();
  await page.getByRole("option", { name: "Satisfaction" }).click();
  await button("Save", dialog()).click();
  await eventually("the queue has the form", async () => {
    const queues = await ask<{ number: string; form: string | null }[]>("queues.list");
    return queues.some(({ number, form }) => number === "200" && form === "Satisfaction");
  });
  await page.goto(`${url}/forms`);
  await button("Delete: Satisfaction").click();
  await button("Delete", dialog()).click();
  await page.getByText("queue 200", { exact: false }).first().waitFor();
});
