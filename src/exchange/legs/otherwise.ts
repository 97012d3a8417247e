// A party that we call refuses our INVITE: what of it can be said otherwise, so that it may be taken.

import type { Answers } from "../../sip/credentials.ts";
import type { Request, Response } from "../../sip/message/message.ts";
import type { MediaSide } from "./media-side.ts";
import type { SessionSide } from "./session-side.ts";

/** Not acceptable here, not acceptable anywhere, and what some say instead of either. */
const OTHER_OFFER: readonly number[] = [488, 606, 415];

type Means = {
  answers: Answers | undefined;
  session: SessionSide;
  media: MediaSide;
  /** Whoever has rung already is not rung again with another offer. */
  rang: boolean;
};

/** The INVITE to send next; undefined: what it says is meant. */
export function otherwise(
  response: Response,
  invite: Request,
  { answers, session, media, rang }: Means,
): Request | Promise<Request> | undefined {
  if (answers?.to(response, invite)) return invite;
  // A 422 says how often it wants signs of life.
  if (response.status === 422 && session.adapt(response)) return withSession(invite, session);
  // What it does not take in one form it may take in another.
  if (!OTHER_OFFER.includes(response.status) || rang || !media.offerOtherwise()) return undefined;
  return media.offer().then((body) => ({ ...invite, body }));
}

function withSession(invite: Request, session: SessionSide): Request {
  const others = invite.headers.filter(({ name }) => name !== "Session-Expires" && name !== "Min-SE");
  const wanted = session.offer().filter(({ name }) => name !== "Supported");
  return { ...invite, headers: [...others, ...wanted] };
}
