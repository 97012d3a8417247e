// Structured log lines on standard output. Keys, tickets, tokens and passwords are masked before they are written.

import { pino } from "pino";

export type Log = {
  debug(facts: object, text: string): void;
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
};

export function openLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: ["key", "password", "token", "authorization", "*.key", "*.password", "*.token"], censor: "***" },
    hooks: {
      streamWrite: (line) => mask(line),
    },
  });
}

export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** `K`, `R`, `F` and `W` + UUID are an API key and three kinds of ticket; whoever reads the log must not get in by it. */
function mask(text: string): string {
  return text
    .replace(/\b([KRFW])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "$1***")
    .replace(/([?&](?:key|password|token)=)[^&\s"]+/gi, "$1***");
}

function nothing(): void {}
