import { expect, test } from "vitest";
import { Row, RowPlace } from "./row.ts";

test("things come out in the order in which they went in last, wherever they are taken from", () => {
  const row = new Row<string>();
  const [a, b, c] = ["a", "b", "c"].map((thing) => new RowPlace(thing)) as [
    RowPlace<string>,
    RowPlace<string>,
    RowPlace<string>,
  ];
  const all = () => {
    const found: string[] = [];
    for (let first = row.first(); first !== undefined; first = row.first()) {
      found.push(first);
      row.remove([a, b, c].find(({ thing }) => thing === first)!); // it is one of them
    }
    return found.join("");
  };
  for (const place of [a, b, c, a]) row.append(place);
  expect(all()).toBe("abc");
  for (const place of [a, b, c]) row.append(place);
  row.remove(b);
  row.append(b);
  row.remove(a);
  row.remove(a);
  expect(all()).toBe("cb");
  for (const place of [c, a]) row.append(place);
  row.remove(a);
  expect(all()).toBe("c");
  expect(row.first()).toBe(undefined);
});
