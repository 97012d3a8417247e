import { expect, test } from "vitest";
import { isOptOut, tellsHowToOptOut } from "./opt-out.ts";

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

test("a text tells how to stop it by one of the words and a number to send it to", () => {
  for (const text of [
    "Ret: IPTAL yaz 4607 gonder",
    "RET yaz 4607'ye gönder",
    "iptal için İPTAL 0850 532 00 00",
    "Stop 1234",
  ])
    expect(tellsHowToOptOut(text), text).toBe(true);
  for (const text of ["", "Indirim 1000 TL", "IPTAL yazin", "retrospektif 2026", "4607", "iptaller 4607"])
    expect(tellsHowToOptOut(text), text).toBe(false);
});
