// What the switchboard adds to the metrics: messages, phones, trunks, and whoever is kept out.

import { Gauge, type Registry } from "prom-client";
import type { Switchboard } from "../exchange/signalling/switchboard.ts";

export function countSip(registry: Registry, { stack, registrar, trunks, abuse }: Switchboard): void {
  gauge("santral_sip_messages", "SIP messages since the start, by what became of them", "what", () => stack.counters);
  gauge("santral_sip_load", "SIP transactions, dialogs and connections alive", "what", () => stack.load());
  gauge("santral_phones", "Extensions with a registered phone, and registered contacts", "what", () =>
    registrar.counts(),
  );
  gauge("santral_trunk_up", "1 while the trunk can carry a call", "trunk", () =>
    Object.fromEntries(trunks.list().map(({ trunkId, name, up }) => [`${trunkId} ${name}`, up ? 1 : 0])),
  );
  gauge("santral_trunk_channels", "Calls on the trunk", "trunk", () =>
    Object.fromEntries(trunks.list().map(({ trunkId, name, channelsUsed }) => [`${trunkId} ${name}`, channelsUsed])),
  );
  gauge(
    "santral_trunk_addresses_waiting",
    "Addresses that the trunk names and that wait for approval or proof: no call is taken from there",
    "trunk",
    () => Object.fromEntries(trunks.list().map(({ trunkId, name, waiting }) => [`${trunkId} ${name}`, waiting.length])),
  );
  gauge(
    "santral_sip_faults",
    "Things honest phones seldom do, since the start",
    "offence",
    () => abuse.counts().faults,
  );
  gauge("santral_sip_penalties", "Sources that were ignored for a while", "offence", () => abuse.counts().penalties);
  gauge(
    "santral_sip_sources",
    "Addresses ignored now, and messages dropped unread and logins put off since the start",
    "what",
    () => ({
      ignored: abuse.boxed().length,
      remembered: abuse.counts().sources,
      dropped: abuse.counts().dropped,
      "put off": abuse.counts().putOff,
    }),
  );

  function gauge(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset(); // what is gone must not be told for ever
        for (const [value, count] of Object.entries(read())) this.set({ [label]: value }, count);
      },
    });
  }
}
