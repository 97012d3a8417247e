import { describe, expect, test } from "vitest";
import type { Way } from "../../src/exchange/lead/outside.ts";
import { inForm, type PhoneNumber, phoneNumber } from "../../src/exchange/plan/numbers.ts";
import { dialogAsCaller, requestInDialog } from "../../src/sip/dialog.ts";
import { toOf } from "../../src/sip/headers/addresses.ts";
import { tagOf } from "../../src/sip/headers/name-address.ts";
import type { Incoming } from "../../src/sip/incoming.ts";
import { isMalformed } from "../../src/sip/message/malformed.ts";
import { type Header, headersOf, type Request } from "../../src/sip/message/message.ts";
import { userIn } from "../../src/sip/message/uri.ts";
import { reliableHeaders } from "../../src/sip/reliable.ts";
import type { Destination } from "../../src/sip/transport/transport.ts";
import { ACCOUNT, type AskingCarrier, askingCarrier, type Hop } from "../carriers/asking-carrier.ts";
import { townWith } from "../town/town.ts";
import { OWN_NUMBER } from "../town/town-setup.ts";

const NUMBER = "905321234567";
const PROXY: Hop = { status: 407, realm: "proxy" };
const CORE: Hop = { status: 401, realm: "core" };

test("a carrier that asks at two hops, and anew for every request, gets its answer each time", async () => {
  const { town, carrier, desk } = await townWithCarrier([{ ...PROXY, uses: 1 }, CORE]);
  await desk.calls(NUMBER);
  await town.until("they talk", () => desk.seen.includes("answered"));
  await town.pass({ seconds: 50 });
  await desk.hangsUp();
  await town.until("the carrier hears the BYE", () => carrier.heard.includes("BYE"));
  expect(carrier.heard).toEqual([
    ...["INVITE 407", "INVITE 401", "INVITE 407", "INVITE"],
    ...["PRACK 407", "PRACK 401", "PRACK 407", "PRACK", "ACK"],
    ...["INVITE 407", "INVITE 401", "INVITE 407", "INVITE", "ACK"],
    ...["BYE 407", "BYE 401", "BYE 407", "BYE"],
  ]);
  await town.isQuiet();
});

test("every request of the call counts on from the one before, what was said while it rang included", async () => {
  const { town, carrier, desk } = await townWithCarrier([PROXY]);
  await desk.calls(NUMBER);
  await town.until("they talk", () => desk.seen.includes("answered"));
  await town.pass({ seconds: 50 });
  await desk.hangsUp();
  await town.until("the carrier hears the BYE", () => carrier.heard.includes("BYE"));
  const numbers = carrier.counted.filter(({ method }) => method !== "ACK").map(({ number }) => number);
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  await town.isQuiet();
});

test("the ACK carries the proof of its INVITE, since nobody can ask for it", async () => {
  const { town, carrier, desk } = await townWithCarrier([PROXY, CORE]);
  await desk.calls(NUMBER);
  await town.until("they talk", () => desk.seen.includes("answered"));
  await town.until("the carrier hears the ACK", () => carrier.heard.includes("ACK"));
  const ack = carrier.requests.find(({ method }) => method === "ACK")!;
  expect([headersOf(ack, "Authorization").length, headersOf(ack, "Proxy-Authorization").length]).toEqual([1, 1]);
  await desk.hangsUp();
  await town.isQuiet();
});

test("a carrier whose nonces grow old without a word is answered once more; a wrong password is not tried for ever", async () => {
  const forgetful = await townWithCarrier([{ ...PROXY, uses: 1, saysStale: false }]);
  await forgetful.desk.calls(NUMBER);
  await forgetful.town.until("they talk", () => forgetful.desk.seen.includes("answered"));
  await forgetful.desk.hangsUp();
  await forgetful.town.isQuiet();
  const strict = await townWithCarrier([CORE], WRONG);
  await strict.desk.calls(NUMBER);
  await strict.town.until("it is refused", () => strict.desk.seen.some((it) => it.startsWith("ended")));
  expect(strict.carrier.heard).toEqual(["INVITE 401", "INVITE 401", "INVITE 401"]);
  expect(strict.desk.seen).toContain("ended CALL_REJECTED");
  await strict.town.isQuiet();
  const plain = await townWithCarrier([{ ...CORE, keepsNonce: true }], WRONG);
  await plain.desk.calls(NUMBER);
  await plain.town.until("it is refused", () => plain.desk.seen.includes("ended CALL_REJECTED"));
  expect(plain.carrier.heard).toEqual(["INVITE 401", "INVITE 401"]);
  await plain.town.isQuiet();
});

