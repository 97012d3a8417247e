// The carrier in a box: no handset is behind it, and what becomes of a message is decided by the number it goes to.

import type { Cancel } from "../../clock.ts";
import type { FinalState } from "../../store/sms-state.ts";
import type { Carrier, CarrierAnswer, OpenCarrier, Submission } from "../carrier.ts";
import { gsmErrorFor } from "../gsm-error.ts";
import { OPT_OUT_REPLY } from "../opt-out.ts";

type Behaviour = {
  answer?: CarrierAnswer;
  /** Said once to each message before it is taken. */
  firstAnswer?: CarrierAnswer;
  receipt?: { state: FinalState; afterMs: number; gsmError?: number; times?: number };
  reply?: string;
};

const SOON_MS = 1_000;
const DELIVERED: Behaviour = { receipt: { state: "DELIVERED", afterMs: SOON_MS } };

/** By the last four digits of 90500000NNNN; every other number behaves like the first. */
const SANDBOX_NUMBERS: Readonly<Record<string, Behaviour>> = {
  "0001": DELIVERED,
  "0003": { receipt: { state: "NOT_DELIVERED", afterMs: SOON_MS, gsmError: 27 } },
  "0004": { receipt: { state: "EXPIRED", afterMs: 3 * SOON_MS } },
  "0005": { answer: { said: "refused", state: "REJECTED", gsmError: gsmErrorFor("REJECTED") } },
  "0006": { answer: { said: "refused", state: "INVALID_DESTINATION_ADDRESS", gsmError: 1 } },
  "0007": { ...DELIVERED, reply: "IPTAL" },
  // The handset never reports: the message waits until its validity has run out.
  "0012": {},
  // Slow: half a minute until the receipt.
  "0013": { receipt: { state: "DELIVERED", afterMs: 30 * SOON_MS } },
  // Busy: asks for a second's pause before it takes the message.
  "0014": { ...DELIVERED, firstAnswer: { said: "later", waitMs: SOON_MS } },
  "0015": { ...DELIVERED, reply: "EVET" },
  // Reports twice.
  "0016": { receipt: { state: "DELIVERED", afterMs: SOON_MS, times: 2 } },
};

const SANDBOX_NUMBER = /^90500000(\d{4})$/;
const REPLIES_TO = "4607";

export const openSandbox: OpenCarrier = (_row, { clock, log, hear }) => {
  const timers = new Set<Cancel>();
  const answering = new Set<Promise<void>>();
  const refusedOnce = new Set<number>();

  const later = (ms: number, act: () => void) => {
    const cancel = clock.after(ms, () => {
      timers.delete(cancel);
      act();
    });
    timers.add(cancel);
  };

  const carrier: Carrier = {
    isReady: () => true,
    async submit(submission) {
      const { answer, firstAnswer } = behaviourOf(submission.dest);
      if (answer) return answer;
      if (firstAnswer && !refusedOnce.delete(submission.id)) {
        refusedOnce.add(submission.id);
        return firstAnswer;
      }
      live(submission);
      return { said: "accepted", references: [referenceOf(submission)] };
    },
    resume: (submission) => live(submission),
    async close() {
      for (const cancel of timers) cancel();
      timers.clear();
      await Promise.all(answering);
    },
  };
  return carrier;

  function live(submission: Submission): void {
    const { receipt, reply } = behaviourOf(submission.dest);
    if (!receipt) return;
    const { state, afterMs, gsmError = gsmErrorFor(state), times = 1 } = receipt;
    const references = [referenceOf(submission)];
    const from = submission.dest;
    for (let time = 1; time <= times; time++)
      later(afterMs * time, () => void hear.receipt({ references, from, state, gsmError, textBegins: undefined }));
    // An answer to the answer would go round for ever.
    if (reply && submission.text !== OPT_OUT_REPLY) later(2 * afterMs, () => answerBack(submission, reply));
  }

  function answerBack({ id, dest }: Submission, text: string): void {
    const onceKey = `sandbox ${id}`;
    const receivedAtMs = clock.wall();
    const answer = { from: dest, to: REPLIES_TO, text, network: "SANDBOX", receivedAtMs, onceKey, part: undefined };
    const stored = hear
      .message(answer)
      .catch((error) => log.error({ message: id, error: String(error) }, "a sandbox answer could not be stored"))
      .finally(() => answering.delete(stored));
    answering.add(stored);
  }
};

function behaviourOf(dest: string): Behaviour {
  return SANDBOX_NUMBERS[SANDBOX_NUMBER.exec(dest)?.[1] ?? ""] ?? DELIVERED;
}

function referenceOf({ id }: Submission): string {
  return `sandbox-${id}`;
}
