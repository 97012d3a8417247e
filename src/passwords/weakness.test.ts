import { expect, test } from "vitest";
import { newPassword } from "./new-password.ts";
import { isSimplePin, weaknessOf } from "./weakness.ts";

const KNOWN = ["ayse.yilmaz@acme.example", "Ayşe Yılmaz", "1000", "ACME Ltd.", "acme.example"];

test("what many people have is refused, however it is dressed up", () => {
  const common = [
    ...[
      "basketball",
      "Basketball",
      "galatasaray",
      "GALATASARAY",
      "Galatasaray1905",
      "fenerbahce1907!",
      "İstanbul2024!",
    ],
    ...["password123", "Password123!", "P@ssw0rd123", "passw0rd2025", "şifreşifre", "Parola.1234", "letmein2020!"],
    ...["passwordpassword", "welcome12345", "Admin12345!", "Trabzonspor61"],
  ];
  expect(common.map((it) => [it, weaknessOf(it, KNOWN)])).toEqual(common.map((it) => [it, expect.any(String)]));
});

test("runs of keys, repetitions and years are refused", () => {
  const runs = [
    ...["1234567890", "qwertyuiop", "qwerty12345", "1q2w3e4r5t6y", "1qaz2wsx3edc", "abcdefghijkl", "9876543210"],
    ...["aaaaaaaaaaaa", "abababababab", "xk3xk3xk3xk3", "2023202420", "!!!!!!!!!!!!", "asdfghjkl123", "19902024!!"],
  ];
  expect(runs.map((it) => [it, weaknessOf(it)])).toEqual(runs.map((it) => [it, expect.any(String)]));
});

test("what is known of its owner makes no password", () => {
  for (const personal of ["ayseyilmaz1", "Ayşe.Yılmaz2024", "acme1000acme", "ayse1000!!", "Acme-Yilmaz-12"])
    expect([personal, weaknessOf(personal, KNOWN)]).toEqual([personal, "personal"]);
});

test("a phrase, and what nobody thinks of, is taken", () => {
  const good = [
    "a password of my own",
    "a staff member's password",
    "doğru at pil zımba",
    "kT7#vX2mQp",
    "another long password",
  ];
  expect(good.map((it) => weaknessOf(it, KNOWN))).toEqual(good.map(() => undefined));
  for (let made = 0; made < 500; made++) expect(weaknessOf(newPassword(16), KNOWN)).toBeUndefined();
});

test("a PIN is not among the first that a caller would try, nor the extension's own number", () => {
  const simple = [
    ...["0000", "1234", "4321", "1111", "1212", "7777", "1122", "2468", "1357", "2580", "1990", "2024", "123456"],
    ...["112233", "123123", "159753", "123321", "147258369", "4711", "1174", "247110", "0123456789"],
  ];
  expect(simple.filter((pin) => !isSimplePin(pin, "4711"))).toEqual([]);
  expect(["7294", "8305", "604517283", "60391", "5172"].filter((pin) => isSimplePin(pin, "4711"))).toEqual([]);
  let refused = 0;
  for (let pin = 0; pin < 10_000; pin++) if (isSimplePin(String(pin).padStart(4, "0"), "1000")) refused += 1;
  expect(refused).toBeLessThan(600);
});
