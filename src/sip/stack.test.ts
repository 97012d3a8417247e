import { expect, test } from "vitest";
import { answeredCall, bobsContact, ladder, line, requestTo } from "../../test/sip-phones.ts";
import { acceptInDialog, dialogAsCallee, requestInDialog } from "./dialog.ts";
import { isMalformed } from "./malformed.ts";

const NOTHING_LEFT = { clientTransactions: 0, serverTransactions: 0, unacknowledged: 0, dialogs: 0, connections: 0 };

test("a call is rung, answered, acknowledged and hung up, and nothing is left of it", () => {
  const { clock, network, alice, bob, toBob } = line();
  let acknowledged = false;
  bob.onRequest((incoming) => {
    const dialog = dialogAsCallee(incoming.request, incoming.localTag, incoming.source);
    if (isMalformed(dialog)) throw new Error(dialog.malformed);
    const release = bob.own(dialog, (inside) => {
      expect(acceptInDialog(dialog, inside.request)).toHaveProperty("accepted");
      inside.reply(200);
      release();
    });
    incoming.onAck((ack) => {
      acknowledged = ack !== "never";
    });
    incoming.reply(180, { headers: [bobsContact] });
    clock.after(1_000, () => incoming.reply(200, { headers: [bobsContact] }));
  });
  const invite = requestTo("INVITE");
  const heard: number[] = [];
  const call = alice.send(invite, toBob, (outcome) => {
    if (!("response" in outcome)) throw new Error(outcome.is);
    heard.push(outcome.response.status);
    if (outcome.is !== "success") return;
    const { dialog, ack, hop } = answeredCall(invite, outcome.response);
    call.sendAck(ack, hop);
    clock.after(5_000, () => alice.send(requestInDialog(dialog, "BYE").request, hop, () => heard.push(0)));
  });
  clock.pass(10_000);
  expect(heard).toEqual([180, 200, 0]);
  expect(acknowledged).toBe(true);
  expect(ladder(network)).toEqual(["INVITE", "180 INVITE", "200 INVITE", "ACK", "BYE", "200 BYE"]);
  clock.pass(40_000);
  expect(alice.load()).toEqual(NOTHING_LEFT);
  expect(bob.load()).toEqual(NOTHING_LEFT);
  expect(clock.waiting()).toBe(0);
});
