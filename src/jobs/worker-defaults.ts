// What a pool of workers does unless it is told otherwise.

const SECOND = 1_000;

export const byDefault = {
  concurrency: 256, // mostly waiting for receivers, of which each gets only a few
  perShare: 8,
  perExchange: 64,
  limits: {},
  leaseMs: 60 * SECOND,
  epoch: 0,
  pollMs: SECOND,
  isWoken: true,
  random: Math.random,
};
