// santral phone: a telephone without a handset, to try an exchange out with.

import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { asWritten, fromHere, LOOPBACK } from "../addresses.ts";
import type { Clock } from "../clock.ts";
import { openPhone, type Phone } from "../exchange/features/phone/phone.ts";
import { hash } from "../exchange/signalling/registrar/hashing.ts";
import { readCredentials } from "../first-run/credentials.ts";
import { silentLog } from "../log.ts";
import { openEmbeddedEngine } from "../media/embedded/embedded.ts";
import { placesIn } from "../server/data-folder.ts";
import { giveUp } from "../server/give-up.ts";
import { readRun } from "../server/run-file.ts";
import { openRandom } from "../sip/transport/random.ts";
import { openUdp } from "../sip/transport/udp.ts";
import { type Given, plainCommand, type Tools } from "./command.ts";

export function addPhoneCommand(program: Command, clock: Clock): void {
  plainCommand(program, clock, {
    usage: "phone <extension>",
    says: "a telephone without a handset: registers, answers every call and says a 440 Hz tone, until Ctrl-C",
    options: [
      ["--password <text>", "its SIP password; by default the one in first-run.json"],
      ["--call <number>", "call this number at once"],
      ["--for <seconds>", "hang up and go after so many seconds"],
      ["--says <tone>", "what it says, as Hz/ms"],
    ],
    act: async (given, tools) => {
      const phone = await plugIn(given, tools);
      if (!(await phone.register())) {
        await phone.close();
        giveUp("the exchange does not know this extension, or not with this password");
      }
      tell("is registered");
      if (typeof given.options.call === "string") phone.call(given.options.call);
      await untilOver(given, tools.clock);
      await phone.close();
      return undefined;
    },
  });
}

async function plugIn({ words: [number = ""], options }: Given, { config, clock }: Tools): Promise<Phone> {
  const places = placesIn(config.dataFolder);
  const run = await readRun(places.run);
  const credentials = await readCredentials(places.firstRun);
  if (!run?.sip) return giveUp("no server runs on this data folder");
  const found = credentials?.extensions.find((extension) => extension.number === number)?.password;
  const password = typeof options.password === "string" ? options.password : found;
  if (password === undefined) return giveUp(`say --password: first-run.json has none for ${number}`);
  const [host = LOOPBACK, port = "5060"] = run.sip.split(/:(?=\d+$)/);
  const address = fromHere(asWritten(host));
  const media = await openEmbeddedEngine({
    workers: 1,
    portRange: [0, 0],
    address,
    mediaTimeoutMs: 0,
    log: silentLog,
    workerPath: fileURLToPath(new URL("./media-worker.js", import.meta.url)),
  });
  const transport = await openUdp({ address, port: 0 });
  const phone = openPhone(
    { clock, random: openRandom(), hash, media, transport, newId: randomUUID },
    {
      number,
      password,
      domain: credentials?.exchange.sip_domain ?? address,
      tell,
      exchange: { transport: "udp", address, port: Number(port) },
      says: typeof options.says === "string" ? options.says : "440/1000",
    },
  );
  return { ...phone, close: () => phone.close().finally(() => media.stop()) };
}

function untilOver({ options }: Given, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    if (typeof options.for === "string") clock.after(Number(options.for) * 1_000, resolve);
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}

function tell(text: string): void {
  process.stdout.write(`phone ${text}\n`);
}
