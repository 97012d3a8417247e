import { expect, test } from "vitest";
import { testClock } from "../../../../test/ground/test-clock.ts";
import type { Directory, HomeExtension } from "./directory.ts";
import { hash } from "./hashing.ts";
import { openWebLogins } from "./web-logins.ts";

const EXCHANGE = 7;

function loginsWith(extension: Partial<HomeExtension> = {}) {
  const clock = testClock();
  const known = { id: 1, exchangeId: EXCHANGE, number: "1000", name: "Ann", active: true, codecs: [] };
  const ann: HomeExtension = { ...known, ...extension };
  // Only these two are asked.
  const directory = {
    extension: (exchangeId: number, number: string) => (exchangeId === EXCHANGE && number === "1000" ? ann : undefined),
    secretOf: (_: number, number: string) => (number === "1000" ? { MD5: "own", "SHA-256": "own" } : undefined),
  } as unknown as Directory;
  const logins = openWebLogins({ clock, hash, directory });
  const issue = () => logins.issue({ exchangeId: EXCHANGE, sipDomain: "a.example", extension: "1000", token: "W1" });
  return { clock, logins, issue };
}

test("a login leads to its extension for ten minutes, and to nothing afterwards", async () => {
  const { clock, logins, issue } = loginsWith();
  const { user, password } = issue();
  const secret = logins.directory.secretOf(EXCHANGE, user);
  expect(secret?.MD5).toBe(hash("MD5", `${user}:a.example:${password}`));
  expect(logins.directory.extension(EXCHANGE, user)?.number).toBe("1000");
  await clock.pass(10 * 60_000 + 1);
  expect(logins.directory.secretOf(EXCHANGE, user)).toBeUndefined();
  expect(logins.directory.extension(EXCHANGE, user)).toBeUndefined();
});

test("it is not good in another exchange, for an extension that is switched off, or once it was taken back", () => {
  const { logins, issue } = loginsWith();
  const [one, other] = [issue(), issue()];
  expect(one.password).not.toBe(other.password);
  expect(logins.directory.secretOf(EXCHANGE + 1, one.user)).toBeUndefined();
  logins.forget(EXCHANGE, "1000");
  expect(logins.directory.secretOf(EXCHANGE, one.user)).toBeUndefined();
  expect(logins.directory.secretOf(EXCHANGE, "1000")?.MD5).toBe("own");
  const off = loginsWith({ active: false });
  expect(off.logins.directory.secretOf(EXCHANGE, off.issue().user)).toBeUndefined();
});
