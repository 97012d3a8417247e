// A media thread's life: it opens its wire, obeys commands and keeps the twenty-millisecond beat until told to stop.

import { randomFillSync } from "node:crypto";
import { performance } from "node:perf_hooks";
import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { loadLibc } from "../../libc.ts";
import type { AdvanceNews } from "./advance.ts";
import { machineMsAtZero } from "./boot-clock.ts";
import {
  type BrowserPlace,
  type Command,
  type FromThread,
  isAnswerUrgent,
  placesOf,
  type ThreadSettings,
  type ToThread,
} from "./commands.ts";
import { Keeper } from "./keeper.ts";
import type { KeptNews } from "./ledger.ts";
import { closeStream } from "./lifecycle.ts";
import { handlers } from "./obey.ts";
import { Outbox } from "./outbox.ts";
import { Ports, type PortsOptions } from "./ports.ts";
import { receiveRtcp, receiveRtp } from "./receive.ts";
import { Stock } from "./stock.ts";
import type { Stream } from "./stream.ts";
import { SLOW_ROUNDS, type Thread } from "./thread.ts";
import { recordMissed, slowTick, tick } from "./tick.ts";
import { ANY_IP, ANY_IP6, type Ip, parseIp, type SocketHandle } from "./wire.ts";
import { DgramWire } from "./wire-dgram.ts";
import { LibcWire } from "./wire-libc.ts";

const TICK_MS = 20;
const SLOW_TICK_MS = 25;
/** Slow ticks between two entries in the ledger: a call is in the journal as soon after its beginning. */
const KEPT_ROUNDS = 4;
/** Without a stream there is nothing to do but to be stoppable, and who stops it wakes it. */
const IDLE_MS = 1_000;
/** Further behind than this, the missed beats are skipped instead of made up for. */
const MOST_TICKS_BEHIND = 5;
const MOST_LOOKS = 64;

export function runMediaThread(settings: ThreadSettings, main: MessagePort, disk: MessagePort): void {
  const libc = settings.withoutLibc ? undefined : loadLibc();
  const wire = libc ? new LibcWire(libc) : new DgramWire();
  const post = (message: FromThread) => main.postMessage(message);
  const outbox = new Outbox(post);
  const zeroMs = machineMsAtZero();
  const { place, keeps } = settings;
  const addresses = placesOf(settings);
  const tell = (news: KeptNews) => main.postMessage({ is: "kept", news } satisfies FromThread, [news.counters.buffer]);
  const keeper = keeps ? new Keeper({ place, addresses, zeroMs, tell }) : undefined;
  const tellAdvance = (news: AdvanceNews) => post({ is: "advance", news });
  const thread = openThread(settings, { wire, disk, outbox, keeper, zeroMs, tellAdvance });
  const takeBatch = wire instanceof DgramWire ? commandsByEvent(main, wire) : () => receiveMessageOnPort(main);
  const obey = obeyAll(thread, outbox);
  const held = settings.holds.filter(({ at, port }) => thread.pools[at]?.ports.hold(port)).map(({ stream }) => stream);
  post({ is: "ready", wakeFd: wire.wakeFd, leaves: wire.leaves, held });
  for (const [at, { stock }] of thread.pools.entries()) post({ is: "ports", at, ports: stock.fill(thread.nowMs) });
  wire.serve({
    woke(nowMs) {
      thread.nowMs = nowMs;
    },
    arrived(socket, length) {
      arrived(thread, socket, length);
      if (outbox.isUrgent) outbox.flush();
    },
    turn: beat(thread, outbox, post),
    takeCommands() {
      for (let batch = takeBatch(); batch !== undefined; batch = takeBatch()) {
        const commands = batch.message as ToThread; // the main thread sends nothing else
        const goesOn = commands.every(obey);
        if (outbox.isUrgent) outbox.flush();
        if (!goesOn) return false;
      }
      return true;
    },
  });
}

type ThreadParts = Pick<Thread, "wire" | "keeper" | "zeroMs" | "tellAdvance"> & { disk: MessagePort; outbox: Outbox };

function openThread(
  { place, threads, addresses, portRange, sockets, mediaTimeoutMs, certificate, leftBehind, browsers }: ThreadSettings,
  { outbox, ...parts }: ThreadParts,
): Thread {
  const { wire } = parts;
  const shared = { wire, place, threads, sockets, leftBehind };
  const pools = addresses.map((address) => {
    const ports = new Ports({ ...shared, ip: ipOf(address), range: portRange });
    return { ports, stock: new Stock(ports, threads * addresses.length) };
  });
  if (browsers) pools.push(poolFor(browsers, shared));
  return {
    ...parts,
    place,
    pools,
    browsersInBoth: browsers?.second !== undefined,
    mediaTimeoutMs,
    certificate,
    dtls: undefined,
    streams: new Map(),
    rtpSockets: [],
    rtcpSockets: [],
    rounds: Array.from({ length: SLOW_ROUNDS }, () => new Set()),
    rooms: new Map(),
    recordings: new Map(),
    decoded: new Set(),
    paced: new Set(),
    pressing: new Set(),
    openEvents: new Set(),
    nowMs: performance.now(),
    tell: (event) => outbox.tell(event),
    random: openRandom(),
  };
}

