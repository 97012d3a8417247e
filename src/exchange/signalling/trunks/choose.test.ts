import { describe, expect, test } from "vitest";
import { USUAL_TRUNK } from "../../../../test/town/town-setup.ts";
import type { Destination } from "../../../sip/transport/transport.ts";
import { shadowedRules } from "../../../store/outbound-rules.ts";
import type { TrunkRule, TrunkSetup } from "../../../store/trunk-state.ts";
import { networksOf } from "../../plan/networks.ts";
import { accountUri, addressCall, firstHopUri, serverUri } from "./addressing.ts";
import { type Condition, chooseTrunks, everyTrunk } from "./choose.ts";
import { isTrunkTrouble, isWorthAnotherTrunk } from "./failover.ts";
import { onwardBy } from "./onward.ts";

const trunk = (id: number, more: Partial<TrunkSetup> = {}): TrunkSetup => ({
  ...USUAL_TRUNK,
  id,
  exchangeId: 101,
  name: `trunk ${id}`,
  host: "192.0.2.1",
  healthCheck: true,
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

test("for help every trunk is a way: those with room first, then those that are full, then those that are down", () => {
  const rules = [rule("mobile", "905", 3, 1), rule("help", "112", 4, 2)];
  const trunks = [trunk(1), trunk(2, { channelLimit: 1 }), trunk(3), trunk(4)];
  const conditions: Record<number, Condition> = { 1: { up: false, channelsUsed: 0 }, 2: { up: true, channelsUsed: 1 } };
  const conditionOf = (id: number) => conditions[id] ?? well;
  const tried = (number: string) => everyTrunk({ number, rules, trunks, conditionOf }).map((way) => way.trunk.id);
  expect(tried("112")).toEqual([4, 3, 2, 1]);
  expect(tried("155")).toEqual([3, 4, 2, 1]);
});

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
  const USUAL = { rang: false, nextOn: trunk(1).nextOn };

  test("is tried when the trunk failed, and never when a person said no", () => {
    for (const status of [408, 502, 503, 504]) expect(isWorthAnotherTrunk({ status }, USUAL)).toBe(true);
    expect(isWorthAnotherTrunk({ is: "timeout" }, USUAL)).toBe(true);
    expect(isWorthAnotherTrunk({ is: "unreachable" }, USUAL)).toBe(true);
    for (const status of [403, 404, 480, 486, 487, 488, 600, 603, 604])
      expect(isWorthAnotherTrunk({ status }, USUAL)).toBe(false);
  });

  test("is tried on the answers that were chosen for it, and a carrier's own no says nothing of its health", () => {
    const chosen = { rang: false, nextOn: ["403", "404"] };
    expect(isWorthAnotherTrunk({ status: 404 }, chosen)).toBe(true);
    expect(isWorthAnotherTrunk({ status: 503 }, chosen)).toBe(false);
    for (const status of [500, 501, 503, 580]) expect(isWorthAnotherTrunk({ status }, USUAL)).toBe(true);
    expect(isTrunkTrouble({ status: 404 })).toBe(false);
    expect(isTrunkTrouble({ status: 503 })).toBe(true);
    expect(isTrunkTrouble({ is: "timeout" })).toBe(true);
  });

  test("is not tried once the far end was heard ringing", () => {
    expect(isWorthAnotherTrunk({ status: 408 }, { ...USUAL, rang: true })).toBe(false);
  });
});

