import { expect, test } from "vitest";
import { consoleTown } from "../../../test/console-town.ts";
import type { FaxOffice, FaxWish } from "../../exchange/faxes/fax-office.ts";
import type { CampaignWish } from "./operations/campaign-wish.ts";

const faxed: FaxWish[] = [];
const office: FaxOffice = {
  whyNot: async () => undefined,
  async order(_exchangeId, wish) {
    if (wish.to === "12") return { refused: "invalid-number", number: wish.to };
    faxed.push(wish);
    return { id: faxed.length };
  },
  preview: async () => undefined,
};

const { member, ours } = await consoleTown({ faxes: office });
const worker = await member("standard");
const page = { page: 1, limit: 10 };

const campaign: CampaignWish = {
  ...{ name: "Anket", kind: "ivr", queue: null, cli: ours.callerIds[0]!, sound: null, language: "tr-TR" },
  ...{ dateBegin: "2026-05-04", dateEnd: "2026-05-05", timeBegin: "09:00", timeEnd: "18:00", days: [1, 2] },
  ...{ phrase: "Merhaba", key1: "queue/200", key2: null, key9: null, noKey: "hangup/hangup", numbers: "" },
};

test("a fax is ordered with the file and the number that were given, and a refusal is handed on", async () => {
  const content = Buffer.from("Merhaba").toString("base64");
  expect(await worker.ask("faxes.send", { to: "02123205072", from: null, content })).toEqual({ said: "1" });
  expect(faxed).toMatchObject([{ to: "02123205072", document: { text: content }, fineness: "fine" }]);
  expect(await worker.refused("faxes.send", { to: "12", from: null, content })).toMatchObject({
    ...{ refused: "said", text: "invalid remote_station_id: 12" },
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
      ...{ id: Number(said), name: "Anket", callType: "ivr", dateBegin: "2026-05-04", counts: { numbers: count } },
    });
    expect((await worker.ask("campaigns.report", { id: Number(said), ...page })).rows[0]?.number).toMatch(/532123456/);
  }
  for (const [wrong, text] of [
    [{ numbers: "abc" }, "invalid number: abc"],
    [{ numbers: "" }, "phone_list can't be blank"],
    [{ numbers: "05321234567", key1: null, noKey: null }, "at least one digit target is required"],
    [{ numbers: "05321234567", cli: "902120000000" }, "invalid cli: 902120000000"],
  ] as const)
    expect(await worker.refused("campaigns.create", { ...campaign, ...wrong })).toMatchObject({ text });
});
