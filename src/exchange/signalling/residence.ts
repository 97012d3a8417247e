// Where several servers share the exchanges: who asks here for one that lives elsewhere is told so, and an edge is told where;
// who asks for one that nobody has at this moment waits until somebody does.

import { fromOf, toOf } from "../../sip/headers/addresses.ts";
import { tagOf } from "../../sip/headers/name-address.ts";
import type { Whose } from "../../sip/lost-calls.ts";
import { isMalformed } from "../../sip/message/malformed.ts";
import { type Header, headerOf, type Request } from "../../sip/message/message.ts";
import { parseSipUri } from "../../sip/message/uri.ts";
import type { LookAgain, Screened } from "../../sip/stack-options.ts";
import type { Source } from "../../sip/transport/transport.ts";

/** host:port of the node that has it, as far as anybody does. */
export type Elsewhere = { at: string | undefined };

/**
 * Of something new. `isKnown`: an exchange has one of the domains that it names; else it may be of one that lives here, if
 * not all do. `isSoon`: the owner has died or may have, and another takes it over, who may be us.
 */
export type Home = "here" | (Elsewhere & { isKnown: boolean; isSoon: boolean });

export type Residence = {
  /** Asked again while it is soon. `silent`: host:port of a node that did not answer whoever asks. */
  ofNew(hosts: readonly string[], silent: string | undefined): () => Home;
  /**
   * Of a call that nobody here knows, asked again until it is something else than soon. `door`: the host:port that whoever
   * asks was told by us, which may be that of a node that has died since. `isTold`: every node is told of it, at once.
   */
  ofCall(hosts: readonly string[], asked: { door: string; isTold: boolean }): () => "nobody" | "soon" | Elsewhere;
  /** There is but one exchange in all. */
  isOnlyOne(): boolean;
  /** Whether we certainly may act for what lives here. */
  acts(): boolean;
};

/** Read by the edge of ours that asked: it goes there next. Nobody else learns the addresses of nodes. */
const OWNER_HEADER = "X-Santral-Owner";
/** Written by an edge that has asked everybody else: which node was silent to it, if any. It waits for as long as we do. */
const SILENT_HEADER = "X-Santral-Silent";
const AGAIN: Header = { name: "Retry-After", value: "2" };

/** Lets pass what is to be taken here. `isOurs`: a carrier's call to a number here. */
export function screenElsewhere(
  residence: Residence | undefined,
  isOurs: (asked: { request: Request; source: Source }) => boolean,
): (request: Request, source: Source) => Screened {
  return (request, source) => {
    if (!residence || !begins(request)) return "pass";
    const silent = source.client && headerOf(request, SILENT_HEADER);
    const ask = residence.ofNew(hostsOf(request), silent?.trim());
    // An edge has other nodes to ask before one of them has it wait.
    const isPatient = !source.client || silent !== undefined;
    const look: LookAgain = () => {
      const home = ask();
      if (home === "here" || (!home.isKnown && isOurs({ request, source }))) return "pass";
      return home.isSoon && isPatient ? "wait" : { status: 503, headers: toldTo(source, home) };
    };
    const found = look();
    return found === "wait" ? look : found;
  };
}

/** For the stack: whose a request about a call is that nobody here knows. */
export function seekElsewhere({ ofCall }: Residence): (request: Request, source: Source) => Whose {
  return (request, source) => {
    const ask = ofCall(hostsOf(request), { door: doorIn(request), isTold: request.method === "CANCEL" });
    return () => {
      const found = ask();
      return typeof found === "string" ? found : { headers: toldTo(source, found) };
    };
  };
}

function toldTo({ client }: Source, { at }: Elsewhere): Header[] {
  return client && at !== undefined ? [AGAIN, { name: OWNER_HEADER, value: at }] : [AGAIN];
}

/** What says how we are is the same at every node; a CANCEL goes where its INVITE went. */
const NOWHERE_AT_HOME = new Set(["OPTIONS", "CANCEL", "ACK"]);

/** A REGISTER makes no dialog, whatever some phones put into its To. */
function begins(request: Request): boolean {
  if (NOWHERE_AT_HOME.has(request.method)) return false;
  return request.method === "REGISTER" || tagOf(toOf(request)) === undefined;
}

/** Of whoever asks, and then of what is asked for: who calls a name elsewhere does so by his own exchange. Within a call either may be ours. */
function hostsOf(request: Request): string[] {
  const named = request.method === "REGISTER" ? [toOf(request)] : [fromOf(request), toOf(request)];
  return [...named.map(({ uri }) => uri), request.uri].map((uri) => placeIn(uri)?.host ?? "");
}

function doorIn({ uri }: Request): string {
  const { host, port = 5060 } = placeIn(uri) ?? {};
  return host === undefined ? "" : `${host}:${port}`;
}

function placeIn(text: string) {
  const uri = parseSipUri(text);
  return isMalformed(uri) ? undefined : uri;
}
