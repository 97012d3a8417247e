import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import { startSipp } from "../carriers/sipp.ts";
import { account, watchesLamp } from "../carriers/sipp-phones.ts";
import { expectNoBarriers, expectNoOverflow, openConsole, signIn } from "../console/console-browser.ts";
import { eventually } from "../ground/eventually.ts";
import { temporaryFolder } from "../ground/santral-process.ts";
import type { Baresip } from "../phones/baresip.ts";
import { openBrowser } from "../phones/browser-phone.ts";
import { startLinphonec } from "../phones/linphonec.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

// A browser shares its machine with whatever else is tested just then.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const EMAIL = "boss@example.com";
const PASSWORD = "a password of my own";
const JSQR = readFileSync("node_modules/jsqr/dist/jsQR.js", "utf8");

let town: RealTown;
let ann: Baresip;
let page: Page;
let url: string;

beforeAll(async () => {
  const [opened, browser] = await Promise.all([realTown(), openBrowser()]);
  town = opened;
  url = `http://${town.santral.run.http}/console`;
  await town.command("staff", "create", EMAIL, "Patron", "--role", "administrator", "--password", PASSWORD);
  const seen = await openConsole(browser, `http://${town.santral.run.http}/`, "en");
  page = seen.page;
  await signIn(seen, EMAIL, PASSWORD);
  await page.getByRole("heading", { name: "Live board" }).waitFor();
});

const button = (name: string, inside: Page | Locator = page) => inside.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog").last();

