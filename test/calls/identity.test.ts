import { expect, test } from "vitest";
import type { Header } from "../../src/sip/message/message.ts";
import { sql } from "../../src/store/sql.ts";
import { selfSigned } from "../ground/certificate.ts";
import { identityHeader } from "../ground/passport.ts";
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

const userOf = (address = "") => /sip:([^@]*)@/.exec(address)?.[1];

test.each([
  ["*31#", [], true],
  ["#31#", [], true],
  ["", [{ name: "Privacy", value: "id" }], true],
  ["", [{ name: "Privacy", value: "user" }], true],
  ["", [], false],
])("a phone that dials %s… with %j withholds its number: %s", async (code, headers, withheld) => {
  const town = await townWith({ desks });
  const [ann, bob, far] = [town.phone("1000"), town.phone("1001"), town.phone(FAR)];
  await ann.calls(`${encodeURIComponent(code)}${FAR}`, headers);
  await far.answers();
  await town.talksWith(ann, far);
  expect(userOf(named(far.lastInvite, "From")[0])).toBe(withheld ? "anonymous" : OWN_NUMBER);
  // The carrier knows all the same who calls and pays.
  expect(userOf(named(far.lastInvite, "P-Asserted-Identity")[0])).toBe(OWN_NUMBER);
  expect(named(far.lastInvite, "Privacy")).toEqual(withheld ? ["id"] : []);
  await ann.hangsUp();
  await town.isQuiet();
  await ann.calls(`${encodeURIComponent(code)}1001`, headers);
  await bob.answers();
  expect(userOf(named(bob.lastInvite, "From")[0])).toBe(withheld ? "anonymous" : "1000");
  await ann.hangsUp();
  await town.isQuiet();
  expect(town.diary.records).toMatchObject([{ facts: { callerNumber: "1000" } }, { facts: { callerNumber: "1000" } }]);
});

test("an anonymous From is as good, and a phone that always withholds its number can show it once", async () => {
  const town = await townWith({ desks: { ...desks, "1001": { withholdNumber: true } } });
  const [ann, bob, far] = [town.phone("1000"), town.phone("1001"), town.phone(FAR)];
  const seenBy = async (phone: typeof ann, number: string, headers: Header[] = []) => {
    await phone.calls(number, headers);
    await town.until("it rings", () => far.seen.includes("is rung"));
    far.seen.length = 0;
    await phone.hangsUp();
    await town.isQuiet();
    return userOf(named(far.lastInvite, "From")[0]);
  };
  ann.from = '"Anonymous" <sip:anonymous@anonymous.invalid>';
  expect(await seenBy(ann, FAR)).toBe("anonymous");
  expect(await seenBy(bob, FAR)).toBe("anonymous");
  expect(await seenBy(bob, `*30%23${FAR}`)).toBe(OWN_NUMBER);
  expect(await seenBy(bob, FAR, [{ name: "Privacy", value: "none" }])).toBe(OWN_NUMBER);
});

test.each([
  ["ppi", "P-Preferred-Identity", `<sip:${OWN_NUMBER}@town.example>`],
  ["rpid", "Remote-Party-ID", `<sip:${OWN_NUMBER}@town.example>;party=calling;screen=yes;privacy=full`],
] as const)("a carrier that wants %s is told by that who calls", async (identity, header, value) => {
  const town = await townWith({ desks: { "1000": { name: "" } }, trunk: { identity } });
  const [ann, far] = [town.phone("1000"), town.phone(FAR)];
  await ann.calls(`*67${FAR}`);
  await far.rings();
  expect(named(far.lastInvite, header)).toEqual([value]);
  expect(named(far.lastInvite, "P-Asserted-Identity")).toEqual([]);
  await ann.hangsUp();
  await town.isQuiet();
});

