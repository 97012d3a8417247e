import { expect, test } from "vitest";
import {
  ALICE,
  aliceCalls,
  answeredCall,
  BOB,
  bobAnswers,
  bobsContact,
  ladder,
  line,
  NOTHING_LEFT,
  requestTo,
} from "../../test/phones/sip-phones.ts";
import { dialogAsCallee, requestInDialog } from "./dialog.ts";
import type { Incoming } from "./incoming.ts";
import { isMalformed } from "./message/malformed.ts";
import { headerOf } from "./message/message.ts";
import { printMessage } from "./message/print.ts";
import { responseTo } from "./respond.ts";

test("a call is rung, answered, acknowledged and hung up, and nothing is left of it", () => {
  const town = line();
  const bob = bobAnswers(town);
  const { heard } = aliceCalls(town);
  town.clock.pass(10_000);
  expect(heard).toEqual([180, 200, "BYE success"]);
  expect(bob.calls).toEqual(["hung up"]);
  expect(ladder(town.network)).toEqual(["INVITE", "180 INVITE", "200 INVITE", "ACK", "BYE", "200 BYE"]);
  town.clock.pass(40_000);
  expect(town.alice.load()).toEqual(NOTHING_LEFT);
  expect(town.bob.load()).toEqual(NOTHING_LEFT);
  expect(town.clock.waiting()).toBe(0);
});

test.each([1, 2, 3])("calls get through a network that loses, repeats and reorders (weather %i)", (seed) => {
  const town = line({ seed });
  town.network.weather({ loss: 0.3, repeat: 0.2, delayMs: [5, 400] });
  const bob = bobAnswers(town);
  const calls = Array.from({ length: 60 }, () => aliceCalls(town));
  town.clock.pass(200_000);
  const done = calls.filter(({ heard }) => heard.at(-1) === "BYE success");
  expect(done.length).toBeGreaterThanOrEqual(56);
  for (const { heard } of done) expect(heard.filter((word) => word === 200)).toEqual([200]);
  for (const { heard } of calls)
    expect(["BYE success", "BYE timeout", "timeout", "unreachable"]).toContain(heard.at(-1));
  expect(town.alice.load()).toEqual(NOTHING_LEFT);
  // A BYE that never arrived leaves Bob's dialog to his own watch.
  expect({ ...town.bob.load(), dialogs: 0 }).toEqual(NOTHING_LEFT);
  expect(bob.calls.length).toBeGreaterThanOrEqual(56);
  expect(town.clock.waiting()).toBe(0);
});

test("a lost ACK: the answer comes again, and is acknowledged again without troubling the caller", () => {
  const town = line();
  bobAnswers(town);
  const { heard } = aliceCalls(town, { talkMs: 20_000 });
  town.clock.pass(1_001);
  town.network.weather({ loss: 1 });
  town.clock.pass(1);
  town.network.weather({});
  town.clock.pass(3_000);
  expect(heard).toEqual([180, 200]);
  expect(ladder(town.network).slice(2)).toEqual(["200 INVITE", "ACK", "200 INVITE", "ACK"]);
  expect(town.bob.load().unacknowledged).toBe(0);
  town.clock.pass(60_000);
});

test("an answer that is lost is sent again until its ACK is here", () => {
  const town = line();
  bobAnswers(town);
  const { heard } = aliceCalls(town, { talkMs: 20_000 });
  town.clock.pass(900);
  town.network.weather({ loss: 1 });
  town.clock.pass(1_400);
  town.network.weather({});
  town.clock.pass(3_000);
  expect(heard).toEqual([180, 200]);
  expect(ladder(town.network).filter((line) => line === "200 INVITE").length).toBeGreaterThan(1);
  expect(town.bob.load().unacknowledged).toBe(0);
  town.clock.pass(60_000);
});

test("an answer that is never acknowledged is told to whoever gave it, after 32 s", () => {
  const town = line();
  const bob = bobAnswers(town);
  town.alice.send(requestTo("INVITE"), town.toBob, () => {});
  town.clock.pass(34_000);
  expect(bob.calls).toEqual(["never acknowledged"]);
  expect(ladder(town.network).filter((line) => line === "200 INVITE")).toHaveLength(11);
  town.clock.pass(40_000);
  expect(town.clock.waiting()).toBe(0);
});

