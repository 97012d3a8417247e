// Checks of what comes in over SIP: who is kept out, and which trunks are down.

import type { AbuseCounts, Boxed } from "../exchange/signalling/abuse/abuse.ts";
import type { Md5Phones } from "../exchange/signalling/registrar/shown-phone.ts";
import type { TrunkView } from "../exchange/signalling/trunks/trunks.ts";
import { askServer } from "../server/control-client.ts";
import { placesIn } from "../server/data-folder.ts";
import { troubleInWords } from "../words/trunk-troubles.ts";
import { type Check, type Finding, ok, warn } from "./finding.ts";

export const signalling: Check = {
  name: "signalling",
  async run({ config }) {
    const { control } = placesIn(config.dataFolder);
    // The answers are those of our own server, as it was asked.
    const kept = (await askServer(control, "ignored")) as (AbuseCounts & { boxed: Boxed[] }) | undefined;
    const trunks = (await askServer(control, "trunks")) as TrunkView[] | undefined;
    const byMd5 = ((await askServer(control, "md5")) ?? []) as Md5Phones[];
    if (!kept || !trunks) return ok("no server runs, so there is nothing to see");
    const waiting = trunks.filter(({ waiting }) => waiting.length > 0);
    return [
      intruders(kept),
      ...trunks.filter(({ up }) => !up).map(down),
      ...waiting.map(notItsOwn),
      ...byMd5.map(oldDigest),
    ];
  },
};

function intruders({ boxed, dropped, putOff, faults }: AbuseCounts & { boxed: Boxed[] }): Finding {
  const wrong = faults["wrong-password"] + faults["unknown-user"];
  const late = putOff > 0 ? `, ${putOff} of them put off,` : "";
  const sum = `${wrong + putOff} failed logins${late} and ${dropped} messages dropped since the start`;
  if (boxed.length === 0) return ok(`nobody is ignored; ${sum}`);
  const addresses = boxed.slice(0, 5).map(({ address, offence }) => `${address} (${offence})`);
  return warn(
    `${boxed.length} addresses are ignored, ${addresses.join(", ")}; ${sum}`,
    'see "santral sip ignored"; if one of them is yours, look for a phone with a wrong password',
  );
}

function down({ name, lastError, health }: TrunkView): Finding {
  const told = lastError === null ? undefined : troubleInWords(lastError, "en");
  const why = told ?? (health === "down" ? "it does not answer" : "it is not registered yet");
  return warn(`trunk ${name} is down: ${why}`, "see whether the carrier is reachable and the account is right");
}

function notItsOwn({ name, exchangeId, waiting }: TrunkView): Finding {
  return warn(
    `trunk ${name} of exchange ${exchangeId} is not called from, and sends no voice to, ${waiting.join(", ")}: nothing answers us there, or it is wider than /24`,
    `if that is its carrier: santral trunk approve ${name} --exchange ${exchangeId}`,
  );
}

/** Whom an exchange shuts out once it takes SHA-256 alone. */
function oldDigest({ exchangeId, takesMd5, extensions }: Md5Phones): Finding {
  const some = extensions.slice(0, 10).join(", ");
  const who = `${extensions.length} extensions of exchange ${exchangeId} have a phone that logs in by MD5: ${some}${extensions.length > 10 ? ", …" : ""}`;
  if (takesMd5) return ok(`${who}; sip-digests=sha-256 would shut them out`);
  const todo = "bring their firmware up to date, or: santral exchange set sip-digests=any";
  return warn(`${who}; the exchange takes SHA-256 alone and lets them in no more`, todo);
}