describe("the two ends of a call", () => {
  const called = { is: "national", e164: "905321234567" } as const;
  const caller = { is: "national", e164: "908505320000" } as const;

  test("are named in the form the carrier wants", () => {
    expect(addressCall(trunk(1, { sendsName: true }), { called, caller, name: "Sevgi Ltd" })).toEqual({
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

  test("keep the caller's name from the carrier unless it is wanted there", () => {
    const { from, headers } = addressCall(trunk(1), { called, caller, name: "Ay\u015fe" });
    expect([from, ...headers.map(({ value }) => value)].join()).not.toContain('"');
  });

  test("say our account where the carrier wants to see that, and the number beside it", () => {
    const named = trunk(1, { fromUser: "acme", fromDomain: "ims.example.com", username: "u1" });
    expect(addressCall(named, { called, caller, name: "" })).toMatchObject({
      uri: "sip:905321234567@192.0.2.1",
      from: "<sip:acme@ims.example.com>",
      headers: [{ name: "P-Asserted-Identity", value: "<sip:908505320000@ims.example.com>" }],
    });
    expect(accountUri(named)).toBe("sip:acme@ims.example.com");
    expect(addressCall(named, { called, caller, name: "", withheld: true }).from).toContain("anonymous.invalid");
  });

  test("go by a proxy that routes loosely, where there is one", () => {
    const behind = trunk(1, { outboundProxy: "edge.example.com:5080", transport: "tcp" });
    expect(addressCall(behind, { called, caller, name: "" }).headers[0]).toEqual({
      name: "Route",
      value: "<sip:edge.example.com:5080;transport=tcp;lr>",
    });
    expect(firstHopUri(behind)).toBe("sip:edge.example.com:5080;transport=tcp");
    expect(serverUri(behind)).toBe("sip:192.0.2.1;transport=tcp");
    expect(firstHopUri(trunk(1, { outboundProxy: "2001:db8::7" }))).toBe("sip:[2001:db8::7];transport=udp");
    expect(firstHopUri(trunk(1, { host: "carrier.example", transport: "auto" }))).toBe("sip:carrier.example");
    expect(firstHopUri(trunk(1, { host: "carrier.example", transport: "tls" }))).toBe(
      "sip:carrier.example;transport=tls",
    );
  });

  test("have the digits that the carrier wants", () => {
    const strips = trunk(1, { callerIdForm: "national", outward: { strip: 1, prefix: "99" } });
    expect(addressCall(strips, { called, caller, name: "" })).toMatchObject({
      uri: "sip:995321234567@192.0.2.1",
      from: "<sip:08505320000@192.0.2.1>",
    });
    expect(addressCall(strips, { called: { is: "short", number: "112" }, caller, name: "" }).uri).toBe(
      "sip:112@192.0.2.1",
    );
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
  const networks = networksOf(["192.0.2.0/24", "198.51.100.7/32", "2001:db8::/32", "nonsense", "10.0.0.1/99"]);
  for (const address of ["192.0.2.1", "198.51.100.7", "2001:db8::5"]) expect(networks.has(address)).toBe(true);
  for (const address of ["192.0.3.1", "198.51.100.8", "10.0.0.1", "nonsense", "::1"])
    expect(networks.has(address)).toBe(false);
});

describe("a carrier that says that the call is elsewhere", () => {
  const dialled = { is: "national", e164: "905321234567" } as const;
  const at = (address: string): Destination => ({ transport: "udp", address, port: 5060 });
  const carrier = (more: Partial<TrunkSetup> = {}) => ({
    setup: trunk(1, { sourceAddresses: ["198.51.100.0/24"], ...more }),
    destinations: [at("192.0.2.1")],
    locate: async (uri: string) => [at(/@([\d.]+)/.exec(uri)?.[1] ?? "")],
  });
  const asked = (user: string, host: string, more?: Partial<TrunkSetup>) =>
    onwardBy(carrier(more), { user, uri: `sip:${user}@${host}` }, dialled);

  test("may name another number, wherever it says that it is", async () => {
    expect(await asked("905329999999", "203.0.113.5")).toEqual({ number: { is: "national", e164: "905329999999" } });
    expect(await asked("4930123456789", "192.0.2.1")).toMatchObject({ number: { is: "international" } });
  });

  test("may name another of its servers, and nobody else's", async () => {
    const uri = "sip:905321234567@198.51.100.7";
    expect(await asked("905321234567", "198.51.100.7")).toEqual({ uri, destinations: [at("198.51.100.7")] });
    expect(await asked("905321234567", "127.0.0.1")).toBeUndefined();
    expect(await asked("905321234567", "10.0.0.1")).toBeUndefined();
    expect(await asked("995321234567", "198.51.100.7", { outward: { strip: 2, prefix: "99" } })).toMatchObject({
      destinations: [at("198.51.100.7")],
    });
  });

  test("can name neither an extension of ours nor a code", async () => {
    for (const user of ["1000", "*98", "*21*1000", "alice", ""]) expect(await asked(user, "192.0.2.1")).toBeUndefined();
  });
});