/** What the server has, asked as the page itself asks. */
function ask<Reply>(name: string, body: object = {}): Promise<Reply> {
  const post = async ({ name, body }: { name: string; body: object }): Promise<unknown> => {
    const headers = { "content-type": "application/json", "x-santral-console": "1" };
    return (await fetch(`/console/api/${name}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
  };
  return page.evaluate(post, { name, body }) as Promise<Reply>;
}

/** What a camera would read from that picture. */
async function scanned(picture: Locator): Promise<string> {
  await page.evaluate(JSQR);
  const source = await picture.getAttribute("src");
  return page.evaluate(
    `new Promise((resolve) => {
       const image = new Image();
       image.onload = () => {
         const canvas = Object.assign(document.createElement("canvas"), { width: 400, height: 400 });
         const pen = canvas.getContext("2d");
         pen.fillStyle = "white";
         pen.fillRect(0, 0, 400, 400);
         pen.drawImage(image, 20, 20, 360, 360);
         resolve(window.jsQR(pen.getImageData(0, 0, 400, 400).data, 400, 400)?.data ?? "");
       };
       image.src = ${JSON.stringify(source)};
     })`,
  ) as Promise<string>;
}

test("a program that asks for the address of the server alone is answered as ever", async () => {
  const answer = await fetch(`http://${town.santral.run.http}/`, { redirect: "manual" });
  expect(answer.status).toBe(404);
});

test("an extension's QR code gives Linphone its account, once", async () => {
  await page.goto(`${url}/extensions`);
  await button("Connect a phone: 1001").click();
  await page.getByTestId("once-Server").waitFor();
  expect(await page.getByTestId("once-Port").textContent()).toBe(town.santral.run.sip?.split(":").at(-1));
  await button("Make a QR code for Linphone").click();
  const link = await scanned(page.getByTestId("code-linphone"));
  expect(link).toMatch(/^http:.*\/phone_settings\/P[0-9a-f-]{36}$/);
  await expectNoBarriers({ page }, "the QR code");
  const phone = await startLinphonec({
    user: "",
    password: "",
    domain: "",
    server: "",
    transport: "tcp",
    provisionedFrom: link,
  });
  town.keep(phone);
  await phone.registered();
  expect((await fetch(link)).status).toBe(400);
  const lines = await ask<{ rows: { did: string }[] }>("audit.list", { page: 1, limit: 20, about: "" });
  expect(JSON.stringify(lines)).toContain("phone-settings-fetched");
  await button("Close", dialog()).last().click();
});

test("an extension whose password nobody knows any more gets a new one where its code is shown, after a warning", async () => {
  await button("Connect a phone: 1005").click();
  await page.getByText("A new one signs out every phone that has the old one.", { exact: false }).waitFor();
  await expectNoBarriers({ page }, "a phone without a known password");
  await button("Make a new password and show the code").click();
  const address = await scanned(page.getByTestId("code-generic"));
  const password = await page.getByTestId("once-SIP password").textContent();
  const [host, port] = town.santral.run.sip?.split(":") ?? [];
  const domain = await page.getByTestId("once-SIP domain").textContent();
  expect(address).toBe(`sip:1005:${password}@${domain}:${port};transport=tcp;maddr=${host}`);
  await expectNoOverflow({ page }, 390, "the code of an address");
  await expectNoOverflow({ page }, 1280, "the code of an address");
  await button("Close", dialog()).last().click();
});

test("the guide leads to a first call, and a step that was skipped is found again", async () => {
  ann = await town.phone("1000", 700);
  await page.goto(`${url}/setup`);
  const trunk = page.getByRole("region", { name: "A trunk" });
  await button("Skip", trunk).click();
  await trunk.getByText("Skipped").waitFor();
  await button("Show again", trunk).click();
  await button("Skip", trunk).waitFor();
  await expectNoBarriers({ page }, "the guide");
  await expectNoOverflow({ page }, 390, "the guide");
  await expectNoOverflow({ page }, 1280, "the guide");
  const call = page.getByRole("region", { name: "A first call" });
  await button("Make a trial call with 1000", call).click();
  await ann.event("CALL_INCOMING");
  await ann.command("accept");
  await ann.event("CALL_ESTABLISHED");
  await ann.hangUp();
  await call.getByText("Done").waitFor();
});

test("two stretches a day are kept, and the switch by hand leads a real call elsewhere", async () => {
  await page.goto(`${url}/settings`);
  const hours = page.getByRole("group", { name: "Office hours" });
  await button("Add a stretch: Mon", hours).click();
  await hours.getByLabel("Mon: closes 1").fill("12:00");
  await button("Save").click();
  const kept = () => ask<{ office_hours: string[] }>("settings.show");
  await eventually("Monday has two", async () => (await kept()).office_hours.includes("1 13:00-18:00"));
  expect((await kept()).office_hours.slice(0, 2)).toEqual(["1 08:00-12:00", "1 13:00-18:00"]);
  const [own] = await ask<{ number: string }[]>("numbers.list");
  const number = own?.number ?? "";
  await ask("numbers.update", { number, changes: { target: "hangup/busy", closed_target: "user/1000" } });
  await page.goto(`${url}/numbers`);
  await page.getByRole("button", { name: /^Office (open|closed)$/ }).click();
  await page.getByRole("menuitem", { name: "Closed, by hand" }).click();
  await page.getByRole("button", { name: "Office closed · by hand" }).waitFor();
  ann.forget();
  await town.command("sandbox", "call", "--from", "905000000002", "--to", number);
  await ann.event("CALL_INCOMING");
  await ann.hangUp();
  expect(await town.ask("/office")).toContain('"switch":"closed","open":false');
  expect(await town.post("/office", { switch: "hours" })).toBe("OK");
});

test("a phone closes the office by its code and opens it again: another's lamp, the console and the interface say the same", async () => {
  // SIPp knows nothing but its scenario.
  await town.command("exchange", "set", "office-by-phone=yes", "qualify-seconds=0");
  await page.goto(`${url}/numbers`);
  await page.getByRole("button", { name: /^Office (open|closed)$/ }).waitFor();
  const file = join(temporaryFolder(), "watched");
  const { exchange, extensions } = town.firstRun;
  const password = extensions.find(({ number }) => number === "1004")?.password ?? "";
  const lamp = await startSipp({
    scenario: watchesLamp(exchange.sip_domain, { of: "*24", file }),
    server: town.santral.run.sip ?? "",
    accounts: [account("1004", password)],
    calls: 1,
  });
  town.keep({ kill: () => lamp.end() });
  await lamp.meanwhile(eventually("the lamp is watched", async () => existsSync(file)));
  const turns = async () => {
    ann.forget();
    await ann.dial("*24");
    await ann.event("CALL_CLOSED");
  };
  await lamp.meanwhile(turns());
  expect(await town.ask("/office")).toContain('"switch":"closed","open":false');
  expect(await ask("office.show")).toMatchObject({ switch: "closed" });
  await page.reload();
  await page.getByRole("button", { name: "Office closed · by hand" }).waitFor();
  await turns();
  expect(await town.ask("/office")).toContain('"switch":"hours"');
  expect(await lamp.done).toMatchObject({ code: 0 });
  await page.reload();
  await page.getByRole("button", { name: /^Office (open|closed)$/ }).waitFor();
});

test("a form says at each field what is wrong with it, and is not left without a question", async () => {
  await page.goto(`${url}/trunks`);
  await button("Add a trunk").click();
  await dialog().locator('button[type="submit"]').click();
  await dialog().getByText("This cannot be empty.").first().waitFor();
  await dialog().getByLabel("Name").first().fill("carrier");
  await dialog().getByLabel("Host").first().fill("no host!");
  const addresses = dialog().getByLabel("Calls may come from").first();
  await addresses.fill("nowhere");
  await addresses.press("Enter");
  await dialog().locator('button[type="submit"]').click();
  await eventually("both are marked", async () => (await dialog().getByText("does not fit").count()) === 2);
  await page.keyboard.press("Escape");
  await page.getByText("Changes are not saved").waitFor();
  await expectNoBarriers({ page }, "a form that is left");
  await button("Back to the form").click();
  expect(await dialog().getByLabel("Name").first().inputValue()).toBe("carrier");
});
