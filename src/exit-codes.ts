// What the exit code of the server or of a command says to whoever started it.

export const exitCodes = {
  failed: 1,
  usage: 2,
  newerSchema: 3,
  inUse: 4,
  /** The server was asked to let a next process take over: start it again at once (sysexits' EX_TEMPFAIL). */
  again: 75,
} as const;
