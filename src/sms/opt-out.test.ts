import { expect, test } from "vitest";
import { isOptOut } from "./opt-out.ts";

test("IPTAL is understood in any case, with Turkish letters and with blanks", () => {
  for (const text of [
    "IPTAL",
    "iptal",
    "İPTAL",
    "ıptal",
    "İptal",
    "Iptal",
    " i p t a l ",
    "IPTAL.",
    "\nİ P T A L\n",
    "ÎPTAL",
    '"iptal"',
  ])
    expect(isOptOut(text), text).toBe(true);
});

test("a sentence that only speaks of it is not an opt-out", () => {
  for (const text of ["", "IPTAL ETME", "iptaller", "RET", "evet"]) expect(isOptOut(text), text).toBe(false);
});
