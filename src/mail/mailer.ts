// PORT-less and small: letters go out by the operator's SMTP server, or not at all until one is set.

import { type OpenTurns, uncounted } from "../fair-turns.ts";

export type Letter = {
  /** The exchange whose it is: exchanges take turns at the mail server. */
  whose: number;
  to: string;
  subject: string;
  text: string;
  attachments: ({ name: string; type: string } & ({ path: string } | { content: Buffer }))[];
  /** The same each time that it is tried: a mail server that has had it already can tell. */
  mark?: string;
};

/** Why a letter did not go out: the mail server could not take it now, or will never take it. */
export type Unsent = { retry: string } | { giveUp: string };

export type Mailer = {
  /** Undefined when the mail server has taken it. */
  send(letter: Letter): Promise<Unsent | undefined>;
  isSet: boolean;
};

const LIMIT_MS = 30_000;
/** Letters at once: mail servers count connections. */
const AT_ONCE = 8;
const AT_ONCE_OF_ONE = 4;

export type MailerOptions = { url: string | undefined; from: string; openTurns?: OpenTurns | undefined };

export function openMailer({ url, from, openTurns = uncounted }: MailerOptions): Mailer {
  if (url === undefined)
    return { isSet: false, send: async () => ({ retry: "no mail server is set: set SANTRAL_SMTP_URL" }) };
  const limits = { connectionTimeout: LIMIT_MS, socketTimeout: LIMIT_MS, greetingTimeout: LIMIT_MS };
  const open = async () => {
    const { default: nodemailer } = await import("nodemailer"); // a start does not wait for it
    return nodemailer.createTransport({ url, ...limits, disableUrlAccess: true });
  };
  let transport: ReturnType<typeof open> | undefined;
  const turns = openTurns("letters", { atOnce: AT_ONCE, ofOne: AT_ONCE_OF_ONE });
  return {
    isSet: true,
    async send({ whose, to, subject, text, attachments, mark }) {
      const files = attachments.map(({ name, type, ...from }) => ({ filename: name, contentType: type, ...from }));
      const known =
        mark === undefined
          ? {}
          : { messageId: `<${mark}@${from.slice(from.lastIndexOf("@") + 1).replace(/[^\w.-]/g, "")}>` };
      try {
        transport ??= open();
        const carrier = await transport;
        const letter = { from, to, subject, text, attachments: files, ...known };
        const sent = await turns.take({ whose }, () => carrier.sendMail(letter));
        return "refused" in sent ? { retry: "too many letters of this exchange wait already" } : undefined;
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return isForGood(error) ? { giveUp: why } : { retry: why };
      }
    },
  };
}

/**
 * RFC 5321 section 4.2.1: 5yz to an address or a letter means that asking again is no use. A login that is refused is
 * an operator's mistake, and the letter waits until it is mended.
 */
function isForGood(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return (code === "EENVELOPE" || code === "EMESSAGE") && Number(responseCode) >= 500;
}
