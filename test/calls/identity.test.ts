import { expect, test } from "vitest";
import type { Header } from "../../src/sip/message/message.ts";
import { townWith } from "../town/town.ts";
import { OWN_NUMBER } from "../town/town-setup.ts";

const desks = { "1000": {}, "1001": {}, "1002": {} };
const FAR = "905321234567";

const named = (invite: Header[], wanted: string) => invite.filter(({ name }) => name === wanted).map((it) => it.value);

const ANONYMOUS = /^"Anonymous" <sip:anonymous@anonymous\.invalid>;tag=/;

test("a withheld number rings a phone in the form of RFC 3323", async () => {
  const town = await townWith({ desks, target: "user/1000" });
  const [ann, far] = [town.phone("1000"), town.phone(FAR)];
  far.from = '"Anonymous" <sip:anonymous@anonymous.invalid>';
  await far.calls(OWN_NUMBER);
  await ann.answers();
  await town.talksWith(far, ann);
  expect(named(ann.lastInvite, "From")).toEqual([expect.stringMatching(ANONYMOUS)]);
  await far.hangsUp();
  await town.isQuiet();
  expect(town.diary.records).toMatchObject([{ facts: { callerNumber: "", callerName: "" } }]);
});
