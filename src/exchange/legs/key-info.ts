// Keys told by INFO, beside the voice: as phones write them, and as we do.

import type { RequestOptions } from "../../sip/dialog.ts";
import { hasContent } from "../../sip/headers/content.ts";
import type { Request } from "../../sip/message/message.ts";

const SIGNAL = /^[ \t]*Signal[ \t]*=[ \t]*([0-9A-D*#])/im;

/** In the two dialects that phones use. */
export function keyIn(request: Request): string | undefined {
  if (hasContent(request, "application/dtmf-relay")) return SIGNAL.exec(request.body.slice(0, 200))?.[1];
  if (!hasContent(request, "application/dtmf")) return undefined;
  const key = request.body.slice(0, 10).trim();
  return /^[0-9A-D*#]$/.test(key) ? key : undefined;
}

/** In the dialect that the most phones and carriers know. */
export function keyInfo(key: string): RequestOptions {
  return {
    headers: [{ name: "Content-Type", value: "application/dtmf-relay" }],
    body: `Signal=${key}\r\nDuration=160\r\n`,
  };
}
