// What is dialled to be done: agents log in and out and take breaks, supervisors listen, somebody closes the office.

import type { MediaEngine, Sound } from "../../../media/engine.ts";
import { OFFICE_CODE, type OfficeSwitch } from "../../../nouns/choices.ts";
import type { SupervisionMode } from "../../calls/audience.ts";
import type { Leg } from "../../calls/leg.ts";
import type { RequestedMove, RequestOutcome } from "./agent-requests.ts";
import { type AgentRequest, isAlready } from "./agent-status.ts";

export type PhoneCode =
  | { request: AgentRequest; description: string }
  /** Without a position: closed by hand, and back. */
  | { office: OfficeSwitch | undefined }
  | { supervise: SupervisionMode; extension: string };

/** One digit after the code says where to. */
const positions: Partial<Record<string, OfficeSwitch>> = { "0": "hours", "1": "open", "2": "closed" };

const BREAK = "Mola";

/** As they are written in the manual: the code, what may follow it, and what it does. */
export const phoneCodes: {
  code: string;
  follows: RegExp;
  does: string;
  read(rest: string, breaks: readonly string[]): PhoneCode;
}[] = [
  { code: "*20", follows: /^$/, does: "agent logs in", read: () => ({ request: "logIn", description: "" }) },
  { code: "*21", follows: /^$/, does: "agent logs out", read: () => ({ request: "logOut", description: "" }) },
  {
    code: "*22",
    follows: /^\d?$/,
    does: "agent takes a break; a digit says why",
    read: (digit, breaks) => ({ request: "pause", description: breaks[Number(digit) - 1] ?? BREAK }),
  },
  { code: "*23", follows: /^$/, does: "agent is back", read: () => ({ request: "resume", description: "" }) },
  {
    code: OFFICE_CODE,
    follows: /^[0-2]?$/,
    does: "the office is closed by hand, and back; 0 goes by its hours, 1 opens, 2 closes it",
    read: (to) => ({ office: positions[to] }),
  },
  supervision("*30", "listen", "listen to an extension's call"),
  supervision("*31", "whisper", "speak to an extension unheard by the other side"),
  supervision("*32", "join", "take part in an extension's call"),
];

function supervision(code: string, supervise: SupervisionMode, does: string) {
  return { code, follows: /^\d{1,8}$/, does, read: (extension: string): PhoneCode => ({ supervise, extension }) };
}

/** `breaks`: what the exchange calls them; a digit says which. */
export function readPhoneCode(dialled: string, breaks: readonly string[]): PhoneCode | undefined {
  const found = phoneCodes.find(
    ({ code, follows }) => dialled.startsWith(code) && follows.test(dialled.slice(code.length)),
  );
  return found?.read(dialled.slice(found.code.length), breaks);
}

const DONE: Sound = { is: "tone", spec: "600/150,0/80,900/200,0/150" };
const REFUSED: Sound = { is: "tone", spec: "400/200,0/80,300/400,0/150" };

export type PhoneCodeParts = {
  media: Pick<MediaEngine, "play">;
  /** He is on his phone without a call of ours that could say so; until what is returned is called. */
  occupy(exchangeId: number, extension: string): () => void;
  request(move: RequestedMove): Promise<RequestOutcome>;
};

/** The agent hears whether it worked, and is hung up. He is not rung before that. */
export async function carryOutByPhone(
  { media, occupy, request: carryOut }: PhoneCodeParts,
  {
    exchangeId,
    leg,
    request,
    description,
  }: { exchangeId: number; leg: Leg; request: AgentRequest; description: string },
): Promise<void> {
  const extension = leg.party.number;
  const release = occupy(exchangeId, extension);
  void leg.over.then(release);
  const by = { doer: "extension", who: extension } as const;
  const outcome = await carryOut({ exchangeId, extension, request, description, by });
  const isSo = "status" in outcome && (!("refused" in outcome) || isAlready(outcome.status, request));
  await sayWhether(isSo, { media, leg });
}

/** What was dialled is done or not: a tone says which, and that is all of the call. */
export async function sayWhether(
  isSo: boolean,
  { media, leg }: { media: Pick<MediaEngine, "play">; leg: Leg },
): Promise<void> {
  const stream = (await leg.answer()) ? leg.stream() : undefined;
  if (stream !== undefined) await media.play(stream, { sounds: [isSo ? DONE : REFUSED] });
  leg.end("NORMAL_CLEARING");
}
