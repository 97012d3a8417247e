// Rows as numbers of a campaign of automatic calls that is there already.

import { nationally, phoneNumber, written } from "../exchange/plan/numbers.ts";
import { type Language, languages } from "../speech/language.ts";
import { listAnnouncements } from "../store/announcements.ts";
import { tellNumbersCame, writeNumbers } from "../store/campaign-numbers.ts";
import { findCampaign } from "../store/campaigns.ts";
import { fault, type Importing, type ImportParts, type ImportRefusal, type ImportSettings } from "./importing.ts";

const LONGEST_PHRASE = 1_000;

type CampaignRow = { number: string; phrase: string | null; language: Language };

export async function importCampaignNumbers(
  { db, exchangeId }: ImportParts,
  { campaignId = 0, text = "" }: ImportSettings,
): Promise<Importing<CampaignRow> | ImportRefusal> {
  if (!(await findCampaign(db, exchangeId, campaignId)))
    return { refused: "not-found", what: "campaign", which: String(campaignId) };
  const sounds = new Set((await listAnnouncements(db, exchangeId)).map(({ id }) => id));
  return {
    read(cells) {
      const phone = cells.get("phone");
      if (phone === "") return fault("no-phone");
      const number = phoneNumber(phone);
      if (number?.is !== "national" && number?.is !== "international") return fault("bad-phone", phone);
      const phrase = cells.get("phrase") || text;
      if (phrase.length > LONGEST_PHRASE) return fault("too-long", phrase);
      const wanted = cells.get("language").toLowerCase();
      const language = languages.find((it) => wanted === "" || it.toLowerCase() === wanted);
      if (!language) return fault("bad-language", wanted);
      const unknown = [...phrase.matchAll(/(?<=^|\s)#(\d{1,15})(?=\s|$)/g)].find(([, id]) => !sounds.has(Number(id)));
      if (unknown) return fault("no-such-sound", unknown[0]);
      const item = { number: written(number), phrase: phrase === "" ? null : phrase, language };
      return { item, key: `${item.number} ${phrase}`, shown: [nationally(number), phrase, language] };
    },
    async write(db, rows) {
      await writeNumbers(
        db,
        { exchangeId, campaignId },
        {
          numbers: rows.map(({ number }) => number),
          phrases: rows.map(({ phrase }) => phrase),
          languages: rows.map(({ language }) => language),
        },
      );
      await tellNumbersCame(db, exchangeId);
      return { madeId: campaignId, left: new Map() };
    },
  };
}
