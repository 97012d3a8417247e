import { expect, test } from "vitest";
import { endsSoon } from "../../console/phone/ends-soon.ts";
import { formOf, openForms } from "../../console/phone/forms.ts";
import {
  can,
  dialable,
  frontLine,
  isName,
  type LineAt,
  lineActions,
  lineMoves,
  moveLine,
  newLine,
} from "../../console/phone/lines.ts";
import { PHONE, readCommand } from "../../console/phone/messages.ts";
import { type Pressed, shortcutOf } from "../../console/phone/shortcuts.ts";
import { steer } from "../../console/phone/steering.ts";
import { texts } from "../../console/phone/texts.ts";
import type { FormShown } from "../../src/http/webphone/shown.ts";
import { languageIn } from "../../src/languages.ts";

const line = (id: string, at: LineAt = "talking", held = false) =>
  newLine({ id, at, direction: "out", number: "1001", held });

test("a line is answered once, may be lost and come back with its time running on, and is gone when it is over", () => {
  let lines = moveLine([line("a", "calling")], "a", "up", 1_000);
  expect(lines).toMatchObject([{ at: "talking", sinceMs: 1_000 }]);
  lines = moveLine(lines, "a", "lost", 5_000);
  expect(lines).toMatchObject([{ at: "returning", sinceMs: 1_000 }]);
  lines = moveLine(lines, "a", "up", 9_000);
  expect(lines).toMatchObject([{ at: "talking", sinceMs: 1_000 }]);
  expect(moveLine(lines, "a", "end", 9_000)).toEqual([]);
  expect(moveLine([line("a", "ringing")], "a", "lost", 1)).toMatchObject([{ at: "ringing" }]);
});

test("every place a line can be in has its moves and its buttons", () => {
  expect(Object.keys(lineMoves)).toEqual(Object.keys(lineActions));
  expect(can(line("a", "ringing"), "answer")).toBe(true);
  expect(can(line("a", "calling"), "transfer")).toBe(false);
  expect(can(undefined, "hangUp")).toBe(false);
});

test("what rings is in front, then what is not on hold", () => {
  expect(frontLine([line("a"), line("b", "ringing")])?.id).toBe("b");
  expect(frontLine([line("a", "talking", true), line("b")])?.id).toBe("b");
  expect(frontLine([line("a", "talking", true)])?.id).toBe("a");
  expect(frontLine([])).toBeUndefined();
});

test("a number is dialled however it was typed or pasted", () => {
  expect(dialable(" 0532 123-45 (67) ")).toBe("05321234567");
  expect(dialable("tel:+90 532 123 45 67")).toBe("+905321234567");
  expect(dialable("*97")).toBe("*97");
  expect(dialable("Mehmet")).toBe("");
});

test("only a command is a command", () => {
  expect(readCommand({ to: PHONE, command: "dial", number: "1001" })).toEqual({
    to: PHONE,
    command: "dial",
    number: "1001",
  });
  for (const other of [
    null,
    "dial",
    { command: "dial", number: "1" },
    { to: PHONE, command: "dial" },
    { to: PHONE, command: "x" },
  ])
    expect(readCommand(other)).toBeUndefined();
});

test("the next token is given by an order, and wanted within the last hour of the one before, but not of one just given", () => {
  expect(readCommand({ to: PHONE, command: "token", token: "W1" })).toEqual({
    to: PHONE,
    command: "token",
    token: "W1",
  });
  expect(readCommand({ to: PHONE, command: "token" })).toBeUndefined();
  const session = (expiresAtMs: number) => ({ expiresAtMs });
  expect(endsSoon(session(7_200_000), session(7_200_000), 0)).toBe(false);
  expect(endsSoon(session(7_200_000), session(7_200_000), 3_700_000)).toBe(true);
  expect(endsSoon(session(7_200_000), session(3_600_000), 7_000_000), "it was just given").toBe(false);
  expect(endsSoon(session(7_200_000), undefined, 7_000_000), "the page has just been opened").toBe(false);
  expect(endsSoon(undefined, session(7_200_000), 7_000_000)).toBe(false);
});

