import { describe, expect, test } from "vitest";
import {
  type Dialled,
  inForm,
  nationally,
  type PhoneNumber,
  readFromTrunk,
  readNumber,
  storedForm,
  written,
} from "./numbers.ts";

const mobile: Dialled = { is: "national", e164: "905321234567" };
const office: Dialled = { is: "national", e164: "902123205062" };
const company: Dialled = { is: "national", e164: "904441234" };
const berlin: Dialled = { is: "international", e164: "493027590915" };
const london: Dialled = { is: "international", e164: "442071838750" };
const wrong = (why: "empty" | "characters" | "length"): Dialled => ({ is: "invalid", why });

const table: [typed: string, read: Dialled][] = [
  ["905321234567", mobile],
  ["+905321234567", mobile],
  [" 905321234567", mobile],
  ["00905321234567", mobile],
  ["05321234567", mobile],
  ["5321234567", mobile],
  ["0532 123 45 67", mobile],
  ["0532-123-45-67", mobile],
  ["(0532) 123 45 67", mobile],
  ["+90 (532) 123 45 67", mobile],
  ["+90 (0) 532 123 45 67", mobile],
  ["+90 532.123.45.67", mobile],
  ["0090 532 123 4567", mobile],
  ["0532\u00a0123\u00a045\u00a067", mobile],
  ["0532\u2013123\u20134567", mobile],
  ["\u202a+905321234567".slice(1), mobile],
  ["02123205062", office],
  ["2123205062", office],
  ["902123205062", office],
  ["908505320000", { is: "national", e164: "908505320000" }],
  ["08505320000", { is: "national", e164: "908505320000" }],
  ["08001234567", { is: "national", e164: "908001234567" }],
  ["905000000001", { is: "national", e164: "905000000001" }],
  ["4441234", company],
  ["444 1 234", company],
  ["904441234", company],
  ["+904441234", company],
  ["00493027590915", berlin],
  ["+493027590915", berlin],
  [" 493027590915", berlin],
  ["+49 30 27590915", berlin],
  ["00 49 (30) 2759-0915", berlin],
  ["493027590915", wrong("length")],
  ["+442071838750", london],
  [" 442071838750", london],
  ["+12125551234", { is: "international", e164: "12125551234" }],
  ["+3545812345", { is: "international", e164: "3545812345" }],
  [" 3545812345", { is: "international", e164: "3545812345" }],
  ["+994501234567", { is: "international", e164: "994501234567" }],
  ["1000", { is: "extension", number: "1000" }],
  ["10", { is: "extension", number: "10" }],
  ["700", { is: "extension", number: "700" }],
  [" 1001 ", { is: "extension", number: "1001" }],
  ["12345678", { is: "extension", number: "12345678" }],
  ["112", { is: "short", number: "112" }],
  ["155", { is: "short", number: "155" }],
  ["11880", { is: "short", number: "11880" }],
  ["*8", { is: "service", code: "*8" }],
  ["*81001", { is: "service", code: "*81001" }],
  ["*97#", { is: "service", code: "*97#" }],
  ["", wrong("empty")],
  ["   ", wrong("empty")],
  ["+", wrong("empty")],
  ["anonymous", wrong("characters")],
  ["0532 123 45 6x", wrong("characters")],
  ["++905321234567", wrong("characters")],
  ["9053+21234567", wrong("characters")],
  ["٠٥٣٢١٢٣٤٥٦٧", wrong("characters")],
  ["1001; drop table", wrong("characters")],
  ["7", wrong("length")],
  ["0", wrong("length")],
  ["00", wrong("length")],
  ["0532123456", wrong("length")],
  ["053212345678", wrong("length")],
  ["90532123456", wrong("length")],
  ["9053212345678", wrong("length")],
  ["+90", wrong("length")],
  ["+49", wrong("length")],
  ["000493027590915", wrong("length")],
  ["+1234567890123456", wrong("length")],
  ["0112", wrong("length")],
  ["123456789", wrong("length")],
  ["53212345678", wrong("length")],
  ["5".repeat(65), wrong("length")],
];

describe("a number is understood however it is written", () => {
  test.each(table)("%j", (typed, read) => {
    expect(readNumber(typed)).toEqual(read);
  });
});

test("the exchange's own extensions win over public numbers that look like them", () => {
  const ours = new Set(["112", "4441234"]);
  const isOurs = (number: string) => ours.has(number);
  expect(readNumber("112", isOurs)).toEqual({ is: "extension", number: "112" });
  expect(readNumber("4441234", isOurs)).toEqual({ is: "extension", number: "4441234" });
  expect(readNumber("155", isOurs)).toEqual({ is: "short", number: "155" });
});

test("a trunk that speaks E.164 need not write the plus", () => {
  expect(readFromTrunk("493027590915", "e164")).toEqual(berlin);
  expect(readFromTrunk("+493027590915", "plus")).toEqual(berlin);
  expect(readFromTrunk("905321234567", "e164")).toEqual(mobile);
  expect(readFromTrunk("05321234567", "e164")).toEqual(mobile);
  expect(readFromTrunk("05321234567", "national")).toEqual(mobile);
  expect(readFromTrunk("493027590915", "national")).toEqual(wrong("length"));
  expect(readFromTrunk("anonymous", "e164")).toEqual(wrong("characters"));
});

test("each number is printed in every form a trunk may ask for", () => {
  const rows = [mobile, company, berlin, { is: "extension", number: "1000" }, { is: "short", number: "112" }];
  const forms = (rows as PhoneNumber[]).map((number) => [
    written(number),
    nationally(number),
    inForm(number, "e164"),
    inForm(number, "plus"),
    inForm(number, "national"),
  ]);
  expect(forms).toEqual([
    ["905321234567", "05321234567", "905321234567", "+905321234567", "05321234567"],
    ["904441234", "4441234", "904441234", "+904441234", "4441234"],
    ["00493027590915", "00493027590915", "493027590915", "+493027590915", "00493027590915"],
    ["1000", "1000", "1000", "1000", "1000"],
    ["112", "112", "112", "112", "112"],
  ]);
});

test("what is stored and what is dialled nationally read back as the same number", () => {
  for (const [, read] of table) {
    if (read.is === "invalid" || read.is === "service") continue;
    expect(readNumber(written(read))).toEqual(read);
    expect(readNumber(nationally(read))).toEqual(read);
    if ("e164" in read) expect(readNumber(inForm(read, "plus"))).toEqual(read);
  }
});

test("a blocked number is stored with its country", () => {
  expect(storedForm("05531234567")).toBe("905531234567");
  expect(storedForm("+49 30 27590915")).toBe("00493027590915");
  expect(storedForm("anonymous")).toBeUndefined();
  expect(storedForm("*8")).toBeUndefined();
});
