import { expect, test } from "vitest";
import { consoleTown } from "../../../test/town/console-town.ts";
import type { FaxOffice, FaxOrderRequest } from "../../exchange/features/faxes/fax-office.ts";
import { findCampaign } from "../../store/campaigns.ts";
import type { CampaignOrder } from "./operations/campaign-order.ts";

const faxed: FaxOrderRequest[] = [];
const office: FaxOffice = {
  whyNot: async () => undefined,
  async order(_exchangeId, wanted) {
    if (wanted.to === "12") return { refused: "invalid-number", number: wanted.to };
    faxed.push(wanted);
    return { id: faxed.length };
  },
  preview: async () => undefined,
  due: () => undefined,
  dropped: () => undefined,
};

const { member, ours, db } = await consoleTown({ faxes: office });
const worker = await member("standard");
const page = { page: 1, limit: 10 };

const campaign: CampaignOrder = {
  name: "Anket",
  kind: "ivr",
  queue: null,
  cli: ours.callerIds[0]!,
  sound: null,
  language: "tr-TR",
  dateBegin: "2026-05-04",
  dateEnd: "2026-05-05",
  timeBegin: "09:00",
  timeEnd: "18:00",
  days: [1, 2],
  phrase: "Merhaba",
  keys: { "1": "queue/200" },
  noKey: "hangup/hangup",
  otherKey: null,
  numbers: "",
  keyRetries: 1,
  keySeconds: 4,
  ringSeconds: 30,
  callRetries: 0,
  atOnce: null,
  perAgent: 1,
  abandonedPercent: 3,
  commercial: false,
  recipientType: "BIREYSEL",
  brandCode: null,
  webhook: null,
  record: false,
  detectMachines: false,
};

test("a fax is ordered with the file and the number that were given, and a refusal is handed on", async () => {
  const content = Buffer.from("Merhaba").toString("base64");
  expect(await worker.ask("faxes.send", { to: "02123205072", from: null, content })).toEqual({ said: "1" });
  expect(faxed).toMatchObject([
    { to: "02123205072", document: { text: { bytes: Buffer.from("Merhaba") } }, fineness: "fine" },
  ]);
  expect(await worker.refused("faxes.send", { to: "12", from: null, content })).toMatchObject({
    refused: "misfit",
    field: "remote_station_id",
    value: "12",
  });
  const reader = await member("read-only");
  expect(await reader.refused("faxes.send", { to: "02123205072", from: null, content })).toMatchObject({ status: 403 });
});

test("a campaign is made of a form: numbers by line or by comma, each with its own phrase or the common one", async () => {
  const lists = {
    "05321234567\n0532 123 45 68\n": 2,
    "telefon;söz\n05321234567;Sayın Ayşe\n05321234568;": 2,
    "05321234567, 05321234568, 05321234569": 3,
  };
  for (const [numbers, count] of Object.entries(lists)) {
    const { said } = await worker.ask("campaigns.create", { ...campaign, numbers });
    const { rows } = await worker.ask("campaigns.list", page);
    expect(rows[0], numbers).toMatchObject({
      id: Number(said),
      name: "Anket",
      callType: "ivr",
      dateBegin: "2026-05-04",
      counts: { numbers: count },
    });
    expect((await worker.ask("campaigns.report", { id: Number(said), ...page })).rows[0]?.number).toMatch(/532123456/);
  }
  for (const [wrong, refusal] of [
    [{ numbers: "abc" }, { refused: "misfit", field: "number", value: "abc" }],
    [{ numbers: "05321234567", keys: {}, noKey: null }, { refused: "no-digit-target" }],
    [
      { numbers: "05321234567", cli: "902120000000" },
      { refused: "misfit", field: "cli", value: "902120000000" },
    ],
  ] as const)
    expect(await worker.refused("campaigns.create", { ...campaign, ...wrong })).toMatchObject(refusal);
});

test("a campaign may begin without numbers, which come out of a file afterwards", async () => {
  const { said } = await worker.ask("campaigns.create", { ...campaign, numbers: " \n" });
  const { rows } = await worker.ask("campaigns.list", page);
  expect(rows[0]).toMatchObject({ id: Number(said), isOn: true, counts: { numbers: 0 } });
  const wrong = { ...campaign, numbers: "", cli: "902120000000" };
  expect(await worker.refused("campaigns.create", wrong)).toMatchObject({ refused: "misfit", field: "cli" });
});

test("everything a campaign can be told is in its form: consent, opt-out, other keys, pace, recording, notifications", async () => {
  const boss = await member("administrator");
  await boss.ask("sms.createTitle", { name: "MARKA", iysCode: 1, iysBrandCode: 6789 });
  const wanted: CampaignOrder = {
    ...campaign,
    numbers: "05321234567",
    kind: "queue",
    queue: "200",
    keys: { "9": "optout", "*": "restart", "#": "voicemail/1000" },
    otherKey: "hangup/busy",
    keyRetries: 3,
    keySeconds: 7,
    ringSeconds: 45,
    callRetries: 2,
    perAgent: 2,
    abandonedPercent: 5,
    commercial: true,
    recipientType: "TACIR",
    brandCode: "6789",
    record: true,
    detectMachines: true,
  };
  const { said } = await worker.ask("campaigns.create", wanted);
  expect(await findCampaign(db, ours.id, Number(said))).toMatchObject({
    targets: {
      "9": "optout",
      "*": "restart",
      "#": "voicemail/1000",
      timeout: "hangup/hangup",
      invalid: "hangup/busy",
    },
    digitRetries: 3,
    digitTimeoutSeconds: 7,
    ringSeconds: 45,
    callRetries: 2,
    threadMultiplier: 2,
    isCommercial: true,
    recipientType: "TACIR",
    brandCode: 6789,
    recordingEnabled: true,
    detectsMachines: true,
    queueNumber: "200",
    abandonCap: 0.05,
  });
  for (const [wrong, refusal] of [
    [{ brandCode: null }, { refused: "blank", field: "iys_brand_code" }],
    [{ webhook: "ftp://example.com" }, { refused: "misfit", field: "webhook_url", value: "ftp://example.com" }],
    [{ webhook: "https://crm.example.com/" }, { refused: "url-silent", field: "webhook_url" }],
    [{ keys: { "1": "programmed" } }, { refused: "misfit", field: "digit_target_1", value: "programmed" }],
  ] as const)
    expect(await worker.refused("campaigns.create", { ...wanted, ...wrong })).toMatchObject(refusal);
});