test("nothing is asserted to a carrier that is not trusted, and nothing it asserts is believed", async () => {
  const town = await townWith({ desks, trunk: { trusted: false }, target: "user/1001" });
  const [ann, bob, far] = [town.phone("1000"), town.phone("1001"), town.phone(FAR)];
  await ann.calls(FAR);
  await far.rings();
  for (const header of ["P-Asserted-Identity", "P-Preferred-Identity", "Remote-Party-ID"])
    expect(named(far.lastInvite, header)).toEqual([]);
  expect(userOf(named(far.lastInvite, "From")[0])).toBe(OWN_NUMBER);
  await ann.hangsUp();
  await town.isQuiet();
  await far.calls(OWN_NUMBER, [
    { name: "P-Asserted-Identity", value: "<sip:112@town.example>" },
    { name: "Remote-Party-ID", value: "<sip:155@town.example>" },
    { name: "Diversion", value: "<sip:905550000000@town.example>;reason=user-busy" },
  ]);
  await bob.rings();
  expect(userOf(named(bob.lastInvite, "From")[0])).toBe("05321234567");
  expect(named(bob.lastInvite, "Diversion")).toEqual([]);
  await far.hangsUp();
  await town.isQuiet();
});

test.each([
  ["<sip:905550000001@town.example>;party=calling;screen=yes;privacy=off", "05550000001"],
  ["<sip:905550000001@town.example>;privacy=full", "anonymous"],
  ["<sip:905550000001@town.example>;party=called", "05321234567"],
])("Remote-Party-ID %s shows %s", async (value, shown) => {
  const town = await townWith({ desks, target: "user/1001" });
  const [bob, far] = [town.phone("1001"), town.phone(FAR)];
  await far.calls(OWN_NUMBER, [{ name: "Remote-Party-ID", value }]);
  await bob.rings();
  expect(userOf(named(bob.lastInvite, "From")[0])).toBe(shown);
  await far.hangsUp();
  await town.isQuiet();
});

const FRIEND = "905559876543";

test("a call that an extension forwards outside tells who forwards it, and shows the caller where the carrier allows", async () => {
  for (const [forwardedCaller, diversion] of [
    ["own", "diversion"],
    ["original", "history-info"],
  ] as const) {
    const town = await townWith({
      desks: { "1000": { forwardAlways: FRIEND } },
      trunk: { forwardedCaller, diversion },
    });
    const [far, friend] = [town.phone(FAR), town.phone(FRIEND)];
    town.phone("1000");
    await far.calls(OWN_NUMBER, [{ name: "Identity", value: "eyJ.eyJ.sig;info=<https://cert.example/c.pem>" }]);
    await friend.rings();
    const told = (name: string) => named(friend.lastInvite, name);
    expect(userOf(told("From")[0])).toBe(forwardedCaller === "own" ? OWN_NUMBER : FAR);
    expect(userOf(told("P-Asserted-Identity")[0])).toBe(OWN_NUMBER);
    expect(told("Identity")).toHaveLength(forwardedCaller === "own" ? 0 : 1);
    const ours = `<sip:${OWN_NUMBER}@town.example`;
    if (diversion === "diversion")
      expect(told("Diversion")).toEqual([`${ours}>;reason=unconditional;counter=1;privacy=off`]);
    else
      expect(told("History-Info")).toEqual([
        `${ours}?Reason=SIP%3Bcause%3D302>;index=1, <sip:${FRIEND}@town.example>;index=1.1;mp=1`,
      ]);
    await far.hangsUp();
    await town.isQuiet();
  }
});

test("a colleague to whom a call is forwarded sees who calls, and by whom it came", async () => {
  const town = await townWith({ desks: { ...desks, "1000": { forwardNoAnswer: "1001", noAnswerSeconds: 5 } } });
  const [ann, bob, far] = [town.phone("1000"), town.phone("1001"), town.phone(FAR)];
  await far.calls(OWN_NUMBER, [{ name: "Diversion", value: "<sip:905550000000@carrier.example>;reason=user-busy" }]);
  await ann.rings();
  expect(named(ann.lastInvite, "Diversion")).toEqual([
    "<sip:905550000000@town.example>;reason=user-busy;counter=1;privacy=off",
  ]);
  await town.pass({ seconds: 6 });
  await bob.rings();
  expect(userOf(named(bob.lastInvite, "From")[0])).toBe("05321234567");
  expect(named(bob.lastInvite, "Diversion")).toEqual([
    '"Desk 1000" <sip:1000@town.example>;reason=no-answer;counter=1;privacy=off',
    "<sip:905550000000@town.example>;reason=user-busy;counter=1;privacy=off",
  ]);
  await far.hangsUp();
  await town.isQuiet();
});

