// What a softphone fetches once to know its account: the provisioning file of Linphone and its relatives.

import { Readable } from "node:stream";
import { Type } from "typebox";
import { bracketed } from "../../addresses.ts";
import { type PhoneSettings, takePhoneSettings } from "../../store/phone-tickets.ts";
import { endpoint } from "../door/endpoint.ts";
import { body, limit, schema, ticket } from "../door/guards.ts";
import { words } from "../parameters/schema.ts";
import { EXPIRED } from "./tickets.ts";

export const fetchPhoneSettings = endpoint({
  group: "Extensions",
  methods: ["GET"],
  paths: ["/phone_settings/:ticket"],
  summary: "Fetch a phone's settings",
  description: "Needs no key: the ticket of a QR code is the protection. It opens once, for ten minutes.",
  changes: true,
  parameters: Type.Object({ ticket: words({ example: "P8f14e45f-ceea-467f-a1b2-c3d4e5f60718" }) }),
  guards: [ticket, limit("download"), body, schema],
  reply: "file",
  example: "(XML)",
  refusals: [{ refused: "ticket-expired" }],
  async handle({ ticket }, { db, clock, clientAddress }) {
    const settings = await takePhoneSettings(db, { ticket, now: clock.wall(), address: clientAddress });
    if (!settings) return EXPIRED;
    const bytes = Buffer.from(linphoneXml(settings));
    const open = async ({ from, to }: { from: number; to: number }) => Readable.from([bytes.subarray(from, to + 1)]);
    return { says: "file", mediaType: "application/xml", size: bytes.length, open };
  },
});

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
const xml = (text: string) => text.replace(/[&<>"']/g, (mark) => escapes[mark] ?? "");

/** A quoted string of a SIP address. */
const quotedName = (name: string) => (name === "" ? "" : `"${name.replace(/["\\]/g, "\\$&")}" `);

/** In the words of liblinphone's configuration: one account, and the digest by which it signs in. */
function linphoneXml({ number, name, sipDomain, ha1, host, port, transport }: PhoneSettings): string {
  const sections = {
    sip: { default_proxy: "0" },
    proxy_0: {
      reg_proxy: `<sip:${bracketed(host)}:${port};transport=${transport}>`,
      reg_route: `<sip:${bracketed(host)}:${port};transport=${transport};lr>`,
      reg_identity: `${quotedName(name)}<sip:${number}@${sipDomain}>`,
      reg_expires: "600",
      reg_sendregister: "1",
      publish: "0",
    },
    auth_info_0: { username: number, domain: sipDomain, realm: sipDomain, ha1, algorithm: "MD5" },
  };
  const entry = ([key, value]: [string, string]) => `    <entry name="${key}" overwrite="true">${xml(value)}</entry>`;
  const section = ([key, entries]: [string, Record<string, string>]) =>
    [`  <section name="${key}">`, ...Object.entries(entries).map(entry), "  </section>"].join("\n");
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<config xmlns="http://www.linphone.org/xsds/lpconfig.xsd">',
    ...Object.entries(sections).map(section),
    "</config>",
    "",
  ].join("\n");
}
