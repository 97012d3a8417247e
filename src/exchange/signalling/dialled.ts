// What an INVITE was dialled with.

import type { Incoming } from "../../sip/incoming.ts";
import { isMalformed } from "../../sip/message/malformed.ts";
import { parseUri } from "../../sip/message/uri.ts";

export function dialledBy({ request }: Pick<Incoming, "request">): string {
  const uri = parseUri(request.uri);
  if (isMalformed(uri) || uri.scheme === "other") return "";
  return uri.scheme === "tel" ? uri.number : (uri.user ?? "");
}