test("a carrier that asks who hangs up on the call it brought gets its answer", async () => {
  const { town, carrier, desk } = await townWithCarrier([PROXY], { target: "user/1000" });
  const heard = bringsCall(carrier);
  await desk.answers();
  await town.pass({ seconds: 1 });
  await desk.hangsUp();
  await town.until("the carrier takes the BYE", () => heard.includes("BYE 200"));
  expect(heard).toEqual(["BYE 407", "BYE 200"]);
  await town.isQuiet();
});

describe("the next trunk", () => {
  test("is tried four seconds after a silent one, which is called no more", async () => {
    const { town, desk, second } = await twoCarriers("silent");
    await desk.calls(NUMBER);
    await town.pass({ seconds: 3 });
    expect(second.heard).toEqual([]);
    await town.until("the second carrier is asked", () => second.heard.includes("INVITE"), 2_000);
    await town.until("they talk", () => desk.seen.includes("answered"));
    await town.pass({ seconds: 40 });
    const toSilent = town.network.carried().filter(({ to }) => to === SILENT);
    expect(toSilent.map(({ octets }) => octets.slice(0, 6))).toEqual(["INVITE", "INVITE", "INVITE", "INVITE"]);
    await desk.hangsUp();
    await town.isQuiet();
    expect(storyOf(town)).toContainEqual({ is: "trunk-failed", trunk: "first", why: "silent" });
  });

  test("is tried on a 5xx and on chosen answers, never on a person's no", async () => {
    const tried = async (status: number, more: Partial<Way> = {}) => {
      const { town, desk, second } = await twoCarriers((incoming) => void incoming.reply(status), more);
      await desk.calls(NUMBER);
      await town.until("it is decided", () => /answered|ended/.test(desk.seen.join()));
      const asked = second.heard.includes("INVITE");
      await desk.hangsUp();
      await town.isQuiet();
      return asked;
    };
    expect(await tried(500)).toBe(true);
    expect(await tried(404)).toBe(false);
    expect(await tried(404, { nextOn: ["404"] })).toBe(true);
    expect(await tried(486, { nextOn: ["404", "5xx"] })).toBe(false);
    expect(await tried(603)).toBe(false);
  });

  test.each([
    ["the time that the trunk says", NUMBER, 15_000, 15],
    ["five seconds for who calls for help", "112", 15_000, 5],
    ["five seconds for who calls for help, whatever the trunk says", "112", undefined, 5],
  ])("is tried when the first says that it tries and no more, after %s", async (_, number, progressMs, seconds) => {
    const { town, desk, second } = await twoCarriers(() => undefined, { progressMs });
    await desk.calls(number);
    await town.pass({ seconds: seconds - 1 });
    expect(second.heard).toEqual([]);
    await town.until("the second carrier is asked", () => second.heard.includes("INVITE"), 2_000);
    await town.until("they talk", () => desk.seen.includes("answered"));
    await desk.hangsUp();
    await town.isQuiet();
    expect(storyOf(town)).toContainEqual({ is: "trunk-failed", trunk: "first", why: "stalled" });
  });

  test.each([
    ["finds its way", 183, 15_000],
    ["rings", 180, 15_000],
    ["may take its time", 100, undefined],
  ])("is not tried while the first %s", async (_, status, progressMs) => {
    const { town, desk, second } = await twoCarriers((incoming) => void incoming.reply(status), { progressMs });
    await desk.calls(NUMBER);
    await town.pass({ seconds: 40 });
    expect(second.heard).toEqual([]);
    await desk.hangsUp();
    await town.isQuiet();
  });

  test("is not there: a silent trunk is waited for as long as SIP allows", async () => {
    const { town, desk } = await townWithCarrier([], { silent: true });
    await desk.calls(NUMBER);
    await town.pass({ seconds: 30 });
    expect(desk.seen.some((it) => it.startsWith("ended"))).toBe(false);
    await town.until("it is given up", () => desk.seen.some((it) => it.startsWith("ended")));
    await town.isQuiet();
  });
});

