import { expect, test } from "vitest";
import type { Header, Request } from "../../sip/message/message.ts";
import { presentationIn, readPresentation } from "./presentation.ts";

test.each([
  ["*31#05321234567", "05321234567", true],
  ["#31#05321234567", "05321234567", true],
  ["*6705321234567", "05321234567", true],
  ["*30#05321234567", "05321234567", false],
  ["*31#1001", "1001", true],
  // Codes of their own: whisper, listen, and nothing behind.
  ["*311001", "*311001", undefined],
  ["*301001", "*301001", undefined],
  ["*31#", "*31#", undefined],
  ["05321234567", "05321234567", undefined],
])("%s calls %s", (dialled, number, withheld) => {
  expect(readPresentation(dialled)).toEqual({ dialled: number, withheld });
});

const from = (value: string, ...headers: Header[]): Request => ({
  is: "request",
  method: "INVITE",
  uri: "sip:1001@a.example",
  headers: [{ name: "From", value }, ...headers],
  body: "",
});
const named = "<sip:1000@a.example>;tag=1";
const header = (name: string, value: string) => ({ name, value });

test.each([
  [from(named), undefined],
  [from(named, header("Privacy", "id")), true],
  [from(named, header("Privacy", "user;critical")), true],
  [from(named, header("Privacy", "header")), true],
  [from(named, header("Privacy", "none")), false],
  [from(named, header("Remote-Party-ID", "<sip:1000@a.example>;privacy=full")), true],
  [from(named, header("Remote-Party-ID", "<sip:1000@a.example>;privacy=off")), undefined],
  [from('"Anonymous" <sip:anonymous@anonymous.invalid>;tag=1'), true],
  [from("<sip:anonymous@a.example>;tag=1"), true],
])("an INVITE says whether its caller is to be seen (%#)", (request, withheld) => {
  expect(presentationIn(request)).toBe(withheld);
});
