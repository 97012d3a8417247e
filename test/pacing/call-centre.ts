// A call centre that never was: seeded customers, phones and agents, dialled for hours in a moment. For weighing pacing.

export type CallCentre = {
  agents: number;
  /** Chance that an attempt is answered; the day is divided among them. */
  answerRates: readonly number[];
  ringSeconds: number;
  talkSeconds: number;
  hours: number;
  seed: number;
  /** Whoever has answered and hears no agent within this time hangs up. */
  patienceSeconds: number;
  /** Some take a break, each once his talk is over, and come back together. */
  away?: { agents: number; fromSeconds: number; toSeconds: number };
};

/** What a dialler sees once a second. */
export type Floor = { free: number; busy: number; ringing: number; waiting: number; served: number; abandoned: number };

/** How many calls are started now; and what it may learn from. */
export type Dialler = {
  start(floor: Floor): number;
  attempted?(attempt: { answered: boolean; seconds: number }): void;
  talked?(seconds: number): void;
};

/** `share` of those who answered found no agent; `utilisation` is the share of agents' time spent with customers. */
export type Day = { served: number; abandoned: number; share: number; utilisation: number };

/** While the first calls ring everybody is idle, whoever dials; agents' time is counted from here on. */
const WARM_UP_SECONDS = 600;

export function workThrough(centre: CallCentre, dialler: Dialler): Day {
  const day = new WorkingDay(centre, dialler);
  const endSeconds = centre.hours * 3_600;
  for (let now = 0; now < endSeconds; now++) day.second(now);
  const { served, abandoned } = day.floor;
  const share = abandoned / Math.max(1, served + abandoned);
  return { served, abandoned, share, utilisation: day.busySeconds / day.mannedSeconds };
}

type Happening =
  | { is: "attempted"; customer: Customer; answered: boolean; seconds: number }
  | { is: "impatient"; customer: Customer }
  | { is: "talked"; seconds: number };

/** One number of the list, and how its owner would behave. Answers if the hour's chance is above `reluctance`. */
type Customer = { reluctance: number; answersAfter: number; ringsInVain: number; talks: number };

class WorkingDay {
  readonly floor: Floor;
  busySeconds = 0;
  mannedSeconds = 0;
  readonly #centre: CallCentre;
  readonly #dialler: Dialler;
  readonly #customer: () => Customer;
  readonly #agenda = new Agenda();
  readonly #line: Customer[] = [];
  #away = 0;

  constructor(centre: CallCentre, dialler: Dialler) {
    this.#centre = centre;
    this.#dialler = dialler;
    this.#customer = customersOf(centre);
    this.floor = { free: centre.agents, busy: 0, ringing: 0, waiting: 0, served: 0, abandoned: 0 };
  }

  second(now: number): void {
    for (let next = this.#agenda.next(now); next; next = this.#agenda.next(now)) this.#happen(next.at, next.happening);
    this.#breaks(now);
    const { free, busy } = this.floor;
    if (now >= WARM_UP_SECONDS) {
      this.busySeconds += busy;
      this.mannedSeconds += free + busy;
    }
    for (let calls = this.#dialler.start(this.floor); calls > 0; calls--) this.#dial(now);
  }

  #dial(now: number): void {
    const { answerRates, hours } = this.#centre;
    const rate = answerRates[Math.floor((now / (hours * 3_600)) * answerRates.length)]!; // now is before the end
    const customer = this.#customer();
    const answered = customer.reluctance < rate;
    const seconds = answered ? customer.answersAfter : customer.ringsInVain;
    this.floor.ringing += 1;
    this.#agenda.put(now + seconds, { is: "attempted", customer, answered, seconds });
  }

  #happen(now: number, happening: Happening): void {
    if (happening.is === "talked") return this.#hungUp(now, happening.seconds);
    if (happening.is === "impatient") return this.#leave(happening.customer);
    this.floor.ringing -= 1;
    this.#dialler.attempted?.(happening);
    if (!happening.answered) return;
    const { customer } = happening;
    if (this.floor.free > 0) return this.#talk(now, customer);
    this.#line.push(customer);
    this.floor.waiting += 1;
    this.#agenda.put(now + this.#centre.patienceSeconds, { is: "impatient", customer });
  }

  #talk(now: number, { talks: seconds }: Customer): void {
    this.floor.free -= 1;
    this.floor.busy += 1;
    this.floor.served += 1;
    this.#agenda.put(now + seconds, { is: "talked", seconds });
  }

  #hungUp(now: number, seconds: number): void {
    this.floor.busy -= 1;
    this.floor.free += 1;
    this.#dialler.talked?.(seconds);
    this.#breaks(now);
    while (this.floor.free > 0) {
      const customer = this.#line.shift();
      if (!customer) return;
      this.floor.waiting -= 1;
      this.#talk(now, customer);
    }
  }

  #leave(customer: Customer): void {
    const place = this.#line.indexOf(customer);
    if (place < 0) return;
    this.#line.splice(place, 1);
    this.floor.waiting -= 1;
    this.floor.abandoned += 1;
  }

  #breaks(now: number): void {
    const { away } = this.#centre;
    if (!away) return;
    const wanted = now >= away.fromSeconds && now < away.toSeconds ? away.agents : 0;
    const leaving = Math.min(this.floor.free, wanted - this.#away);
    this.#away += leaving;
    this.floor.free -= leaving;
  }
}

/** What is to happen, the soonest first: a heap. */
class Agenda {
  readonly #entries: { at: number; happening: Happening }[] = [];

  put(at: number, happening: Happening): void {
    const entries = this.#entries;
    let place = entries.push({ at, happening }) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (entries[parent]!.at <= at) break;
      entries[place] = entries[parent]!;
      place = parent;
    }
    entries[place] = { at, happening };
  }

  /** The next that is due by then. */
  next(by: number): { at: number; happening: Happening } | undefined {
    const entries = this.#entries;
    const [first] = entries;
    if (!first || first.at > by) return undefined;
    const last = entries.pop()!; // there is a first
    if (entries.length > 0) this.#sink(last);
    return first;
  }

  #sink(entry: { at: number; happening: Happening }): void {
    const entries = this.#entries;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= entries.length) break;
      if (child + 1 < entries.length && entries[child + 1]!.at < entries[child]!.at) child += 1;
      if (entries[child]!.at >= entry.at) break;
      entries[place] = entries[child]!;
      place = child;
    }
    entries[place] = entry;
  }
}

/** The list of the day: its next number behaves alike whoever dials it, so that two diallers differ by what they do alone. */
function customersOf({ seed, ringSeconds, talkSeconds }: CallCentre): () => Customer {
  const list = Math.imul(seed, 0x9e3779b1);
  let place = 0;
  return () => {
    const chance = seeded(list + place++);
    const reluctance = chance();
    const answersAfter = 2 + lognormal(chance, ringSeconds - 2);
    return { reluctance, answersAfter, ringsInVain: 3 + chance() * 27, talks: lognormal(chance, talkSeconds) };
  };
}

/** Times on the telephone: most are short, some are very long. */
function lognormal(chance: () => number, mean: number): number {
  const spread = 0.7;
  const normal = Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
  return mean * Math.exp(spread * normal - (spread * spread) / 2);
}

/** The same day again for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
