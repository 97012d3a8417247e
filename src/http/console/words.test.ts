import { expect, test } from "vitest";
import { updateAnnouncement, uploadAnnouncement } from "../exchange/announcements.ts";
import { blockNumber, unblockNumber } from "../exchange/blocked-numbers.ts";
import { createCampaign } from "../exchange/campaigns.ts";
import { createContact, updateContact } from "../exchange/contacts.ts";
import { updateCrmSettings } from "../exchange/crm.ts";
import { orderFax } from "../exchange/fax-order.ts";
import { consoleApi } from "./api.ts";

type InWords = (text: string, language: "tr" | "en") => string | undefined;

// The browser's own files, which the server's compiler does not read: it has no pages.
const { saidInWords, faultOfValue } = (await import("../../../console/words/said.ts" as string)) as {
  saidInWords: InWords;
  faultOfValue: InWords;
};
const { deedInWords } = (await import("../../../console/words/deeds.ts" as string)) as { deedInWords: InWords };

/** Whatever the console hands on to the exchange's own interface. */
const forwarded = [
  ...[createCampaign, orderFax, uploadAnnouncement, updateAnnouncement, blockNumber, unblockNumber],
  ...[createContact, updateContact, updateCrmSettings],
];

test("every refusal of what is handed on has words in both languages, and no English in the Turkish ones", () => {
  const documented = forwarded.flatMap(({ refusals = [] }) => refusals.map(([, text]) => text));
  const others = [
    "phone_list is too long (maximum is 100000 numbers)",
    "sound files cannot be converted on this server",
  ];
  for (const text of [...documented, ...others]) {
    const [tr, en] = [saidInWords(text, "tr"), saidInWords(text, "en")];
    expect(tr, text).toBeTruthy();
    expect(en, text).toBeTruthy();
    expect(tr, text).not.toMatch(/_|\b(must|can't|cannot|should|invalid|the|is|not)\b/);
    expect(tr).not.toBe(en);
  }
});

test("what a sentence was about is still in it", () => {
  expect(saidInWords("invalid remote_station_id: 12", "tr")).toBe("“Alıcı numarası” uygun değil: 12");
  expect(saidInWords("invalid digit_target_1: nowhere", "tr")).toBe("“1 tuşu” uygun değil: nowhere");
  expect(saidInWords("ring_timeout must be between 25 and 60", "tr")).toBe("“Çalma süresi” 25 ile 60 arasında olmalı.");
  expect(saidInWords("a sentence nobody knows", "tr")).toBeUndefined();
  expect(faultOfValue("must be <= 100", "tr")).toBe("en çok 100 olabilir");
});

test("the audit trail says in Turkish what every operation does", () => {
  for (const [name, { does }] of Object.entries(consoleApi) as [string, { does?: string }][])
    if (does !== undefined) expect(deedInWords(does, "tr"), name).not.toBe(does);
});
