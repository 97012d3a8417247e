import { expect, test } from "vitest";
import { eventually } from "../../test/ground/eventually.ts";
import { httpTown } from "../../test/town/http-town.ts";
import { sql } from "./sql.ts";
import { listStaffAccounts, updateStaffAccount } from "./staff.ts";
import {
  issueWebphoneToken,
  originsOfPage,
  pageOfToken,
  REVOKED_CHANNEL,
  revokeWebphoneTokens,
  userOfWebphoneToken,
} from "./webphone-tokens.ts";

const DAY_MS = 24 * 60 * 60_000;
const { db, ours, theirs } = await httpTown();
const now = Date.UTC(2026, 0, 5, 9);
await db.query(
  sql`insert into staff (exchange_id, name, email, role, password_hash, extension_id)
   select exchange_id, 'Ann', 'ann@example.com', 'standard', 'none', id from extensions
   where exchange_id = $1 and number = '1000'`,
  [ours.id],
);

async function tokenOf(extension: string): Promise<string> {
  const token = await issueWebphoneToken(db, { exchangeId: ours.id, extension, now });
  if (typeof token !== "string") throw new Error(token.refused);
  return token;
}

test("a token opens its extension's phone for a day, and only its hash is stored", async () => {
  const token = await tokenOf("1000");
  expect(await userOfWebphoneToken(db, token, now + DAY_MS - 1)).toMatchObject({
    exchangeId: ours.id,
    extension: "1000",
  });
  expect(await originsOfPage(db, pageOfToken(token), now)).toEqual([]);
  expect(await userOfWebphoneToken(db, token, now + DAY_MS)).toBeUndefined();
  expect(await originsOfPage(db, pageOfToken(token), now + DAY_MS)).toBeUndefined();
  expect(await userOfWebphoneToken(db, pageOfToken(token), now), "the page's name opens nothing").toBeUndefined();
  const rows = await db.query(sql`select encode(token_hash, 'escape') as hash from webphone_tokens`);
  expect(JSON.stringify(rows)).not.toContain(token.slice(1));
});

test("tokens are taken back by extension, and end with the extension or its staff account", async () => {
  const tokens = [await tokenOf("1000"), await tokenOf("1000")];
  expect(await revokeWebphoneTokens(db, { exchangeId: theirs.id, extension: "1000" })).toBe(0);
  expect(await userOfWebphoneToken(db, tokens[0]!, now)).toBeDefined();
  expect(await revokeWebphoneTokens(db, { exchangeId: ours.id, extension: "1000" })).toBeGreaterThanOrEqual(2);
  for (const token of tokens) expect(await userOfWebphoneToken(db, token, now)).toBeUndefined();

  const last = await tokenOf("1000");
  const told: string[] = [];
  const stop = await db.listen(REVOKED_CHANNEL, (payload) => told.push(payload));
  const [ann] = await listStaffAccounts(db, ours.id);
  const dismissed = { exchangeId: ours.id, id: ann?.id ?? 0, changes: { active: false } };
  expect(await updateStaffAccount(db, { ...dismissed, exchangeId: theirs.id })).toMatchObject({ refused: "not-found" });
  expect(await userOfWebphoneToken(db, last, now)).toBeDefined();
  expect(await updateStaffAccount(db, dismissed)).toBeUndefined();
  expect(await userOfWebphoneToken(db, last, now)).toBeUndefined();
  await eventually("the exchange hears of it", async () => told.includes(`${ours.id} 1000`));
  await stop();
  expect(await issueWebphoneToken(db, { exchangeId: ours.id, extension: "1000", now })).toEqual({
    refused: "no-staff",
  });
});
