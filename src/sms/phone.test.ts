import { expect, test } from "vitest";
import { readPhone, readPhoneList } from "./phone.ts";

test("inland numbers in every spelling become 90 and ten digits", () => {
  for (const written of [
    "905321234567",
    "05321234567",
    "5321234567",
    "+905321234567",
    "00905321234567",
    "0 (532) 123-45-67",
    "0532.123.45.67",
    " 905321234567 ",
  ])
    expect(readPhone(written), written).toEqual({ number: "905321234567", abroad: false, mobile: true });
});

test("a number abroad needs its 00 or plus and keeps 00", () => {
  for (const written of ["00491701234567", "+491701234567", "+49 170 123 45 67", " 491701234567"])
    expect(readPhone(written), written).toEqual({ number: "00491701234567", abroad: true, mobile: true });
  expect(readPhone("491701234567")).toBeUndefined();
});

test("a landline has the form of a number but no handset", () => {
  expect(readPhone("02123205060")).toEqual({ number: "902123205060", abroad: false, mobile: false });
});

test("what is not a number is none", () => {
  for (const written of [
    "",
    "123456",
    "90532123456",
    "9053212345678",
    "abc",
    "+",
    "0090532",
    "05321234567x",
    "+0049170",
  ])
    expect(readPhone(written), written).toBeUndefined();
});

test("a list forgives blanks and empty places and names the first wrong number", () => {
  expect(readPhoneList(["05321234567, 05321234568,,", "+491701234567"])).toMatchObject({ phones: { length: 3 } });
  expect(readPhoneList(["05321234567, 123456 ,x"])).toEqual({ invalid: "123456" });
});
