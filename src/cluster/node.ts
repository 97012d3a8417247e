// One of several servers on one database: which exchanges live here, takes those that nobody has, and gives its own away
// one by one when it is told to.

import { type Cancel, type Clock, pause, within } from "../clock.ts";
import type { Log } from "../log.ts";
import type { ReportUnexpected } from "../machine.ts";
import { connectLine, type OpenLine } from "../store/line.ts";
import {
  announceNode,
  beginLife,
  beginToLeave,
  giveExchange,
  listNodes,
  listOwners,
  type NodeRow,
  takeExchanges,
} from "../store/nodes.ts";
import { sql } from "../store/sql.ts";
import { joinNodes, type NotJoined } from "./join.ts";
import { judgeOthers } from "./judge.ts";
import type { BoundCall, Business, Keeper } from "./keeper.ts";
import { Life } from "./life.ts";
import { Patience } from "./patience.ts";
import { Refusals } from "./refusals.ts";
import { lighterThanUs, receiverFor, sharesOf } from "./sharing.ts";
import { newTally, type Tally } from "./tally.ts";
import { View, type Whereabouts } from "./view.ts";
import { Waits } from "./waits.ts";

export type NodeNeeds = {
  url: string;
  name: string;
  version: string;
  clock: Clock;
  log: Log;
  unexpected: ReportUnexpected;
};

const LOOK_MS = 1_000;
const LOOK_SOON_MS = 100;
/** While a node looks gone. */
const DOUBT_MS = 250;
/** So many are given away at a time by a node that has more than its share. */
const MOST_GIVEN = 5;

/** Joins the others; its life begins with `take`, once the schema is up to date. */
export async function joinAsNode(needs: NodeNeeds): Promise<ClusterNode | NotJoined> {
  const line = await joinNodes(needs.url, needs.name, needs.clock);
  return "refused" in line ? line : new ClusterNode(needs, line);
}

export class ClusterNode {
  readonly name: string;
  readonly lost: Promise<string>;
  readonly tally = newTally();
  readonly #needs: NodeNeeds;
  readonly #lockLine: OpenLine;
  readonly #held = new Set<number>();
  /** On their way to another node. */
  readonly #leaving = new Set<number>();
  #life: Life | undefined;
  #number = 0;
  #looks: OpenLine | undefined;
  #view = new View();
  readonly #refusals: Refusals;
  readonly #patience: Patience;
  readonly #waits = new Waits();
  #serving: { keepers: readonly Keeper[]; business: Business } | undefined;
  #place: { url: string; sip: string } | undefined;
  #cancel: Cancel = () => undefined;
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;
  #tellLost: (why: string) => void = () => undefined;

  constructor(needs: NodeNeeds, line: OpenLine) {
    this.#needs = needs;
    this.#lockLine = line;
    this.name = needs.name;
    this.#refusals = new Refusals(needs.clock);
    this.#patience = new Patience(needs.clock);
    this.lost = new Promise((resolve) => {
      this.#tellLost = resolve;
    });
  }