test("a call that was sent on too often is not sent on again", async () => {
  const town = await townWith({ desks: { ...desks, "1000": { forwardAlways: "1001" } } });
  const [bob, far] = [town.phone("1001"), town.phone(FAR)];
  const before = Array.from({ length: 12 }, () => ({ name: "Diversion", value: "<sip:905550000000@x.example>" }));
  await far.calls(OWN_NUMBER, before);
  await town.until("it ends", () => far.seen.some((it) => it.startsWith("ended")));
  expect(bob.seen).toEqual([]);
  await town.isQuiet();
});

/** What the last request of that kind to a phone said of whom it talks with. */
const toldBy = (messages: string[], method: string) =>
  messages
    .filter(
      (text) => text.startsWith(`${method} `) || (method === "200" && /^SIP\/2\.0 200 .*CSeq: \d+ INVITE/s.test(text)),
    )
    .flatMap((text) => /P-Asserted-Identity: (.*)\r\n/.exec(text)?.[1] ?? [])
    .at(-1);

test("who calls learns who took the call, and after a transfer both learn who is there now", async () => {
  const town = await townWith({ desks });
  const [ann, bob, cem] = [town.phone("1000"), town.phone("1001"), town.phone("1002")];
  await ann.calls("1001");
  await bob.answers();
  await town.talksWith(ann, bob);
  expect(toldBy(town.sentTo(ann), "200")).toBe('"Desk 1001" <sip:1001@town.example>');
  expect(town.sentTo(bob).filter((text) => text.startsWith("UPDATE"))).toEqual([]);
  bob.leg().ask("REFER", { headers: [{ name: "Refer-To", value: "<sip:1002@town.example>" }] });
  await cem.answers();
  await town.talksWith(ann, cem);
  await town.until("Ann is told", () => toldBy(town.sentTo(ann), "UPDATE") !== undefined);
  expect(toldBy(town.sentTo(ann), "UPDATE")).toBe('"Desk 1002" <sip:1002@town.example>');
  // Without it the session would have no limit from then on (RFC 4028).
  expect(town.sentTo(ann).find((text) => text.startsWith("UPDATE"))).toContain("\r\nSession-Expires: ");
  await ann.hangsUp();
  await town.isQuiet();
});

test("who picks up for a colleague learns who calls, and a caller who withholds his number stays unseen", async () => {
  const town = await townWith({ desks });
  const [ann, bob, cem] = [town.phone("1000"), town.phone("1001"), town.phone("1002")];
  await ann.calls("1001");
  await bob.rings();
  await cem.calls("*81001");
  await town.talksWith(ann, cem);
  expect(toldBy(town.sentTo(cem), "200")).toBe('"Desk 1000" <sip:1000@town.example>');
  expect(toldBy(town.sentTo(ann), "200")).toBe('"Desk 1002" <sip:1002@town.example>');
  await ann.hangsUp();
  await town.isQuiet();
  await ann.calls("*671001");
  await town.until("Bob rings again", () => bob.seen.filter((it) => it === "is rung").length === 2);
  await cem.calls("*81001");
  await town.talksWith(ann, cem);
  const answer = town.sentTo(cem).findLast((text) => text.startsWith("SIP/2.0 200"));
  expect(answer).toContain('P-Asserted-Identity: "Anonymous" <sip:anonymous@anonymous.invalid>\r\nPrivacy: id\r\n');
  expect(answer).not.toContain("1000@");
  await ann.hangsUp();
  await town.isQuiet();
});

