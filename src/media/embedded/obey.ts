// A media thread's side of every command.

import type { StreamId, StreamStatistics } from "../engine.ts";
import { give } from "./advance.ts";
import { settleAdvance } from "./advance-stream.ts";
import type { Answers, Command } from "./commands.ts";
import { lostSoFar } from "./counting.ts";
import { settleDtls } from "./dtls-stream.ts";
import { endCallRecording, endPlaying, endRecording } from "./ending.ts";
import { settleIce } from "./ice.ts";
import { keyCameBeside, typeKeys } from "./keys.ts";
import { expectFrom } from "./learn.ts";
import { closeStream, enter, leave } from "./lifecycle.ts";
import { adopt, release } from "./move.ts";
import { replan } from "./plan.ts";
import { Player } from "./player.ts";
import { CallRecorder, PartyRecorder } from "./recorder.ts";
import { resume } from "./resume.ts";
import { MOST_PARTIES, Room } from "./room.ts";
import { Session } from "./srtp.ts";
import { cryptoLibrary } from "./srtp-crypto.ts";
import { Stream } from "./stream.ts";
import { portsOf, type Thread } from "./thread.ts";
import { parseIp } from "./wire.ts";

type Obey<Do extends Command["do"]> = (
  thread: Thread,
  command: Command & { do: Do },
  answer: (value: Answers[Do]) => void,
) => void;

function simply(act: (thread: Thread, stream: Stream) => void) {
  return (thread: Thread, { stream }: { stream: StreamId }, answer: (value: undefined) => void): void => {
    const found = thread.streams.get(stream);
    if (found) act(thread, found);
    answer(undefined);
  };
}

const open: Obey<"open"> = (thread, { stream: id, at, port, told, peerHint }, answer) => {
  const { rtp, rtcp } = thread.pools[at]!.stock.take(port); // the main thread names places that there are
  const hintIp = parseIp(peerHint ?? "") ?? 0;
  enter(thread, new Stream({ id, rtp, rtcp, port, at, told, hintIp, random: thread.random, nowMs: thread.nowMs }));
  answer(undefined);
};

const reopen: Obey<"reopen"> = (thread, { stream: id, at, port, address: told, peerHint }, answer) => {
  const pair = portsOf(thread, { at }).takeHeld(port);
  const hintIp = parseIp(peerHint) ?? 0;
  if (pair) enter(thread, new Stream({ ...pair, id, at, told, hintIp, random: thread.random, nowMs: thread.nowMs }));
  answer(pair !== undefined);
};

const settle: Obey<"settle"> = (thread, { stream: id, settings }, answer) => {
  const stream = thread.streams.get(id);
  if (!stream) return answer(undefined);
  const wasExpected = stream.receives && stream.sends;
  stream.useSettings(settings);
  if (settings.peerHint !== undefined) stream.hintIp = parseIp(settings.peerHint) ?? 0;
  stream.player?.useRate(stream.codec.pcmRate);
  stream.keyTones?.useRate(stream.codec.pcmRate);
  // After a hold the other side gets its full time to be heard again.
  if (!wasExpected) stream.heardAtMs = thread.nowMs;
  const rtcpPort = settings.rtcpMux ? settings.remote.port : (settings.remoteRtcpPort ?? settings.remote.port + 1);
  const hasMoved = !settings.ice && expectFrom(stream, settings.remote, Math.min(rtcpPort, 65_535));
  settleAdvance(thread, stream, hasMoved);
  settleIce(thread, stream);
  settleKeys(stream);
  settleDtls(thread, stream);
  replan(thread, stream);
  thread.keeper?.note(stream);
  answer(undefined);
};

/** The same keys keep their counters: starting them anew would repeat a keystream. */
function settleKeys(stream: Stream): void {
  if (stream.settings?.dtls) return;
  const keys = stream.settings?.srtp;
  const now = stream.srtp;
  if (keys && now?.has(keys)) return;
  stream.srtp = keys && new Session(keys, cryptoLibrary());
  now?.close();
}

