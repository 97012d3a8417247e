import { expect, test } from "vitest";
import {
  ALICE,
  answeredCall,
  BOB,
  bobsContact,
  destinationOf,
  line,
  requestTo,
} from "../../../test/phones/sip-phones.ts";
import type { Outcome } from "../../sip/client.ts";
import { dialogAsCallee, nextHopOf, requestInDialog } from "../../sip/dialog.ts";
import { isMalformed } from "../../sip/message/malformed.ts";
import { headerOf } from "../../sip/message/message.ts";
import { responseTo } from "../../sip/respond.ts";
import { DialogSide } from "./dialog-side.ts";
import { FlowBack } from "./flow-back.ts";

const bound = (thing: object, name: string | symbol): unknown => {
  const value: unknown = Reflect.get(thing, name);
  return typeof value === "function" ? value.bind(thing) : value;
};

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A call with Bob that is up, and what he is asked for in it; he has moved within his house since he answered. */
function talking({ firstOutcome }: { firstOutcome?: Outcome } = {}) {
  const town = line();
  let lost = firstOutcome;
  const ask: typeof town.alice.ask = (...what) => {
    const outcome = lost;
    lost = undefined;
    return outcome ? Promise.resolve(outcome) : town.alice.ask(...what);
  };
  const stack = new Proxy(town.alice, { get: (alice, name) => (name === "ask" ? ask : bound(alice, name)) });
  const asked: string[] = [];
  const offers: (string | undefined)[] = [];
  const via = { name: "Via", value: `SIP/2.0/UDP ${ALICE};branch=z9hG4bK-1` };
  const invite = requestTo("INVITE", { headers: [via] });
  const { dialog } = answeredCall(invite, responseTo(invite, 200, { toTag: "b", headers: [bobsContact] }));
  const bobs = dialogAsCallee(invite, "b", { transport: "udp", address: ALICE, port: 5060, listener: "" });
  if (isMalformed(bobs)) throw new Error(bobs.malformed);
  town.bob.own(bobs, (incoming) => {
    asked.push(`${incoming.request.method} ${incoming.request.uri}`);
    incoming.reply(200, { headers: [{ name: "Contact", value: `<sip:upstairs@${BOB}:5060>` }] });
  });
  const nobody = () => undefined;
  const side = new DialogSide(
    { stack, locate: async () => [], product: "Town", mistake: nobody },
    {
      dialog,
      contact: "<sip:alice@192.0.2.1:5060>",
      hears: {
        bye: nobody,
        acknowledged: nobody,
        digit: nobody,
        moved: nobody,
        referred: nobody,
        changed: nobody,
        prack: () => false,
        renewed: () => [],
        renewing: () => [],
        taken: () => undefined,
        reoffer: async (offer) => {
          offers.push(offer);
          return { sdp: "v=0" };
        },
      },
    },
  );
  const pass = async () => {
    await settled();
    town.clock.pass(100);
    await settled();
  };
  /** What Bob hears when he asks for a change, and with what. */
  const changes = async (type: string, body: string) => {
    const headers = [bobsContact, { name: "Content-Type", value: type }];
    const { request } = requestInDialog(bobs, "UPDATE", { headers, body });
    const outcome = town.bob.ask(request, destinationOf(nextHopOf(bobs)));
    await pass();
    await pass(); // the answer is made after the question was heard
    const heard = await outcome;
    return "response" in heard ? heard.response : undefined;
  };
  return { asked, offers, side, pass, changes, clock: town.clock };
}

test("a phone that moves while it gives a sign of life is hung up on where it now is", async () => {
  const { asked, side, pass } = talking();
  void side.refresh(undefined, []);
  await pass();
  side.bye("NORMAL_CLEARING");
  await pass();
  expect(asked).toEqual([`UPDATE sip:bob@${BOB}:5060`, `BYE sip:upstairs@${BOB}:5060`]);
});

test("a goodbye that did not reach the phone is said once more when its connection is back", async () => {
  const { asked, side, pass, clock } = talking({ firstOutcome: { is: "unreachable" } });
  let comes: (() => void) | undefined;
  side.way = new FlowBack(
    clock,
    (tell) => {
      comes = () => tell({ transport: "udp", address: BOB, port: 5060 });
      return () => undefined;
    },
    (flow) => side.follow(flow),
  );
  side.bye("NORMAL_CLEARING");
  clock.pass(40_000);
  await pass();
  expect(asked).toEqual([]);
  comes?.();
  await pass();
  await pass();
  expect(asked).toEqual([`BYE sip:bob@${BOB}:5060`]);
});

test("a phone that moves while the media change gets its ACK where it now is", async () => {
  const { asked, side, pass } = talking();
  void side.change("v=0");
  await pass();
  side.bye("NORMAL_CLEARING");
  await pass();
  const upstairs = `sip:upstairs@${BOB}:5060`;
  expect(asked).toEqual([`INVITE sip:bob@${BOB}:5060`, `ACK ${upstairs}`, `BYE ${upstairs}`]);
});

test("a change whose session description is one part of several is understood", async () => {
  const { offers, changes } = talking();
  const optional = "--b\r\nContent-Type: text/x\r\nContent-Disposition: info;handling=optional\r\n\r\nx\r\n";
  const body = `${optional}--b\r\nContent-Type: application/sdp\r\n\r\nv=0\r\n\r\n--b--\r\n`;
  expect((await changes("multipart/mixed;boundary=b", body))?.status).toBe(200);
  expect(offers).toEqual(["v=0\r\n"]);
});

test("a change with a part that must be understood and is not is refused with what we take", async () => {
  const { offers, changes } = talking();
  const response = await changes("multipart/mixed;boundary=b", "--b\r\nContent-Type: text/x\r\n\r\nx\r\n--b--\r\n");
  expect(response?.status).toBe(415);
  expect(response && headerOf(response, "Accept")).toBe("application/sdp, multipart/mixed, multipart/alternative");
  expect(offers).toEqual([]);
});
