// A customer's CRM: an HTTP server that keeps the events of calls as they come.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { whenOver } from "../ground/when-over.ts";
import type { RealTown } from "../town/real-town.ts";

export type Event = Record<string, string>;

export type EventReceiver = {
  url: string;
  events: Event[];
  /** Names of the events of one call, in the order in which they came. */
  of(uuid: string): string[];
  /** The first event that fits, whether it came already or is still to come. */
  event(fits: Partial<Event>, timeoutMs?: number): Promise<Event>;
  /** How it answers; 200 at first. */
  answers: (response: ServerResponse) => void;
};

/** What the exchange must be told so that it reaches a CRM on this machine. */
export const PRIVATE_WEBHOOKS = { SANTRAL_PRIVATE_WEBHOOKS: "true" };

/** An event whose answer was lost comes again: what is the same then goes by `X-Santral-Delivery`. */
export async function openReceiver({
  repeats = "count",
}: {
  repeats?: "count" | "are one";
} = {}): Promise<EventReceiver> {
  const waiting = new Set<() => void>();
  const known = new Set<unknown>();
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return; // whoever told it was killed in the middle of the sentence
    const event = Object.fromEntries(new URLSearchParams(body));
    const delivery = request.headers["x-santral-delivery"];
    const isRepeat = repeats === "are one" && known.has(delivery);
    known.add(delivery);
    if (!isRepeat && (event.event_type ?? event.notification_id) !== undefined) receiver.events.push(event);
    receiver.answers(response);
    for (const look of [...waiting]) look();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  whenOver(() => {
    server.closeAllConnections();
    server.close();
  });
  const receiver: EventReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/calls`,
    events: [],
    of: (uuid) => receiver.events.flatMap((it) => (it.call_uuid === uuid ? (it.event_type ?? "") : [])),
    event: (fits, timeoutMs = 60_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`no event ${JSON.stringify(fits)} among ${JSON.stringify(receiver.events)}`));
        }, timeoutMs);
        const look = () => {
          const found = receiver.events.find((it) => Object.entries(fits).every(([name, value]) => it[name] === value));
          if (!found) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    answers: (response) => response.end("OK"),
  };
  return receiver;
}

/** A receiver that the exchange reports everything to. */
export async function reportedEvents(
  town: RealTown,
  options?: Parameters<typeof openReceiver>[0],
): Promise<EventReceiver> {
  const receiver = await openReceiver(options);
  const all = { ringing: "on", answered: "on", hangup: "on", notification_url: receiver.url };
  await town.post("/crm_integrations", all);
  return receiver;
}
