import { expect, test } from "vitest";
import { type KeptFax, keepingPictures } from "./page-pictures.ts";

test("a page is drawn once, also for two who ask at once, until newer ones need the room; a page that is not there is asked for again", async () => {
  const [a, b] = ["a", "b"].map((objectKey) => ({ exchangeId: 1, objectKey })) as [KeptFax, KeptFax];
  const drawn: string[] = [];
  const picture = keepingPictures(async ({ objectKey: key }, page) => {
    drawn.push(`${key}/${page}`);
    return page > 9 ? undefined : Buffer.alloc(10, page);
  }, 25);
  const [one, same] = await Promise.all([picture(a, 1), picture(a, 1)]);
  expect(one).toBe(same);
  await picture(a, 2);
  expect(await picture(a, 1)).toBe(one);
  expect(drawn).toEqual(["a/1", "a/2"]);
  await picture(b, 1); // the oldest that nobody looked at since goes
  await picture(a, 1);
  await picture(a, 2);
  expect(drawn).toEqual(["a/1", "a/2", "b/1", "a/2"]);
  expect([await picture(a, 10), await picture(a, 10)]).toEqual([undefined, undefined]);
  expect(drawn.slice(4)).toEqual(["a/10", "a/10"]);
});