test("two phones that answer one call are both told to the caller, each once", () => {
  const { clock, alice, bob, toBob } = line();
  bob.onRequest((incoming) => {
    for (const toTag of ["first", "second"])
      incoming.respond(responseTo(incoming.request, 180, { toTag, headers: [bobsContact] }));
    incoming.respond(responseTo(incoming.request, 200, { toTag: "first", headers: [bobsContact] }));
    // A proxy would pass a second fork's answer on by itself.
    const second = responseTo(incoming.request, 200, { toTag: "second", headers: [bobsContact] });
    for (const atMs of [100, 300]) clock.after(atMs, () => forward(printMessage(second)));
  });
  const forward = (octets: string) => forwarding.send(octets, { transport: "udp", address: ALICE, port: 5060 }, NOBODY);
  const heard: string[] = [];
  const invite = requestTo("INVITE");
  const call = alice.send(invite, toBob, (outcome) => {
    if (!("response" in outcome)) return;
    const { dialog, ack, hop } = answeredCall(invite, outcome.response);
    heard.push(`${outcome.response.status} ${dialog.remoteTag} ${dialog.state}`);
    if (outcome.is === "success") call.sendAck(ack, hop);
  });
  const forwarding = bob.doorTo(toBob)!;
  clock.pass(2_000);
  expect(heard).toEqual(["180 first early", "180 second early", "200 first confirmed", "200 second confirmed"]);
  clock.pass(60_000);
  expect(alice.load()).toEqual(NOTHING_LEFT);
});

const NOBODY = { failed() {} };

test("a caller who hangs up while it rings is answered 200 to CANCEL and 487 to INVITE", () => {
  const town = line();
  const bob = bobAnswers(town, { afterMs: 60_000 });
  const heard: unknown[] = [];
  const call = town.alice.send(requestTo("INVITE"), town.toBob, (outcome) => {
    heard.push("response" in outcome ? outcome.response.status : outcome.is);
  });
  town.clock.pass(100);
  call.cancel("SIP;cause=487");
  call.cancel();
  town.clock.pass(1_000);
  expect(heard).toEqual([180, 487]);
  expect(bob.calls).toEqual(["cancelled"]);
  expect(ladder(town.network)).toEqual(["INVITE", "180 INVITE", "CANCEL", "200 CANCEL", "487 INVITE", "ACK"]);
  town.clock.pass(60_000);
  expect(town.bob.load()).toEqual(NOTHING_LEFT);
  expect(town.clock.waiting()).toBe(0);
});

test("an INVITE that nobody watches over is still refused when it is cancelled", () => {
  const { clock, alice, bob, toBob } = line();
  bob.onRequest((incoming) => void incoming.reply(180));
  const heard: unknown[] = [];
  const call = alice.send(requestTo("INVITE"), toBob, (outcome) => {
    heard.push("response" in outcome ? outcome.response.status : outcome.is);
  });
  clock.pass(10);
  call.cancel();
  clock.pass(1_000);
  expect(heard).toEqual([180, 487]);
  clock.pass(60_000);
});

test("a CANCEL that crosses the answer is answered, and the call stands", () => {
  const town = line();
  const bob = bobAnswers(town, { afterMs: 100 });
  const invite = requestTo("INVITE");
  const heard: unknown[] = [];
  const call = town.alice.send(invite, town.toBob, (outcome) => {
    if (!("response" in outcome)) return;
    heard.push(outcome.response.status);
    if (outcome.is !== "success") return;
    const { ack, hop } = answeredCall(invite, outcome.response);
    call.sendAck(ack, hop);
  });
  town.clock.pass(101);
  call.cancel();
  town.clock.pass(1_000);
  expect(heard).toEqual([180, 200]);
  expect(bob.calls).toEqual([]);
  expect(ladder(town.network).filter((line) => line.endsWith("CANCEL"))).toEqual(["CANCEL", "200 CANCEL"]);
  town.clock.pass(60_000);
});

test("a CANCEL for nothing gets 481", () => {
  const { clock, network, alice, toBob, bob } = line();
  bob.onRequest(() => expect.unreachable());
  alice.send(requestTo("CANCEL"), toBob, () => {});
  clock.pass(100);
  expect(ladder(network)).toEqual(["CANCEL", "481 CANCEL"]);
  clock.pass(60_000);
});