const join: Obey<"join"> = (thread, { stream, other }, answer) => {
  const a = thread.streams.get(stream);
  const b = thread.streams.get(other);
  if (a && b && a !== b) {
    if (a.peer !== b) leave(thread, a);
    if (b.peer !== a) leave(thread, b);
    a.peer = b;
    b.peer = a;
    replan(thread, a);
  }
  answer(undefined);
};

const mix: Obey<"mix"> = (thread, { room: name, parties }, answer) => {
  const room = thread.rooms.get(name) ?? new Room<Stream>(name);
  const known = parties.slice(0, MOST_PARTIES).flatMap(({ stream, hears }) => {
    const found = thread.streams.get(stream);
    return found ? [{ stream: found, hears: hears.flatMap((id) => thread.streams.get(id) ?? []) }] : [];
  });
  const members = new Set(known.map((party) => party.stream));
  for (const member of [...room.hears.keys()]) if (!members.has(member)) leave(thread, member);
  for (const { stream, hears } of known) {
    if (stream.room !== room) leave(thread, stream);
    stream.room = room;
    room.hears.set(
      stream,
      hears.filter((speaker) => members.has(speaker)),
    );
    replan(thread, stream);
  }
  if (room.hears.size > 0) thread.rooms.set(name, room);
  else thread.rooms.delete(name);
  answer(undefined);
};

const play: Obey<"play"> = (thread, { stream: id, sounds, times, isInterruptible }, answer) => {
  const stream = thread.streams.get(id);
  if (!stream) return answer({ ended: "stream-closed" });
  stream.player?.end({ ended: "stopped" });
  stream.player = new Player({ sounds, times, isInterruptible, rate: stream.codec.pcmRate, tellEnd: answer });
  replan(thread, stream);
};

const mute: Obey<"mute"> = (thread, { stream: id, says, hears }, answer) => {
  const stream = thread.streams.get(id);
  if (stream) {
    stream.saysMuted = says ?? stream.saysMuted;
    stream.hearsMuted = hears ?? stream.hearsMuted;
    replan(thread, stream);
    thread.keeper?.note(stream);
  }
  answer(undefined);
};

const listenFor: Obey<"listenFor"> = (thread, { stream: id, faxTones }, answer) => {
  const stream = thread.streams.get(id);
  if (stream) {
    stream.faxTones = faxTones;
    stream.faxListener = undefined;
    replan(thread, stream);
    thread.keeper?.note(stream);
  }
  answer(undefined);
};

const recordCall: Obey<"recordCall"> = (thread, { recording, path, left, right, before }, answer) => {
  const sides = [left, right].flatMap((id) => thread.streams.get(id ?? "") ?? []);
  const rate = before?.rate ?? (sides.some((side) => side.codec.pcmRate === 16000) ? 16000 : 8000);
  const nowMs = thread.nowMs + thread.zeroMs;
  const begunMs = before?.begunMs ?? nowMs;
  const recorder = new CallRecorder<Stream>({ recording, rate, path, begunMs }, thread.disk);
  const untilMs = before && { untilMs: nowMs - begunMs };
  thread.disk.postMessage({ is: "begin", recording, thread: thread.place, path, rate, channels: 2, ...untilMs }, []);
  thread.recordings.set(recording, recorder);
  setSides(thread, recorder, { left: thread.streams.get(left), right: thread.streams.get(right ?? "") });
  if (sides.length === 0) endCallRecording(thread, recorder);
  answer(undefined);
};

const changeRecording: Obey<"changeRecording"> = (thread, { recording, left, right }, answer) => {
  const recorder = thread.recordings.get(recording);
  if (recorder)
    setSides(thread, recorder, {
      left: left === undefined ? recorder.left : thread.streams.get(left),
      right: right === undefined ? recorder.right : thread.streams.get(right),
    });
  answer(undefined);
};

