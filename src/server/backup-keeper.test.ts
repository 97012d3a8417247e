import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { soon } from "../../test/ground/eventually.ts";
import { testClock } from "../../test/ground/test-clock.ts";
import type { BackupPlan } from "../http/console/operation/system-office.ts";
import { silentLog } from "../log.ts";
import { openBackupKeeper } from "./backup-keeper.ts";
import { backupName, isBackupName, isDue, tooMany } from "./backup-plan.ts";

const plan: BackupPlan = { every: "day", at: "03:00", keep: 2, timeZone: "Europe/Istanbul" };
const at = (text: string) => Date.parse(text);

test("a daily backup is due once after its time of day, also when the server slept through it", () => {
  expect(isDue(plan, undefined, at("2026-05-04T23:59:00Z"))).toBe(false); // 02:59
  expect(isDue(plan, undefined, at("2026-05-05T00:00:00Z"))).toBe(true); // 03:00
  expect(isDue(plan, at("2026-05-05T00:00:30Z"), at("2026-05-05T00:01:00Z"))).toBe(false);
  expect(isDue(plan, at("2026-05-04T00:00:30Z"), at("2026-05-05T15:00:00Z"))).toBe(true);
  expect(isDue({ ...plan, every: "week" }, at("2026-05-04T00:00:30Z"), at("2026-05-10T00:00:00Z"))).toBe(false);
  expect(isDue({ ...plan, every: "week" }, at("2026-05-04T00:00:30Z"), at("2026-05-11T00:00:00Z"))).toBe(true);
});

test("of planned ones the oldest go, and names lead nowhere else", () => {
  const files = ["planned", "planned", "planned", "made"].map((kind, index) => ({
    name: backupName(kind as "planned" | "made", at(`2026-05-0${index + 1}T00:00:00Z`)),
    bytes: 1,
    madeMs: index,
  }));
  expect(tooMany(files, 2).map(({ name }) => name)).toEqual(["planned-20260501-000000.santral"]);
  expect(files.every(({ name }) => isBackupName(name))).toBe(true);
  for (const name of ["../secret.keys", "plan.json", "made-20260501-000000.santral/..", ""])
    expect(isBackupName(name)).toBe(false);
});

test("a backup is made by its plan, lent to who asked and once, and a failure is told", async () => {
  const folder = await mkdtemp(join(tmpdir(), "backups-"));
  const clock = testClock();
  let code = 0;
  const keeper = openBackupKeeper({
    folder,
    clock,
    log: silentLog,
    command: (file) => ({ command: "backup", words: [file] }),
    runProgram: async ({ words }) => {
      if (code === 0) await writeFile(words[0] ?? "", "everything");
      return { code, said: "", complained: "no room on the disk\n" };
    },
  });
  await keeper.plan({ ...plan, at: "00:00" });
  clock.pass(60_000);
  await soon("it is there", async () => (await keeper.look()).files.length === 1);
  await soon("it is done", async () => (await keeper.look()).underWaySinceMs === null);
  const [{ name } = { name: "" }] = (await keeper.look()).files;
  const word = (await keeper.lend(name, 7)) ?? "";
  expect(await keeper.openLent(word, 8)).toBeUndefined();
  const opened = await keeper.openLent(word, 7);
  opened?.stream.destroy();
  expect(opened).toMatchObject({ name, size: 10 });
  expect(await keeper.openLent(word, 7)).toBeUndefined();
  expect(await keeper.lend("../secret.keys", 7)).toBeUndefined();
  code = 1;
  expect([keeper.make("made"), keeper.make("made")]).toEqual([true, false]);
  await soon("it failed", async () => (await keeper.look()).failed?.why === "no room on the disk");
  expect(await keeper.remove(name)).toBe(true);
  await keeper.close();
  await rm(folder, { recursive: true });
});