describe("a carrier that says that the call is elsewhere", () => {
  /** By what was dialled: the Contacts of a 302; without any it takes the call. */
  async function movingCarrier(moves: Record<string, string>) {
    const takes = ringsReliably();
    const act = (incoming: Incoming) => {
      const contact = incoming.request.method === "INVITE" && moves[userIn(incoming.request.uri) ?? ""];
      if (contact) incoming.reply(302, { headers: [{ name: "Contact", value: contact }] });
      else takes(incoming);
    };
    const town = await townWith({
      desks: { 1000: {} },
      waysTo: (number) => [
        {
          ...wayTo(carrier, number, ACCOUNT),
          onward: async ({ user }) => {
            const read = phoneNumber(user);
            return read && read.is !== "extension" ? { number: read } : undefined;
          },
        },
      ],
    });
    const carrier: AskingCarrier = askingCarrier(town, { address: "10.0.2.1", hops: [], act });
    const dialled = () =>
      carrier.requests.flatMap(({ method, uri }) => (method === "INVITE" ? [userIn(uri) ?? ""] : []));
    return { town, dialled, desk: town.phone("1000") };
  }

  const at = (user: string, q = "1.0") => `<sip:${user}@10.0.2.1>;q=${q}`;

  test("is followed to the best number that may be dialled", async () => {
    const contacts = [at("905329999999", "0.3"), at("004930123456", "0.9"), at("1000", "0.8")];
    const { town, desk, dialled } = await movingCarrier({ [NUMBER]: contacts.join(", ") });
    await desk.calls(NUMBER);
    await town.until("they talk", () => desk.seen.includes("answered"));
    expect(dialled()).toEqual([NUMBER, "905329999999"]);
    await desk.hangsUp();
    await town.isQuiet();
    const facts = storyOf(town).filter((fact) => "is" in fact && (fact.is === "carrier-moves" || fact.is === "barred"));
    expect(facts).toMatchObject([
      { is: "carrier-moves", to: "004930123456", followed: true },
      { is: "barred", number: "004930123456", why: "international" },
      { is: "carrier-moves", to: "sip:1000@10.0.2.1", followed: false },
      { is: "carrier-moves", to: "905329999999", followed: true },
    ]);
  });

  test("goes in a circle, or on and on: the call ends after five of them at most", async () => {
    const circle = await movingCarrier({ [NUMBER]: at("905320000001"), "905320000001": at(NUMBER) });
    await circle.desk.calls(NUMBER);
    await circle.town.until("it ends", () => circle.desk.seen.includes("ended EXCHANGE_ROUTING_ERROR"));
    expect(circle.dialled()).toEqual([NUMBER, "905320000001"]);
    await circle.town.isQuiet();
    const numbers = Array.from({ length: 9 }, (_, at) => `90532000000${at}`);
    const endless = await movingCarrier(
      Object.fromEntries(numbers.map((number, place) => [number, at(numbers[place + 1] ?? "905320000099")])),
    );
    await endless.desk.calls(numbers[0] ?? "");
    await endless.town.until("it ends", () => endless.desk.seen.includes("ended EXCHANGE_ROUTING_ERROR"));
    expect(endless.dialled()).toHaveLength(6);
    await endless.town.isQuiet();
  });
});

/** The second one takes every call. */
async function twoCarriers(act: "silent" | ((incoming: Incoming) => void), more: Partial<Way> = {}) {
  const town = await townWith({
    desks: { 1000: {} },
    waysTo: (number) => [
      { ...wayTo(first, number, ACCOUNT), trunk: "first", silentMs: 4_000, ...more },
      { ...wayTo(second, number, ACCOUNT), trunk: "second", silentMs: 4_000 },
    ],
  });
  const first = act === "silent" ? SILENCE : askingCarrier(town, { address: "10.0.2.1", hops: [], act });
  const second: AskingCarrier = askingCarrier(town, { address: "10.0.2.2", hops: [], act: ringsReliably("10.0.2.2") });
  return { town, second, desk: town.phone("1000") };
}

type Town = Awaited<ReturnType<typeof townWith>>;

/** Nobody is there. */
const SILENCE = { destination: { transport: "udp", address: "10.0.2.9", port: 5060 } } as const;
const SILENT = "10.0.2.9:5060";

const storyOf = ({ diary }: Town) =>
  diary.records.flatMap(({ facts }) => facts.story).map(({ atMs: _, ...fact }) => fact);

