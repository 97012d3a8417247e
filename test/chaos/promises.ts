// What Santral promises, held against a history: every promise that was broken, as a value.

import type { Broken, CallMade, Deed, Found, FoundCall, Outcome } from "./history.ts";

export function brokenPromises(deeds: readonly Deed[], found: Found): Broken[] {
  return [
    ...contacts(deeds, found),
    ...messages(deeds, found),
    ...blacklist(deeds, found),
    ...consents(deeds, found),
    ...credit(deeds, found),
    ...orders(deeds, found),
    ...calls(deeds, found),
    ...events(deeds, found),
    ...spending(found),
    ...found.up.map((mark): Broken => ({ broken: "still-up", mark })),
    ...found.owed.map((mark): Broken => ({ broken: "still-owed", mark })),
  ];
}

type Of<Is extends Deed["is"]> = Extract<Deed, { is: Is }>;

function of<Is extends Deed["is"]>(deeds: readonly Deed[], is: Is): Of<Is>[] {
  return deeds.filter((deed): deed is Of<Is> => deed.is === is);
}

/** What was acknowledged is there once; what may or may not be is there once at most; what was refused is not there. */
const LEAST: Record<Outcome, number> = { done: 1, unknown: 0, refused: 0 };
const MOST: Record<Outcome, number> = { done: 1, unknown: 1, refused: 0 };

function once(what: "contact" | "message" | "order", mark: string, outcome: Outcome, times: number): Broken[] {
  if (times < LEAST[outcome]) return [{ broken: "lost", what, mark, times }];
  if (times > MOST[outcome]) return [{ broken: "twice", what, mark, times }];
  return [];
}

function grouped<One>(all: readonly One[], markOf: (one: One) => string): Map<string, One[]> {
  const groups = new Map<string, One[]>();
  for (const one of all) groups.set(markOf(one), [...(groups.get(markOf(one)) ?? []), one]);
  return groups;
}

function contacts(deeds: readonly Deed[], found: Found): Broken[] {
  const written = of(deeds, "contact");
  const known = new Set(written.map(({ surname }) => surname));
  const strangers = found.contacts.filter(({ surname }) => !known.has(surname));
  return [
    ...written.flatMap(({ surname, outcome, id }) => {
      const rows = found.contacts.filter((row) => row.surname === surname && (id === undefined || row.id === id));
      return once("contact", surname, outcome, rows.length);
    }),
    ...strangers.map(({ surname }): Broken => ({ broken: "unheard-of", what: "contact", mark: surname })),
  ];
}

function messages(deeds: readonly Deed[], found: Found): Broken[] {
  return of(deeds, "message").flatMap(({ dest, text, outcome, wished }): Broken[] => {
    const mark = `${dest} ${text}`;
    const rows = found.messages.filter((row) => row.dest === dest && row.text === text);
    const taken = found.carrier[mark] ?? 0;
    const broken = once("message", mark, outcome, rows.length);
    for (const { isOver, state, unanswered } of rows) {
      if (!isOver) broken.push({ broken: "unsettled", what: "message", mark, state });
      if (wished === true && taken === 0) broken.push({ broken: "lost", what: "message", mark, times: 0 });
      // A carrier whose answer was cut off may have it twice, and the record says so.
      if (taken > 1 && unanswered === 0) broken.push({ broken: "twice", what: "message", mark, times: taken });
    }
    if (rows.length === 0 && taken > 0) broken.push({ broken: "unheard-of", what: "message", mark });
    if (wished === false && taken > 0) broken.push({ broken: "unwished", mark });
    return broken;
  });
}

/** Of each mark the last that was acknowledged holds, or what was said after it and may have been heard. */
function lastSaid<One extends { outcome: Outcome }>(said: readonly One[], markOf: (one: One) => string) {
  const lasts = new Map<string, One[]>();
  for (const one of said) {
    if (one.outcome === "refused") continue;
    const before = one.outcome === "done" ? [] : (lasts.get(markOf(one)) ?? []);
    lasts.set(markOf(one), [...before, one]);
  }
  return lasts;
}

function blacklist(deeds: readonly Deed[], found: Found): Broken[] {
  return [...lastSaid(of(deeds, "blacklist"), ({ phone }) => phone)].flatMap(([mark, may]): Broken[] => {
    const listed = found.blacklist.includes(mark);
    const isCertain = may[0]?.outcome === "done";
    if (may.some((one) => one.listed === listed) || !isCertain) return [];
    const told = may.map((one) => (one.listed ? "listed" : "taken off")).join(" or ");
    return [{ broken: "forgotten", what: "blacklist", mark, told, found: listed ? "listed" : "not listed" }];
  });
}

/** A registry takes no refusal of whom it has never heard of. */
const NEVER_HEARD_OF = "nothing";

function consents(deeds: readonly Deed[], found: Found): Broken[] {
  return [...grouped(of(deeds, "consent"), ({ recipient }) => recipient)].flatMap(([mark, said]): Broken[] => {
    const rows = found.consents.filter(({ recipient }) => recipient === mark);
    const status = rows.map((row) => row.status).join(" and ") || NEVER_HEARD_OF;
    const may = said.reduce<Set<string>>(consentsAfter, new Set([NEVER_HEARD_OF]));
    return may.has(status)
      ? []
      : [{ broken: "forgotten", what: "consent", mark, told: [...may].join(" or "), found: status }];
  });
}

/** What the registry may know once one more was said. */
function consentsAfter(before: Set<string>, { status, outcome }: Of<"consent">): Set<string> {
  if (outcome === "refused") return before;
  const after = [...before].map((known) => (status === "RET" && known === NEVER_HEARD_OF ? known : status));
  return new Set([...(outcome === "unknown" ? before : []), ...after]);
}