test("a carrier learns nothing of who took the call inside", async () => {
  const town = await townWith({ desks, target: "user/1001" });
  const [bob, far, cem] = [town.phone("1001"), town.phone(FAR), town.phone("1002")];
  await far.calls(OWN_NUMBER);
  await bob.answers();
  await town.talksWith(far, bob);
  bob.leg().ask("REFER", { headers: [{ name: "Refer-To", value: "<sip:1002@town.example>" }] });
  await cem.answers();
  await town.talksWith(far, cem);
  expect(town.sentTo(far).filter((text) => text.includes("P-Asserted-Identity"))).toEqual([]);
  await far.hangsUp();
  await town.isQuiet();
});

test.each([
  ["pai", {}, "P-Asserted-Identity: <sip:908505329999@town.example>"],
  ["rpid", {}, "Remote-Party-ID: <sip:908505329999@town.example>;party=calling;screen=yes;privacy=off"],
  ["pai", { withholdNumber: true }, "Privacy: id"],
] as const)(
  "a carrier that wants to know is told by %s who is on the line after a transfer, %j",
  async (identity, more, said) => {
    for (const direction of ["in", "out"]) {
      const town = await townWith({
        desks: { ...desks, "1002": { outboundCallerId: "908505329999", ...more } },
        target: "user/1001",
        trunk: { tellsConnected: true, identity },
      });
      await town.db.query(
        sql`insert into external_numbers (exchange_id, number, target) values ($1, '908505329999', 'user/1002')`,
        [town.exchangeId],
      );
      const [bob, far, cem] = [town.phone("1001"), town.phone(FAR), town.phone("1002")];
      await (direction === "in" ? far.calls(OWN_NUMBER) : bob.calls(FAR));
      await (direction === "in" ? bob : far).answers();
      await town.talksWith(far, bob);
      expect(town.sentTo(far).filter((text) => text.startsWith("UPDATE"))).toEqual([]);
      bob.leg().ask("REFER", { headers: [{ name: "Refer-To", value: "<sip:1002@town.example>" }] });
      await cem.answers();
      await town.talksWith(far, cem);
      const updates = () => town.sentTo(far).filter((text) => text.startsWith("UPDATE"));
      await town.until("the carrier is told", () => updates().length > 0);
      expect(updates().at(-1)).toContain(`\r\n${said}\r\n`);
      expect(updates().at(-1)).not.toContain("Desk 1002");
      await far.hangsUp();
      await town.isQuiet();
    }
  },
);

test("a signature that holds is told to the phone and in the story; one that does not is refused only where that is wanted", async () => {
  const { key, cert } = selfSigned("carrier.example");
  const told = (town: Awaited<ReturnType<typeof townWith>>) =>
    town.diary.records.flatMap(({ facts }) =>
      facts.story.flatMap((it) => ("is" in it && /attested/.test(it.is) ? [it] : [])),
    );
  for (const [attestation, dest] of [
    ["verified", OWN_NUMBER],
    ["verified", "905550000000"],
    ["required", "905550000000"],
  ] as const) {
    const town = await townWith({ desks, target: "user/1001", trunk: { attestation, attestationCertificates: cert } });
    const [bob, far] = [town.phone("1001"), town.phone(FAR)];
    // The certificate is made today, and the town's day is another.
    town.clock.pass(Math.max(0, Date.now() + 3_600_000 - town.clock.wall()));
    const claims = { orig: FAR, dest: [dest], iat: Math.floor(town.clock.wall() / 1_000) };
    await far.calls(OWN_NUMBER, [{ name: "Identity", value: identityHeader(key, claims) }]);
    const isRefused = attestation === "required";
    if (isRefused) await town.until("it is refused", () => far.seen.some((it) => it.startsWith("ended")));
    else await bob.rings();
    expect(named(bob.lastInvite, "P-Asserted-Identity")).toEqual(
      dest === OWN_NUMBER ? ["<sip:05321234567;verstat=TN-Validation-Passed@town.example;user=phone>"] : [],
    );
    if (!isRefused) await far.hangsUp();
    await town.isQuiet();
    expect(told(town)).toMatchObject([
      dest === OWN_NUMBER ? { is: "attested", level: "A" } : { is: "not-attested", why: "numbers", refused: isRefused },
    ]);
  }
});
