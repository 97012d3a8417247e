// What a client says when it is asked who it is: each hop on the way may ask, in its own realm, and ask again
// when its nonce has grown old (RFC 3261 §22).

import { answerChallenge, bestChallenge, type ClientAccount, type Hash } from "./digest-answer.ts";
import { type AuthFields, challengesOf, proxyChallengesOf } from "./headers/auth.ts";
import { newTag, type Random } from "./headers/random.ts";
import type { Header, Response } from "./message/message.ts";

export type Credentials = {
  /** For one request, over all the times it has to be said. */
  answers(): Answers;
};

export type Answers = {
  /** With these headers the request is said once more; undefined: whoever asks will not let it through. */
  to(response: Response, request: Asked): Header[] | undefined;
  /** All answers given so far, made anew: no server takes the same one twice. */
  again(request: Asked): Header[];
};

type Asked = { method: string; uri: string };
type Given = { header: string; challenge: AuthFields; times: number };

/** A server that has forgotten its nonce without saying so asks once more; a second time means a wrong password. */
const MOST_PER_REALM = 2;
/** Of all hops and realms together, however stale they say that we are. */
const MOST_CHALLENGES = 6;

const ASKING: Record<number, { challenges: typeof challengesOf; answer: string }> = {
  401: { challenges: challengesOf, answer: "Authorization" },
  407: { challenges: proxyChallengesOf, answer: "Proxy-Authorization" },
};

export function openCredentials(means: { hash: Hash; random: Random }, account: ClientAccount): Credentials {
  /** How often each nonce was used: two requests of one call may be asked with the same one. */
  const uses = new Map<string, number>();
  return {
    answers() {
      const given = new Map<string, Given>();
      let challenges = 0;
      const again = (request: Asked) => [...given.values()].flatMap((it) => printed(it, request));
      return {
        again,
        to(response, request) {
          challenges += 1;
          const kind = ASKING[response.status];
          const asked = kind ? perRealm(kind.challenges(response)) : [];
          if (!kind || asked.length === 0 || challenges > MOST_CHALLENGES) return undefined;
          for (const challenge of asked) {
            const key = `${kind.answer} ${challenge.parameters.get("realm")}`;
            const before = given.get(key);
            if (before && isRefusal(challenge, before)) return undefined;
            given.set(key, {
              header: kind.answer,
              challenge,
              times: (before?.times ?? 0) + (isStale(challenge) ? 0 : 1),
            });
          }
          const headers = again(request);
          return headers.length === given.size ? headers : undefined;
        },
      };
    },
  };

  function printed({ header, challenge }: Given, { method, uri }: Asked): Header[] {
    const nonce = challenge.parameters.get("nonce") ?? "";
    const nc = (uses.get(nonce) ?? 0) + 1;
    uses.set(nonce, nc);
    const fresh = { nc, cnonce: newTag(means.random) };
    const value = answerChallenge(means.hash, { challenge, account, request: { method, uri }, fresh });
    return value === undefined ? [] : [{ name: header, value }];
  }
}

/** The strongest that we can answer in each realm: a proxy may pass on the questions of several. */
function perRealm(challenges: ReturnType<typeof challengesOf>): AuthFields[] {
  const realms = new Map<string | undefined, AuthFields[]>();
  for (const challenge of challenges)
    if ("scheme" in challenge) {
      const realm = challenge.parameters.get("realm");
      realms.set(realm, [...(realms.get(realm) ?? []), challenge]);
    }
  return [...realms.values()].flatMap((ofOne) => bestChallenge(ofOne) ?? []);
}

function isRefusal(challenge: AuthFields, { challenge: before, times }: Given): boolean {
  if (isStale(challenge)) return false;
  return times >= MOST_PER_REALM || challenge.parameters.get("nonce") === before.parameters.get("nonce");
}

const isStale = ({ parameters }: AuthFields) => parameters.get("stale")?.toLowerCase() === "true";
