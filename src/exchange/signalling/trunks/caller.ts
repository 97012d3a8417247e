// Who a carrier says is calling: what it asserts itself, else what the caller's side wrote.

import { assertedIdentitiesOf, fromOf } from "../../../sip/headers/addresses.ts";
import type { NameAddress } from "../../../sip/headers/name-address.ts";
import { hidesIdentity } from "../../../sip/headers/privacy.ts";
import { isMalformed } from "../../../sip/message/malformed.ts";
import type { Request } from "../../../sip/message/message.ts";
import { textOf } from "../../../sip/message/text.ts";
import { userIn } from "../../../sip/message/uri.ts";
import { type NumberForm, readFromTrunk, written } from "../../plan/numbers.ts";

const LONGEST_NAME = 80;

/** An empty number: the caller withholds it. */
export function callerFromTrunk(request: Request, form: NumberForm): { number: string; name: string } {
  const from = fromOf(request);
  if (hidesIdentity(request) || /anonymous/i.test(from.uri)) return { number: "", name: "" };
  const asserted = assertedIdentitiesOf(request);
  const [identity = from] = isMalformed(asserted) ? [] : asserted;
  return { number: numberIn(identity, form), name: textOf(identity.display || from.display).slice(0, LONGEST_NAME) };
}

function numberIn({ uri: text }: NameAddress, form: NumberForm): string {
  const user = userIn(text) ?? "";
  const read = readFromTrunk(user, form);
  return read.is === "invalid" || read.is === "service" ? user.slice(0, 64) : written(read);
}
