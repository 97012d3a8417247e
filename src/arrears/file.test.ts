import { appendFile, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/ground/santral-process.ts";
import { ArrearsFile, lookAtFile } from "./file.ts";
import type { Line } from "./line.ts";

const opened: ArrearsFile[] = [];
const openFile = async (path: string) => {
  const file = await ArrearsFile.open(path);
  opened.push(file);
  return file;
};
afterEach(() => Promise.all(opened.splice(0).map((file) => file.close())));

const aPath = () => join(temporaryFolder(), "arrears", "calls.arrears");
const LIFE = "0b0a3f1c-7f0e-4f6e-9d51-3c2f6f1f7a01";
const aLine = (batch: number, entries: Line["entries"] = [[`call ${batch}`, { said: `ünï\n${batch}` }]]): Line => ({
  life: LIFE,
  batch,
  atMs: 1_000 * batch,
  entries,
});
const batchesIn = async (file: ArrearsFile) => (await file.read(1e9)).lines.map(({ batch }) => batch);

async function written(batches: number): Promise<{ path: string; file: ArrearsFile }> {
  const path = aPath();
  const file = await openFile(path);
  for (let batch = 1; batch <= batches; batch++) await file.append(aLine(batch));
  return { path, file };
}

test("what was appended is read again in order, by whoever opens the file next, and is nobody else's to read", async () => {
  const { path, file } = await written(3);
  expect(file.state).toMatchObject({ entries: 3, oldestMs: 1_000, damaged: 0 });
  await file.close();
  const next = await openFile(path);
  expect((await next.read(1e9)).lines).toEqual([aLine(1), aLine(2), aLine(3)]);
  expect(next.state).toEqual(file.state);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("a torn last line is cut off wherever it is torn, and the next one follows the last whole one", async () => {
  const { path, file } = await written(2);
  await file.close();
  const whole = await readFile(path);
  const torn = whole.indexOf("\n") + 1;
  for (let size = torn; size < whole.length; size++) {
    await writeFile(path, whole.subarray(0, size));
    const next = await openFile(path);
    expect(next.state).toMatchObject({ entries: 1, damaged: 0, bytes: torn });
    await next.append(aLine(7));
    expect(await batchesIn(next)).toEqual([1, 7]);
    await next.close();
  }
});

test("zeros at the end, as a power cut leaves them, are cut off", async () => {
  const { path, file } = await written(2);
  await file.close();
  await truncate(path, (await stat(path)).size + 5_000);
  const next = await openFile(path);
  expect(next.state).toEqual(file.state);
});

test("a bit that the disk has turned costs its own line, is told, and the file is put aside instead of removed", async () => {
  const { path, file } = await written(3);
  await file.close();
  const whole = await readFile(path);
  const second = whole.indexOf("\n") + 1;
  const end = whole.indexOf("\n", second);
  for (let at = second; at < end; at++) {
    const changed = Buffer.from(whole);
    changed[at]! ^= 1;
    await writeFile(path, changed);
    const next = await openFile(path);
    expect(await batchesIn(next)).toEqual([1, 3]);
    expect(next.state.damaged).toBeGreaterThan(0);
    await next.close();
  }
  const next = await openFile(path);
  next.pass(await next.read(1e9));
  expect(await next.finish()).toBe(true);
  expect((await readFile(`${path}.damaged-1`)).length).toBe(whole.length);
  expect(next.state.bytes).toBe(0);
});

test("it is removed when all of it was passed, and not while something is left or has just come", async () => {
  const { path, file } = await written(2);
  const read = await file.read(1);
  expect(read.lines).toEqual([aLine(1)]);
  file.pass(read);
  expect(await file.finish()).toBe(false);
  expect(file.state).toMatchObject({ entries: 1 });
  file.pass(await file.read(1e9));
  await file.append(aLine(3));
  expect(await file.finish()).toBe(false);
  file.pass(await file.read(1e9));
  expect(await file.finish()).toBe(true);
  await expect(stat(path)).rejects.toThrow("ENOENT");
  await file.append(aLine(4));
  expect(await batchesIn(file)).toEqual([4]);
});

test("what a batch that is known to be written stands behind is passed, and a stranger passes nothing", async () => {
  const { file } = await written(5);
  await file.passThrough({ life: "another", batch: 3 });
  expect(await batchesIn(file)).toEqual([1, 2, 3, 4, 5]);
  await file.passThrough({ life: LIFE, batch: 3 });
  expect(await batchesIn(file)).toEqual([4, 5]);
  expect(file.state).toMatchObject({ entries: 2, oldestMs: 4_000 });
});

test("lines longer than what is read at once are whole", async () => {
  const path = aPath();
  const file = await openFile(path);
  const long = aLine(1, [["call", { story: "x".repeat(1_000_000) }]]);
  await file.append(long);
  await file.append(aLine(2));
  await file.close();
  expect((await (await openFile(path)).read(1e9)).lines).toEqual([long, aLine(2)]);
});

test("who only looks changes nothing, also while a line is being written", async () => {
  const { path, file } = await written(2);
  await appendFile(path, "0000");
  expect(await lookAtFile(path)).toEqual(file.state);
  expect((await stat(path)).size).toBe(file.state.bytes + 4);
  expect(await lookAtFile(`${path}.none`)).toMatchObject({ bytes: 0, entries: 0 });
});
