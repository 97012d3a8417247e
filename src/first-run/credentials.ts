// first-run.json: every credential of the demo exchange, in a shape that scripts may rely on.

import { readFile } from "node:fs/promises";
import { writeDurably } from "../durable-file.ts";
import { newPassword } from "../passwords/new-password.ts";
import { newApiKey } from "../store/api-keys.ts";
import { newSmsPassword } from "../store/sms-accounts.ts";

export type FirstRun = {
  exchange: { id: number; key: string; sip_domain: string };
  extensions: { number: string; password: string }[];
  sms: { username: string; password: string; title: string };
  console: { url: string; email: string; password: string };
};

/** Random enough to be kept as a plain hash. */
const LEAST_SMS_PASSWORD = 20;

export const DEMO_EXTENSIONS = ["1000", "1001", "1002", "1003", "1004", "1005"] as const;

export function newCredentials(exchangeId: number): FirstRun {
  return {
    exchange: { id: exchangeId, key: newApiKey(), sip_domain: "demo.localhost" },
    extensions: DEMO_EXTENSIONS.map((number) => ({ number, password: newPassword() })),
    sms: { username: "908505320000", password: newSmsPassword(), title: "SANTRAL" },
    console: { url: "", email: "admin@demo.localhost", password: newPassword() },
  };
}

/** Nothing when there is no such file, or when what it holds is not ours to use. */
export async function readCredentials(path: string): Promise<FirstRun | undefined> {
  try {
    const found = JSON.parse(await readFile(path, "utf8")) as FirstRun;
    const whole =
      Number.isSafeInteger(found.exchange.id) &&
      /^K[0-9a-f-]{36}$/.test(found.exchange.key) &&
      typeof found.exchange.sip_domain === "string" &&
      DEMO_EXTENSIONS.every(
        (number) => (found.extensions.find((it) => it.number === number)?.password.length ?? 0) > 0,
      ) &&
      found.sms.password.length >= LEAST_SMS_PASSWORD &&
      found.console.password.length > 0;
    return whole ? found : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

export function writeCredentials(path: string, credentials: FirstRun): Promise<void> {
  return writeDurably(path, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
}