test("a caller waits no longer than 0.2 s for a sign of life", () => {
  const { clock, network, alice, bob, toBob } = line();
  const waiting: Incoming[] = [];
  bob.onRequest((incoming) => void waiting.push(incoming));
  alice.send(requestTo("INVITE"), toBob, () => {});
  clock.pass(300);
  expect(ladder(network)).toEqual(["INVITE", "100 INVITE"]);
  expect(waiting[0]!.reply(486)).toBe(true);
  expect(waiting[0]!.reply(200)).toBe(false);
  clock.pass(60_000);
  expect(bob.load()).toEqual(NOTHING_LEFT);
});

test("a request that names a dialog nobody here has gets 481, even with one tag guessed", () => {
  const { clock, network, alice, bob, toBob } = line();
  bobAnswers({ clock, network, alice, bob, toBob });
  const invite = requestTo("INVITE");
  const statuses: unknown[] = [];
  const call = alice.send(invite, toBob, (outcome) => {
    if (outcome.is !== "success") return;
    const { dialog, ack, hop } = answeredCall(invite, outcome.response);
    call.sendAck(ack, hop);
    for (const wrong of [
      { ...dialog, remote: `<sip:bob@${BOB}>;tag=guess` },
      { ...dialog, local: `<sip:alice@${ALICE}>;tag=guess` },
      { ...dialog, callId: "guess" },
    ])
      alice.send(requestInDialog(wrong, "BYE").request, hop, (outcome) => {
        if ("response" in outcome) statuses.push(outcome.response.status);
      });
  });
  clock.pass(5_000);
  expect(statuses).toEqual([481, 481, 481]);
  expect(bob.load().dialogs).toBe(1);
  expect(bob.counters.strayRequests).toBe(3);
  clock.pass(60_000);
});

test("the ACK goes to the dialog's owner when the INVITE's owner did not ask for it", () => {
  const { clock, alice, bob, toBob } = line();
  const inside: string[] = [];
  bob.onRequest((incoming) => {
    const dialog = dialogAsCallee(incoming.request, incoming.localTag, incoming.source);
    if (isMalformed(dialog)) throw new Error(dialog.malformed);
    bob.own(dialog, ({ request }) => void inside.push(request.method));
    incoming.reply(200, { headers: [bobsContact] });
  });
  const invite = requestTo("INVITE");
  const call = alice.send(invite, toBob, (outcome) => {
    if (outcome.is !== "success") return;
    const { ack, hop } = answeredCall(invite, outcome.response);
    call.sendAck(ack, hop);
    call.sendAck(ack, hop);
  });
  clock.pass(1_000);
  expect(inside).toEqual(["ACK"]);
  clock.pass(60_000);
});

test("a server that says 503 or cannot be reached is followed by the next, with a new branch", async () => {
  const { clock, network, alice, bob, toBob } = line();
  const branches: (string | undefined)[] = [];
  let asked = 0;
  bob.onRequest((incoming) => {
    branches.push(headerOf(incoming.request, "Via"));
    asked += 1;
    incoming.reply(asked === 1 ? 503 : 200);
  });
  const nowhere = { ...toBob, transport: "tcp" as const };
  const outcome = alice.ask(requestTo("OPTIONS"), [nowhere, toBob, toBob]);
  clock.pass(1_000);
  await expect(outcome).resolves.toMatchObject({ is: "success" });
  expect(new Set(branches).size).toBe(2);
  expect(network.carried()).toHaveLength(4);
  const lost = alice.ask(requestTo("OPTIONS"), nowhere);
  clock.pass(1);
  await expect(lost).resolves.toEqual({ is: "unreachable", why: "no-door" });
  clock.pass(60_000);
  expect(clock.waiting()).toBe(0);
});

test("the last 503 is the answer when no server is left", async () => {
  const { clock, alice, bob, toBob } = line();
  bob.onRequest((incoming) => void incoming.reply(503));
  const outcome = alice.ask(requestTo("OPTIONS"), [toBob, toBob]);
  clock.pass(1_000);
  await expect(outcome).resolves.toMatchObject({ is: "failure", response: { status: 503 } });
  clock.pass(60_000);
});

test("over a stream nothing is sent twice, and a call is as complete", () => {
  const town = line({ name: "tcp" });
  bobAnswers(town);
  const { heard } = aliceCalls(town);
  town.clock.pass(60_000);
  expect(heard).toEqual([180, 200, "BYE success"]);
  expect(town.network.carried()).toHaveLength(6);
  expect(town.bob.load()).toEqual(NOTHING_LEFT);
  expect(town.clock.waiting()).toBe(0);
});
