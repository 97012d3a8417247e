import { expect, test } from "vitest";
import { causes } from "../../exchange/calls/causes.ts";
import { LANGUAGES } from "../../languages.ts";
import { rights } from "../../nouns/role.ts";
import { agentStatuses, fieldName, nouns, smsCodes } from "../terms.ts";
import { words } from "./en.ts";
import type { ConsoleRefusal, DocumentRefusal, Fault } from "./refusal.ts";
import { refusalInWords } from "./words.ts";

const ENGLISH = /\b(must|can't|cannot|should|invalid|the|is|not|of|there|no|at|least|most|call)\b/i;

type Of<Kind extends ConsoleRefusal["refused"]> = Extract<ConsoleRefusal, { refused: Kind }>;

/** Those that say more than their own kind, in all that they can say. */
const faults: Fault[] = [
  ...(["maximum", "minimum", "maxLength", "minLength", "maxItems", "minItems"] as const).map((is) => ({
    is,
    limit: 1,
  })),
  { is: "uniqueItems" },
  { is: "oneLine" },
];
const targets: Of<"bad-target">["why"][] = [
  { problem: "unreadable" },
  { problem: "named", kind: "queue" },
  { problem: "out-of-place", kind: "queue" },
  { problem: "not-there", noun: "sound", which: "7" },
];
const sounds: Record<Of<"sound">["no"]["refused"], Of<"sound">["no"]> = {
  extension: { refused: "extension", known: ["wav"] },
  "not-base64": { refused: "not-base64" },
  "too-large": { refused: "too-large", limitBytes: 1024 ** 2 },
  "too-long": { refused: "too-long", limitSeconds: 600 },
  undecodable: { refused: "undecodable" },
  "no-converter": { refused: "no-converter", advice: "install it" },
  "no-turn": { refused: "no-turn" },
};
const documents: Record<DocumentRefusal["refused"], DocumentRefusal> = {
  "no-fax": { refused: "no-fax", why: "install it" },
  "no-own-number": { refused: "no-own-number" },
  "not-base64": { refused: "not-base64" },
  "too-large": { refused: "too-large", limitBytes: 1024 ** 2 },
  "pages-gone": { refused: "pages-gone" },
  "not-fetched": { refused: "not-fetched", why: "the answer is 404" },
  "unknown-type": { refused: "unknown-type" },
  encrypted: { refused: "encrypted" },
  broken: { refused: "broken" },
  empty: { refused: "empty" },
  "too-many-pages": { refused: "too-many-pages", limit: 100 },
  "too-much": { refused: "too-much" },
  "no-turn": { refused: "no-turn" },
};
const keysOf = <Key extends string>(record: Record<Key, unknown>) => Object.keys(record) as Key[];
const things = keysOf(nouns);
const many: ConsoleRefusal[] = [
  ...[...faults, undefined].map((fault) => ({ refused: "invalid", field: "name", ...(fault && { fault }) }) as const),
  ...targets.map((why) => ({ refused: "bad-target", target: "queue/7", why }) as const),
  ...Object.values(sounds).map((no) => ({ refused: "sound", no }) as const),
  ...Object.values(documents).map((no) => ({ refused: "fax", no }) as const),
  ...things.map((noun) => ({ refused: "in-use", what: "queue", which: "7", by: { noun, which: "7" } }) as const),
  { refused: "in-use", what: "queue", which: "7", by: { noun: "programming", which: "" } },
  ...things.map((what) => ({ refused: "not-found", what, which: "7" }) as Of<"not-found">),
  ...things.map((what) => ({ refused: "most-reached", what, most: 7 }) as Of<"most-reached">),
  ...things.map((what) => ({ refused: "name-taken", what, name: "7" }) as Of<"name-taken">),
  ...(["extension", "queue", "group", "menu", "exchange"] as const).map(
    (by) => ({ refused: "number-taken", number: "7", by }) as const,
  ),
  ...keysOf(rights).map((needs) => ({ refused: "not-your-role", needs }) as const),
  ...(["common", "personal", "predictable"] as const).map((why) => ({ refused: "common-password", why }) as const),
  ...keysOf(agentStatuses).map((status) => ({ refused: "agent-is", status }) as const),
  { refused: "form-answers", problems: [{ field: "f1", is: "too-long", limit: 7 }] },
  { refused: "form-definition", problems: [{ at: 0, why: "no-label" }] },
  ...keysOf(smsCodes).map((code) => ({ refused: "sms", code }) as const),
  ...keysOf(causes).map((cause) => ({ refused: "call-failed", cause }) as const),
];

/** Of the others one each, with a 7 in whichever field it has. */
const told = new Set<string>(many.map(({ refused }) => refused));
const field = { field: "name", choices: ["7", "8"] };
const ones = keysOf(words)
  .filter((refused) => !told.has(refused))
  .map(
    (refused) =>
      new Proxy({ refused, ...field } as unknown as ConsoleRefusal, { get: (it, key) => Reflect.get(it, key) ?? "7" }),
  );

test("every refusal has words in every language, and no English in another", () => {
  for (const language of LANGUAGES)
    for (const refusal of [...many, ...ones]) {
      const said = refusalInWords(refusal, language);
      expect(said, refusal.refused).toBeTruthy();
      expect(said, refusal.refused).not.toContain("undefined");
      if (language !== "en") expect(said, refusal.refused).not.toMatch(ENGLISH);
    }
});

test("what it was about is still in it", () => {
  const said = (refusal: ConsoleRefusal) => refusalInWords(refusal, "tr");
  expect(said({ refused: "misfit", field: "remote_station_id", value: "12" })).toBe("“Alıcı numarası” uygun değil: 12");
  expect(said({ refused: "misfit", field: "digit_target_1", value: "x" })).toBe("“1 tuşu” uygun değil: x");
  expect(said({ refused: "out-of-range", field: "ring_timeout", least: 25, most: 60 })).toBe(
    "“Çalma süresi” 25 ile 60 arasında olmalı.",
  );
  expect(said({ refused: "invalid", field: "changes/name", fault: { is: "maxLength", limit: 9 } })).toBe(
    "Değer uygun değil: “Ad” (en çok 9 karakter)",
  );
  expect(said({ refused: "in-use", what: "queue", which: "200", by: { noun: "menu", which: "10" } })).toBe(
    "200 silinemez, kullanan: menü 10",
  );
  expect(fieldName("changes/digit_target_4", "en")).toBe("Key 4");
});

test("what a newer server refuses is refused in the language of the page", () => {
  expect(refusalInWords({ refused: "sunspots" } as unknown as ConsoleRefusal, "tr")).toBe("Bu istek kabul edilmedi.");
});
