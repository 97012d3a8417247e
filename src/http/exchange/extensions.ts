// Extensions as the API shows them. A SIP password leaves the exchange only where its provider says so.

import { Type } from "typebox";
import { describeExtension, listExtensions as list, updateExtension } from "../../store/extensions.ts";
import { shownPassword } from "../../store/shown-passwords.ts";
import { json, refuse, text } from "../door/answer.ts";
import { endpoint } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { oneOf, words } from "../parameters/schema.ts";

const group = "Extensions";

export const listExtensions = endpoint({
  group,
  methods: ["GET"],
  paths: ["/extensions"],
  summary: "List extensions",
  parameters: Type.Object({}),
  guards: [key, limit("default"), body, schema],
  reply: "json",
  example: [{ number: "1000", name: "DAHİLİ-1", dnd: false, is_agent: true, domain: "firma.example.com" }],
  async handle(_, { db, exchangeId, tenant }) {
    const extensions = await list(db, exchangeId);
    return json(
      extensions.map(({ number, name, dnd, isAgent }) => ({
        number,
        name,
        dnd,
        is_agent: isAgent,
        domain: tenant.sipDomain,
      })),
    );
  },
});

export const showExtension = endpoint({
  group,
  methods: ["GET"],
  paths: ["/extensions/:id"],
  summary: "One extension",
  description:
    "`password` is the SIP password: only where the provider has switched `show-sip-passwords` on, and of extensions " +
    "whose password was made since then.",
  parameters: Type.Object({ id: words({ description: "the extension's number", example: "1000" }) }),
  guards: [key, limit("default"), body, schema],
  reply: "json",
  example: {
    number: "1000",
    domain: "firma.example.com",
    name: "DAHİLİ-1",
    dnd: false,
    is_agent: true,
    max_calls: 2,
    use_webrtc: false,
    time_range_begin: "00:00",
    time_range_end: "23:59",
    outbound_caller_id_number: "908501234567",
  },
  refusals: [{ refused: "no-such-extension", extension: "1005" }],
  async handle({ id }, { db, exchangeId, tenant, openSecret }) {
    const found = await describeExtension(db, exchangeId, id);
    if (!found) return refuse({ refused: "no-such-extension", extension: id });
    const password = openSecret && (await shownPassword(db, { open: openSecret }, { exchangeId, number: id }));
    return json({
      number: found.number,
      password, // left out where it is undefined
      domain: tenant.sipDomain,
      name: found.name,
      dnd: found.dnd,
      is_agent: found.isAgent,
      max_calls: found.maxCalls,
      use_webrtc: found.useWebrtc,
      time_range_begin: found.timeRangeBegin,
      time_range_end: found.timeRangeEnd,
      outbound_caller_id_number: found.outboundCallerId ?? "",
    });
  },
});

export const setDnd = endpoint({
  group,
  methods: ["GET", "POST", "PUT", "PATCH"],
  paths: ["/dnd/:id", "/dnd"],
  summary: "Switch an extension's do-not-disturb",
  changes: true,
  description: "While it is on, calls to the extension are refused.",
  parameters: Type.Object({
    id: words({
      description: "the extension's number",
      example: "1010",
      missing: () => ({ refused: "missing-extension" }),
    }),
    state: oneOf(["on", "off"], { missing: () => ({ refused: "not-one-of", field: "state", choices: ["on", "off"] }) }),
  }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "Changed DND of 1010 to on.",
  refusals: [
    { refused: "not-one-of", field: "state", choices: ["on", "off"] },
    { refused: "extension-not-found", extension: "1005" },
  ],
  async handle({ id, state }, { db, exchangeId, extensionStates }) {
    const changed = await updateExtension(db, { exchangeId, number: id, changes: { dnd: state === "on" } });
    if (!changed) return refuse({ refused: "extension-not-found", extension: id });
    extensionStates.forget((whose) => whose === exchangeId);
    return text(`Changed DND of ${id} to ${state}.`);
  },
});
