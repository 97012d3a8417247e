import { expect, test } from "vitest";
import { wished } from "./agent-status.ts";
import { phoneCodes, readPhoneCode } from "./phone-codes.ts";

test("everybody who is logged in can log out, and comes back as available", () => {
  const loggedOut = { status: "LOGGED_OUT", description: null } as const;
  for (const status of ["AVAILABLE", "ON_BREAK"] as const)
    expect(wished({ status, description: null }, "logOut")).toEqual(loggedOut);
  expect(wished(loggedOut, "logOut")).toBeUndefined();
  expect(wished(loggedOut, "logIn")).toEqual({ status: "AVAILABLE", description: null });
});

test("what is stored follows the table, and a description belongs to a break only", () => {
  const available = { status: "AVAILABLE", description: null } as const;
  expect(wished(available, "pause", "Kahve")).toEqual({ status: "ON_BREAK", description: "Kahve" });
  expect(wished({ status: "ON_BREAK", description: "Kahve" }, "resume")).toEqual(available);
  expect(wished(available, "logIn")).toBeUndefined();
  expect(wished({ status: "LOGGED_OUT", description: null }, "pause")).toBeUndefined();
  expect(wished({ status: "LOGGED_OUT", description: null }, "tire")).toBeUndefined();
  expect(wished(available, "tire", "missed calls")).toEqual({ status: "ON_BREAK", description: "missed calls" });
});

test.each([
  ["*20", { wish: "logIn", description: "" }],
  ["*21", { wish: "logOut", description: "" }],
  ["*22", { wish: "pause", description: "Mola" }],
  ["*222", { wish: "pause", description: "Yemek" }],
  ["*23", { wish: "resume", description: "" }],
  ["*301001", { supervise: "listen", extension: "1001" }],
  ["*311001", { supervise: "whisper", extension: "1001" }],
  ["*321001", { supervise: "join", extension: "1001" }],
  ["*30", undefined],
  ["*2299", undefined],
  ["*8", undefined],
  ["1001", undefined],
])("%s dialled", (dialled, means) => {
  expect(readPhoneCode(dialled)).toEqual(means);
});

test("no code begins with another", () => {
  for (const { code } of phoneCodes) expect(phoneCodes.filter((other) => other.code.startsWith(code))).toHaveLength(1);
});
