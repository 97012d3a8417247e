import { describe, expect, test } from "vitest";
import {
  causeOfEnding,
  causeOfReason,
  causeOfStatus,
  causes,
  type HangupCause,
  isHangupCause,
  reasonFor,
  resultLabel,
  statusFor,
} from "./causes.ts";

// The documented table, row by row: cause, label, number, status sent ("BYE" and "-" are not statuses).
const documented = `
USER_BUSY|Meşgul|17|486
ORIGINATOR_CANCEL|Vazgeçildi|487|487
NO_ANSWER|Cevapsız|19|480
NORMAL_CLEARING|Cevaplandı|16|BYE
CALL_REJECTED|Reddedildi|21|603
INCOMPATIBLE_DESTINATION|Ses kodekleri uyumsuz|88|488
INCOMING_CALL_BARRED|Reddedildi|54|403
UNALLOCATED_NUMBER|Hatalı Numara|1|404
NO_ROUTE_DESTINATION|Hatalı Numara|3|404
NO_USER_RESPONSE|Ulaşılamıyor|18|408
NORMAL_UNSPECIFIED|Cevaplandı|31|480
INVALID_NUMBER_FORMAT|Hatalı Numara|28|484
NOT_ALLOWED_BY_IYS|İYS izni yok|-|-
FACILITY_REJECTED|Hata|29|501
SERVICE_NOT_IMPLEMENTED|Hata|79|501
FACILITY_NOT_IMPLEMENTED|Hata|69|501
SERVICE_UNAVAILABLE|Genel Hata|63|480
INTERWORKING|Genel Hata|127|480
REDIRECTION_TO_NEW_DESTINATION|Cihaz yönlendirmesi|23|410
EXCHANGE_ROUTING_ERROR|Çağrı bağlanamadı|25|483
MEDIA_TIMEOUT|RTP zamanaşımı|804|480
SYSTEM_SHUTDOWN|Santral kapatılıyor|701|480
ATTENDED_TRANSFER|Katılımlı aktarım|801|480
PICKED_OFF|Çağrısı çekildi|805|480
DESTINATION_OUT_OF_ORDER|Cihazla iletişim sorunu|27|502
NORMAL_TEMPORARY_FAILURE|Cihazla iletişim sorunu|41|503
NETWORK_OUT_OF_ORDER|İletişim sorunu|38|503
RECOVERY_ON_TIMER_EXPIRE|Zamanaşımı|102|504
ALLOTTED_TIMEOUT|Cevapsız|802|480
BEARERCAPABILITY_NOTIMPL|Sesli görüşme yapamayan numara|65|488
LOSE_RACE|Diğer dahili cevapladı|702|480
CHAN_NOT_IMPLEMENTED|Desteklenmeyen kanal tipi|66|480
NORMAL_CIRCUIT_CONGESTION|Arama için santral uygun durumda değil|34|503
INVALID_CALL_REFERENCE|Tanınmayan Çağrı ID numarası|81|480`
  .trim()
  .split("\n")
  .map((line) => line.split("|") as [HangupCause, string, string, string]);

test("the table has every documented row and no other", () => {
  expect(documented).toHaveLength(34);
  expect(Object.keys(causes)).toEqual(documented.map(([cause]) => cause));
});

describe("each cause has its label, number and status", () => {
  test.each(documented)("%s", (cause, label, number, sip) => {
    expect(causes[cause].label).toBe(label);
    expect(String(causes[cause].number ?? "-")).toBe(number);
    expect(statusFor(cause)).toBe(Number(sip) || 480);
  });
});

test("an answered call is labelled answered whatever ended it", () => {
  for (const [cause] of documented) expect(resultLabel({ answered: true, cause })).toBe("Cevaplandı");
});

test("no call is labelled answered that was not, for whoever reads the label takes any other for a failure", () => {
  for (const [cause, label] of documented)
    expect(resultLabel({ answered: false, cause })).toBe(label === "Cevaplandı" ? "Cevapsız" : label);
});

