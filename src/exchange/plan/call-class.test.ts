import { expect, test } from "vitest";
import { callClasses } from "../../nouns/choices.ts";
import { isPremium, isWithin } from "./call-class.ts";
import { dearKind } from "./dear-numbers.ts";
import { type PhoneNumber, phoneNumber } from "./numbers.ts";

const classes = Object.keys(callClasses) as (keyof typeof callClasses)[]; // of the record
const classFor = (read: PhoneNumber) => classes.find((it) => isWithin(it, read));

const number = (text: string) => phoneNumber(text)!; // a number, in this file

test.each([
  ["0900 123 45 67", "premium"],
  ["+90 888 123 45 67", "premium"],
  ["0090 898 123 45 67", "premium"],
  ["0592 211 12 34", "satellite"],
  ["+870 773 111 222", "satellite"],
  ["+881 631 234 567", "satellite"],
  ["00882 161 234 567", "satellite"],
  ["+883 510 012 345", "satellite"],
  ["+979 1 2345 6789", "premium"],
  ["+808 1234 5678", "shared"],
  ["+44 909 123 4567", "premium"],
  ["+44 70 1234 5678", "personal"],
  ["+49 900 1 234567", "premium"],
  ["+1 900 234 5678", "premium"],
  ["+39 899 123 456", "premium"],
])("%s costs more than a call does (%s)", (text, kind) => {
  const read = number(text);
  expect(isPremium(read)).toBe(true);
  expect("e164" in read && dearKind(read.e164)).toBe(kind);
  expect(classFor(read)).toBe("all");
});

test.each([
  ["0532 123 45 67", "mobile"],
  ["0212 123 45 67", "national"],
  ["0850 123 45 67", "national"],
  ["0800 123 45 67", "national"],
  ["444 12 34", "national"],
  ["182", "national"],
  ["+49 30 1234567", "international"],
  ["+49 170 1234567", "international"],
  ["+44 20 8366 1177", "international"],
  ["+44 7700 900123", "international"],
  ["+1 212 555 0123", "international"],
  ["+33 6 12 34 56 78", "international"],
  ["+800 1234 5678", "international"],
  ["1001", "internal"],
])("%s is an ordinary number (%s)", (text, itsClass) => {
  expect(isPremium(number(text))).toBe(false);
  expect(classFor(number(text))).toBe(itsClass);
});

test("a class holds all before it, and help is called by any", () => {
  const help = { is: "emergency", number: "112" } as const;
  expect(isWithin("internal", help)).toBe(true);
  expect(isWithin("internal", number("02121234567"))).toBe(false);
  expect(isWithin("national", number("02121234567"))).toBe(true);
  expect(isWithin("national", number("05321234567"))).toBe(false);
  expect(isWithin("mobile", number("05321234567"))).toBe(true);
  expect(isWithin("mobile", number("0049301234567"))).toBe(false);
  expect(isWithin("international", number("0049301234567"))).toBe(true);
  expect(isWithin("international", number("0044909123456"))).toBe(false);
  expect(isWithin("all", number("0044909123456"))).toBe(true);
});
