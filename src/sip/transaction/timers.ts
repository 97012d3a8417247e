// The base times of RFC 3261 table 4, from which every transaction timer is made.

/** Round trip assumed on an unknown network. */
export const T1_MS = 500;
/** Longest pause between two resendings. */
export const T2_MS = 4_000;
/** Longest life of a message in the network. */
export const T4_MS = 5_000;
/** Timers B, F, H, J, L and M: how long anybody waits for anybody. */
export const PATIENCE_MS = 64 * T1_MS;
/** RFC 3261 §17.2.1: a caller who hears nothing for this long gets a 100 from the transaction itself. */
export const TRYING_AFTER_MS = 200;
