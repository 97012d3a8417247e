// Temporary URLs: how they are handed out, and what comes when one is opened.

import { Type } from "typebox";
import type { Objects } from "../../objects/objects.ts";
import { issueTicket, openWithTicket, type TicketSubject } from "../../store/tickets.ts";
import { markVoicemailRead } from "../../store/voicemail.ts";
import { type FileAnswer, type JsonAnswer, json, refuse, type TextAnswer, text } from "../door/answer.ts";
import type { Context } from "../door/context.ts";
import { endpoint } from "../door/endpoint.ts";
import { body, limit, schema, ticket } from "../door/guards.ts";
import { words } from "../parameters/schema.ts";
import { keptFile } from "./kept-file.ts";

export const EXPIRED = refuse({ refused: "ticket-expired" });

const places: Record<TicketSubject, string> = {
  recording: "recording",
  voicemail: "recording",
  fax: "fax_document",
};

/** Plain text; JSON only for a client that asks for JSON and would take nothing else. */
export async function temporaryUrl(
  opens: Exclude<TicketSubject, "fax">,
  subject: string,
  context: Context,
): Promise<TextAnswer | JsonAnswer> {
  const { url, expiresAt } = await issueUrl(opens, subject, context);
  const { accept } = context;
  const wantsJson = /\bapplication\/json\b/i.test(accept) && !/\btext\/|\*\/\*/i.test(accept);
  return wantsJson ? json({ url, expires_at: expiresAt.toISOString().replace(/\.\d+Z$/, "Z") }) : text(url);
}

/** Where to fetch it, for an hour. */
export async function issueUrl(
  opens: TicketSubject,
  subject: string,
  { db, exchangeId, clock, baseUrl, line }: Context,
): Promise<{ url: string; expiresAt: Date }> {
  const { ticket, expiresAt } = await issueTicket(db, { exchangeId, opens, subject, now: clock.wall() });
  return { url: `${baseUrl(line)}/${places[opens]}/${ticket}`, expiresAt };
}

export const downloadRecording = endpoint({
  group: "Recordings",
  methods: ["GET", "HEAD"],
  paths: ["/recording/:ticket"],
  summary: "Fetch a recording or a voicemail message",
  description: "Needs no key: the ticket is the protection. Range requests are answered.",
  parameters: Type.Object({ ticket: words({ example: "R8f14e45f-ceea-467f-a1b2-c3d4e5f60718" }) }),
  guards: [ticket, limit("download"), body, schema],
  reply: "file",
  example: "(audio)",
  refusals: [{ refused: "ticket-expired" }, { refused: "archive-silent" }],
  async handle({ ticket }, { db, clock, log, objects, archives, method }) {
    const opened = await openWithTicket(db, ticket, clock.wall());
    const means = { db, clock, log, objects, archives };
    const file = opened && opened.opens !== "fax" && (await keptFile(means, opened.exchangeId, opened));
    if (!file) return EXPIRED;
    // Asking how long a message is does not mean having heard it.
    if (opened.opens === "voicemail" && method === "GET")
      await markVoicemailRead(db, opened.exchangeId, opened.subject);
    return file;
  },
});

/** Undefined when it is not there any more. */
export async function fileOf(objects: Objects, key: string, mediaType: string): Promise<FileAnswer | undefined> {
  const size = await objects.size(key);
  if (size === undefined) return undefined;
  return { says: "file", mediaType, size, open: async (range) => (await objects.read(key, range))?.stream };
}
