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
  expect(restInWords({ did: "staff.create", details: made }, "en")).toBe("Number: 1006 · Name: Deniz");
  const exported = { what: "calls", rows: "12" };
  expect(restInWords({ did: "calls.send", details: { to: { kind: "queue", number: "200" } } }, "tr")).toBe(
    "Nereye: Kuyruk 200",
  );
  expect(restInWords({ did: "something-older", details: exported }, "en")).toBe("what: calls · rows: 12");
  const secret = { newPassword: "(hidden)", constructor: "odd" };
  expect(restInWords({ did: "session.changePassword", details: secret }, "tr")).toBe("constructor: odd");
});

test("values are told as people call them: targets, hours, days, keys and what went by an id", () => {
  const called = { announcement: { "7": "Bayram" } };
  const changes = {
    timeout_target: "group/700",
    key_targets: { "1": "queue/200", "2": "announcement/7" },
    welcome_announcement_id: 7,
  };
  const was = { timeout_target: "hangup/busy", key_targets: { "1": "user/1000" }, welcome_announcement_id: 3 };
  const told = (language: "tr" | "en", did: string, details: Record<string, unknown>) =>
    changesInWords({ did, details }, language).map(({ was, now }) => [was, now]);
  expect(told("tr", "menus.update", { changes, was, called })).toEqual([
    ["Kapat (Meşgul)", "Çağrı grubu 700"],
    ["1: Dahili 1000", "1: Kuyruk 200, 2: Anons Bayram"],
    ["3", "Bayram"], // written before names were kept
  ]);
  const hours = { office_hours: ["1 08:00-12:00", "2 08:00-12:00"], codecs: ["PCMA"] };
  expect(told("en", "settings.update", { changes: hours, was: { office_hours: null } })[0]).toEqual([
    "—",
    "Mon–Tue 08:00–12:00",
  ]);
  expect(told("tr", "holidays.update", { id: 1, day: "2026-10-29", was: { day: "not a day" } })).toEqual([
    ["not a day", "29.10.2026"],
  ]);
  expect(told("en", "walls.update", { changes: { tiles: ["waiting", "agents"] } })).toEqual([
    [undefined, "Waiting, Agents, by name"],
  ]);
});
