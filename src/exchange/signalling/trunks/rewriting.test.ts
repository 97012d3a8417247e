import { expect, test } from "vitest";
import { rewritten } from "./rewriting.ts";

test("digits come off the front, and others go there", () => {
  expect(rewritten("05321234567", { strip: 1, prefix: "" })).toBe("5321234567");
  expect(rewritten("05321234567", { strip: 1, prefix: "0090" })).toBe("00905321234567");
  expect(rewritten("905321234567", { strip: 0, prefix: "99" })).toBe("99905321234567");
  expect(rewritten("905321234567", { strip: 0, prefix: "" })).toBe("905321234567");
});

test("a plus is no digit, and none is left in the middle of a number", () => {
  expect(rewritten("+905321234567", { strip: 2, prefix: "" })).toBe("5321234567");
  expect(rewritten("+905321234567", { strip: 0, prefix: "99" })).toBe("99905321234567");
  expect(rewritten("+905321234567", { strip: 0, prefix: "" })).toBe("+905321234567");
});

test("a short number is dialled with the carrier's code before it, but is never cut to pieces", () => {
  expect(rewritten("112", { strip: 1, prefix: "0090" }, true)).toBe("112");
  expect(rewritten("112", { strip: 0, prefix: "99" }, true)).toBe("99112");
});

test("what is too short to take digits from stays whole", () => {
  expect(rewritten("532", { strip: 3, prefix: "90" })).toBe("532");
  expect(rewritten("", { strip: 3, prefix: "90" })).toBe("");
});
