import { expect, test } from "vitest";
import { FINAL_STATES, isFinal, statesBefore, statusWord } from "../store/sms-state.ts";
import { GSM_ERRORS } from "./gsm-error.ts";
import { readReceipt } from "./receipt.ts";

const standard = (id: string, stat: string, err = "000") =>
  `id:${id} sub:001 dlvrd:001 submit date:2601051200 done date:2601051201 stat:${stat} err:${err} text:Merhaba`;

test("receipts in every common dialect give the same ending", () => {
  for (const text of [
    standard("42", "DELIVRD"),
    "id:42 sub:001 dlvrd:001 submit date:260105120000 done date:260105120100 stat:DELIVRD err:000 Text:Merhaba",
    "Id:42 Sub:001 Dlvrd:001 Submit Date:2601051200 Done Date:2601051201 Stat:DELIVRD Err:000 Text:Merhaba",
    "id:42 stat:DELIVRD err:0",
    "id:0000000042 stat:DELIVERED",
    'id:"42" sub:"001" stat:"DELIVRD" err:"000"',
    "id=42; stat=DELIVRD; err=000",
    "id:42\nsub:001\ndlvrd:001\nstat:DELIVRD\nerr:000\ntext:stat:UNDELIV err:006",
    "id: 42 stat: DELIVRD err: 000",
  ]) {
    const receipt = readReceipt({ text });
    expect(receipt, text).toMatchObject({ state: "DELIVERED", gsmError: 0 });
    expect(receipt!.references, text).toContain("42");
  }
});

test("each word a carrier may say has its status and number", () => {
  for (const [stat, err, state, gsmError] of [
    ["DELIVRD", "000", "DELIVERED", 0],
    ["DELIVRD", "006", "DELIVERED", 0],
    ["UNDELIV", "000", "NOT_DELIVERED", 32],
    ["UNDELIV", "006", "NOT_DELIVERED", 6],
    ["UNDELIV", "0x1b", "NOT_DELIVERED", 27],
    ["UNDELIV", "999", "NOT_DELIVERED", 32],
    ["EXPIRED", "000", "EXPIRED", 4101],
    ["DELETED", "000", "NOT_DELIVERED", 4100],
    ["UNKNOWN", "000", "NOT_DELIVERED", 502],
    ["REJECTD", "000", "REJECTED", 500],
    ["ENROUTE", "000", undefined, 0],
    ["ACCEPTD", "000", undefined, 0],
  ] as const)
    expect(readReceipt({ text: standard("7", stat, err) }), stat).toMatchObject({ state, gsmError });
});

test("TLVs outrank the text, and a text without either is no receipt", () => {
  const tlvs = { receiptedId: "beef", messageState: 5, networkError: 27 };
  expect(readReceipt({ text: "", ...tlvs })).toMatchObject({ state: "NOT_DELIVERED", gsmError: 27 });
  expect(readReceipt({ text: standard("9", "DELIVRD"), ...tlvs })).toMatchObject({ state: "NOT_DELIVERED" });
  expect(readReceipt({ text: "Merhaba" })).toBeUndefined();
  expect(readReceipt({ text: "id:9" })).toBeUndefined();
});

test("an id is found again in decimal and hexadecimal, with and without zeros", () => {
  const found = (receiptId: string) => readReceipt({ text: standard(receiptId, "DELIVRD") })!.references;
  expect(found("0123")).toContain("123");
  expect(found("255")).toContain("ff");
  expect(found("255")).toContain("000000FF");
  expect(found("FF")).toContain("255");
  expect(found("c449ab9e-1")).toContain("c449ab9e-1");
});

test("nothing moves a message that has come to its end", () => {
  for (const state of FINAL_STATES) {
    expect(isFinal(state)).toBe(true);
    expect(statusWord(state)).toBe(state);
  }
  for (const what of ["accept", "hand-over", "fail", "receipt", "expire", "cut-off"] as const)
    expect(statesBefore(what).some(isFinal)).toBe(false);
  expect(statesBefore("receipt")).toEqual(["uncertain", "accepted"]);
  expect(GSM_ERRORS.size).toBe(27);
});
