// Which call events are reported, and to which URL.

import { Type } from "typebox";
import { changeCrmSettings, readCrmSettings } from "../../store/crm-settings.ts";
import { checkUrl } from "../../webhooks/guard.ts";
import { echo, json, OK, type RefusedAnswer, refuse } from "../door/answer.ts";
import type { Context } from "../door/context.ts";
import { endpoint } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { flag, words } from "../parameters/schema.ts";

const group = "CRM settings";
const LONGEST_URL = 2_000;
const onOrOff = (name: string, description: string) =>
  Type.Optional(flag({ description, example: "on", wrong: () => `${name} must be on or off` }));

export const showCrmSettings = endpoint({
  group,
  methods: ["GET"],
  paths: ["/crm_integrations"],
  summary: "Read the CRM settings",
  parameters: Type.Object({}),
  guards: [key, limit("default"), body, schema],
  reply: "json",
  example: { ringing: "on", answered: "on", hangup: "on", notification_url: "https://crm.example.com/calls" },
  async handle(_, { db, exchangeId }) {
    const settings = (await readCrmSettings(db, exchangeId))!; // the exchange whose key was just looked up
    const { ringing, answered, hangup, url } = settings;
    return json({
      ringing: word(ringing),
      answered: word(answered),
      hangup: word(hangup),
      notification_url: url ?? "",
    });
  },
});

export const updateCrmSettings = endpoint({
  group,
  methods: ["POST", "PUT", "PATCH"],
  paths: ["/crm_integrations"],
  summary: "Change the CRM settings",
  description: "What is left out stays as it is. Where the exchange asks for it, a new URL must answer a trial POST.",
  parameters: Type.Object({
    ringing: onOrOff("ringing", "report ringing: on or off"),
    answered: onOrOff("answered", "report answers: on or off"),
    hangup: onOrOff("hangup", "report the ends of calls: on or off"),
    notification_url: Type.Optional(words({ longest: LONGEST_URL, example: "https://crm.example.com/calls" })),
  }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "OK",
  refusals: [
    [400, "ringing must be on or off"],
    [400, "invalid notification_url: ftp://example.com"],
    [400, "notification_url did not return 200"],
  ],
  async handle({ notification_url: url, ringing, answered, hangup }, context) {
    const refusal = url === undefined ? undefined : await refuseUrl(url, context);
    if (refusal) return refusal;
    await changeCrmSettings(context.db, context.exchangeId, { ringing, answered, hangup, url });
    return OK;
  },
});

async function refuseUrl(url: string, { db, exchangeId, probeUrl }: Context): Promise<RefusedAnswer | undefined> {
  // Whether its address may be called is decided at every call; here only what could never be called is refused.
  if ("refused" in checkUrl(url, { privateAllowed: true }))
    return refuse(400, `invalid notification_url: ${echo(url)}`);
  const settings = await readCrmSettings(db, exchangeId);
  if (!settings?.probe || settings.url === url) return undefined;
  return (await probeUrl?.(url)) ? undefined : refuse(400, "notification_url did not return 200");
}

function word(on: boolean): "on" | "off" {
  return on ? "on" : "off";
}
