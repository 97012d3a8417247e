// How we code Opus, whichever build of it does.

/** RFC 6716 section 3.4. */
export const LARGEST_FRAME = 1275;

// Requests of opus_defines.h.
const SET_BITRATE = 4002;
const SET_COMPLEXITY = 4010;
const SET_INBAND_FEC = 4012;
const SET_PACKET_LOSS = 4014;

export const opusSettings: readonly (readonly [request: number, value: number])[] = [
  [SET_BITRATE, 24_000],
  // Complexity 10 costs twice as much and is not heard at this rate.
  [SET_COMPLEXITY, 3],
  [SET_INBAND_FEC, 1],
  [SET_PACKET_LOSS, 5],
];