function setSides(
  thread: Thread,
  recorder: CallRecorder<Stream>,
  sides: { left: Stream | undefined; right: Stream | undefined },
): void {
  const before = [recorder.left, recorder.right];
  for (const side of before) side?.recordings.delete(recorder);
  recorder.left = sides.left;
  recorder.right = sides.right;
  for (const side of [sides.left, sides.right]) side?.recordings.add(recorder);
  for (const side of new Set([...before, sides.left, sides.right])) {
    if (!side) continue;
    replan(thread, side);
    thread.keeper?.note(side);
  }
}

const record: Obey<"record"> = (thread, { recording, stream: id, path, maxMs, silenceMs, stopKeys }, answer) => {
  const stream = thread.streams.get(id);
  const rate = stream?.codec.pcmRate ?? 8000;
  thread.disk.postMessage({ is: "begin", recording, thread: thread.place, path, rate, channels: 1 }, []);
  const recorder = new PartyRecorder({ recording, rate, port: thread.disk, maxMs, silenceMs, stopKeys });
  if (stream) {
    endRecording(thread, stream, "stopped");
    stream.recorder = recorder;
    replan(thread, stream);
  } else recorder.end("stream-closed");
  answer(undefined);
};

function statisticsOf(stream: Stream | undefined): StreamStatistics {
  if (!stream) return { packetsIn: 0, packetsOut: 0, lost: 0, jitterMs: 0, refused: 0, concealed: 0 };
  return {
    packetsIn: stream.packetsIn,
    packetsOut: stream.packetsOut,
    lost: lostSoFar(stream),
    jitterMs: (stream.jitter * 1000) / stream.codec.clockRate,
    refused: stream.refused,
    concealed: stream.concealedBefore + (stream.hearing?.concealed ?? 0),
    ...(stream.roundTripMs < 0 ? {} : { roundTripMs: stream.roundTripMs }),
  };
}

/** Commands about a stream that is gone do nothing: whoever sent them has not heard of its end yet. */
export const handlers: { [Do in Exclude<Command["do"], "stop">]: Obey<Do> } = {
  findPorts: (thread, { at }, answer) => answer(thread.pools[at]?.stock.find(thread.nowMs) ?? []),
  open,
  reopen,
  settle,
  advance: simply((thread, stream) => give(stream.advance, thread.nowMs)),
  join,
  part: simply(leave),
  mix,
  play,
  stopPlaying: simply((thread, stream) => endPlaying(thread, stream, { ended: "stopped" })),
  sendDigits(thread, { stream, digits }, answer) {
    const found = thread.streams.get(stream);
    if (found?.settings) typeKeys(thread, found, digits, () => answer(undefined));
    else answer(undefined);
  },
  pressed(thread, { stream, digit }, answer) {
    const found = thread.streams.get(stream);
    if (found) keyCameBeside(thread, found, digit);
    answer(undefined);
  },
  mute,
  listenFor,
  recordCall,
  changeRecording,
  stopCallRecording(thread, { recording }, answer) {
    const recorder = thread.recordings.get(recording);
    if (recorder) endCallRecording(thread, recorder);
    answer(undefined);
  },
  record,
  stopRecording: simply((thread, stream) => endRecording(thread, stream, "stopped")),
  statistics(thread, { stream }, answer) {
    answer(statisticsOf(thread.streams.get(stream)));
  },
  close: simply(closeStream),
  release(thread, { stream }, answer) {
    const found = thread.streams.get(stream);
    answer(found && release(thread, found));
  },
  resume: (thread, { kept, at }, answer) => answer(resume(thread, kept, at)),
  letGo(thread, _command, answer) {
    for (const { ports } of thread.pools) ports.letGo();
    // Those that were gone on with are in the new ledger before the old one is thrown away.
    thread.keeper?.flush(thread);
    answer(undefined);
  },
  adopt(thread, { luggage }, answer) {
    adopt(thread, luggage);
    answer(undefined);
  },
  writeTo(thread, { port }, answer) {
    thread.disk = port;
    answer(undefined);
  },
};
