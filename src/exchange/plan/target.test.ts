import { describe, expect, test } from "vitest";
import {
  type BadTarget,
  isBadTarget,
  isNamedTarget,
  mayStandIn,
  type NamedTarget,
  parseTarget,
  printTarget,
  type Target,
  targetExamples,
  targetKinds,
} from "./target.ts";

const grammar: [text: string, target: Target][] = [
  ["restart", { to: "restart" }],
  ["optout", { to: "optout" }],
  ["user/1000", { to: "user", number: "1000" }],
  ["group/700", { to: "group", number: "700" }],
  ["queue/200", { to: "queue", number: "200" }],
  ["ivr/10", { to: "ivr", number: "10" }],
  ["external/05321234567", { to: "external", number: "05321234567" }],
  ["external/+905321234567", { to: "external", number: "+905321234567" }],
  ["voicemail/1000", { to: "voicemail", number: "1000" }],
  ["announcement/456", { to: "announcement", id: 456 }],
  ["fax", { to: "fax" }],
  ["fax/name@example.com", { to: "fax", email: "name@example.com" }],
  ["hangup/hangup", { to: "hangup", how: "hangup" }],
  ["hangup/busy", { to: "hangup", how: "busy" }],
  ["tts/tr-TR/Merhaba, hoş geldiniz.", { to: "tts", language: "tr-TR", text: "Merhaba, hoş geldiniz." }],
  ["tts/en-US/open 24/7", { to: "tts", language: "en-US", text: "open 24/7" }],
  ["tts/ar-XA/مرحبا", { to: "tts", language: "ar-XA", text: "مرحبا" }],
  ["programmed", { to: "programmed" }],
];

describe("a target is read and printed as it was written", () => {
  test.each(grammar)("%s", (text, target) => {
    expect(parseTarget(text)).toEqual(target);
    expect(printTarget(target)).toBe(text);
  });
});

test("every kind of target is in this grammar, and shown by an example that is one", () => {
  const tried = new Set(grammar.map(([, { to }]) => to));
  expect(targetKinds().filter((to) => !tried.has(to))).toEqual([]);
  const examples = [...targetExamples("inbound"), ...targetExamples("campaign")];
  const shown = new Set<string>();
  for (const text of examples) {
    const target = parseTarget(text);
    expect("to" in target && printTarget(target), text).toBe(text);
    if ("to" in target) shown.add(target.to);
  }
  expect(targetKinds().filter((to) => !shown.has(to))).toEqual([]);
});

describe("what older clients write is understood", () => {
  test.each<[string, Target | NamedTarget]>([
    ["extension:1001", { to: "user", number: "1001" }],
    ["extension/1001", { to: "user", number: "1001" }],
    ["queue:200", { to: "queue", number: "200" }],
    ["queue:Sales", { named: "queue", name: "Sales" }],
    ["queue:Satış ve destek", { named: "queue", name: "Satış ve destek" }],
    ["ivr:Main menu", { named: "ivr", name: "Main menu" }],
    ["hangup", { to: "hangup", how: "hangup" }],
    [" user/1000 ", { to: "user", number: "1000" }],
    ["User/1000", { to: "user", number: "1000" }],
    ["external/0532 123 45 67", { to: "external", number: "05321234567" }],
    ["tts/tr-tr/Merhaba", { to: "tts", language: "tr-TR", text: "Merhaba" }],
  ])("%s", (text, target) => {
    expect(parseTarget(text)).toEqual(target);
  });
});

describe("what is no target is refused with its reason", () => {
  test.each<[string, BadTarget["bad"]]>([
    ["", "empty"],
    ["   ", "empty"],
    ["nowhere", "unknown-kind"],
    ["nowhere/1", "unknown-kind"],
    ["toString/1", "unknown-kind"],
    ["__proto__", "unknown-kind"],
    ["restart/1", "unknown-kind"],
    ["optout/1", "unknown-kind"],
    ["user", "number"],
    ["user/", "number"],
    ["user/abc", "number"],
    ["user/1000/1", "number"],
    ["user/123456789", "number"],
    ["group:Sales", "number"],
    ["queue", "number"],
    ["external/", "number"],
    ["external/1;x=y", "number"],
    ["announcement/x", "number"],
    ["announcement/-1", "number"],
    ["tts/Merhaba", "language"],
    ["tts/de-DE/Hallo", "language"],
    ["tts", "language"],
    ["tts/tr-TR/", "text"],
    [`tts/tr-TR/${"a".repeat(1_001)}`, "text"],
    ["fax/", "email"],
    ["fax/nobody", "email"],
    ["fax/a b@example.com", "email"],
    ["hangup/now", "ending"],
  ])("%j", (text, bad) => {
    expect(parseTarget(text)).toEqual({ bad });
  });
});

test("restart and the customer's own program stand only where they make sense", () => {
  expect(mayStandIn("campaign", { to: "restart" })).toBe(true);
  expect(mayStandIn("menu", { to: "restart" })).toBe(true);
  expect(mayStandIn("program", { to: "restart" })).toBe(false);
  expect(mayStandIn("inbound", { to: "restart" })).toBe(false);
  expect(mayStandIn("campaign", { to: "optout" })).toBe(true);
  for (const place of ["inbound", "menu", "program"] as const) expect(mayStandIn(place, { to: "optout" })).toBe(false);
  expect(mayStandIn("inbound", { to: "programmed" })).toBe(true);
  expect(mayStandIn("program", { to: "programmed" })).toBe(false);
  expect(mayStandIn("campaign", { to: "programmed" })).toBe(false);
});

test("the three answers are told apart", () => {
  expect(isBadTarget(parseTarget(""))).toBe(true);
  const named = parseTarget("queue:Sales");
  expect(!isBadTarget(named) && isNamedTarget(named)).toBe(true);
});
