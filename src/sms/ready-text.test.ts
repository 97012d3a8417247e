import { expect, test } from "vitest";
import { filledIn, variablesIn } from "./ready-text.ts";

test("what stands in braces is found once each and filled in", () => {
  const text = "Sayın {ad}, {tarih} tarihli {sipariş no} siparişiniz yolda. Teşekkürler {ad}.";
  expect(variablesIn(text)).toEqual(["ad", "tarih", "sipariş no"]);
  expect(filledIn(text, { ad: "Ada", tarih: "1 Mayıs" })).toBe(
    "Sayın Ada, 1 Mayıs tarihli {sipariş no} siparişiniz yolda. Teşekkürler Ada.",
  );
});

test("a value is put in as it is, and nothing else is taken for a name", () => {
  expect(filledIn("{a} {b}", { a: "{b}", b: "$&" })).toBe("{b} $&");
  expect(filledIn("{constructor} {} {{x}}", { x: "1" })).toBe("{constructor} {} {1}");
  expect(variablesIn("{} { { a.b }")).toEqual([]);
});
