// A trial POST before a URL is accepted: it must answer 200, as it must for every event later.

import type { Requester } from "./requester.ts";

export type Probed = { ok: true } | { refused: string };

/** For call events the trial body is `{}`; for campaigns it is empty. */
export async function probe(requester: Requester, url: string, body: "{}" | ""): Promise<Probed> {
  const headers: Record<string, string> = body === "" ? {} : { "Content-Type": "application/x-www-form-urlencoded" };
  const answer = await requester.ask(url, { method: "POST", headers, body });
  if ("failed" in answer) return { refused: answer.failed };
  return answer.status === 200 ? { ok: true } : { refused: `answered ${answer.status} instead of 200` };
}
