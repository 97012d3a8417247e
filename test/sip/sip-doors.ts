// Real transports for tests: a receiver that writes down what it hears, and waits that end with the thing waited for.

import { printMessage } from "../../src/sip/message/print.ts";
import type { Parsed } from "../../src/sip/reading/parse.ts";
import type { Receiver, Refused, Source, Transport } from "../../src/sip/transport/transport.ts";

export type Ear = Receiver & {
  /** What came, as octets, in order. */
  heard: { octets: string; source: Source }[];
  refusals: Refused[];
  /** Resolves with the next thing that comes, which may already have come. */
  next(): Promise<{ octets: string; source: Source }>;
  nextRefusal(): Promise<Refused>;
};

export function ear(guard: Receiver["guard"] = () => "pass"): Ear {
  const heard: Ear["heard"] = [];
  const refusals: Refused[] = [];
  let taken = 0;
  let taught = 0;
  let wake = () => {};
  const changed = () => new Promise<void>((resolve) => (wake = resolve));
  const listen = (octets: string, source: Source) => {
    heard.push({ octets, source });
    wake();
  };
  return {
    heard,
    refusals,
    guard,
    receive: listen,
    receiveParsed: (parsed: Parsed, source) =>
      listen("message" in parsed ? printMessage(parsed.message) : `malformed: ${parsed.malformed}`, source),
    refused(what) {
      refusals.push(what);
      wake();
    },
    async next() {
      while (taken >= heard.length) await changed();
      taken += 1;
      return heard[taken - 1]!;
    },
    async nextRefusal() {
      while (taught >= refusals.length) await changed();
      taught += 1;
      return refusals[taught - 1]!;
    },
  };
}

export const portOf = ({ listener }: Transport): number => Number(listener.slice(listener.lastIndexOf(":") + 1));

/** A sender that remembers its bad news. */
export function sender(): { failed(why: string): void; failure: Promise<string> } {
  let failed: (why: string) => void = () => {};
  const failure = new Promise<string>((resolve) => (failed = resolve));
  return { failed: (why) => failed(why), failure };
}

export function optionsText(transport: string, callId: string): string {
  return (
    `OPTIONS sip:127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/${transport} 127.0.0.1;branch=z9hG4bK${callId}\r\n` +
    `From: <sip:a@127.0.0.1>;tag=1\r\nTo: <sip:b@127.0.0.1>\r\nCall-ID: ${callId}\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n`
  );
}