/** Few of them stand ready: most machines have no browsers. */
function poolFor({ first, second, portRange }: BrowserPlace, shared: Omit<PortsOptions, "ip" | "range">) {
  const others = second === undefined ? {} : { secondIp: ipOf(second) };
  const ports = new Ports({ ...shared, ip: ipOf(first), ...others, range: portRange });
  return { ports, stock: new Stock(ports, Number.POSITIVE_INFINITY) };
}

function ipOf(address: string): Ip {
  return parseIp(address) || (address.includes(":") ? ANY_IP6 : ANY_IP);
}

/** The system is asked for many numbers at once, because asking is what costs. */
function openRandom(): () => number {
  const numbers = new Uint32Array(256);
  let left = 0;
  return () => {
    if (left === 0) {
      randomFillSync(numbers);
      left = numbers.length;
    }
    return numbers[--left]!; // there are as many
  };
}

/** Where the wire runs on the event loop, commands come by events too. */
function commandsByEvent(main: MessagePort, wire: DgramWire): () => { message: unknown } | undefined {
  const waiting: { message: unknown }[] = [];
  main.on("message", (message: unknown) => {
    waiting.push({ message });
    wire.turn();
  });
  return () => waiting.shift();
}

/** False means stop. */
function obeyAll(thread: Thread, outbox: Outbox): (command: Command) => boolean {
  let lastNumber = 0;
  return (command) => {
    const number = ++lastNumber;
    const answer = (value: unknown) => outbox.answer(number, value, isAnswerUrgent(command));
    thread.nowMs = performance.now();
    if (command.do === "stop") {
      for (const stream of thread.streams.values()) if (command.handOver) thread.keeper?.note(stream);
      thread.keeper?.flush(thread);
      for (const stream of [...thread.streams.values()])
        closeStream(thread, stream, command.handOver ? "is left" : "ends");
      for (const { stock, ports } of thread.pools) {
        stock.closeAll();
        ports.closeAll();
      }
      answer(undefined);
      return false;
    }
    // The handler is chosen by the very field that its command is narrowed on.
    const obey = handlers[command.do] as (thread: Thread, command: Command, answer: (value: unknown) => void) => void;
    obey(thread, command, answer);
    return true;
  };
}

/** Hot. A mistake of ours about one stream ends that stream, not the thread. */
function arrived(thread: Thread, socket: SocketHandle, length: number): void {
  const stream = thread.rtpSockets[socket] ?? thread.rtcpSockets[socket];
  if (!stream) {
    for (const { ports } of thread.pools) ports.stray(socket, thread.nowMs);
    return;
  }
  try {
    if (socket === stream.rtp || stream.ice) receiveRtp(thread, stream, length);
    else receiveRtcp(thread, stream, length);
  } catch (why) {
    lose(thread, stream, why);
  }
}

/** Runs the beats that are due and says when the next one is. */
function beat(thread: Thread, outbox: Outbox, post: (message: FromThread) => void): (nowMs: number) => number {
  let nextMs = performance.now() + TICK_MS;
  let nextSlowMs = nextMs;
  let round = 0;
  const loses = (stream: Stream, why: unknown) => lose(thread, stream, why);
  return (nowMs) => {
    if (nowMs - nextMs > TICK_MS) catchUp(thread);
    thread.nowMs = nowMs;
    if (nowMs - nextMs > MOST_TICKS_BEHIND * TICK_MS) {
      const missed = Math.floor((nowMs - nextMs) / TICK_MS);
      recordMissed(thread, missed, loses);
      nextMs += missed * TICK_MS;
    }
    for (; nextMs <= nowMs; nextMs += TICK_MS) tick(thread, loses);
    if (nowMs >= nextSlowMs) {
      nextSlowMs = nowMs + SLOW_TICK_MS;
      slowTick(thread, round++);
      if (round % KEPT_ROUNDS === 0) thread.keeper?.flush(thread);
      outbox.flush();
      refill(thread, post);
    }
    if (outbox.isUrgent) outbox.flush();
    const isBusy = thread.decoded.size + thread.paced.size + thread.pressing.size + thread.recordings.size > 0;
    const nextTurnMs = isBusy
      ? Math.min(nextMs, nextSlowMs)
      : thread.streams.size > 0 || !outbox.isEmpty
        ? nextSlowMs
        : nowMs + IDLE_MS;
    return Math.max(0, nextTurnMs - performance.now());
  };
}

function refill(thread: Thread, post: (message: FromThread) => void): void {
  for (const [at, { ports, stock }] of thread.pools.entries()) {
    ports.tidy(thread.nowMs);
    const ready = stock.fill(thread.nowMs);
    if (ready.length > 0) post({ is: "ports", at, ports: ready });
  }
}

/** The machine was busy elsewhere: what arrived meanwhile is not late, it only has not been looked at. */
function catchUp(thread: Thread): void {
  for (let looks = 0; looks < MOST_LOOKS && thread.wire.drain() > 0; looks++);
}

function lose(thread: Thread, stream: Stream, why: unknown): void {
  closeStream(thread, stream);
  thread.tell({ is: "lost", stream: stream.id, why: why instanceof Error ? why.message : String(why) });
}