test("every language says everything, and the browser's is taken unless another is wished", () => {
  for (const words of Object.values(texts)) expect(Object.values(words).every((word) => word.trim() !== "")).toBe(true);
  expect(languageIn(null, "en-GB")).toBe("en");
  expect(languageIn("tr", "en-GB")).toBe("tr");
  expect(languageIn("xx", "de-DE")).toBeUndefined();
});

const form = (callUuid: string, more: Partial<FormShown> = {}): FormShown => {
  const about = { form: "Görüşme", fields: [], number: "05321234567", name: "", queue: "", atMs: 0 };
  return { callUuid, ...about, direction: "inbound", isUp: true, aside: false, ...more };
};

test("a line that rang has the form of its call, one that was dialled that of its number, one that was given a caller the newest", () => {
  const rang = newLine({ id: "a", at: "talking", direction: "in", number: "5321234567", callUuid: "one" });
  const dialled = newLine({ id: "b", at: "talking", direction: "out", number: "+905321234567" });
  const forms = [form("out", { direction: "outbound" }), form("one")];
  expect(formOf(rang, [rang, dialled], forms)?.callUuid).toBe("one");
  expect(formOf(dialled, [rang, dialled], forms)?.callUuid).toBe("out");
  expect(formOf(dialled, [dialled], [form("out", { direction: "outbound", isUp: false })]), "of an earlier call").toBe(
    undefined,
  );
  const asked = newLine({ id: "c", at: "talking", direction: "in", number: "1000", callUuid: "between the two" });
  expect(formOf(asked, [asked], [form("given")])?.callUuid, "who was asked, and then got the caller").toBe("given");
  expect(formOf(asked, [asked, rang], [form("one")]), "it is the other line's").toBeUndefined();
  expect(formOf({ ...asked, at: "ringing" }, [asked], [form("given")])).toBeUndefined();
});

test("what was put aside is owed and not shown by itself", () => {
  expect(openForms([form("a", { aside: true }), form("b")]).map(({ callUuid }) => callUuid)).toEqual(["b"]);
});

test("what has letters is a name, and no number is made of its digits", () => {
  expect(["çelik", "Ali 2", "ışık"].map(isName)).toEqual([true, true, true]);
  expect(["0532 123 45 67", "+90", "*78#", "tel:1001", ""].map(isName)).toEqual([false, false, false, false, false]);
});

test("keys with Alt and Shift are found by their letter, or by their place where the letter is another sign", () => {
  const held = { altKey: true, shiftKey: true, ctrlKey: false, metaKey: false };
  const pressed = (more: Partial<Pressed>) => shortcutOf({ key: "A", code: "KeyA", ...held, ...more });
  expect(pressed({})).toBe("answer");
  expect(pressed({ key: "Å" })).toBe("answer");
  expect(pressed({ key: "h", code: "KeyJ" })).toBe("hangUp");
  expect(pressed({ altKey: false })).toBeUndefined();
  expect(pressed({ ctrlKey: true })).toBeUndefined();
  expect(pressed({ key: "Z", code: "KeyZ" })).toBeUndefined();
});

test("an order without a name means the line that rings, or the one that is talked on", () => {
  const done: string[] = [];
  const act = (what: string) => (id: string, on?: boolean) =>
    void done.push(`${what} ${id}${on === undefined ? "" : ` ${on}`}`);
  const phone = {
    dial: async () => undefined,
    answer: async (id: string) => act("answer")(id),
    reject: act("reject"),
    hangUp: act("hang up"),
    mute: act("mute"),
    hold: act("hold"),
  };
  const lines = [line("held", "talking", true), line("up"), line("rings", "ringing")];
  for (const action of ["answer", "reject", "hangUp", "mute", "hold"] as const)
    expect(steer(phone, lines, action)).toBe(true);
  expect(done).toEqual(["answer rings", "reject rings", "hang up up", "mute up true", "hold up true"]);
  expect(steer(phone, [line("rings", "ringing")], "hangUp")).toBe(false);
  expect(steer(phone, [line("up")], "answer")).toBe(false);
});
