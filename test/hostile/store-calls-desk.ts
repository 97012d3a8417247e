// Agents' desks, asked of the store for ours with their calls, numbers and extensions.

import * as desk from "../../src/store/agent-desk.ts";
import * as notes from "../../src/store/call-notes.ts";
import * as missed from "../../src/store/missed-callers.ts";
import { stretchOfToday } from "../../src/store/reports-now.ts";
import { queuesOfAgent } from "../../src/store/scope.ts";
import { type Both, type Call, call } from "./store-call.ts";

const NOW = new Date();
const LONG_AGO = new Date("2020-01-01T00:00:00Z");
const PEER = "5320007766"; // of somebody who called both

export function deskCalls({ us: { exchangeId }, them }: Both): Call[] {
  const { uuid, liveUuid, missedUuid, extension, marker } = them;
  const written = { note: "ours", tags: ["ours"], disposition: "ours", isOpen: true, by: "ours", at: NOW };
  const taking = { exchangeId, peer: PEER, extension, now: NOW };
  return [
    call(desk.contactWith, exchangeId, "05320007766"),
    call(desk.callsWith, { exchangeId, peer: PEER, except: uuid }),
    call(desk.callsSeen, {
      exchangeId,
      calls: [uuid],
      within: { extensions: ["1000"], queues: ["200"], calledAt: ["200"] },
    }),
    call(desk.deskQueues, exchangeId),
    call(desk.deskSettings, exchangeId),
    call(stretchOfToday, { exchangeId, timeZone: "UTC", within: undefined }),
    call(notes.openNotesAbout, exchangeId, PEER),
    call(notes.notesOfCalls, exchangeId, [uuid, missedUuid]),
    call(notes.withNotes, exchangeId, [{ callUuid: uuid }, { callUuid: missedUuid }]),
    ...[uuid, liveUuid].flatMap((callUuid) =>
      ["1000", extension].flatMap((number) => {
        const of = { exchangeId, callUuid, extension: number };
        return [
          call(desk.findDeskCall, of),
          call(notes.findCallNote, of),
          call(notes.writeCallNote, { ...of, ...written, queue: "200", peer: PEER }),
          call(notes.oweDisposition, { ...of, queue: "200", peer: PEER, atMs: 0 }),
          call(notes.closeNote, { ...of, peer: PEER, by: "ours", at: NOW }),
        ];
      }),
    ),
    ...["1000", extension].flatMap((number) => [
      call(desk.ownCalls, { exchangeId, extension: number, now: LONG_AGO }),
      call(notes.dispositionsOwedBy, exchangeId, number),
      call(queuesOfAgent, exchangeId, number),
    ]),
    call(missed.missedCallers, { exchangeId, queues: ["200", marker], now: LONG_AGO }),
    call(missed.takeMissedCaller, { ...taking, until: NOW }),
    call(missed.leaveMissedCaller, taking),
    call(missed.settleMissedCaller, { ...taking, by: "ours" }),
  ];
}
