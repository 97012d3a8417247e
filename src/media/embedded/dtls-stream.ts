// A stream whose keys are agreed on by DTLS: one handshake for RTP, and another for RTCP where that has a port of its own.

import type { DtlsTerms, SrtpKeys } from "../../sdp/agreed.ts";
import { noteProved } from "./advance-stream.ts";
import { type Attempt, type DtlsLibrary, openDtls } from "./dtls.ts";
import { lockTo } from "./learn.ts";
import { Session } from "./srtp.ts";
import { cryptoLibrary } from "./srtp-crypto.ts";
import type { Stream } from "./stream.ts";
import type { Place } from "./stun.ts";
import type { Thread } from "./thread.ts";
import { makeAddress } from "./wire.ts";

/** So often a handshake may fail, by whoever it was tried with, before nobody is answered any more. */
const MOST_TRIES = 5;
/** To where nothing has come from, of one stream: whoever is there has answered one of the first three seconds. */
const MOST_GREETINGS = 6;

type Component = "rtp" | "rtcp";

/** RFC 7983: what begins so is DTLS, whatever else comes at the same port. */
export const looksLikeDtls = (packet: Uint8Array): boolean => packet[0]! >= 20 && packet[0]! <= 63;

/** After offer and answer: the same terms keep what was agreed on, new ones begin anew. */
export function settleDtls(thread: Thread, stream: Stream): void {
  const terms = stream.settings?.dtls;
  if (terms && stream.dtls && isSame(terms, stream.dtls.terms)) return;
  if (stream.dtls || terms) forgetKeys(stream);
  endDtls(stream);
  stream.awaitsKeys = terms !== undefined;
  if (!terms) return;
  stream.dtls = { terms, rtp: newAttempt(), rtcp: newAttempt() };
  if (!terms.isClient) return;
  begin(thread, stream, "rtp");
  if (!stream.settings?.rtcpMux) begin(thread, stream, "rtcp");
}

/** The packet lies in `thread.wire.packet`, and its sender is one who may be believed. */
export function takeDtls(thread: Thread, stream: Stream, component: Component, length: number): void {
  const attempt = stream.dtls?.[component];
  if (!attempt || attempt.tries > MOST_TRIES) {
    stream.refused += 1;
    return;
  }
  const { packet, fromIp, fromPort } = thread.wire;
  if (attempt.to?.ip !== fromIp || attempt.to.port !== fromPort) attempt.to = makeAddress(fromIp, fromPort);
  if (!attempt.association) begin(thread, stream, component);
  const outcome = attempt.association?.take(packet.subarray(0, length));
  if (outcome === "failed") {
    attempt.association?.close();
    attempt.association = undefined;
  } else if (outcome) {
    haveKeys({ thread, stream }, component, outcome, { ip: fromIp, port: fromPort });
    thread.keeper?.note(stream);
  }
}

export function tickDtls({ dtls }: Stream): void {
  dtls?.rtp.association?.tick();
  dtls?.rtcp.association?.tick();
}

export function endDtls(stream: Stream): void {
  stream.dtls?.rtp.association?.close();
  stream.dtls?.rtcp.association?.close();
  stream.dtls = undefined;
}

/** Its keys came along from another thread; a handshake that had not ended there begins anew. */
export function adoptDtls(thread: Thread, stream: Stream): void {
  const terms = stream.settings?.dtls;
  if (!terms) return;
  if (!stream.srtp) return settleDtls(thread, stream);
  stream.dtls = { terms, rtp: { ...newAttempt(), tries: MOST_TRIES + 1 }, rtcp: newAttempt() };
  if (stream.srtcp) stream.dtls.rtcp.tries = MOST_TRIES + 1;
}

function begin(thread: Thread, stream: Stream, component: Component): void {
  const { dtls } = stream;
  const library = libraryOf(thread);
  if (!dtls || !library) return;
  const attempt = dtls[component];
  attempt.tries += 1;
  attempt.association = library.begin(dtls.terms, (datagram) => {
    const beside = component === "rtp" ? stream.to : stream.toRtcp;
    const to = stream.ice ? stream.to : (attempt.to ?? beside);
    if (!attempt.to && !stream.isProved && ++stream.greetings > MOST_GREETINGS) return;
    if (to) thread.wire.send(component === "rtp" ? stream.out : stream.rtcp, datagram, datagram.length, to);
  });
}

type Where = { thread: Thread; stream: Stream };

function haveKeys({ thread, stream }: Where, component: Component, keys: SrtpKeys, from: Place): void {
  const session = new Session(keys, cryptoLibrary());
  if (component === "rtcp") {
    stream.srtcp?.close();
    stream.srtcp = session;
    return;
  }
  stream.srtp?.close();
  stream.srtp = session;
  stream.awaitsKeys = false;
  // Who proved to be the one that was announced is believed without more.
  if (stream.ice) return; // it has chosen its way, which need not be the one its last word came by
  if (!stream.locked || stream.sourceIp !== from.ip || stream.sourcePort !== from.port)
    lockTo(stream, from.ip, from.port);
  noteProved(thread, stream);
}

function forgetKeys(stream: Stream): void {
  stream.srtp?.close();
  stream.srtcp?.close();
  stream.srtp = undefined;
  stream.srtcp = undefined;
}

function libraryOf(thread: Thread): DtlsLibrary | undefined {
  const { certificate } = thread;
  if (certificate) thread.dtls ??= openDtls(certificate);
  return thread.dtls;
}

function isSame(one: DtlsTerms, other: DtlsTerms): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const newAttempt = (): Attempt => ({ association: undefined, tries: 0, to: undefined });
