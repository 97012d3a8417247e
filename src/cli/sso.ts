// santral sso: signing in by the exchange's own provider.

import { readFileSync } from "node:fs";
import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { singleSignOn } from "../nouns/single-sign-on.ts";
import { giveUp } from "../server/give-up.ts";
import { tryProvider } from "../sso/provider.ts";
import { type SignOnRefusal, setSingleSignOn, signOnWith } from "../sso/settings.ts";
import { SsoFailed } from "../sso/trouble.ts";
import { readSingleSignOn, type SignOnChanges, switchSingleSignOnOff } from "../store/single-sign-on.ts";
import { openRequester } from "../webhooks/requester.ts";
import { refusalInWords } from "../words/refusals/words.ts";
import { ssoTroubleInWords } from "../words/sso-troubles.ts";
import { type ExchangeTools, exchangeCommand, type Given } from "./command.ts";
import { settingsHelp } from "./settings.ts";
import { card, type Shown, said } from "./show.ts";

const SECRET_FILE: [string, string] = [
  "--client-secret-file <file>",
  "read the client secret from a file, - for standard input",
];

export function addSsoCommands(program: Command, clock: Clock): void {
  const sso = program.command("sso").description("single sign-on: staff sign in by a provider (OpenID Connect)");
  exchangeCommand(sso, clock, {
    usage: "show",
    says: "which provider is set, and what to register there",
    act: async (_, tools) => show(tools),
  });
  exchangeCommand(sso, clock, {
    usage: "set [settings...]",
    says: "let staff sign in by a provider; what is left out stays as it is",
    options: [SECRET_FILE],
    changes: true,
    act: async (given, tools) => {
      const { db, secrets, exchange } = tools;
      orRefused(await setSingleSignOn({ db, secrets, exchangeId: exchange.id }, await changesIn(given, tools)));
      return said("it is set; try it: santral sso test", { set: true });
    },
  }).addHelpText("after", settingsHelp(singleSignOn));
  exchangeCommand(sso, clock, {
    usage: "test [settings...]",
    says: "ask the provider whether it answers and knows us; with settings, before they are kept",
    options: [SECRET_FILE],
    act: async (given, tools) => test(tools, await changesIn(given, tools)),
  });
  exchangeCommand(sso, clock, {
    usage: "off",
    says: "nobody signs in by a provider any more; passwords are accepted again",
    changes: true,
    act: async (_, { db, exchange }) => {
      const wasOn = await switchSingleSignOnOff(db, exchange.id);
      return said(wasOn ? "single sign-on is off" : "it was off already", { off: true });
    },
  });
}

async function show({ db, exchange, config }: ExchangeTools): Promise<Shown> {
  const row = await readSingleSignOn(db, exchange.id);
  if (!row) return said("no provider is set", { on: false });
  const { id: _id, exchangeId: _exchangeId, active, ...facts } = row;
  return card({ on: active, ...facts, redirectUri: redirectUriOf({ exchange, config }) });
}

async function test({ db, secrets, exchange, config, clock }: ExchangeTools, changes: SignOnChanges): Promise<Shown> {
  const wanted = orRefused(await signOnWith({ db, secrets, exchangeId: exchange.id }, changes));
  const requester = openRequester({ clock, privateAllowed: config.privateWebhooks });
  try {
    const tried = await tryProvider({ requester, ...wanted }, redirectUriOf({ exchange, config }));
    const client = tried.client === "known" ? "it knows us" : "whether it knows us shows at the first sign-in";
    return said(`${tried.issuer} answers; ${client}`, { ok: true, ...tried });
  } catch (error) {
    if (!(error instanceof SsoFailed)) throw error;
    return { ...said(ssoTroubleInWords(error.trouble, "en"), { ok: false, why: error.trouble }), failed: true };
  } finally {
    requester.close();
  }
}

function redirectUriOf({ exchange, config }: Pick<ExchangeTools, "exchange" | "config">): string {
  const origin = config.publicUrl === undefined ? "http://localhost" : new URL(config.publicUrl).origin;
  return `${origin}/console/sso/${exchange.id}/callback`;
}

async function changesIn({ rest, options }: Given, { settings, note }: ExchangeTools): Promise<SignOnChanges> {
  const words = await settings(singleSignOn, rest, null);
  const file = options.clientSecretFile;
  const changes = typeof file === "string" ? { ...words, client_secret: secretIn(file) } : words;
  await note(singleSignOn, changes, null);
  return changes;
}

function secretIn(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8").trim();
  } catch (error) {
    return giveUp(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function orRefused<Made>(made: Made | SignOnRefusal): Made {
  const isNo = typeof made === "object" && made !== null && "refused" in made;
  return isNo ? giveUp(refusalInWords(made as SignOnRefusal, "en").replace(/\.$/, "")) : (made as Made); // just seen
}
