import { expect, test } from "vitest";
import { shareChannels } from "./share.ts";

test("equal campaigns get equal shares, and the odd line goes to the first", () => {
  expect(
    shareChannels(
      [
        { up: 0, wanted: 10 },
        { up: 0, wanted: 10 },
      ],
      5,
    ),
  ).toEqual([3, 2]);
});

test("whoever has more calls up waits until the others have caught up", () => {
  expect(
    shareChannels(
      [
        { up: 6, wanted: 10 },
        { up: 0, wanted: 10 },
      ],
      4,
    ),
  ).toEqual([0, 4]);
  expect(
    shareChannels(
      [
        { up: 2, wanted: 10 },
        { up: 0, wanted: 10 },
      ],
      4,
    ),
  ).toEqual([1, 3]);
});

test("what one does not want another gets, and nobody gets more than he wants", () => {
  expect(
    shareChannels(
      [
        { up: 0, wanted: 1 },
        { up: 9, wanted: 10 },
      ],
      8,
    ),
  ).toEqual([1, 7]);
  expect(
    shareChannels(
      [
        { up: 0, wanted: 1 },
        { up: 0, wanted: 0 },
      ],
      8,
    ),
  ).toEqual([1, 0]);
  expect(shareChannels([], 8)).toEqual([]);
});