/** Each purchase once, and what was bought is left, set aside or paid for messages, to the last credit. */
function credit(deeds: readonly Deed[], { credit: { left, reserved, bought }, messages }: Found): Broken[] {
  const broken: Broken[] = [];
  const wrong = (told: string, found: string) => broken.push({ broken: "money", of: "messages", told, found });
  for (const { credits, outcome } of of(deeds, "credit")) {
    const times = bought.filter((one) => one === credits).length;
    if (times < LEAST[outcome] || times > MOST[outcome]) wrong(`${credits} bought (${outcome})`, `${times} times`);
  }
  const sum = bought.reduce((all, one) => all + one, 0);
  const paid = messages.reduce((all, { credits }) => all + credits, 0);
  if (sum - paid !== left + reserved) wrong(`${sum} bought - ${paid} paid`, `${left} left, ${reserved} set aside`);
  if (reserved !== 0) wrong("nothing is set aside for messages that are over", `${reserved}`);
  if (left < 0) wrong("never below nothing", `${left}`);
  return broken;
}

function orders(deeds: readonly Deed[], { calls }: Found): Broken[] {
  return of(deeds, "order").flatMap(({ uuid, outcome }) =>
    uuid === undefined ? [] : once("order", uuid, outcome, calls.filter((call) => call.uuid === uuid).length),
  );
}

/** Two phones call each other one call after the other, so that counting tells them apart. */
function calls(deeds: readonly Deed[], found: Found): Broken[] {
  const ordered = new Set(of(deeds, "order").map(({ uuid }) => uuid));
  const pairs = grouped(of(deeds, "call"), pairOf);
  return [...pairs.values()].flatMap((made): Broken[] => {
    const { caller, callee } = made[0]!; // a group has one
    const isOfPair = (call: FoundCall) => call.caller === caller && call.callee === callee && !ordered.has(call.uuid);
    return ofPair(made, found.calls.filter(isOfPair));
  });
}

const pairOf = ({ caller, callee }: { caller: string; callee: string }) => `${caller} ${callee}`;

function ofPair(made: CallMade[], records: FoundCall[]): Broken[] {
  const { caller, callee } = made[0]!; // a group has one
  const broken: Broken[] = [];
  const least = made.filter(({ outcome }) => outcome === "done").length;
  const most = made.filter(({ outcome }) => outcome !== "refused").length;
  const answered = records.filter((call) => call.answered);
  if (answered.length < least || answered.length > most)
    broken.push({ broken: "calls", caller, callee, answered: [least, most], found: answered.length });
  if (records.length > made.length)
    broken.push({ broken: "twice", what: "record", mark: `${caller} ${callee}`, times: records.length });
  const worth = made.filter((call) => call.outcome === "done" && call.talkedMs >= RECORDED_FROM_MS && !call.unrecorded);
  const recorded = answered.filter(({ recordedMs }) => (recordedMs ?? 0) > 0).length;
  if (recorded < worth.length) broken.push({ broken: "unrecorded", caller, callee, calls: worth.length, recorded });
  for (const { fair, heard, fromMs, aloneMs } of made) {
    if (fair && heard === false) broken.push({ broken: "deaf", caller, callee, atMs: Math.round(fromMs) });
    if (aloneMs > ALONE_MS) broken.push({ broken: "left-alone", caller, callee, forMs: aloneMs });
  }
  return broken;
}

/** Less than it takes to miss somebody's voice: whose goodbye was lost with a process is asked after much sooner. */
const ALONE_MS = 25_000;

/** Of a shorter talk a crash may take all that was recorded. */
const RECORDED_FROM_MS = 2_500;

/** Of each call its events once and in order, and none of a call that has no record. */
function events(deeds: readonly Deed[], found: Found): Broken[] {
  const told = grouped(found.events, ({ uuid }) => uuid);
  const dialled = new Set(of(deeds, "call").map(pairOf));
  const ordered = new Set(of(deeds, "order").map(({ uuid }) => uuid));
  // Whoever got no answer to an order does not know which call it was; nobody dialled it.
  const isOrdered = (call: FoundCall) => ordered.has(call.uuid) || !dialled.has(pairOf(call));
  const known = new Set(found.calls.map(({ uuid }) => uuid));
  return [
    ...found.calls.flatMap((call): Broken[] => {
      const { uuid, answered } = call;
      const names = (told.get(uuid) ?? []).map(({ event }) => event).join(" ");
      const rings = isOrdered(call)
        ? "(ringing ){0,2}"
        : call.callee.length > 6 || !answered
          ? "(ringing )?"
          : "ringing ";
      const wanted = new RegExp(`^${rings}${answered ? "answer " : ""}hangup$`);
      return wanted.test(names) ? [] : [{ broken: "events", uuid, told: names, answered }];
    }),
    ...[...told.keys()]
      .filter((uuid) => !known.has(uuid))
      .map((mark): Broken => ({ broken: "unheard-of", what: "record", mark })),
  ];
}

/** Every call here is over within its first minute: one for each part outside that was answered, which the lines of these parts tell as well. */
function spending({ calls, spending: { amount, legs, minutePrice } }: Found): Broken[] {
  const minutes = calls.reduce((sum, { outsideLegs }) => sum + outsideLegs, 0);
  const told = minutes * minutePrice;
  return [amount, legs]
    .filter((found) => Math.abs(told - found) >= 1e-6)
    .map((found) => ({ broken: "money", of: "calls", told: `${minutes} minutes: ${told}`, found: `${found}` }));
}
