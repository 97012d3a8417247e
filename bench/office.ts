// An office that has worked with its exchange for a while: people, queues, a year of calls. Its pages are weighed and drawn.

import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { ConsoleApi } from "../src/http/console/api.ts";
import type { Gives, Takes } from "../src/http/console/operation/operation.ts";
import { askServer } from "../src/server/control-client.ts";
import { runExchange } from "./exchange-process.ts";

export const PASSWORD = "a password of the office";

/** Who signs in, and the phone on the desk. */
export const people = {
  boss: { email: "elif@example.com", name: "Elif Çelik", role: "administrator", extension: "1004" },
  agent: { email: "zeynep@example.com", name: "Zeynep Kaya", role: "agent", extension: "1002" },
} as const;

/** People outside who call: their numbers are the sandbox's. */
export const callers = {
  echo: "905000000001",
  tone: "905000000002",
  fax: "905000000009",
  late: "905000000012",
  waiting: "905000000016",
} as const;

const names: [phone: string, name: string, surname: string, company: string][] = [
  [callers.echo, "Hakan", "Arslan", "Anadolu Gıda"],
  [callers.tone, "Selin", "Aydın", "Marmara Tekstil"],
  [callers.late, "Murat", "Özdemir", "Ege Yapı"],
  [callers.waiting, "Derya", "Güneş", "Pera Otel"],
];

type Name = keyof ConsoleApi;
export type Ask = <N extends Name>(name: N, parameters: Takes<ConsoleApi, N>) => Promise<Gives<ConsoleApi, N>>;

export type Office = Awaited<ReturnType<typeof openOffice>>;

/** `calls`: how many there were in the last year. */
export async function openOffice({ calls, contacts }: { calls: number; contacts: number }) {
  const exchange = await runExchange({ SANTRAL_SANDBOX: "on", SANTRAL_SIP: "127.0.0.1:0", SANTRAL_SUPERVISE: "off" });
  const phones: ChildProcess[] = [];
  const { command, data, firstRun } = exchange;
  for (const { email, name, role, extension } of Object.values(people))
    command("staff", "create", email, name, "--role", role, "--extension", extension, "--password", PASSWORD);
  const ask = await signedIn(exchange.http, people.boss.email);
  await furnish(ask);
  command("demo", "--cdrs", String(calls), "--contacts", String(contacts));
  return {
    url: `http://${exchange.http}/console`,
    ask,
    command,
    /** A telephone that answers whoever calls it. */
    plugIn: (extension: string) => plugIn(phones, data, extension),
    /** Somebody outside calls one of the office's numbers. */
    async callIn(from: string, to: string) {
      const exchange = String(firstRun.exchange.id);
      const said = await askServer(join(data, "control.sock"), "sandbox", { from, to, exchange });
      if (said !== "calling") throw new Error(`${from} cannot call ${to}: ${JSON.stringify(said)}`);
    },
    async close() {
      for (const phone of phones) phone.kill();
      await exchange.stop();
    },
  };
}

/** As the pages ask, with a session of one's own. */
async function signedIn(http: string, email: string): Promise<Ask> {
  const headers: Record<string, string> = { "content-type": "application/json", "x-santral-console": "1" };
  const post = async (name: string, parameters: object) => {
    const body = JSON.stringify(parameters);
    const answer = await fetch(`http://${http}/console/api/${name}`, { method: "POST", headers, body });
    const cookie = answer.headers.get("set-cookie")?.split(";")[0];
    if (cookie) headers.cookie = cookie;
    const reply = await answer.text();
    if (!answer.ok) throw new Error(`${name}: ${reply}`);
    return JSON.parse(reply) as never; // typed by the operation's own handler
  };
  await post("session.signIn", { email, password: PASSWORD });
  return post;
}

/** The demo's own names are Turkish; the pictures are for readers of English. */
async function furnish(ask: Ask): Promise<void> {
  await ask("settings.update", { changes: { name: "Pera Trading", language: "en" } });
  const dispositions = ["Order", "Question", "Complaint", "Call again"];
  await ask("queues.update", { number: "200", changes: { name: "Support", dispositions, wrap_up_seconds: 300 } });
  const sales = { strategy: "longest-idle", promised_seconds: "20" } as const;
  await ask("queues.create", { number: "201", name: "Sales", members: ["1003", "1004"], changes: sales });
  await ask("groups.update", { number: "700", changes: { name: "Orders" } });
  await ask("menus.update", { number: "10", changes: { name: "Welcome" } });
  const [main, support] = ["908505320000", "908505320001"];
  await ask("numbers.update", { number: main, changes: { description: "Main line" } });
  await ask("numbers.update", { number: support, changes: { description: "Support line" } });
  await ask("numbers.create", { number: "908505320002", target: "queue/201", changes: { description: "Sales line" } });
  await ask("numbers.create", { number: "908505320003", target: "fax", changes: { description: "Fax" } });
  for (const [phone, name, surname, company_name] of names)
    await ask("contacts.create", { name, surname, phone, company_name });
}

/** Resolved when it is registered. */
function plugIn(phones: ChildProcess[], data: string, extension: string): Promise<void> {
  const env = { ...process.env, SANTRAL_DATA: data };
  const phone = spawn(process.execPath, ["dist/santral.js", "phone", extension], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  phones.push(phone);
  return new Promise((resolve, reject) => {
    phone.stdout.on("data", (text: Buffer) => `${text}`.includes("registered") && resolve());
    phone.once("exit", () => reject(new Error(`the phone of ${extension} has gone`)));
  });
}
