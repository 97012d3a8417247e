// What a well-formed request may still ask that a server must refuse, and the status each refusal carries (8.2).

import { acceptOf, accepts, contentDispositionOf, contentTypeOf } from "../headers/content.ts";
import { maxForwardsOf } from "../headers/max-forwards.ts";
import { contentEncodingsOf, faultInTokens, requireOf, tokenList } from "../headers/token-lists.ts";
import { warning } from "../headers/warning.ts";
import { isMalformed } from "../message/malformed.ts";
import type { Header, Request } from "../message/message.ts";
import { isKnownMethod } from "../message/methods.ts";
import { isForHelp, parseUri } from "../message/uri.ts";
import { faultInParts } from "./multipart.ts";
import { registerRefusal } from "./validate-register.ts";

export type Supported = {
  methods: readonly string[];
  /** Option tags in lower case. */
  options: readonly string[];
  /** "type/subtype" in lower case. */
  contentTypes: readonly string[];
};

export type RequestRefusal = { status: number; headers: Header[] };

/** The first thing wrong, in the order a server looks at a request; undefined when nothing is. */
export function refusalOf(request: Request, supported: Supported): RequestRefusal | undefined {
  return (
    methodRefusal(request, supported) ??
    uriRefusal(request) ??
    forwardsRefusal(request) ??
    extensionRefusal(request, supported) ??
    contentRefusal(request, supported.contentTypes) ??
    headerRefusal(request) ??
    answerRefusal(request) ??
    registerRefusal(request)
  );
}

const refuse = (status: number, ...headers: Header[]): RequestRefusal => ({ status, headers });

function methodRefusal({ method }: Request, { methods }: Supported): RequestRefusal | undefined {
  if (methods.includes(method)) return undefined;
  return refuse(isKnownMethod(method) ? 405 : 501, tokenList("Allow", methods));
}

function uriRefusal(request: Request): RequestRefusal | undefined {
  const uri = parseUri(request.uri);
  if (isMalformed(uri)) return refuse(400);
  if (uri.scheme === "other") return isForHelp(request.uri) ? undefined : refuse(416);
  // Headers are for addresses that are dialled from a page or a card, never for a request already made (19.1.1).
  return uri.scheme !== "tel" && uri.headers.length > 0 ? refuse(400) : undefined;
}

// Only a call goes further than us, as a call of ours (RFC 7332 5); all else ends here, and the last hop is no hop.
function forwardsRefusal(request: Request): RequestRefusal | undefined {
  const hops = maxForwardsOf(request);
  if (isMalformed(hops)) return refuse(400);
  return hops === 0 && request.method === "INVITE" ? refuse(483) : undefined;
}

// ACK and CANCEL are followed whatever they require (8.2.2.3).
function extensionRefusal(request: Request, { options }: Supported): RequestRefusal | undefined {
  if (request.method === "ACK" || request.method === "CANCEL") return undefined;
  const required = requireOf(request);
  if (faultInTokens(required)) return refuse(400);
  const unknown = required.filter((option) => !options.includes(option.toLowerCase()));
  return unknown.length === 0 ? undefined : refuse(420, tokenList("Unsupported", unknown));
}

/** Also for what comes inside a dialog. */
export function contentRefusal(request: Request, contentTypes: readonly string[]): RequestRefusal | undefined {
  if (request.body === "") return undefined;
  const type = contentTypeOf(request);
  const disposition = contentDispositionOf(request);
  if (type === undefined || isMalformed(type) || isMalformed(disposition)) return refuse(400);
  if (disposition?.optional) return undefined;
  if (contentEncodingsOf(request).some((encoding) => encoding.toLowerCase() !== "identity"))
    return refuse(415, { name: "Accept-Encoding", value: "identity" });
  const fault = faultInParts(request, contentTypes);
  if (fault === "malformed") return refuse(400);
  return fault && refuse(415, tokenList("Accept", contentTypes));
}

function headerRefusal(request: Request): RequestRefusal | undefined {
  return isMalformed(acceptOf(request)) ? refuse(400) : undefined;
}

/** A caller that takes no session description in answer cannot be talked to. */
function answerRefusal(request: Request): RequestRefusal | undefined {
  if (request.method !== "INVITE" || accepts(request, "application/sdp")) return undefined;
  return refuse(406, warning({ code: 399, agent: "santral", text: "Accept leaves no room for application/sdp" }));
}