describe("a status received says why the far side did not answer", () => {
  test.each<[number[], HangupCause]>([
    [[401, 402, 403, 407, 603, 607, 608], "CALL_REJECTED"],
    [[404, 410], "UNALLOCATED_NUMBER"],
    [[485, 604], "NO_ROUTE_DESTINATION"],
    [[408, 504], "RECOVERY_ON_TIMER_EXPIRE"],
    [[480], "NO_USER_RESPONSE"],
    [[486, 600], "USER_BUSY"],
    [[484], "INVALID_NUMBER_FORMAT"],
    [[488, 606], "INCOMPATIBLE_DESTINATION"],
    [[502], "NETWORK_OUT_OF_ORDER"],
    [[400, 481, 500, 503], "NORMAL_TEMPORARY_FAILURE"],
    [[405], "SERVICE_UNAVAILABLE"],
    [[406, 415, 501], "SERVICE_NOT_IMPLEMENTED"],
    [[482, 483], "EXCHANGE_ROUTING_ERROR"],
    [[487], "ORIGINATOR_CANCEL"],
    [[413, 414, 416, 420, 421, 423, 505, 513], "INTERWORKING"],
    [[302, 428, 429, 437, 438, 499, 599, 699], "NORMAL_UNSPECIFIED"],
  ])("%j is %s", (statuses, cause) => {
    for (const status of statuses) expect(causeOfStatus(status)).toBe(cause);
  });
});

test("every cause with a standard number survives the trip through a Reason header", () => {
  for (const [cause, , number] of documented)
    if (Number(number) <= 127) expect(causeOfReason(reasonFor(cause)!)).toBe(cause);
});

test("our own causes survive the trip between two of our exchanges", () => {
  for (const cause of ["MEDIA_TIMEOUT", "SYSTEM_SHUTDOWN", "ATTENDED_TRANSFER", "ALLOTTED_TIMEOUT"] as const)
    expect(causeOfReason(reasonFor(cause)!)).toBe(cause);
  expect(reasonFor("NORMAL_CLEARING")).toBe(`Q.850;cause=16;text="NORMAL_CLEARING"`);
  expect(reasonFor("NOT_ALLOWED_BY_IYS")).toBeUndefined();
});

test("phones that lost the race are told the call was answered elsewhere", () => {
  expect(reasonFor("LOSE_RACE")).toContain("SIP;cause=200");
  expect(reasonFor("PICKED_OFF")).toContain("SIP;cause=200");
  expect(causeOfReason(reasonFor("LOSE_RACE")!)).toBe("LOSE_RACE");
});

test("a Reason header is read in every shape carriers send", () => {
  expect(causeOfReason("Q.850;cause=17")).toBe("USER_BUSY");
  expect(causeOfReason('q.850 ; cause=21 ; text="Call Rejected, sorry"')).toBe("CALL_REJECTED");
  expect(causeOfReason('SIP;cause=486;text="Busy, Here", Q.850;cause=1;text="Unallocated"')).toBe("UNALLOCATED_NUMBER");
  expect(causeOfReason('SIP ;cause=600 ;text="Busy Everywhere"')).toBe("USER_BUSY");
  expect(causeOfReason("Q.850;cause=99")).toBe("NORMAL_UNSPECIFIED");
  expect(causeOfReason("X.int;reasoncode=0")).toBeUndefined();
  expect(causeOfReason("")).toBeUndefined();
});

test("the Reason header is believed before the status it came with", () => {
  expect(causeOfEnding({ status: 503, reason: "Q.850;cause=34" })).toBe("NORMAL_CIRCUIT_CONGESTION");
  expect(causeOfEnding({ status: 486 })).toBe("USER_BUSY");
  expect(causeOfEnding({ status: 486, reason: "nonsense" })).toBe("USER_BUSY");
});

test("only names of the table are causes", () => {
  expect(isHangupCause("USER_BUSY")).toBe(true);
  expect(isHangupCause("toString")).toBe(false);
  expect(isHangupCause("NUMBER_CHANGED")).toBe(false);
});