  /** The number of the life that begins. What this node had when it last ended is its own again at once. */
  async take(): Promise<number> {
    this.#number = await beginLife(this.#lockLine, this.#needs);
    this.#life = new Life({ ...this.#needs, line: this.#lockLine, life: this.#number });
    void this.#life.over.then((why) => this.#tellLost(why));
    await this.#see();
    const own = this.#view.idsOf(this.name);
    for (const id of own.length > 0 ? await takeExchanges(await this.#line(), this.#number, own) : [])
      this.#held.add(id);
    return this.#number;
  }

  /** From now on it takes exchanges: every part is there to load them. Call what is returned to have it take no more. */
  serve(keepers: readonly Keeper[], business: Business): () => Promise<void> {
    this.#serving = { keepers, business };
    this.#again(0);
    return async () => {
      this.#isClosed = true;
      this.#cancel();
      await this.#looking;
      // Whoever gives something away looks for a node that can be reached.
      await this.announce({ url: "", sip: "" }).catch(() => undefined); // it is noticed in a moment anyway
    };
  }

  /** Where the others, and the edges, reach us. */
  async announce(place: { url: string; sip: string }): Promise<void> {
    this.#place = place;
    await announceNode(await this.#line(), this.#number, place);
  }

  own(): { node: string; url: string; sip: string } {
    return { node: this.name, url: this.#place?.url ?? "", sip: this.#place?.sip ?? "" };
  }

  acts(): boolean {
    return this.#life?.acts() === true;
  }

  /** It lives here, all of it is loaded, and our life certainly holds. */
  owns(exchangeId: number): boolean {
    return this.#held.has(exchangeId) && this.acts();
  }

  /** Whether something new may begin there. */
  takesNew(exchangeId: number): boolean {
    return this.owns(exchangeId) && !this.#leaving.has(exchangeId);
  }

  where(exchangeId: number): Whereabouts {
    if (this.owns(exchangeId)) return { is: "here" };
    return this.#view.whereElse(exchangeId, this.name, (life) => this.#refusals.isDoubted(life));
  }

  exchangeOf = (sipDomain: string): number | undefined => this.#view.byDomain(sipDomain)?.id;

  /** How many exchanges there are at all nodes together. */
  everyExchange = (): number => this.#view.exchanges.length;

  held = (): readonly number[] => [...this.#held];

  others = (): NodeRow[] => this.#view.others(this.name);

  counts(): { exchanges: number; state: string; lateRenewals: number; life: number } & Tally {
    const { late: lateRenewals = 0 } = this.#life ?? {};
    const state = this.#life?.state() ?? "starting";
    return { exchanges: this.#held.size, state, lateRenewals, life: this.#number, ...this.tally };
  }

  /** Before a stop: what lives here goes to the others with its calls; kept when all has gone, or nobody waits any longer. */
  async leave(patienceMs: number): Promise<void> {
    if (!this.acts() || receiverFor(this.#seen()) === undefined) return;
    await beginToLeave(await this.#line(), this.#number);
    if (!(await this.#atLast(patienceMs, () => this.#held.size === 0)))
      this.#needs.log.warn({ exchanges: this.held() }, "exchanges could not be given away in time");
  }

  /** Nothing is taken any more, nothing is renewed; the others have what was ours at once, unless we come back for it. */
  async close({ comesBack }: { comesBack: boolean }): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#looking;
    await (this.#life ? this.#life.close({ comesBack }) : this.#lockLine.end());
    await this.#looks?.end();
  }

  /** Whether it is so, now or before nobody waits any longer. */
  async #atLast(patienceMs: number, isSo: () => boolean): Promise<boolean> {
    const { clock } = this.#needs;
    const lastLook = within(clock, patienceMs);
    while (!isSo() && clock.ticks() <= lastLook) await pause(clock, LOOK_SOON_MS);
    return isSo();
  }

  #again(ms: number): void {
    if (this.#isClosed) return;
    this.#cancel = this.#needs.clock.after(ms, () => {
      this.#looking = this.#look().then(() => this.#again(this.#refusals.isAnyDoubted() ? DOUBT_MS : LOOK_MS));
    });
  }

  async #line(): Promise<OpenLine> {
    if (this.#looks) return this.#looks;
    const line = await connectLine(this.#needs.url, this.#needs.clock);
    await line.query(sql`set santral.node_life = 'look'`);
    this.#looks = line;
    return line;
  }

  async #look(): Promise<void> {
    if (!this.acts() || !this.#serving) return;
    try {
      await this.#judge();
      await this.#see();
      await this.#takeShare();
      await this.#reconcile();
      await this.#giveAway();
    } catch (error) {
      this.#needs.log.warn({ error: String(error) }, "nodes and exchanges could not be looked at; trying again soon");
      const line = this.#looks;
      this.#looks = undefined;
      await line?.end();
    }
  }

  async #judge(): Promise<void> {
    const minds = { silence: this.#life?.mayJudge() === true };
    const { clock, log } = this.#needs;
    await judgeOthers(await this.#line(), { me: this.name, clock, log, refusals: this.#refusals, minds });
  }

  async #see(): Promise<void> {
    const line = await this.#line();
    this.#view = new View(await listNodes(line), await listOwners(line));
  }

  #seen() {
    const { nodes, exchanges } = this.#view;
    return { me: this.name, nodes, exchanges };
  }

  async #takeShare(): Promise<void> {
    if (this.#life?.state() !== "up" || !this.#place) return;
    const share = sharesOf(this.#seen());
    if (share.length === 0) return;
    await takeExchanges(await this.#line(), this.#number, share);
    await this.#see();
  }

  /** What the database says is ours is loaded, and what is not is dropped. */
  async #reconcile(): Promise<void> {
    const { keepers } = this.#serving!; // looked at only then
    const ours = new Set(this.#view.idsOf(this.name));
    for (const id of [...this.#held].filter((id) => !ours.has(id))) await this.#drop(id);
    const taken = [...ours].filter((id) => !this.#held.has(id));
    if (taken.length === 0) return;
    for (const keeper of keepers) await keeper.load(taken);
    for (const id of taken) this.#held.add(id);
    this.tally.takenOver += this.#view.ownedBefore(taken);
    this.#needs.log.info({ exchanges: taken }, "exchanges live here from now on");
  }

  async #drop(id: number): Promise<void> {
    this.#held.delete(id);
    this.#leaving.delete(id);
    for (const keeper of [...this.#serving!.keepers].reverse()) await keeper.drop(id);
    this.#needs.log.info({ exchange: id }, "an exchange lives here no longer");
  }

  async #giveAway(): Promise<void> {
    const { business } = this.#serving!;
    const isDraining = this.#life?.state() === "draining";
    for (const id of this.#held) for (const keeper of this.#serving!.keepers) keeper.quiet?.(id, isDraining);
    if (isDraining) return this.#giveAll(business);
    this.#leaving.clear();
    this.#patience.end();
    await this.#waits.tell(await this.#line(), this.#number, undefined);
    const spare = [...this.#held].filter((id) => business.calls(id) + business.phones(id) === 0);
    for (const id of spare.slice(0, MOST_GIVEN)) {
      const to = lighterThanUs(this.#seen());
      if (to === undefined) return;
      await this.#give(id, to);
    }
  }

  async #giveAll(business: Business): Promise<void> {
    const waits: BoundCall[] = [];
    const isHasty = this.#life?.hasty === true;
    for (const id of [...this.#held]) {
      const to = receiverFor(this.#seen());
      if (to === undefined) return this.#needs.log.warn({}, "no other node is up to take our exchanges");
      const bound = business.bound(id, isHasty || this.#patience.isOver(id) ? "moves" : "counts");
      if (!isHasty) waits.push(...bound);
      if (bound.length > 0 && !isHasty) continue;
      this.#leaving.add(id);
      if (bound.length > 0) await business.endBound(id);
      await this.#give(id, to);
    }
    await this.#waits.tell(await this.#line(), this.#number, waits);
  }

  async #give(id: number, to: string): Promise<void> {
    this.#leaving.add(id);
    const { business } = this.#serving!;
    if (business.calls(id) > 0 && !(await business.letGo(id))) return void this.#leaving.delete(id);
    const isGiven = await giveExchange(await this.#line(), this.#number, { id, to }).catch(() => false);
    if (isGiven) this.#needs.log.info({ exchange: id, to }, "an exchange was given to another node");
    // What stays ours after all is loaded again at the next look, with its calls.
    await this.#drop(id);
    await this.#see();
  }
}
