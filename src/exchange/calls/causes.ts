// Why a call ended: the one table between cause names, CDR labels, Q.850 numbers and SIP statuses, read both ways.

type Row = {
  label: string;
  /** Q.850 where the standard has one; the larger numbers are private and never leave in a Reason header. */
  number: number | null;
  /** Sent for an unanswered call; null where the cause ends calls by BYE or never reaches a line. */
  sip: number | null;
};

export const causes = {
  USER_BUSY: { label: "Meşgul", number: 17, sip: 486 },
  ORIGINATOR_CANCEL: { label: "Vazgeçildi", number: 487, sip: 487 },
  NO_ANSWER: { label: "Cevapsız", number: 19, sip: 480 },
  NORMAL_CLEARING: { label: "Cevaplandı", number: 16, sip: null },
  CALL_REJECTED: { label: "Reddedildi", number: 21, sip: 603 },
  INCOMPATIBLE_DESTINATION: { label: "Ses kodekleri uyumsuz", number: 88, sip: 488 },
  INCOMING_CALL_BARRED: { label: "Reddedildi", number: 54, sip: 403 },
  UNALLOCATED_NUMBER: { label: "Hatalı Numara", number: 1, sip: 404 },
  NO_ROUTE_DESTINATION: { label: "Hatalı Numara", number: 3, sip: 404 },
  NO_USER_RESPONSE: { label: "Ulaşılamıyor", number: 18, sip: 408 },
  NORMAL_UNSPECIFIED: { label: "Cevaplandı", number: 31, sip: 480 },
  INVALID_NUMBER_FORMAT: { label: "Hatalı Numara", number: 28, sip: 484 },
  NOT_ALLOWED_BY_IYS: { label: "İYS izni yok", number: null, sip: null },
  FACILITY_REJECTED: { label: "Hata", number: 29, sip: 501 },
  SERVICE_NOT_IMPLEMENTED: { label: "Hata", number: 79, sip: 501 },
  FACILITY_NOT_IMPLEMENTED: { label: "Hata", number: 69, sip: 501 },
  SERVICE_UNAVAILABLE: { label: "Genel Hata", number: 63, sip: 480 },
  INTERWORKING: { label: "Genel Hata", number: 127, sip: 480 },
  REDIRECTION_TO_NEW_DESTINATION: { label: "Cihaz yönlendirmesi", number: 23, sip: 410 },
  EXCHANGE_ROUTING_ERROR: { label: "Çağrı bağlanamadı", number: 25, sip: 483 },
  MEDIA_TIMEOUT: { label: "RTP zamanaşımı", number: 804, sip: 480 },
  SYSTEM_SHUTDOWN: { label: "Santral kapatılıyor", number: 701, sip: 480 },
  ATTENDED_TRANSFER: { label: "Katılımlı aktarım", number: 801, sip: 480 },
  PICKED_OFF: { label: "Çağrısı çekildi", number: 805, sip: 480 },
  DESTINATION_OUT_OF_ORDER: { label: "Cihazla iletişim sorunu", number: 27, sip: 502 },
  NORMAL_TEMPORARY_FAILURE: { label: "Cihazla iletişim sorunu", number: 41, sip: 503 },
  NETWORK_OUT_OF_ORDER: { label: "İletişim sorunu", number: 38, sip: 503 },
  RECOVERY_ON_TIMER_EXPIRE: { label: "Zamanaşımı", number: 102, sip: 504 },
  ALLOTTED_TIMEOUT: { label: "Cevapsız", number: 802, sip: 480 },
  BEARERCAPABILITY_NOTIMPL: { label: "Sesli görüşme yapamayan numara", number: 65, sip: 488 },
  LOSE_RACE: { label: "Diğer dahili cevapladı", number: 702, sip: 480 },
  CHAN_NOT_IMPLEMENTED: { label: "Desteklenmeyen kanal tipi", number: 66, sip: 480 },
  NORMAL_CIRCUIT_CONGESTION: { label: "Arama için santral uygun durumda değil", number: 34, sip: 503 },
  INVALID_CALL_REFERENCE: { label: "Tanınmayan Çağrı ID numarası", number: 81, sip: 480 },
} as const satisfies Record<string, Row>;

export type HangupCause = keyof typeof causes;

// The table was written with `as const`; this view of it has one row type for every cause.
const rows: Record<HangupCause, Row> = causes;

