// PORT: what the exchange asks of a fax machine in software. The machine itself runs in a process of its own.

import type { LawName } from "../../codecs/codec.ts";
import type { AgreedImage } from "../../sdp/image.ts";

/** Pages on disk: a TIFF with one G4 strip a page, 1728 points wide, 204 points an inch across and 196 (fine) or 98 down. */
export type FaxPages = { tiff: string };

/** Printed on top of every page that is sent; the number of the page and of all pages stands behind it. */
export type FaxHeader = {
  /** Date and time as they shall be read. */
  when: string;
  /** Whose fax it is, Turkish letters and all. */
  from: string;
  to: string;
};

export type FaxRate = 14400 | 9600 | 4800;

export type FaxOptions = {
  role: "send" | "receive";
  /** What is sent; or where what comes is kept, a name that nothing has yet. Without a single whole page no file is left. */
  pages: FaxPages;
  /** The first page to send, counted from 1: the rest of a fax that broke off. */
  fromPage?: number;
  /** How we call ourselves to the other machine: a number, at most 20 characters of it. */
  stationId: string;
  header?: FaxHeader;
  /** Error correction. Default true. */
  ecm?: boolean;
  /** The fastest modem to use: V.17, V.29 or V.27ter and whatever is slower. Default 14400. */
  fastest?: FaxRate;
};

export type FaxEvent =
  /** The two machines have heard of each other. */
  | { is: "met"; remoteStationId: string | undefined; rate: number; ecm: boolean }
  /** So many pages are whole at the receiver; `total` is undefined when receiving. */
  | { is: "page"; confirmed: number; total: number | undefined }
  /** By its tone: the other side is a fax machine. */
  | { is: "heard" };

export type FaxResult = {
  ok: boolean;
  /** Whole pages the receiver confirmed, in this call; what came before `fromPage` is not counted. */
  pages: number;
  /** Bits a second. */
  rate: number;
  ecm: boolean;
  remoteStationId: string | undefined;
  /** T.30's own number of the result: 0 is well; negative ones are ours. */
  code: number;
  text: string;
  /** Went as data (T.38); false when it went as sound. */
  t38: boolean;
  /** Of the last page, in points an inch down: 98 or 196. */
  resolution: number | undefined;
  /** Lines of the pages received that could not be read. */
  badRows: number;
};

/** Results of ours, where the two machines never came to one. */
export const faxFailures = {
  unavailable: -1,
  /** The machine's process died, or was stuck. */
  engineLost: -2,
  /** The call ended before a fax began. */
  noCall: -3,
  tooLong: -4,
  /** Fewer pages went than there are. */
  incomplete: -5,
  /** What should be sent is no pages of fax. */
  unreadable: -6,
} as const;

export function failedFax(why: keyof typeof faxFailures, text: string): FaxResult {
  return { ...NO_FAX, code: faxFailures[why], text };
}

const NO_FAX: Omit<FaxResult, "code" | "text"> = {
  ok: false,
  pages: 0,
  rate: 0,
  ecm: false,
  remoteStationId: undefined,
  t38: false,
  resolution: undefined,
  badRows: 0,
};

export type FaxSession = {
  /** Until the session is over. One listener. */
  listen(hear: (event: FaxEvent) => void): void;
  /** Sound: the machine takes RTP of the codec at a port inside this machine, and sends its own to the engine's port. */
  openAudio(options: { codec: LawName; enginePort: number }): Promise<{ port: number } | { refused: string }>;
  /** Data: reserves a port that the other side may reach. */
  openT38(): Promise<{ port: number } | { refused: string }>;
  /** From now on data; what went on as sound is forgotten. `alsoFrom`: where the other side's signalling comes from. */
  beginT38(agreed: AgreedImage, alsoFrom?: string): void;
  /** The call is over: what is whole by then counts. */
  terminate(): void;
  /** Kept once, whatever happens. */
  readonly done: Promise<FaxResult>;
  /** Lets go of ports and process; after `done`, or instead of it. */
  close(): void;
};

export type FaxAvailability = { available: true } | { available: false; why: string };

export type FaxEngine = {
  /** What to install, when fax cannot work here. */
  availability(): Promise<FaxAvailability>;
  start(options: FaxOptions): FaxSession;
  /** Where the machine's process takes sound. */
  readonly inside: string;
  stop(): Promise<void>;
};
