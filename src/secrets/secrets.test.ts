import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "../log.ts";
import { changeRing, isOpenToOthers, makeRing, type NoRing, readRing } from "./key-file.ts";
import { joinRings, newKey, parseRing, printRing, type Ring } from "./ring.ts";
import { keyIdOf, openWith, type SecretPlace, sealWith } from "./sealed.ts";
import { openSecrets } from "./secrets.ts";

const place: SecretPlace = { kind: "trunks.password", exchangeId: 101, row: 7 };
const key = newKey(0);
const ringOf = (...keys: ReturnType<typeof newKey>[]): Ring => ({ current: keys[0]!.id, keys });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "santral-keys-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a secret opens where it was sealed, and its text says nothing of it", () => {
  const sealed = sealWith(key, place, "şifre 1234");
  expect(sealed).toMatch(new RegExp(`^sealed:${key.id}:[A-Za-z0-9_-]+$`));
  expect(sealed).not.toContain("1234");
  expect(openWith(key, place, sealed)).toBe("şifre 1234");
  expect(sealWith(key, place, "şifre 1234")).not.toBe(sealed);
  expect(openWith(key, place, sealWith(key, place, ""))).toBe("");
});

test("copied to another row, column or exchange it does not open", () => {
  const sealed = sealWith(key, place, "1234");
  for (const elsewhere of [{ row: 8 }, { exchangeId: 102 }, { kind: "sms_carriers.password" as const }])
    expect(openWith(key, { ...place, ...elsewhere }, sealed)).toBeUndefined();
  // What stands before the last slash of one place is no place of its own: 1 and 17 are not 11 and 7.
  const first = { ...place, exchangeId: 1, row: 17 };
  expect(openWith(key, { ...place, exchangeId: 11, row: 7 }, sealWith(key, first, "1234"))).toBeUndefined();
});

test("whatever bit of it is changed or cut off, it does not open", () => {
  const sealed = sealWith(key, place, "1234");
  const [, , text = ""] = sealed.split(":");
  const bytes = Buffer.from(text, "base64url");
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(openWith(key, place, `sealed:${key.id}:${changed.toString("base64url")}`)).toBeUndefined();
  }
  for (let length = 0; length < text.length; length++)
    expect(openWith(key, place, `sealed:${key.id}:${text.slice(0, length)}`)).toBeUndefined();
  expect(openWith({ ...newKey(0), id: key.id }, place, sealed)).toBeUndefined();
});

test("what cannot be opened is a value and a line in the log, and what was never sealed is itself", () => {
  const lines: object[] = [];
  const log = { ...silentLog, error: (facts: object) => void lines.push(facts) };
  const secrets = openSecrets({ read: () => ringOf(key), log });
  expect(secrets.open(place, "a password of before")).toBe("a password of before");
  expect(secrets.open(place, "sealed:nothing of ours")).toBe("sealed:nothing of ours");
  expect(secrets.open(place, secrets.seal(place, "1234"))).toBe("1234");
  expect(lines).toEqual([]);
  const other = newKey(0);
  expect(secrets.open(place, sealWith(other, place, "1234"))).toEqual({ unreadable: "no-key", keyId: other.id });
  const moved = sealWith(key, { ...place, row: 8 }, "1234");
  expect(secrets.open(place, moved)).toEqual({ unreadable: "not-sealed-here", keyId: key.id });
  expect(lines).toEqual([
    { ...place, keyId: other.id, unreadable: "no-key" },
    { ...place, keyId: key.id, unreadable: "not-sealed-here" },
  ]);
  expect(JSON.stringify(lines)).not.toContain("1234");
});

test("a ring that somebody changes is read again for an unknown key, and before anything is sealed", () => {
  let ring: Ring | NoRing = ringOf(key);
  let reads = 0;
  const read = () => {
    reads += 1;
    return ring;
  };
  const secrets = openSecrets({ read, log: silentLog });
  const old = secrets.seal(place, "1234");
  const second = newKey(1);
  ring = ringOf(second, key);
  expect(keyIdOf(secrets.seal(place, "1234"))).toBe(second.id);
  const third = newKey(2);
  ring = ringOf(third, second, key);
  expect(secrets.open(place, sealWith(third, place, "5678"))).toBe("5678");
  const before = reads;
  for (let i = 0; i < 100; i++) secrets.open(place, old);
  expect(reads).toBe(before); // who opens what he knows asks no disk
  ring = { missing: "no-file", why: "the file of keys is not there" };
  expect(secrets.open(place, old)).toBe("1234");
  expect(() => secrets.seal(place, "1234")).toThrow("nothing can be sealed: the file of keys is not there");
});

test("the file of keys is made once, for its owner alone, and never made again", async () => {
  const file = join(folder, "secret.keys");
  expect(readRing(file)).toMatchObject({ missing: "no-file" });
  expect(await Promise.all([makeRing(file, 0), makeRing(`${file}`, 0)].map((it) => it.catch(() => false)))).toContain(
    true,
  );
  const first = await readFile(file, "utf8");
  expect(await makeRing(file, 0)).toBe(false);
  expect(await readFile(file, "utf8")).toBe(first);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await isOpenToOthers(file)).toBe(false);
  await chmod(file, 0o640);
  expect(await isOpenToOthers(file)).toBe(true);

  const link = join(folder, "link.keys");
  await symlink(file, link);
  await changeRing(link, (ring) => joinRings(ring, ringOf(key))!);
  expect(readRing(file)).toMatchObject({ keys: [{}, { id: key.id }] });

  const broken = join(folder, "broken.keys");
  await writeFile(broken, first.slice(0, -20));
  expect(readRing(broken)).toMatchObject({ missing: "not-a-ring" });
  expect(await makeRing(broken, 0)).toBe(false);
  await expect(changeRing(broken, (ring) => ring)).rejects.toThrow("is not a file of keys");
  expect(await readFile(broken, "utf8")).toBe(first.slice(0, -20));
});

test("a ring is printed and read back whole, or not at all", () => {
  const ring = ringOf(newKey(5), key);
  expect(parseRing(printRing(ring))).toEqual(ring);
  for (const spoil of [
    (text: string) => text.replace(`"current": "${ring.current}"`, '"current": "ffffffff"'),
    (text: string) => text.replace(/"key": "./, '"key": "'),
    (text: string) => text.replace(/"id": "../, '"id": "zz'),
    () => "{}",
    () => "",
  ])
    expect(parseRing(spoil(printRing(ring)))).toBeUndefined();
});

test("two rings joined open what either opened, and one name for two keys is refused", () => {
  const other = newKey(1);
  expect(joinRings(ringOf(other), ringOf(key))).toEqual({ current: other.id, keys: [other, key] });
  expect(joinRings(ringOf(other, key), ringOf(key))).toEqual({ current: other.id, keys: [other, key] });
  expect(joinRings(ringOf(other), undefined)).toEqual(ringOf(other));
  expect(joinRings(ringOf(key), ringOf({ ...other, id: key.id }))).toBeUndefined();
});
