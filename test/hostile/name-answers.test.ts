// A name server that answers nonsense to whoever asks it where a phone or a carrier is.

import { createSocket } from "node:dgram";
import { expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { openResolve } from "../../src/sip/transport/resolve.ts";
import { startNameServer } from "../carriers/name-server.ts";
import { whenOver } from "../ground/when-over.ts";
import { below, seeded } from "../sip/sip-mutator.ts";
import { openSpoiler } from "./octet-spoiler.ts";
import { SEED, SPOILT } from "./spoilt-packets.ts";

/** Each takes its time until the system's resolver gives up, so they are asked all together. */
const NAMES = Math.min(5_000, Math.ceil(SPOILT / 20));

test(`${NAMES} names with spoilt answers lead nowhere, or somewhere, and never into trouble`, {
  timeout: 120_000,
}, async () => {
  const random = seeded(SEED);
  const host = (place: number) => `${place}.carrier.test`;
  const all = Array.from({ length: NAMES }, (_, place) => place);
  const truth = await startNameServer({
    addresses: Object.fromEntries(all.flatMap((it) => [[host(it), ["192.0.2.7", "2001:db8::7"]]])),
    services: Object.fromEntries(
      all.map((it) => [`_sip._udp.${host(it)}`, [{ priority: 1, weight: 1, port: 5070, name: host(it) }]]),
    ),
    naming: Object.fromEntries(
      all.map((it) => [
        host(it),
        [{ order: 1, preference: 1, flags: "s", service: "SIP+D2U", replacement: `_sip._udp.${host(it)}` }],
      ]),
    ),
  });
  const between = createSocket("udp4");
  const asking = createSocket("udp4");
  whenOver(() => {
    between.close();
    asking.close();
  });
  const askers = new Map<number, { port: number; address: string }>();
  const spoil = openSpoiler(random, [Buffer.from("c00c00010001000000010004c0000207", "hex")]);
  const [truthHost, truthPort] = truth.at.split(":");
  between.on("message", (question, from) => {
    askers.set(question.readUInt16BE(0), from);
    asking.send(question, Number(truthPort), truthHost);
  });
  asking.on("message", (answer) => {
    const to = askers.get(answer.readUInt16BE(0));
    // Its number is left as it is, mostly: without it nobody looks at the rest.
    const spoilt = below(random, 3) === 0 ? answer : Buffer.concat([answer.subarray(0, 2), spoil(answer.subarray(2))]);
    if (to) between.send(spoilt, to.port, to.address);
  });
  await new Promise<void>((bound) => between.bind(0, "127.0.0.1", bound));
  const nameServers = [`127.0.0.1:${between.address().port}`];
  const resolve = openResolve({ clock: realClock, transports: ["udp"], nameServers, limitMs: 30_000 });
  const found = await Promise.all(all.map((it) => resolve(`sip:${host(it)}`)));
  for (const places of found) expect(places.length).toBeLessThanOrEqual(1_024);
  expect(found.some((places) => places.length > 0)).toBe(true);
  const sound = openResolve({ clock: realClock, transports: ["udp"], nameServers: [truth.at] });
  expect(await sound("sip:1.carrier.test")).toMatchObject([
    { address: "192.0.2.7", port: 5070 },
    { address: "2001:db8::7" },
  ]);
});
