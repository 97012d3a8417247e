// Which call events are reported, and to which URL.

import { Type } from "typebox";
import { EVENT_SWITCHES, type EventSwitch, eventSwitches } from "../../nouns/exchange.ts";
import { changeCrmSettings, readCrmSettings } from "../../store/crm-settings.ts";
import { checkUrl } from "../../webhooks/guard.ts";
import { json, OK, refuse } from "../door/answer.ts";
import type { Context } from "../door/context.ts";
import { endpoint, type Refused } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { flag, words } from "../parameters/schema.ts";

const group = "CRM settings";
const LONGEST_URL = 2_000;
const onOrOff = (name: EventSwitch) =>
  Type.Optional(
    flag({
      description: `${eventSwitches[name].about.en}: on or off`,
      example: "on",
      wrong: () => ({ refused: "not-one-of", field: name, choices: ["on", "off"] }),
    }),
  );
const switches = forEach(onOrOff);

/** By the name of each switch. */
function forEach<Value>(make: (name: EventSwitch) => Value): Record<EventSwitch, Value> {
  return Object.fromEntries(EVENT_SWITCHES.map((name) => [name, make(name)])) as Record<EventSwitch, Value>; // of these
}

export const showCrmSettings = endpoint({
  group,
  methods: ["GET"],
  paths: ["/crm_integrations"],
  summary: "Read the CRM settings",
  parameters: Type.Object({}),
  guards: [key, limit("default"), body, schema],
  reply: "json",
  example: { ...forEach(() => "on"), notification_url: "https://crm.example.com/calls" },
  async handle(_, { db, exchangeId }) {
    const settings = (await readCrmSettings(db, exchangeId))!; // the exchange whose key was just looked up
    return json({ ...forEach((name) => word(settings[name])), notification_url: settings.url ?? "" });
  },
});

export const updateCrmSettings = endpoint({
  group,
  methods: ["POST", "PUT", "PATCH"],
  paths: ["/crm_integrations"],
  summary: "Change the CRM settings",
  description: "What is left out stays as it is. Where the exchange asks for it, a new URL must answer a trial POST.",
  parameters: Type.Object({
    ...switches,
    notification_url: Type.Optional(words({ longest: LONGEST_URL, example: "https://crm.example.com/calls" })),
  }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "OK",
  refusals: [
    { refused: "not-one-of", field: "ringing", choices: ["on", "off"] },
    { refused: "misfit", field: "notification_url", value: "ftp://example.com" },
    { refused: "url-silent", field: "notification_url" },
  ],
  async handle({ notification_url: url, ...wanted }, context) {
    const refusal = url === undefined ? undefined : await refuseUrl(url, context);
    if (refusal) return refusal;
    await changeCrmSettings(context.db, context.exchangeId, { ...wanted, url });
    return OK;
  },
});

async function refuseUrl(url: string, { db, exchangeId, probeUrl, limit }: Context): Promise<Refused | undefined> {
  // Whether its address may be called is decided at every call; here only what could never be called is refused.
  if ("refused" in checkUrl(url, { privateAllowed: true }))
    return refuse({ refused: "misfit", field: "notification_url", value: url });
  const settings = await readCrmSettings(db, exchangeId);
  if (!settings?.probe || settings.url === url) return undefined;
  return (await (probeUrl && limit.hold(probeUrl(url))))
    ? undefined
    : refuse({ refused: "url-silent", field: "notification_url" });
}

function word(on: boolean): "on" | "off" {
  return on ? "on" : "off";
}
