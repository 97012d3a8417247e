import { expect, test } from "vitest";
import { changesInWords, restInWords } from "./changes.ts";

test("a change is told with what stood there before, in the reader's words", () => {
  const details = { id: 7, changes: { role: "agent", active: false }, was: { role: "standard", active: true } };
  expect(changesInWords({ did: "staff.update", details }, "en")).toEqual([
    { label: "Role", was: "Standard", now: "Agent" },
    { label: "Active", was: "yes", now: "no" },
  ]);
  expect(changesInWords({ did: "staff.update", details: { changes: { role: "agent" } } }, "tr")).toEqual([
    { label: "Rol", was: undefined, now: "Temsilci" },
  ]);
  expect(changesInWords({ did: "calls.hangUp", details }, "en")).toEqual([]);
});

test("what else was asked for is told once, without brackets of a machine", () => {
  const made = { number: "1006", name: "Deniz", email: null, changes: { role: "agent", active: true } };
  expect(changesInWords({ did: "staff.create", details: made }, "en")).toHaveLength(2);
  expect(restInWords({ did: "staff.create", details: made }, "en")).toBe("number: 1006 · Name: Deniz");
  const exported = { what: "calls", rows: "12" };
  expect(restInWords({ did: "calls.send", details: { to: { kind: "queue", number: "200" } } }, "tr")).toBe(
    "to: (kind: queue, number: 200)",
  );
  expect(restInWords({ did: "something-older", details: exported }, "en")).toBe("what: calls · rows: 12");
});