const WRONG = { account: { user: "santral", password: "wrong" } };

type More = { account?: typeof ACCOUNT; target?: string; silent?: boolean };

async function townWithCarrier(hops: Hop[], { account = ACCOUNT, target = "hangup/busy", silent = false }: More = {}) {
  const town = await townWith({
    desks: { 1000: {} },
    target,
    account,
    waysTo: (number) => [wayTo(silent ? SILENCE : carrier, number, account)],
  });
  const carrier: AskingCarrier = askingCarrier(town, {
    address: "10.0.2.1",
    hops,
    act: silent ? () => undefined : ringsReliably(),
  });
  return { town, carrier, desk: town.phone("1000") };
}

function wayTo({ destination }: Pick<AskingCarrier, "destination">, number: PhoneNumber, account: typeof ACCOUNT): Way {
  const uri = `sip:${inForm(number, "e164")}@${destination.address}`;
  return {
    trunk: "carrier",
    codecs: ["PCMA"],
    seize: () => ({ release: () => undefined }),
    invite: () => ({
      uri,
      to: `<${uri}>`,
      from: "<sip:santral@town.example>",
      headers: [],
      destinations: [destination],
      account,
    }),
  };
}

const SDP = [
  ...["v=0", "o=- 1 1 IN IP4 10.0.2.1", "s=-", "c=IN IP4 10.0.2.1", "t=0 0", "m=audio 40000 RTP/AVP 8"],
  "a=rtpmap:8 PCMA/8000\r\n",
].join("\r\n");

/** Numbers its ringing, answers once that is acknowledged, and wants a sign of life every 90 s by re-INVITE. */
function ringsReliably(address = "10.0.2.1"): (incoming: Incoming) => void {
  let answer: () => void = () => undefined;
  const contact: Header = { name: "Contact", value: `<sip:far@${address}:5060>` };
  const session: Header = { name: "Session-Expires", value: "90;refresher=uac" };
  const type: Header = { name: "Content-Type", value: "application/sdp" };
  const said = { headers: [contact, session, { name: "Require", value: "timer" }, type], body: SDP };
  const acts: Record<string, (incoming: Incoming) => void> = {
    INVITE(incoming) {
      if (tagOf(toOf(incoming.request)) !== undefined) return void incoming.reply(200, said);
      answer = () => void incoming.reply(200, said);
      incoming.reply(180, { headers: [contact, ...reliableHeaders(7)] });
    },
    PRACK(incoming) {
      incoming.reply(200);
      answer();
    },
    ACK: () => undefined,
  };
  return (incoming) => (acts[incoming.request.method] ?? (() => void incoming.reply(200)))(incoming);
}

/** An INVITE from the carrier, acknowledged; what it is then asked for, and what it says to that. */
function bringsCall({ stack, destination }: AskingCarrier): string[] {
  const heard: string[] = [];
  const to: Destination = { transport: "udp", address: "10.0.0.1", port: 5060 };
  const invite: Request = {
    is: "request",
    method: "INVITE",
    uri: `sip:${OWN_NUMBER}@10.0.0.1`,
    headers: [
      { name: "From", value: `<sip:${NUMBER}@10.0.2.1>;tag=far` },
      { name: "To", value: `<sip:${OWN_NUMBER}@10.0.0.1>` },
      { name: "Call-ID", value: "brought" },
      { name: "CSeq", value: "1 INVITE" },
      { name: "Contact", value: `<sip:far@${destination.address}:5060>` },
      { name: "Content-Type", value: "application/sdp" },
    ],
    body: SDP,
  };
  const outgoing = stack.send(invite, to, (outcome) => {
    if (outcome.is !== "success") return;
    const dialog = dialogAsCaller(invite, outcome.response);
    if (isMalformed(dialog)) throw new Error(dialog.malformed);
    outgoing.sendAck(requestInDialog(dialog, "ACK", { cseq: 1 }).request, to);
    stack.own(dialog, (incoming) => {
      const { method } = incoming.request;
      const isProved = headersOf(incoming.request, "Proxy-Authorization").length > 0;
      heard.push(`${method} ${isProved ? 200 : 407}`);
      const challenge = { name: "Proxy-Authenticate", value: 'Digest realm="proxy", nonce="1", qop="auth"' };
      if (isProved) incoming.reply(200);
      else incoming.reply(407, { headers: [challenge] });
    });
  });
  return heard;
}
