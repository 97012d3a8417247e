import { expect, test } from "vitest";
import { requested } from "./agent-status.ts";
import { phoneCodes, readPhoneCode } from "./phone-codes.ts";

test("everybody who is logged in can log out, and comes back as available", () => {
  const loggedOut = { status: "LOGGED_OUT", description: null } as const;
  for (const status of ["AVAILABLE", "ON_BREAK"] as const)
    expect(requested({ status, description: null }, "logOut")).toEqual(loggedOut);
  expect(requested(loggedOut, "logOut")).toBeUndefined();
  expect(requested(loggedOut, "logIn")).toEqual({ status: "AVAILABLE", description: null });
});

test("what is stored follows the table, and a description belongs to a break only", () => {
  const available = { status: "AVAILABLE", description: null } as const;
  expect(requested(available, "pause", "Kahve")).toEqual({ status: "ON_BREAK", description: "Kahve" });
  expect(requested({ status: "ON_BREAK", description: "Kahve" }, "resume")).toEqual(available);
  expect(requested(available, "logIn")).toBeUndefined();
  expect(requested({ status: "LOGGED_OUT", description: null }, "pause")).toBeUndefined();
  expect(requested({ status: "LOGGED_OUT", description: null }, "giveBreak")).toBeUndefined();
  expect(requested(available, "giveBreak", "missed calls")).toEqual({
    status: "ON_BREAK",
    description: "missed calls",
  });
});

test.each([
  ["*20", { request: "logIn", description: "" }],
  ["*21", { request: "logOut", description: "" }],
  ["*22", { request: "pause", description: "Mola" }],
  ["*222", { request: "pause", description: "Yemek" }],
  ["*23", { request: "resume", description: "" }],
  ["*301001", { supervise: "listen", extension: "1001" }],
  ["*311001", { supervise: "whisper", extension: "1001" }],
  ["*321001", { supervise: "join", extension: "1001" }],
  ["*30", undefined],
  ["*2299", undefined],
  ["*8", undefined],
  ["1001", undefined],
])("%s dialled", (dialled, means) => {
  expect(readPhoneCode(dialled, ["Kahve", "Yemek"])).toEqual(means);
});

test("no code begins with another", () => {
  for (const { code } of phoneCodes) expect(phoneCodes.filter((other) => other.code.startsWith(code))).toHaveLength(1);
});
