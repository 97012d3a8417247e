import { expect, test } from "vitest";
import { LANGUAGES } from "../../languages.ts";
import { type Doer, toldFields } from "../../store/audit-facts.ts";
import { operations } from "./en.ts";

import { auditInWords, doerInWords, operationsAbout } from "./words.ts";

const ENGLISH = /\b(the|of|to|is|was|made|changed|deleted|sent|extension|command|line)\b/i;

/** One line of every kind there is. */
const lines = [
  ...Object.keys(operations).map((did) => ({ did, details: {} })),
  ...Object.entries(toldFields).map(([did, names]) => ({
    did,
    details: Object.fromEntries(names.map((it) => [it, "7"])),
  })),
];
const doers: Record<Doer["doer"], string> = {
  staff: "a@example.com",
  extension: "1000",
  "web phone": "1000",
  "command line": "root",
  queue: "",
  exchange: "",
  start: "",
};

test("every kind of line has words in every language, and no English in another", () => {
  for (const language of LANGUAGES)
    for (const line of lines) {
      const said = auditInWords(line, language);
      expect(said, line.did).toBeTruthy();
      expect(said, line.did).not.toBe(line.did);
      if (language !== "en") expect(said).not.toMatch(ENGLISH);
    }
});

test("whoever did it has a name in every language", () => {
  for (const language of LANGUAGES)
    for (const [doer, who] of Object.entries(doers) as [Doer["doer"], string][]) {
      const said = doerInWords({ doer, who }, language);
      expect(said).toContain(who);
      if (language !== "en") expect(said).not.toMatch(ENGLISH);
    }
});

test("what a line tells is in its words, and a line that is no fact we know stays as it is", () => {
  const details = { extension: "1001", from: "LOGGED_OUT", to: "ON_BREAK", break: "çay" };
  expect(auditInWords({ did: "agent-moved", details }, "en")).toBe("agent 1001: logged out to on a break");
  expect(auditInWords({ did: "agent-moved", details }, "tr")).toBe("temsilci 1001: çıkış yapmış, şimdi molada");
  expect(auditInWords({ did: "agent-moved", details: {} }, "tr")).toBe("agent-moved");
  expect(auditInWords({ did: "painted the door", details: {} }, "tr")).toBe("painted the door");
});

test("lines are looked for in the words of any language", () => {
  expect(operationsAbout("KUYRUK oluştur")).toEqual(["queues.create"]);
  expect(operationsAbout("made a queue")).toEqual(["queues.create"]);
});
