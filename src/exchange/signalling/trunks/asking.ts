// A request to a carrier and its outcome, with the carrier's challenge answered on the way.

import type { Outcome } from "../../../sip/client.ts";
import { answerChallenge, bestChallenge, type ClientAccount, type Hash } from "../../../sip/digest-answer.ts";
import { challengesOf, proxyChallengesOf } from "../../../sip/headers/auth.ts";
import { newTag, type Random } from "../../../sip/headers/random.ts";
import type { Header, Request, Response } from "../../../sip/message/message.ts";
import type { Stack } from "../../../sip/stack.ts";
import type { Destination } from "../../../sip/transport/transport.ts";

export type ClientParts = { stack: Pick<Stack, "ask">; hash: Hash; random: Random };

/** Built anew for each attempt, since each needs its own CSeq. */
export type Build = (extra: Header[]) => Request;

/** A second challenge means that the first answer was stale; a third, that the password is wrong. */
const MOST_CHALLENGES = 2;

export async function askCarrier(
  parts: ClientParts,
  build: Build,
  to: { destinations: readonly Destination[]; account: ClientAccount | undefined },
): Promise<Outcome> {
  let answers: Header[] = [];
  for (let challenged = 0; ; challenged++) {
    const request = build(answers);
    const outcome = await parts.stack.ask(request, to.destinations);
    if (!("response" in outcome) || !to.account || challenged === MOST_CHALLENGES) return outcome;
    const answer = answerTo(parts, { response: outcome.response, request, account: to.account });
    if (!answer) return outcome;
    answers = [answer];
  }
}

function answerTo(
  { hash, random }: ClientParts,
  { response, request, account }: { response: Response; request: Request; account: ClientAccount },
): Header | undefined {
  const asks = kinds[response.status];
  const challenge = asks && bestChallenge(asks.challenges(response));
  if (!challenge) return undefined;
  const fresh = { nc: 1, cnonce: newTag(random) };
  const value = answerChallenge(hash, { challenge, account, request, fresh });
  return value === undefined ? undefined : { name: asks.answer, value };
}

const kinds: Record<number, { challenges: typeof challengesOf; answer: string }> = {
  401: { challenges: challengesOf, answer: "Authorization" },
  407: { challenges: proxyChallengesOf, answer: "Proxy-Authorization" },
};
