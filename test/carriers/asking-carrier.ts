// A carrier on the memory network that asks for a password at every step, at two hops, and forgets its nonces.

import { createHash } from "node:crypto";
import { callIdOf, fromOf, toOf } from "../../src/sip/headers/addresses.ts";
import { parseAuth } from "../../src/sip/headers/auth.ts";
import { cseqOf } from "../../src/sip/headers/cseq.ts";
import { tagOf } from "../../src/sip/headers/name-address.ts";
import type { Incoming } from "../../src/sip/incoming.ts";
import { isMalformed } from "../../src/sip/message/malformed.ts";
import { headersOf, type Request } from "../../src/sip/message/message.ts";
import { openStack, type Stack } from "../../src/sip/stack.ts";
import { openRandom } from "../../src/sip/transport/random.ts";
import type { Destination } from "../../src/sip/transport/transport.ts";
import type { TestClock } from "../ground/test-clock.ts";
import { unexpected } from "../ground/unexpected.ts";
import type { MemoryNetwork } from "../sip/memory-network.ts";

/** One place on the way that wants to know who asks. */
export type Hop = {
  status: 401 | 407;
  realm: string;
  /** Its nonce is old after so many uses, which it says as a rule. */
  uses?: number;
  saysStale?: boolean;
  /** Whoever is asked is asked with the same one until it is old. */
  keepsNonce?: boolean;
};

export type AskingCarrier = {
  destination: Destination;
  stack: Stack;
  /** Methods with what was said to each, in order: `INVITE 407`. */
  heard: string[];
  /** CSeq numbers of what was let through. */
  counted: { method: string; number: number }[];
  requests: Request[];
};

export const ACCOUNT = { user: "santral", password: "secret" };

export function askingCarrier(
  { clock, network }: { clock: TestClock; network: MemoryNetwork },
  { address, hops, act }: { address: string; hops: Hop[]; act(incoming: Incoming): void },
): AskingCarrier {
  const stack = openStack({ clock, random: openRandom(), unexpected, transports: [network.attach({ address })] });
  const uses = new Map<string, number>();
  const nonces = new Map<Hop, string>();
  const used = new Set<string>();
  const heard: string[] = [];
  const counted: AskingCarrier["counted"] = [];
  const requests: Request[] = [];
  let made = 0;

  const carrier: AskingCarrier = {
    destination: { transport: "udp", address, port: 5060 },
    stack,
    heard,
    counted,
    requests,
  };
  stack.onRequest(take);
  return carrier;

  function take(incoming: Incoming): void {
    const { request } = incoming;
    requests.push(request);
    if (request.method !== "ACK" && request.method !== "CANCEL")
      for (const hop of hops) {
        const verdict = judge(hop, request);
        if (verdict === "right") continue;
        heard.push(`${request.method} ${hop.status}`);
        return void incoming.reply(hop.status, { headers: [challenge(hop, verdict === "old")] });
      }
    heard.push(request.method);
    if (request.method === "INVITE" && tagOf(toOf(request)) === undefined) own(incoming);
    counted.push({ method: request.method, number: cseqOf(request).number });
    act(incoming);
  }

  function own({ request, localTag }: Incoming): void {
    stack.own({ callId: callIdOf(request), localTag, remoteTag: tagOf(fromOf(request)) ?? "" }, take);
  }

  function judge(hop: Hop, request: Request): "right" | "wrong" | "old" {
    const name = hop.status === 401 ? "Authorization" : "Proxy-Authorization";
    const found = headersOf(request, name)
      .map(parseAuth)
      .find((it) => !isMalformed(it) && it.parameters.get("realm") === hop.realm);
    if (!found || isMalformed(found)) return "wrong";
    const field = (name: string) => found.parameters.get(name) ?? "";
    const ha1 = md5(`${ACCOUNT.user}:${hop.realm}:${ACCOUNT.password}`);
    const ha2 = md5(`${request.method}:${field("uri")}`);
    const right = md5(`${ha1}:${field("nonce")}:${field("nc")}:${field("cnonce")}:auth:${ha2}`);
    const once = `${field("nonce")} ${field("nc")}`;
    if (field("response") !== right || field("uri") !== request.uri || used.has(once)) return "wrong";
    if (field("nonce") !== nonces.get(hop)) return "old";
    const times = (uses.get(field("nonce")) ?? 0) + 1;
    if (times > (hop.uses ?? Number.POSITIVE_INFINITY)) return "old";
    uses.set(field("nonce"), times);
    used.add(once);
    return "right";
  }

  function challenge(hop: Hop, isOld: boolean) {
    made += 1;
    if (isOld || !hop.keepsNonce || !nonces.has(hop)) nonces.set(hop, `nonce-${made}`);
    const stale = isOld && hop.saysStale !== false ? ", stale=true" : "";
    const name = hop.status === 401 ? "WWW-Authenticate" : "Proxy-Authenticate";
    return {
      name,
      value: `Digest realm="${hop.realm}", nonce="${nonces.get(hop)}", qop="auth", algorithm=MD5${stale}`,
    };
  }
}

const md5 = (text: string) => createHash("md5").update(text).digest("hex");
