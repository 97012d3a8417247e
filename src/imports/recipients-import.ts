// Rows as messages of one campaign: a text for all, with words of the row in it, or a text a row.

import { isTooLong, LONGEST_WRITTEN } from "../sms/coding.ts";
import { type Checked, checkOrder, type Letter, type Order, type Surroundings } from "../sms/order.ts";
import { readPhone } from "../sms/phone.ts";
import { writeInto } from "../sms/send.ts";
import { listSmsAccounts } from "../store/sms-accounts.ts";
import { createCampaigns } from "../store/sms-campaigns.ts";
import { listTariffs } from "../store/sms-carriers.ts";
import { listTitles } from "../store/sms-titles.ts";
import {
  type Cells,
  fault,
  type Importing,
  type ImportParts,
  type ImportRefusal,
  type ImportSettings,
  type ReadRow,
} from "./importing.ts";

/** A number that no title, text or right can be the matter with. */
const SAMPLE = "905000000000";

export async function importRecipients(
  { db, clock, exchangeId }: ImportParts,
  settings: ImportSettings,
): Promise<Importing<Letter> | ImportRefusal> {
  const [account] = await listSmsAccounts(db, exchangeId);
  if (!account) return { refused: "no-sms-account" };
  const [titles, tariffs] = await Promise.all([listTitles(db, exchangeId), listTariffs(db, exchangeId)]);
  const around = { account, titles, tariffs };
  const order = orderFor(settings);
  const check = (dest: string, text: string) =>
    checkOrder({ ...order, messages: [{ dests: [dest], ids: [], text }] }, { ...around, now: clock.wall() });
  // What is wrong with every row is said once, before the first.
  const sample = check(SAMPLE, settings.text?.trim() || "-");
  if ("refused" in sample) return { refused: "sms", code: sample.refused };
  return {
    read: (cells) => readRecipient(cells, settings.text ?? "", check),
    async write(db, letters, madeId) {
      const now = new Date(clock.wall());
      const id = madeId ?? (await beginCampaign(db, { account, now }, sample));
      const begun = { ...sample, id, sendAt: clock.wall() };
      await writeInto(db, { account, now }, [begun], [letters]);
      return { madeId: id, left: new Map() };
    },
  };
}

function orderFor({ title, commercial, recipientType, addOptOut }: ImportSettings): Omit<Order, "messages"> {
  const type = commercial ? recipientType : undefined;
  return { source: title, commercial: commercial === true, recipientType: type, addOptOut };
}

type Check = (dest: string, text: string) => ReturnType<typeof checkOrder>;

function readRecipient(cells: Cells, common: string, check: Check): ReadRow<Letter> {
  const phone = cells.get("phone");
  if (phone === "") return fault("no-phone");
  const dest = readPhone(phone);
  if (!dest) return fault("bad-phone", phone);
  const text = cells.get("text") || filledIn(common, cells);
  if (text.trim() === "") return fault("no-text", phone);
  if (isTooLong(text)) return fault("MESSAGE_TOO_LONG", phone);
  const checked = check(dest.number, text);
  if ("refused" in checked) return fault(checked.refused, phone);
  const [letter] = checked.letters;
  if (!letter) return fault("bad-phone", phone);
  return { item: letter, key: `${dest.number} ${text}`, shown: [dest.number, letter.counted.text] };
}

/** `Sayın {Ad}`: a heading in braces stands for what the row has there. What gets too long for a text is not filled further. */
function filledIn(text: string, cells: Pick<Cells, "named">): string {
  let left = LONGEST_WRITTEN;
  return text.replace(/\{([^{}]{1,100})\}/g, (whole, heading: string) => {
    const words = left < 0 ? "" : (cells.named(heading.trim()) ?? whole);
    left -= words.length;
    return words;
  });
}

async function beginCampaign(
  db: ImportParts["db"],
  { account, now }: { account: Surroundings["account"]; now: Date },
  { title, later, validMinutes, commercial }: Checked,
): Promise<number> {
  const campaign = { titleId: title.id, customId: undefined, sendAt: now, later, validMinutes, commercial };
  const [id] = await createCampaigns(db, { exchangeId: account.exchangeId, accountId: account.id, now }, [campaign]);
  return id!; // an insert without a condition returns a row
}
