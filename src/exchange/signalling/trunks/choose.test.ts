import { describe, expect, test } from "vitest";
import { shadowedRules } from "../../../store/outbound-rules.ts";
import type { TrunkRule, TrunkSetup } from "../../../store/trunk-state.ts";
import { addressCall } from "./addressing.ts";
import { type Condition, chooseTrunks } from "./choose.ts";
import { isWorthAnotherTrunk } from "./failover.ts";
import { noNetworks } from "./networks.ts";

const trunk = (id: number, more: Partial<TrunkSetup> = {}): TrunkSetup => ({
  id,
  exchangeId: 101,
  name: `trunk ${id}`,
  host: "192.0.2.1",
  port: 5060,
  transport: "udp",
  username: null,
  password: null,
  registers: false,
  sourceAddresses: [],
  callerIdForm: "e164",
  codecs: ["PCMA"],
  channelLimit: null,
  priority: 10,
  healthCheck: true,
  t38: true,
  identity: "pai",
  trusted: true,
  diversion: "diversion",
  forwardedCaller: "own",
  attestation: "ignored",
  attestationCertificates: "",
  ...more,
});
const rule = (name: string, prefix: string, trunkId: number | null, priority: number): TrunkRule => ({
  exchangeId: 101,
  name,
  prefix,
  trunkId,
  priority,
  callerId: null,
});
const well: Condition = { up: true, channelsUsed: 0 };
const choose = (
  number: string,
  rules: TrunkRule[],
  trunks: TrunkSetup[],
  conditions: Record<number, Condition> = {},
) => {
  const choice = chooseTrunks({ number, rules, trunks, conditionOf: (id) => conditions[id] ?? well });
  return "refused" in choice ? choice.refused : choice.ways.map((way) => way.trunk.id);
};

describe("the way out", () => {
  test("without rules the trunks are tried in their order", () => {
    expect(choose("905321234567", [], [trunk(2), trunk(1)])).toEqual([2, 1]);
  });

  test("the first rule whose prefix fits decides, even if a longer one follows", () => {
    const rules = [rule("country", "90", 1, 1), rule("mobile", "905", 2, 2), rule("abroad", "00", 3, 3)];
    const trunks = [trunk(1), trunk(2), trunk(3)];
    expect(choose("905321234567", rules, trunks)).toEqual([1]);
    expect(choose("0049301234567", rules, trunks)).toEqual([3]);
    expect(choose("112", rules, trunks)).toBe("no-rule");
  });

  test("a rule with another trunk for the very same prefix is the understudy", () => {
    const rules = [rule("first", "90", 1, 1), rule("second", "90", 2, 2), rule("rest", "", 3, 3)];
    const trunks = [trunk(1), trunk(2), trunk(3)];
    expect(choose("905321234567", rules, trunks)).toEqual([1, 2]);
    expect(choose("905321234567", rules, trunks, { 1: { up: false, channelsUsed: 0 } })).toEqual([2]);
  });

  test("a rule that names no trunk means all of them", () => {
    expect(choose("112", [rule("any", "", null, 1)], [trunk(1), trunk(2)])).toEqual([1, 2]);
  });

  test("lines that are down or full are passed over, and the reason is told when none is left", () => {
    const trunks = [trunk(1, { channelLimit: 2 }), trunk(2)];
    const full = { up: true, channelsUsed: 2 };
    const down = { up: false, channelsUsed: 0 };
    expect(choose("112", [], trunks, { 1: full })).toEqual([2]);
    expect(choose("112", [], trunks, { 1: full, 2: down })).toBe("no-free-channel");
    expect(choose("112", [], trunks, { 1: down, 2: down })).toBe("trunk-down");
    expect(choose("112", [], [])).toBe("no-trunk");
  });

  test("a rule that can never get a call is pointed out", () => {
    const named = (name: string, prefix: string) => ({ id: 1, name, priority: 1, prefix, trunk: null, callerId: null });
    expect(shadowedRules([named("country", "90"), named("mobile", "905")])).toEqual([
      { rule: "mobile", by: "country" },
    ]);
    expect(shadowedRules([named("mobile", "905"), named("country", "90"), named("understudy", "90")])).toEqual([]);
  });
});

describe("another trunk", () => {
  test("is tried when the trunk failed, and never when a person said no", () => {
    for (const status of [408, 502, 503, 504]) expect(isWorthAnotherTrunk({ status }, false)).toBe(true);
    expect(isWorthAnotherTrunk({ is: "timeout" }, false)).toBe(true);
    expect(isWorthAnotherTrunk({ is: "unreachable" }, false)).toBe(true);
    for (const status of [403, 404, 480, 486, 487, 488, 600, 603, 604])
      expect(isWorthAnotherTrunk({ status }, false)).toBe(false);
  });

  test("is not tried once the far end was heard ringing", () => {
    expect(isWorthAnotherTrunk({ status: 408 }, true)).toBe(false);
  });
});

describe("the two ends of a call", () => {
  const called = { is: "national", e164: "905321234567" } as const;
  const caller = { is: "national", e164: "908505320000" } as const;

  test("are named in the form the carrier wants", () => {
    expect(addressCall(trunk(1), { called, caller, name: "Sevgi Ltd" })).toEqual({
      uri: "sip:905321234567@192.0.2.1",
      to: "<sip:905321234567@192.0.2.1>",
      from: '"Sevgi Ltd" <sip:908505320000@192.0.2.1>',
      headers: [{ name: "P-Asserted-Identity", value: '"Sevgi Ltd" <sip:908505320000@192.0.2.1>' }],
    });
    const national = trunk(1, { callerIdForm: "national", port: 5070, transport: "tcp" });
    expect(addressCall(national, { called, caller, name: "" })).toMatchObject({
      uri: "sip:05321234567@192.0.2.1:5070;transport=tcp",
      from: "<sip:08505320000@192.0.2.1:5070;transport=tcp>",
    });
  });

  test("stay hidden from the called party, not from the carrier", () => {
    expect(addressCall(trunk(1), { called, caller, name: "", withheld: true })).toMatchObject({
      from: '"Anonymous" <sip:anonymous@anonymous.invalid>',
      headers: [
        { name: "P-Asserted-Identity", value: "<sip:908505320000@192.0.2.1>" },
        { name: "Privacy", value: "id" },
      ],
    });
  });
});

test("networks hold the addresses they should", () => {
  const networks = noNetworks();
  for (const network of ["192.0.2.0/24", "198.51.100.7/32", "2001:db8::/32", "nonsense", "10.0.0.1/99"])
    networks.include(network);
  for (const address of ["192.0.2.1", "198.51.100.7", "2001:db8::5"]) expect(networks.has(address)).toBe(true);
  for (const address of ["192.0.3.1", "198.51.100.8", "10.0.0.1", "nonsense", "::1"])
    expect(networks.has(address)).toBe(false);
});
