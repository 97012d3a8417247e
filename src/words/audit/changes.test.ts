import { expect, test } from "vitest";
import { changesInWords } from "./changes.ts";

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
