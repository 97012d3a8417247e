// Short texts between phones (SIP MESSAGE, RFC 3428): kept first, then given to every phone of the extension; what no
// phone takes waits for the next that registers, also over a crash.

import type { Clock } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import type { Random } from "../../../sip/headers/random.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import { textOf } from "../../../sip/message/text.ts";
import { userIn } from "../../../sip/message/uri.ts";
import type { Stack } from "../../../sip/stack.ts";
import type { Db } from "../../../store/db.ts";
import {
  dropPhoneTexts,
  extensionsWithTexts,
  keepPhoneText,
  type PhoneText,
  removePhoneText,
  waitingPhoneTexts,
} from "../../../store/phone-texts.ts";
import type { Directory, HomeExtension } from "../registrar/directory.ts";
import type { Authenticate } from "../registrar/login.ts";
import type { Registrar } from "../registrar/registrar.ts";
import { messageTo } from "./message-to.ts";

export type Texts = {
  /** Takes a MESSAGE outside a dialog and answers it. */
  take(incoming: Incoming): void;
  /** Texts of exchanges that live here from now on. */
  load(): Promise<void>;
  /** What is under way is not waited for: whatever no phone has taken is still kept. */
  close(): void;
};

export type TextsParts = {
  db: Db;
  clock: Clock;
  log: Log;
  random: Random;
  stack: Pick<Stack, "ask">;
  directory: Pick<Directory, "extension" | "extensionById" | "exchange">;
  authenticate: Authenticate;
  registrar: Pick<Registrar, "contactsOf" | "onRegister">;
};

const LONGEST_OCTETS = 4_000;
const MOST_WAITING = 100;
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

export async function openTexts(parts: TextsParts): Promise<Texts> {
  const { db, clock, log, directory, registrar } = parts;
  await dropPhoneTexts(db, new Date(clock.wall() - KEPT_DAYS * DAY_MS));
  /** Extensions for which something waits: a REGISTER of any other costs nothing. */
  const waiting = new Set<number>();
  const load = async () => {
    for (const { extensionId } of await extensionsWithTexts(db)) waiting.add(extensionId);
  };
  await load();
  const [busy, again] = [new Set<number>(), new Set<number>()];
  let closed = false;
  const stop = registrar.onRegister((extensionId) => {
    if (waiting.has(extensionId)) deliver(extensionId);
  });
  return {
    take,
    load,
    close() {
      closed = true;
      stop();
    },
  };

  function take(incoming: Incoming): void {
    const login = parts.authenticate(incoming);
    if (!("extension" in login)) return;
    const to = userIn(incoming.request.uri) ?? "";
    const recipient = directory.extension(login.exchange.id, to);
    const body = readable(incoming.request.body);
    if (incoming.request.body.length > LONGEST_OCTETS) incoming.reply(413);
    else if (body.trim() === "") incoming.reply(400, { reason: "Empty Message" });
    else if (!recipient?.active) incoming.reply(...(OUTSIDE.test(to) ? INSIDE_ONLY : NOBODY));
    else keep(incoming, { from: login.extension, to: recipient, body });
  }

  function keep(
    incoming: Incoming,
    { from, to, body }: { from: HomeExtension; to: HomeExtension; body: string },
  ): void {
    const text = { exchangeId: to.exchangeId, extensionId: to.id, fromNumber: from.number, fromName: from.name, body };
    keepPhoneText(db, { ...text, sentAt: new Date(clock.wall()) }, MOST_WAITING).then(
      (id) => {
        if (id === undefined) return void incoming.reply(480, { reason: "Too Many Messages Wait" });
        incoming.reply(202);
        waiting.add(to.id);
        return deliver(to.id);
      },
      (error: Error) => {
        log.error({ error: error.message }, "a text could not be kept");
        incoming.reply(503, { headers: [{ name: "Retry-After", value: "10" }] });
      },
    );
  }

  /** An extension at a time: a phone that does not answer keeps no other extension waiting. */
  function deliver(extensionId: number): void {
    if (closed) return;
    if (busy.has(extensionId)) return void again.add(extensionId);
    busy.add(extensionId);
    deliverWaiting(extensionId)
      .catch((error: Error) => log.error({ error: error.message }, "texts could not be delivered"))
      .finally(() => {
        busy.delete(extensionId);
        if (again.delete(extensionId)) deliver(extensionId);
      });
  }

  /** One after the other, so that they arrive in order; the first that nobody takes keeps the rest waiting. */
  async function deliverWaiting(extensionId: number): Promise<void> {
    const extension = directory.extensionById(extensionId);
    if (!extension) return void waiting.delete(extensionId);
    const texts = await waitingPhoneTexts(db, extension.exchangeId, extensionId);
    for (const text of texts) {
      if (!(await isTaken(parts, extension, text)) || closed) return;
      await removePhoneText(db, extension.exchangeId, text.id);
    }
    waiting.delete(extensionId);
  }
}

/** By at least one of its phones; the others are given it as well. */
function isTaken(
  { directory, registrar, stack, random }: TextsParts,
  to: HomeExtension,
  text: PhoneText,
): Promise<boolean> {
  const domain = directory.exchange(to.exchangeId)?.sipDomain ?? "";
  const taken = registrar.contactsOf(to.exchangeId, to.number).map(async (phone) => {
    const { is } = await stack.ask(messageTo(random, phone, { to, text, domain }), phone.destination);
    if (is !== "success") throw new Error(is);
  });
  return Promise.any(taken).then(
    () => true,
    () => false,
  );
}

const OUTSIDE = /^\+?\d{6,}$/;
const INSIDE_ONLY: Parameters<Incoming["reply"]> = [403, { reason: "Messages Go To Extensions Only" }];
const NOBODY: Parameters<Incoming["reply"]> = [404];

/** The database takes no NUL; of the other control characters only line ends and tabs mean something. */
const readable = (octets: string) => textOf(octets).replaceAll(CONTROLS, "");
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;
