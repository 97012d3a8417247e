// PORT-less and small: letters go out by the operator's SMTP server, or not at all until one is set.

import nodemailer from "nodemailer";

export type Letter = {
  to: string;
  subject: string;
  text: string;
  attachments: { name: string; path: string; type: string }[];
};

export type Mailer = {
  /** Undefined when it went out; otherwise why not. */
  send(letter: Letter): Promise<string | undefined>;
  isSet: boolean;
};

const LIMIT_MS = 30_000;

export function openMailer({ url, from }: { url: string | undefined; from: string }): Mailer {
  if (url === undefined) return { isSet: false, send: async () => "no mail server is set: set SANTRAL_SMTP_URL" };
  const limits = { connectionTimeout: LIMIT_MS, socketTimeout: LIMIT_MS, greetingTimeout: LIMIT_MS };
  const transport = nodemailer.createTransport({ url, ...limits, disableUrlAccess: true });
  return {
    isSet: true,
    async send({ to, subject, text, attachments }) {
      const files = attachments.map(({ name, path, type }) => ({ filename: name, path, contentType: type }));
      try {
        await transport.sendMail({ from, to, subject, text, attachments: files });
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  };
}