const statusesReceived: Partial<Record<HangupCause, readonly number[]>> = {
  CALL_REJECTED: [401, 402, 403, 407, 603, 607, 608],
  // 410 "Gone" is a changed number; the interface has no word for it but "wrong number".
  UNALLOCATED_NUMBER: [404, 410],
  NO_ROUTE_DESTINATION: [485, 604],
  RECOVERY_ON_TIMER_EXPIRE: [408, 504],
  NO_USER_RESPONSE: [480],
  USER_BUSY: [486, 600],
  INVALID_NUMBER_FORMAT: [484],
  INCOMPATIBLE_DESTINATION: [488, 606],
  NETWORK_OUT_OF_ORDER: [502],
  NORMAL_TEMPORARY_FAILURE: [400, 481, 500, 503],
  SERVICE_UNAVAILABLE: [405],
  SERVICE_NOT_IMPLEMENTED: [406, 415, 501],
  EXCHANGE_ROUTING_ERROR: [482, 483],
  ORIGINATOR_CANCEL: [487],
  INTERWORKING: [413, 414, 416, 420, 421, 423, 505, 513],
};

const causeByStatus = new Map<number, HangupCause>(
  entries(statusesReceived).flatMap(([cause, statuses]) =>
    statuses.map((status): [number, HangupCause] => [status, cause]),
  ),
);

const causeByNumber = new Map<number, HangupCause>(
  entries(rows).flatMap(([cause, { number }]) => (number === null ? [] : [[number, cause] as const])),
);

/** RFC 3326: forks that lost are told so, or every other phone shows a missed call. */
const ANSWERED_ELSEWHERE = `SIP;cause=200;text="Call completed elsewhere"`;
const GREATEST_Q850 = 127;
const STATUS_WITHOUT_A_BETTER_ONE = 480;

export function isHangupCause(name: string): name is HangupCause {
  return Object.hasOwn(causes, name);
}

/** What the CDR's `result` says: an answered call was answered, however it ended, and no other was. */
export function resultLabel({ answered, cause }: { answered: boolean; cause: HangupCause }): string {
  const { label } = rows[answered ? "NORMAL_CLEARING" : cause];
  return !answered && label === rows.NORMAL_CLEARING.label ? rows.NO_ANSWER.label : label;
}

/** The final status that tells a caller why the call did not come about. */
export function statusFor(cause: HangupCause): number {
  return rows[cause].sip ?? STATUS_WITHOUT_A_BETTER_ONE;
}

export function causeOfStatus(status: number): HangupCause {
  return causeByStatus.get(status) ?? "NORMAL_UNSPECIFIED";
}

/** How a leg ended by its final response: a Reason header knows more than the status it came with. */
export function causeOfEnding({ status, reason }: { status: number; reason?: string | undefined }): HangupCause {
  return (reason === undefined ? undefined : causeOfReason(reason)) ?? causeOfStatus(status);
}

/** The value of the Reason header for a cause, where the standard has one. */
export function reasonFor(cause: HangupCause): string | undefined {
  if (cause === "LOSE_RACE" || cause === "PICKED_OFF") return ANSWERED_ELSEWHERE;
  const { number, sip } = rows[cause];
  if (number !== null && number <= GREATEST_Q850) return `Q.850;cause=${number};text="${cause}"`;
  return sip === null ? undefined : `SIP;cause=${sip};text="${cause}"`;
}

/** Several reasons may stand in one header; Q.850 is the telephone network's own word and wins. */
export function causeOfReason(header: string): HangupCause | undefined {
  const reasons = header.split(/,(?=\s*[\w.]+\s*;)/).map(readReason);
  const q850 = reasons.find(({ protocol, number }) => protocol === "q.850" && number <= GREATEST_Q850);
  if (q850) return causeByNumber.get(q850.number) ?? "NORMAL_UNSPECIFIED";
  const sip = reasons.find(({ protocol }) => protocol === "sip");
  if (sip?.text !== undefined && isHangupCause(sip.text)) return sip.text;
  if (sip?.number === 200) return "LOSE_RACE";
  return sip && causeOfStatus(sip.number);
}

function readReason(reason: string): { protocol: string; number: number; text: string | undefined } {
  return {
    protocol: reason.split(";", 1)[0]!.trim().toLowerCase(),
    number: Number(/;\s*cause\s*=\s*(\d{1,4})/i.exec(reason)?.[1] ?? Number.NaN),
    text: /;\s*text\s*=\s*"([^"]*)"/i.exec(reason)?.[1],
  };
}

function entries<Value>(record: Partial<Record<HangupCause, Value>>): [HangupCause, Value][] {
  // Object.entries forgets the key's type; the records above are closed.
  return Object.entries(record) as [HangupCause, Value][];
}
