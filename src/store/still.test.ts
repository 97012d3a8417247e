import { expect, test } from "vitest";
import { openStill } from "./still.ts";

function began() {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { ended, end };
}

const aWhile = () => new Promise((resolve) => setImmediate(resolve));

test("a move waits for whoever goes by the time, and whoever comes meanwhile waits for the move", async () => {
  const still = openStill();
  const said: string[] = [];
  const [first, second, move] = [began(), began(), began()];
  const asking = still.during(() => first.ended);
  const askingToo = still.during(() => second.ended);
  const moved = still.moving(async () => {
    said.push("moves");
    await move.ended;
    said.push("moved");
  });
  const late = still.during(async () => said.push("asks"));
  first.end();
  await asking;
  await aWhile();
  expect(said).toEqual([]);
  second.end();
  await askingToo;
  await aWhile();
  expect(said).toEqual(["moves"]);
  move.end();
  await Promise.all([moved, late]);
  expect(said).toEqual(["moves", "moved", "asks"]);
});

test("one move after the other, and nobody is kept by one that failed", async () => {
  const still = openStill();
  const said: string[] = [];
  const failing = still.moving(() => Promise.reject(new Error("no database")));
  const moving = still.moving(async () => void said.push("moved"));
  const asking = still.during(async () => void said.push("asked"));
  await expect(failing).rejects.toThrow("no database");
  await Promise.all([moving, asking]);
  expect(said).toEqual(["moved", "asked"]);
  await expect(still.during(() => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  await still.moving(async () => void said.push("moved again"));
  expect(said).toEqual(["moved", "asked", "moved again"]);
});
