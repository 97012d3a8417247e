// An exchange of nothing but fax: real SIP, real legs, the real engines, and no database. Calls come in and go out.

import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { realClock } from "../../src/clock.ts";
import type { Leg } from "../../src/exchange/calls/leg.ts";
import type { Party } from "../../src/exchange/calls/party.ts";
import { type FaxDemands, runFax } from "../../src/exchange/features/faxes/run-fax.ts";
import { incomingLeg } from "../../src/exchange/legs/incoming-leg.ts";
import type { LegParts } from "../../src/exchange/legs/leg-parts.ts";
import { outgoingLeg } from "../../src/exchange/legs/outgoing-leg.ts";
import { openStreamHub } from "../../src/exchange/legs/stream-hub.ts";
import { hash } from "../../src/exchange/signalling/registrar/hashing.ts";
import { silentLog } from "../../src/log.ts";
import { openEmbeddedEngine } from "../../src/media/embedded/embedded.ts";
import type { CodecName } from "../../src/media/engine.ts";
import { type FaxEngine, type FaxResult, failedFax } from "../../src/media/fax/fax-engine.ts";
import { openFaxProcess } from "../../src/media/fax/fax-process.ts";
import type { Incoming } from "../../src/sip/incoming.ts";
import { userIn } from "../../src/sip/message/uri.ts";
import { openStack } from "../../src/sip/stack.ts";
import { openRandom } from "../../src/sip/transport/random.ts";
import { openUdp } from "../../src/sip/transport/udp.ts";
import { lossy } from "./lossy.ts";

/** Where an exchange takes calls. */
export type SipDoor = { host: string; port: number };

export type SendOrder = {
  to: SipDoor;
  /** The number that is dialled: `receives` says what is done with it. */
  dial: string;
  wanted: FaxDemands;
  codecs?: CodecName[];
  /** Of the T.38 packets, in both directions. */
  loss?: number;
};

/** How a fax ended, and how the call did. */
export type Faxed = { result: FaxResult; cause: string };

export type Office = {
  door: SipDoor;
  /** A call to this number is taken as it is told to; what became of it. */
  receives(dial: string, wanted: FaxDemands): Promise<Faxed>;
  send(order: SendOrder): Promise<Faxed>;
  faxPid(): number | undefined;
  close(): Promise<void>;
};

export async function openOffice(here: string): Promise<Office> {
  const clock = realClock;
  const transport = await openUdp({ address: here, port: 0 });
  const media = await openEmbeddedEngine({
    workers: 1,
    portRange: [0, 0],
    address: here,
    mediaTimeoutMs: 30_000,
    log: silentLog,
    workerPath: resolve("dist/media-worker.js"),
  });
  const fax = openFaxProcess({
    places: { bind: here, ports: { from: 0, to: 0 }, inside: here },
    folder: tmpdir(),
    documents: [],
    processPath: resolve("dist/fax-machines.js"),
    clock,
    log: silentLog,
  });
  const random = openRandom();
  const stack = openStack({ clock, random, transports: [transport], unexpected: console.error });
  const mistake = (error: unknown) => console.error(error);
  const streams = openStreamHub(media);
  const legs: LegParts = {
    clock,
    media,
    streams,
    random,
    hash,
    stack,
    mistake,
    unexpected: console.error,
    product: "Fax office",
    locate: async () => [],
  };
  const expected = new Map<string, (leg: Leg) => void>();
  const run = (leg: Leg, wanted: FaxDemands, engine: FaxEngine = fax) =>
    faxOn(leg, wanted, { clock, media, fax: engine });
  stack.onRequest((incoming) => take(incoming));

  function take(incoming: Incoming): void {
    const expects = expected.get(userIn(incoming.request.uri) ?? "");
    if (incoming.request.method !== "INVITE" || !expects) return void incoming.reply(404);
    const leg = incomingLeg(legs, incoming, { id: randomUUID(), party: partyOf("1"), codecs: ["PCMA", "PCMU"] });
    if (leg) expects(leg);
  }

  return {
    door: { host: here, port: transport.sentBy.port },
    faxPid: () => fax.pid(),
    receives: (dial, wanted) =>
      new Promise((finish, fail) => {
        expected.set(dial, (leg) => {
          expected.delete(dial);
          leg
            .answer()
            .then(() => run(leg, wanted))
            .then(finish, fail);
        });
      }),
    async send({ to: { host, port }, dial, wanted, codecs = ["PCMA"], loss = 0 }) {
      const leg = outgoingLeg(legs, {
        id: randomUUID(),
        party: partyOf(dial),
        codecs,
        keepsFlow: false,
        headers: [],
        uri: `sip:${dial}@${host}:${port}`,
        from: `<sip:905321234567@${here}>`,
        to: `<sip:${dial}@${host}>`,
        destinations: [{ transport: "udp", address: host, port }],
      });
      const answered = await new Promise<boolean>((settle) =>
        leg.listen((event) => {
          if (event.is === "answered" || event.is === "ended") settle(event.is === "answered");
        }),
      );
      if (!answered) return { result: failedFax("noCall", "not answered"), cause: "" };
      return run(leg, wanted, loss > 0 ? lossy(fax, loss) : fax);
    },
    async close() {
      await stack.close();
      await fax.stop();
      await media.stop();
    },
  };
}

/** What a call does around a fax: its end aborts the fax, and the fax's end hangs it up. */
async function faxOn(
  leg: Leg,
  wanted: FaxDemands,
  parts: Pick<Parameters<typeof runFax>[0], "clock" | "media" | "fax">,
): Promise<Faxed> {
  const over = new AbortController();
  let cause = "";
  leg.listen((event) => {
    if (event.is !== "ended") return;
    cause = event.ending.cause;
    over.abort();
  });
  const result = await runFax({ ...parts, leg, signal: over.signal }, wanted);
  leg.end("NORMAL_CLEARING");
  return { result, cause };
}

function partyOf(number: string): Party {
  return { is: "outside", number, name: "" };
}
