import { expect, test } from "vitest";
import { CONSENT_SOURCES, judgeConsent, readConsent, type WrittenConsent } from "./consent.ts";

const ZONE = "Europe/Istanbul";
const now = Date.UTC(2026, 0, 5, 9);
const good: WrittenConsent = {
  type: "MESAJ",
  source: "HS_WEB",
  status: "ONAY",
  recipientType: "BIREYSEL",
  recipient: "05321234567",
  date: "2026-01-05 10:00:00",
};
const read = (change: WrittenConsent) => readConsent({ ...good, ...change }, now, ZONE);

test("a consent is taken with every documented type, source, status and recipient type", () => {
  for (const source of CONSENT_SOURCES)
    expect(read({ source, date: source === "HS_2015" ? "2015-05-01 00:00:00" : good.date! })).toMatchObject({ source });
  for (const type of ["ARAMA", "MESAJ"]) expect(read({ type })).toMatchObject({ type, recipient: "905321234567" });
  expect(read({ type: "EPOSTA", recipient: "Ali@Example.com" })).toMatchObject({ recipient: "ali@example.com" });
  for (const status of ["ONAY", "RET", "ret"]) expect(read({ status })).toMatchObject({ status: status.toUpperCase() });
  expect(read({ recipientType: "TACIR", date: undefined as never })).toMatchObject({ consentedAt: new Date(now) });
});

test("a date must be there for a person, lie between 1 May 2015 and now, and be at most three days old", () => {
  expect(readConsent({ ...good, date: undefined as never }, now, ZONE)).toEqual({ refused: "MISSING_CONSENT_DATE" });
  for (const date of [
    "2026-01-05 12:00:01",
    "2026-01-02 11:59:59",
    "2015-04-30 23:59:59",
    "yesterday",
    "2026-02-31 10:00:00",
  ])
    expect(read({ date }), date).toEqual({ refused: "INVALID_CONSENT_DATE" });
  expect(read({ date: "2026-01-02 12:00:00" })).toMatchObject({ type: "MESAJ" });
  expect(read({ date: "2026-01-05 12:00:00" })).toMatchObject({ type: "MESAJ" });
  expect(read({ source: "HS_2015", date: "2026-01-05 10:00:00" })).toEqual({ refused: "INVALID_CONSENT_DATE" });
  expect(read({ source: "HS_2015", date: "2015-05-01 18:00:00" })).toMatchObject({ source: "HS_2015" });
});

test("what a consent lacks is named", () => {
  expect(read({ recipient: "123456" })).toEqual({ refused: "INVALID_RECIPIENT" });
  expect(read({ type: "EPOSTA" })).toEqual({ refused: "INVALID_RECIPIENT" });
  expect(read({ recipientType: "KIMSE" })).toEqual({ refused: "INVALID_IYS_RECIPIENT_TYPE" });
  for (const change of [{ type: "FAKS" }, { source: "HS_YOK" }, { status: "BELKI" }])
    expect(read(change)).toEqual({ refused: "MISSING_CONSENT" });
});

test("the registry refuses a first record that is a refusal, and a court's decision that grants", () => {
  const consent = read({});
  if ("refused" in consent) throw new Error(consent.refused);
  const refusal = { ...consent, status: "RET" as const };
  expect(judgeConsent(consent, undefined)).toEqual({ taken: true });
  expect(judgeConsent(refusal, "ONAY")).toEqual({ taken: true });
  expect(judgeConsent(refusal, undefined)).toEqual({
    taken: false,
    error: "H175 İlk defa kaydedilen bir iznin durum (status) bilgisi RET olmamalıdır.",
  });
  expect(judgeConsent({ ...consent, source: "HS_KARAR" }, "RET")).toMatchObject({ taken: false });
});
