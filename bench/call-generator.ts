// Sets calls up through an exchange and keeps them: both carriers in one, so that the two ports of a call are known.

import { realClock } from "../src/clock.ts";
import { dialogAsCallee, dialogAsCaller, nextHopOf, requestInDialog } from "../src/sip/dialog.ts";
import { isMalformed } from "../src/sip/message/malformed.ts";
import { openStack } from "../src/sip/stack.ts";
import { openRandom } from "../src/sip/transport/random.ts";
import type { Destination } from "../src/sip/transport/transport.ts";
import { openUdp } from "../src/sip/transport/udp.ts";
import { inviteFrom, ownHeaders, portIn, sdp } from "./carrier-words.ts";
import type { ExchangeProcess } from "./exchange-process.ts";
import { CALLEES_PORT, CALLERS_PORT } from "./rtp-load.ts";

const AT_ONCE = 10;

export async function connectCalls(start: (calleePort: number) => Promise<ExchangeProcess>) {
  const transport = await openUdp({ address: "127.0.0.1", port: 0 });
  const random = openRandom();
  const stack = openStack({ clock: realClock, random, transports: [transport] });
  const { port } = transport.sentBy;
  /** In the order in which the calls came. */
  const calleePorts: number[] = [];
  stack.onRequest((incoming) => {
    if (incoming.request.method !== "INVITE") return void incoming.reply(200);
    const dialog = dialogAsCallee(incoming.request, incoming.localTag, incoming.source);
    if (isMalformed(dialog)) return void incoming.reply(400);
    stack.own(dialog, (inside) => void (inside.request.method === "ACK" || inside.reply(200)));
    calleePorts.push(portIn(incoming.request.body));
    incoming.reply(200, { headers: ownHeaders(port), body: sdp(CALLEES_PORT) });
  });
  const exchange = await start(port);
  const server: Destination = { transport: "udp", address: "127.0.0.1", port: exchange.sipPort };
  return { exchange, connect, stop: () => stack.close() };

  /** The port facing the caller and the port facing the callee of each call, one after the other. */
  async function connect(calls: number): Promise<number[]> {
    const callerPorts: number[] = [];
    calleePorts.length = 0;
    for (let done = 0; done < calls; done += AT_ONCE)
      callerPorts.push(
        ...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, calls - done) }, () => placeCall()))),
      );
    if (calleePorts.length !== calls) throw new Error(`${calleePorts.length} of ${calls} calls came out here`);
    // Which caller talks with which callee is nothing to a load that only counts packets and their delay.
    return callerPorts.flatMap((caller, at) => [caller, calleePorts[at]!]);
  }

  function placeCall(): Promise<number> {
    const ports = { ownPort: port, exchangePort: exchange.sipPort, voicePort: CALLERS_PORT };
    const invite = inviteFrom({ random, ...ports });
    return new Promise((resolve, reject) => {
      const outgoing = stack.send(invite, server, (outcome) => {
        if (outcome.is === "provisional") return;
        if (outcome.is !== "success") return reject(new Error(`a call was refused: ${JSON.stringify(outcome)}`));
        const dialog = dialogAsCaller(invite, outcome.response);
        if (isMalformed(dialog)) return reject(new Error(dialog.malformed));
        stack.own(dialog, (inside) => void inside.reply(200));
        const hop = nextHopOf(dialog);
        const { request: ack } = requestInDialog(dialog, "ACK", { cseq: dialog.localCSeq });
        outgoing.sendAck(ack, typeof hop === "string" ? server : hop);
        resolve(portIn(outcome.response.body));
      });
    });
  }
}
