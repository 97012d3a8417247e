import { expect, test } from "vitest";
import { whoseVoice } from "./whose-voice.ts";

const CARRIERS = ["192.0.2.50", "192.0.2.51", "2001:db8::51"];
const voiceOfTrunk = (exchangeId: number, trunk: string, address: string) =>
  exchangeId === 7 && trunk === "carrier" && CARRIERS.includes(address);

test("a phone speaks for itself, by the address that it signals from, and nobody vouches for what it names", () => {
  const phone = whoseVoice({ exchangeId: 7 }, voiceOfTrunk);
  expect(phone?.source("203.0.113.9")).toEqual({ is: "address", name: "203.0.113.9", exchange: 7 });
  expect(phone?.source("2001:db8:1:2::9").name).toBe("2001:db8:1:2::/64");
  for (const address of ["203.0.113.9", ...CARRIERS]) expect(phone?.vouches(address)).toBe(false);
});

test("a carrier speaks for its trunk, wherever it signals from, and its own addresses are vouched for", () => {
  const carrier = whoseVoice({ exchangeId: 7, trunk: "carrier" }, voiceOfTrunk);
  expect(carrier?.source("192.0.2.50")).toEqual(carrier?.source("192.0.2.51"));
  expect(carrier?.source("192.0.2.50")).toMatchObject({ is: "trunk", exchange: 7 });
  expect(["192.0.2.51", "203.0.113.9"].map((address) => carrier?.vouches(address))).toEqual([true, false]);
  expect(["2001:DB8:0::51", "::ffff:192.0.2.51"].map((address) => carrier?.vouches(address))).toEqual([true, true]);
  const other = whoseVoice({ exchangeId: 8, trunk: "carrier" }, voiceOfTrunk);
  expect(other?.vouches("192.0.2.51")).toBe(false);
  expect(other?.source("192.0.2.50").name).not.toBe(carrier?.source("192.0.2.50").name);
});

test("the network in the box is ours, and whoever is not watched names what he likes", () => {
  expect(whoseVoice({ exchangeId: 7, trunk: null }, voiceOfTrunk)).toBeUndefined();
  expect(whoseVoice({ exchangeId: 7, trunk: "carrier" }, undefined)).toBeUndefined();
});
