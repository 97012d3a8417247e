// How good a call sounds, in bars: loss hurts most, then delay, then jitter.

export type Reception = { received: number; lost: number; jitterMs: number; roundTripMs: number };

async function receptionOf(connection: RTCPeerConnection): Promise<Reception | undefined> {
  let reception: Reception | undefined;
  let roundTripMs = 0;
  for (const report of (await connection.getStats()).values()) {
    if (report.type === "inbound-rtp")
      reception = {
        received: report.packetsReceived ?? 0,
        lost: report.packetsLost ?? 0,
        roundTripMs: 0,
        jitterMs: (report.jitter ?? 0) * 1_000,
      };
    if (report.type === "candidate-pair" && report.nominated) roundTripMs = (report.currentRoundTripTime ?? 0) * 1_000;
  }
  return reception && { ...reception, roundTripMs };
}

/** Four is very good, one is hardly to be understood; by what came between two looks. */
function barsOf(now: Reception, before: Reception | undefined): number {
  const received = now.received - (before?.received ?? 0);
  const lost = Math.max(0, now.lost - (before?.lost ?? 0));
  if (received + lost === 0) return 1;
  const lossPercent = (lost / (received + lost)) * 100;
  const badness = lossPercent + Math.max(0, now.roundTripMs - 150) / 60 + Math.max(0, now.jitterMs - 20) / 15;
  if (badness < 1) return 4;
  if (badness < 4) return 3;
  return badness < 10 ? 2 : 1;
}

/** Of a call since the last time it was asked about. */
export async function qualityOf(up: { session: { connection: RTCPeerConnection }; reception?: Reception }) {
  // A connection that was closed between two looks tells nothing any more: the bars stay as they were.
  const now = await receptionOf(up.session.connection).catch(() => undefined);
  if (!now) return undefined;
  const bars = barsOf(now, up.reception);
  up.reception = now;
  return bars;
}
