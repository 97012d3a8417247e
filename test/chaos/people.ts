// A customer's programs and an operator, at work all the time: contacts, messages, consents, credit and calls by the
// interface, each with the answer it got.

import { pause, realClock } from "../../src/clock.ts";
import { pick } from "../sip/sip-mutator.ts";
import type { Deed, Outcome } from "./history.ts";
import type { World } from "./world.ts";
import { TITLE } from "./world.ts";

export type PeopleNeeds = {
  world: Pick<World, "http" | "firstRun" | "command">;
  deeds: Deed[];
  random(): number;
  isOver(): boolean;
};

/** Longer than the exchange itself lets a request take. */
const PATIENCE_MS = 30_000;
const MOST_GOODBYES = 60;

export function startPeople(needs: PeopleNeeds, called: readonly [string, string]): Promise<unknown> {
  return Promise.all([
    again(needs, 150, () => writeContact(needs)),
    again(needs, 150, () => writeContact(needs)),
    again(needs, 400, () => sendMessage(needs)),
    again(needs, 4_000, () => changeList(needs)),
    again(needs, 700, () => sayConsent(needs)),
    again(needs, 6_000, () => buyCredit(needs)),
    again(needs, 500, () => orderCall(needs, called)),
  ]);
}

/** With a pause of about so long; what it does never fails. */
async function again({ random, isOver }: PeopleNeeds, everyMs: number, act: () => Promise<void>): Promise<void> {
  while (!isOver()) {
    await act();
    await pause(realClock, everyMs * (0.5 + random()));
  }
}

type Answer = { outcome: Outcome; text: string };

let clients = 0;

/** Every question comes from a client of its own, so that the interface's rates are not what is tested; messages come only
 *  from where their account may send. */
async function ask({ world }: PeopleNeeds, path: string, init: RequestInit = {}): Promise<Answer> {
  clients += 1;
  const forwarded = `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`;
  try {
    const answer = await fetch(`${world.http}${path}`, {
      ...init,
      headers: { ...init.headers, ...(path.startsWith("/v2/") ? {} : { "x-forwarded-for": forwarded }) },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await answer.text();
    const outcome = answer.status === 200 ? "done" : answer.status >= 500 ? "unknown" : "refused";
    return { outcome, text };
  } catch {
    await pause(realClock, 200); // nobody is there
    return { outcome: "unknown", text: "" };
  }
}

const posted = (fields: Record<string, string>): RequestInit => ({ method: "POST", body: new URLSearchParams(fields) });
const json = (value: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});

const now = () => performance.now();
const span = (fromMs: number) => ({ fromMs, toMs: now() });

let marks = 0;

async function writeContact(needs: PeopleNeeds): Promise<void> {
  const { key } = needs.world.firstRun.exchange;
  const fromMs = now();
  const surname = `Chaos ${++marks}`;
  const { outcome, text } = await ask(
    needs,
    "/contacts",
    posted({ key, name: "Deniz", surname, phone: "05321234567" }),
  );
  const id = outcome === "done" ? { id: Number(text) } : {};
  needs.deeds.push({ is: "contact", surname, outcome, ...id, ...span(fromMs) });
}

/** The first never change their mind, the second do not want messages any more at some time, the third cannot decide. */
const DESTS = {
  always: ["905321000001", "905321000002", "905321000003"],
  once: ["905321000011", "905321000012", "905321000013", "905321000014"],
  wavering: ["905321000021", "905321000022"],
};

async function sendMessage(needs: PeopleNeeds): Promise<void> {
  const { world, deeds, random } = needs;
  const dest = pick(random, Object.values(DESTS).flat());
  const text = `Chaos ${++marks}`;
  const fromMs = now();
  const wished = wishOf(deeds, dest);
  const messages = [{ dest, msg: text }];
  const { sms } = world.firstRun;
  const { outcome } = await ask(needs, "/v2/send.json", json({ ...sms, source_addr: TITLE.name, messages }));
  deeds.push({ is: "message", dest, text, outcome, wished, ...span(fromMs) });
}

/** Whoever will say no later may say it before a message is on its way. */
function wishOf(deeds: readonly Deed[], dest: string): boolean | undefined {
  if (DESTS.always.includes(dest)) return true;
  const isUnwished = deeds.some((it) => it.is === "blacklist" && it.phone === dest && it.outcome === "done");
  return DESTS.once.includes(dest) && isUnwished ? false : undefined;
}

async function changeList(needs: PeopleNeeds): Promise<void> {
  const { world, deeds, random } = needs;
  const phone = pick(random, [...DESTS.once, ...DESTS.wavering]);
  const listed = DESTS.once.includes(phone) || random() < 0.5;
  const { sms } = world.firstRun;
  const fromMs = now();
  const { outcome } = listed
    ? await ask(needs, "/v2/blacklists", json({ ...sms, phone }))
    : await ask(needs, `/v2/blacklists/${phone}?${new URLSearchParams(sms)}`, { method: "DELETE" });
  deeds.push({ is: "blacklist", phone, listed, outcome, ...span(fromMs) });
}

/** Days ago, and each a second after the one before: whatever the clocks say meanwhile, their order is plain. */
const FIRST_CONSENT_MS = Date.now() - 2 * 86_400_000;
let consents = 0;

async function sayConsent(needs: PeopleNeeds): Promise<void> {
  const { world, deeds, random } = needs;
  const recipient = `90532200000${Math.floor(random() * 6)}`;
  const status = random() < 0.5 ? "ONAY" : "RET";
  const consent_date = new Date(FIRST_CONSENT_MS + 1_000 * ++consents).toISOString().slice(0, 19).replace("T", " ");
  const consent = { type: "MESAJ", source: "HS_WEB", status, recipient_type: "BIREYSEL", consent_date, recipient };
  const fromMs = now();
  const { sms } = world.firstRun;
  const said = { ...sms, source_addr: TITLE.name, consents: [consent] };
  const { outcome } = await ask(needs, "/v2/iys_consents.json", json(said));
  deeds.push({ is: "consent", recipient, status, outcome, ...span(fromMs) });
}

let purchases = 0;

/** Each of an amount of its own, so that it is known again. */
async function buyCredit({ world, deeds }: PeopleNeeds): Promise<void> {
  const credits = 1_000 + ++purchases;
  const fromMs = now();
  const { code } = await world.command("sms", "account", "credit", world.firstRun.sms.username, String(credits));
  deeds.push({ is: "credit", credits, outcome: code === 0 ? "done" : "unknown", ...span(fromMs) });
}

/** Two who do nothing but answer are connected, and parted again. */
async function orderCall(needs: PeopleNeeds, [extension, destination]: readonly [string, string]): Promise<void> {
  const { world, deeds, random } = needs;
  const { key } = world.firstRun.exchange;
  const fromMs = now();
  const { outcome, text } = await ask(needs, `/originate?${new URLSearchParams({ key, extension, destination })}`);
  const uuid = outcome === "done" ? { uuid: text.trim() } : {};
  deeds.push({ is: "order", outcome, ...uuid, ...span(fromMs) });
  if (outcome !== "done") return;
  await pause(realClock, 2_000 + random() * 4_000);
  // Until somebody has heard it.
  for (let tries = 0; tries < MOST_GOODBYES; tries++) {
    const goodbye = await ask(needs, `/hangup/${text.trim()}?${new URLSearchParams({ key })}`);
    if (goodbye.outcome !== "unknown") return;
    await pause(realClock, 500);
  }
}
