import { expect, test } from "vitest";
import type { Language } from "../languages.ts";
import type { Cell } from "./cell.ts";
import { inOnePortion, tableFormats } from "./table-file.ts";

async function csv(rows: Cell[][], language?: Language): Promise<string> {
  let whole = "";
  for await (const piece of tableFormats.csv.write(inOnePortion(rows), language)) whole += piece;
  return whole;
}

const rows: Cell[][] = [
  ["start", "day", "missed", "average_wait_seconds"],
  [
    { wall: "2026-11-18 23:30:00" },
    { wall: "2026-11-19" },
    { plain: "true", said: (language) => ({ tr: "Evet", en: "Yes" })[language] },
    1.5,
  ],
];

test("programs get days, codes and numbers as they always did", async () => {
  expect(await csv(rows)).toBe(
    "\uFEFFstart,day,missed,average_wait_seconds\r\n2026-11-18 23:30:00,2026-11-19,true,1.5\r\n",
  );
});

test("people get them as the spreadsheets of their language take them", async () => {
  const line = async (language: Language) => (await csv(rows, language)).split("\r\n")[1];
  expect(await line("tr")).toBe("18.11.2026 23:30:00;19.11.2026;Evet;1,5");
  expect(await line("en")).toBe("2026-11-18 23:30:00,2026-11-19,Yes,1.5");
});
