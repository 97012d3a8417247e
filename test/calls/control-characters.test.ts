// Names that came in with control characters, by the interface or out of an address book: the calls go on, and nothing of
// a name becomes a header of its own.

import { expect, test } from "vitest";
import type { Header } from "../../src/sip/message/message.ts";
import { sql } from "../../src/store/sql.ts";
import { townWith } from "../town/town.ts";
import { OWN_NUMBER } from "../town/town-setup.ts";

const FAR = "905321234567";
const EVIL = "Eve\r\nX-Evil: 1\u001b\t\u007f";
const SHOWN = /^"Eve {2}X-Evil: 1 {3}" <sip:/;
const from = (invite: Header[]) => invite.find(({ name }) => name === "From")?.value;
const names = (invite: Header[]) => invite.map(({ name }) => name.toLowerCase());

test("an extension with a line break in its name calls inside and outside, and its name is one line", async () => {
  const town = await townWith({ desks: { "1000": { name: EVIL }, "1001": {} } });
  const [ann, bob, far] = [town.phone("1000"), town.phone("1001"), town.phone(FAR)];
  await ann.calls("1001");
  await bob.answers();
  expect(from(bob.lastInvite)).toMatch(SHOWN);
  expect(names(bob.lastInvite)).not.toContain("x-evil");
  await ann.hangsUp();
  await town.isQuiet();
  await ann.calls(FAR);
  await far.answers();
  expect(names(far.lastInvite)).not.toContain("x-evil");
  await ann.hangsUp();
  await town.isQuiet();
});

test("a caller who stands in the contacts with a line break in his name rings", async () => {
  const town = await townWith({ desks: { "1000": {} }, target: "user/1000", contacts: { "05321234567": EVIL } });
  const [ann, far] = [town.phone("1000"), town.phone(FAR)];
  await far.calls(OWN_NUMBER);
  await ann.answers();
  expect(from(ann.lastInvite)).toMatch(SHOWN);
  expect(names(ann.lastInvite)).not.toContain("x-evil");
  await far.hangsUp();
  await town.isQuiet();
});

test("a caller whose name and number hold control characters rings, and the records are kept", async () => {
  const town = await townWith({ keepsCalls: true, desks: { "1000": {}, "1001": {} }, target: "user/1000" });
  const [ann, bob, far] = [town.phone("1000"), town.phone("1001"), town.phone(FAR)];
  far.from = `"Eve\\\0\\\u0001" <sip:${FAR}%00%0D%0A@town.example>`;
  await far.calls(OWN_NUMBER);
  await ann.answers();
  expect(from(ann.lastInvite)).toMatch(/^"Eve" <sip:0?5321234567@/);
  await far.hangsUp();
  await town.isQuiet();
  await ann.calls("1001%00%0A");
  await bob.answers();
  await ann.hangsUp();
  await town.isQuiet();
  const kept = () => town.db.query<{ name: string }>(sql`select caller_id_name as name from cdrs order by id`);
  await expect.poll(kept).toHaveLength(2);
  expect((await kept())[0]?.name).toBe("Eve");
});
