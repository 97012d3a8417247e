// What a carrier says of a call: who calls, as it asserts itself or as the caller's side wrote, and who has sent it on.

import { assertedIdentitiesOf, fromOf } from "../../../sip/headers/addresses.ts";
import { diversionsOf } from "../../../sip/headers/diversion.ts";
import type { NameAddress } from "../../../sip/headers/name-address.ts";
import { hidesIdentity, isAnonymous } from "../../../sip/headers/privacy.ts";
import { remotePartyOf } from "../../../sip/headers/remote-party.ts";
import { isMalformed } from "../../../sip/message/malformed.ts";
import type { Request } from "../../../sip/message/message.ts";
import { lineOf } from "../../../sip/message/text.ts";
import { userIn } from "../../../sip/message/uri.ts";
import type { TrunkSetup } from "../../../store/trunk-state.ts";
import { type NumberForm, readFromTrunk, written } from "../../plan/numbers.ts";
import type { SentOnBy } from "../../plan/sent-on.ts";

const LONGEST_NAME = 80;

type Believed = Pick<TrunkSetup, "callerIdForm" | "trusted">;

/** An empty number: the caller withholds it. */
export function callerFromTrunk(request: Request, trunk: Believed): { number: string; name: string } {
  const from = fromOf(request);
  const rpid = trunk.trusted ? remotePartyOf(request) : undefined;
  if (hidesIdentity(request) || isAnonymous(from.uri) || rpid?.hidesNumber) return { number: "", name: "" };
  const asserted = trunk.trusted ? assertedIdentitiesOf(request) : [];
  const [identity = rpid?.address ?? from] = isMalformed(asserted) ? [] : asserted;
  if (isAnonymous(identity.uri)) return { number: "", name: "" };
  const name = rpid?.hidesName ? "" : lineOf(identity.display || from.display).slice(0, LONGEST_NAME);
  return { number: numberIn(identity, trunk.callerIdForm), name };
}

/** Of whom a signature speaks, whether he may be shown or not. */
export function whoSigned(request: Request, { callerIdForm }: Believed): string {
  const asserted = assertedIdentitiesOf(request);
  const [identity = fromOf(request)] = isMalformed(asserted) ? [] : asserted;
  return numberIn(identity, callerIdForm);
}

/** The last first; an untrusted carrier may say what it likes. */
export function sentOnBy(request: Request, { trusted, callerIdForm }: Believed): SentOnBy[] {
  if (!trusted) return [];
  return diversionsOf(request).map(({ uri, display, reason, hidden }) => ({
    number: isAnonymous(uri) ? "" : numberIn({ uri }, callerIdForm),
    name: lineOf(display).slice(0, LONGEST_NAME),
    reason,
    hidden: hidden || isAnonymous(uri),
  }));
}

function numberIn({ uri: text }: Pick<NameAddress, "uri">, form: NumberForm): string {
  const user = lineOf((userIn(text) ?? "").split(";")[0] ?? "");
  const read = readFromTrunk(user, form);
  return read.is === "invalid" || read.is === "service" ? user.slice(0, 64) : written(read);
}
