import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Browser, Locator, Page } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import { realClock } from "../../src/clock.ts";
import { inOnePortion } from "../../src/reports/portions.ts";
import { tableFormats } from "../../src/reports/table-file.ts";
import { WORKBOOK_MEDIA_TYPE } from "../../src/reports/workbook.ts";
import { type Database, openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import { buy, type PaidBy } from "../../src/store/spending.ts";
import { sql } from "../../src/store/sql.ts";
import { expectNoBarriers, expectNoOverflow, openConsole, signIn } from "../console/console-browser.ts";
import { eventually } from "../ground/eventually.ts";
import { whenOver } from "../ground/when-over.ts";
import { openBrowser } from "../phones/browser-phone.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

// A browser shares its machine with whatever else is tested just then.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const EMAIL = "boss@example.com";
const PASSWORD = "a password of my own";
/** Where pictures are put, for whoever wants to look at them. */
const SHOTS = process.env.SANTRAL_TEST_SHOTS;

let town: RealTown;
let browser: Browser;
let page: Page;
let url: string;
let db: Database;

beforeAll(async () => {
  [town, browser] = await Promise.all([realTown(), openBrowser()]);
  url = `http://${town.santral.run.http}/console`;
  db = openDatabase(connectionTo(join(town.data, "pg"), "postgres"), realClock, { connections: 1 });
  whenOver(() => db.close());
  await town.command("staff", "create", EMAIL, "Patron", "--role", "administrator", "--password", PASSWORD);
  const seen = await openConsole(browser, url, "tr");
  page = seen.page;
  await signIn(seen, EMAIL, PASSWORD);
  await page.getByRole("heading", { name: "Canlı pano" }).waitFor();
});

const button = (name: string, inside: Page | Locator = page) => inside.getByRole("button", { name, exact: true });

/** Nothing out of sight and no barriers, on a screen and on a telephone. */
async function lookOver(name: string, on = page): Promise<void> {
  for (const width of [1280, 390]) {
    await on.setViewportSize({ width, height: 900 });
    if (SHOTS) {
      mkdirSync(SHOTS, { recursive: true });
      await on.screenshot({ path: join(SHOTS, `${name}-${width}.png`), fullPage: true });
    }
    await expectNoOverflow({ page: on }, width, name);
  }
  await expectNoBarriers({ page: on }, name);
  await on.setViewportSize({ width: 1280, height: 900 });
}

test("a file of contacts: its columns are said, it is looked at, taken over, and the bad row comes back", async () => {
  await page.goto(`${url}/contacts`);
  await page.getByRole("link", { name: "Dosyadan aktar", exact: true }).click();
  const rows = Array.from({ length: 1_200 }, (_, n) => `0532${String(1_000_000 + n)};Kişi ${n};Müşteri`);
  const text = ["Cep no;Kim;Grup", ...rows, "abc;Kötü;", ""].join("\r\n");
  const buffer = Buffer.from(`\uFEFF${text}`, "utf16le");
  await page.locator('input[type="file"]').setInputFiles({ name: "müşteriler.csv", mimeType: "text/csv", buffer });
  await page.getByLabel("Anlamı: Kim").first().click();
  await page.getByRole("option", { name: "Ad", exact: true }).click();
  await button("Önizle").click();
  await page.getByText("1.200 satır alınabilir · 1 satır alınamaz").waitFor();
  await lookOver("imports");
  await button("Aktarmayı başlat").click();
  const row = page.getByRole("row").filter({ hasText: "müşteriler.csv" });
  await row.getByText("Bitti").waitFor();
  await row.getByText("1.200").waitFor();
  await row.getByRole("button", { name: "Alınmayan satırlar", exact: false }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("cell", { name: "Numara geçersiz" }).waitFor();
  const fetched = page.waitForEvent("download");
  await dialog.getByRole("link", { name: "CSV indir" }).click();
  const content = await (await (await fetched).createReadStream()).toArray();
  expect(Buffer.concat(content).toString("utf8")).toContain("1202;Numara geçersiz;abc;Kötü");
  await page.keyboard.press("Escape");
});

test("a campaign's numbers come out of a workbook by the same importer, and the bad one comes back", async () => {
  await page.goto(`${url}/campaigns`);
  await button("Kampanya başlat").click();
  await page.getByRole("dialog").getByLabel("Ad", { exact: false }).first().fill("Anket");
  for (const day of ["Son gün", "İlk gün"]) await page.getByLabel(day).fill("2099-01-05");
  await page.locator('input[aria-label="1 tuşu"]').first().click();
  await page.getByRole("option", { name: "Kapat" }).click();
  await button("Kampanyayı başlat").click();
  await page.getByRole("heading", { name: "Dosyadan aktarma" }).waitFor();
  const rows = [
    ["Telefon", "Söz"],
    ["0532 123 45 67", "Merhaba Ayşe"],
    ["12", ""],
    ["05321234568", ""],
  ];
  const buffer = Buffer.concat(await Readable.from(tableFormats.xlsx.write(inOnePortion(rows))).toArray());
  await page.locator('input[type="file"]').setInputFiles({ name: "anket.xlsx", mimeType: WORKBOOK_MEDIA_TYPE, buffer });
  await button("Önizle").click();
  await page.getByText("2 satır alınabilir · 1 satır alınamaz").waitFor();
  await button("Aktarmayı başlat").click();
  const row = page.getByRole("row").filter({ hasText: "anket.xlsx" });
  await row.getByText("Bitti").waitFor();
  await page.goto(`${url}/campaigns`);
  await page.getByRole("row").filter({ hasText: "Anket" }).getByText("0 / 2").waitFor();
});

/** A file of messages or consents: looked at, taken over, and what was left out of it as the file that one can download. */
async function imported(file: { kind: string; name: string; text: string; says?: string }): Promise<string> {
  await page.goto(`${url}/imports?kind=${file.kind}`);
  const buffer = Buffer.from(file.text);
  await page.locator('input[type="file"]').setInputFiles({ name: file.name, mimeType: "text/csv", buffer });
  if (file.says) await page.locator("main textarea").first().fill(file.says);
  await button("Önizle").click();
  await page.getByText("2 satır alınabilir · 1 satır alınamaz").waitFor();
  await lookOver(file.name);
  await button("Aktarmayı başlat").click();
  const row = page.getByRole("row").filter({ hasText: file.name });
  await row.getByText("Bitti").waitFor();
  await row.getByRole("button", { name: "Alınmayan satırlar", exact: false }).click();
  const fetched = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("link", { name: "CSV indir" }).click();
  const content = await (await (await fetched).createReadStream()).toArray();
  await page.keyboard.press("Escape");
  return Buffer.concat(content).toString("utf8");
}

test("messages to the recipients of a file go out in words of each row, and the bad row comes back", async () => {
  const text = ["Cep;Ad", "0532 123 45 67;Ayşe", "abc;Kötü", "05321234568;Can"].join("\r\n");
  const left = await imported({ kind: "recipients", name: "alıcılar.csv", text, says: "Sayın {Ad}, hoş geldiniz" });
  expect(left).toContain("3;Numara geçersiz;abc;Kötü");
  const sent = await db.query(sql`select text from sms_messages where text like 'Sayın%' order by text`);
  expect(sent).toEqual(["Ayşe", "Can"].map((name) => ({ text: `Sayın ${name}, hoş geldiniz` })));
});

test("consents of a file are handed to the registry, and the bad row comes back", async () => {
  const today = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10).split("-").reverse().join(".");
  const rows = [`05321234567;ONAY;${today}`, `05321234568;belki;${today}`, `05321234569;ONAY;${today}`];
  const text = ["Alıcı;İzin durumu;Tarih", ...rows].join("\r\n");
  const left = await imported({ kind: "consents", name: "izinler.csv", text });
  expect(left).toContain(`;05321234568;belki;${today}`);
});

test("a price is set, and stands in the list", async () => {
  await page.goto(`${url}/spending`);
  await button("Ücret ekle").click();
  await page.getByLabel("Numaranın başı", { exact: false }).fill("905");
  await page.getByLabel("Dakikası", { exact: false }).fill("0,35");
  await page.getByRole("dialog").locator('button[type="submit"]').click();
  await page.getByRole("cell", { name: "905", exact: true }).waitFor();
  await page.getByRole("cell", { name: "0,35", exact: true }).waitFor();
  await lookOver("spending");
});

/** What was bought from a carrier in two days of March: each is kept as the exchange keeps it. */
async function spends(): Promise<void> {
  const mobile = { number: "905321234567", prefix: "905" };
  const bought = async (at: string, through: number, by: Partial<PaidBy>) =>
    buy(db, {
      ...{ exchangeId: town.firstRun.exchange.id, month: "2026-03-01", minutePrice: 0.35, limit: null },
      minutes: { leg: randomUUID(), day: at.slice(0, 10), paid: 0, through },
      call: {
        ...{ kind: "call", callUuid: randomUUID(), trunk: "Ana hat", extension: "1000", ...mobile, ...by },
        atMs: Date.parse(at),
      },
    });
  await bought("2026-03-09T09:00:00Z", 1, {});
  await bought("2026-03-10T09:00:00Z", 3, {});
  await bought("2026-03-10T10:00:00Z", 2, { trunk: "Yedek hat", extension: "1001" });
}

/** What the page asks there is answered once the returned function was called. */
async function held(by: Page, operation: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await by.route(`**/console/api/${operation}`, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test("what was spent is broken down, compared with before, led to its calls and carried away, by who pays for it", async () => {
  await spends();
  await town.command(
    "staff",
    "create",
    "bills@example.com",
    "Muhasebe",
    "--role",
    "accountant",
    "--password",
    PASSWORD,
  );
  const seen = await openConsole(browser, url, "tr");
  await signIn(seen, "bills@example.com", PASSWORD);
  const bills = seen.page;
  await bills.getByRole("heading", { name: "Harcama ve ücretler" }).waitFor();
  seen.complaints.length = 0; // that nobody was signed in
  await bills.getByRole("link", { name: "Mart 2026" }).click();
  const section = (name: string) => bills.getByRole("region", { name, exact: true });
  const row = (of: string, name: string) => section(of).getByRole("row").filter({ hasText: name });
  await row("Döküm: Hat", "Ana hat").getByText("1,40").waitFor();
  await bills.goto(`${url}/spending?from=2026-03-10&to=2026-03-10&by=trunk`);
  await row("Döküm: Hat", "Ana hat").getByText("1,05").waitFor();
  await row("Döküm: Hat", "Ana hat").getByText("+0,70").waitFor();
  await section("Harcama dökümü").getByText("önceki döneme göre +1,40").waitFor();
  await button("Dahili", bills).click();
  await row("Döküm: Dahili", "1001").getByText("0,70").first().waitFor();
  const late = await held(bills, "spending.legs");
  await row("Döküm: Dahili", "1001").getByRole("link").click();
  const calls = section("Ücretli aramalar · Dahili: 1001");
  // Those of both extensions are still there, and nobody takes them for hers alone.
  await calls.locator('[aria-busy="true"]').getByRole("cell", { name: "Ana hat" }).waitFor();
  late();
  await calls.locator('[aria-busy="false"]').getByRole("cell", { name: "Yedek hat" }).waitFor();
  expect(await calls.getByRole("row").count()).toBe(2);
  const fetched = bills.waitForEvent("download");
  await calls.getByRole("link", { name: "CSV" }).click();
  const content = Buffer.concat(await (await (await fetched).createReadStream()).toArray()).toString("utf8");
  expect(content).toMatch(/^\uFEFFBaşlangıç;Tür;Numara;Aranan yer;Hat;Dahili;/);
  expect(content).toContain("10.03.2026 13:00:00;Arama;905321234567;905;Yedek hat;1001;");
  await section("Döküm: Dahili").scrollIntoViewIfNeeded();
  await lookOver("spent", bills);
  expect(seen.complaints).toEqual([]);
  await seen.context.close();
});

test("a backup is made beside the running server, fetched, and planned", async () => {
  await page.goto(`${url}/system`);
  await page.getByText("Çalışıyor").waitFor();
  await button("Şimdi yedekle").click();
  const row = page.getByRole("row").filter({ hasText: ".santral" });
  await row.waitFor();
  await eventually("it is whole", async () => (await page.getByText("beri yedek alınıyor").count()) === 0);
  const fetched = page.waitForEvent("download");
  await row.getByRole("button", { name: "İndir", exact: false }).click();
  const first = await (await (await fetched).createReadStream()).take(1).toArray();
  expect((first[0] as Buffer).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b])); // an archive
  await page.getByRole("combobox", { name: "Ne sıklıkta" }).click();
  await page.getByRole("option", { name: "Her gün" }).click();
  await button("Planı kaydet").click();
  await page.getByText("Plan kaydedildi").waitFor();
  await lookOver("system");
});
