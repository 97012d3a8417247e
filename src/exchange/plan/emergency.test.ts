import { describe, expect, test } from "vitest";
import { emergencyIn } from "./emergency.ts";

describe("an emergency number", () => {
  test.each(["112", " 1 1 2 ", "0112", "9112", "90112", "*31#112", "+90112", "0090112", "+112", "00112"])(
    "%s is 112",
    (dialled) => {
      expect(emergencyIn(dialled, [])).toBe("112");
    },
  );

  test.each(["1120", "2112", "*112", "112#", "", "anonymous", "0532 112 11 12", "112112"])("%j is none", (dialled) => {
    expect(emergencyIn(dialled, ["155"])).toBeUndefined();
  });

  test("is what the exchange says, and 112 even if it does not say so", () => {
    expect(emergencyIn("155", ["155"])).toBe("155");
    expect(emergencyIn("155", [])).toBeUndefined();
    expect(emergencyIn("112", ["155"])).toBe("112");
  });

  test("goes before whoever has that number inside; with something in front of it, he goes first", () => {
    const isOurs = (number: string) => ["112", "9112"].includes(number);
    expect(emergencyIn("112", [], isOurs)).toBe("112");
    expect(emergencyIn("9112", [], isOurs)).toBeUndefined();
    expect(emergencyIn("0112", [], isOurs)).toBe("112");
  });
});
