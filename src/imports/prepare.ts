// A file and what it is to become, made ready to be read row by row.

import type { ImportKind } from "../store/imports.ts";
import { importCampaignNumbers } from "./campaign-import.ts";
import { importConsents } from "./consents-import.ts";
import { importContacts } from "./contacts-import.ts";
import type { Cells, Importing, ImportParts, ImportRefusal, ImportSettings } from "./importing.ts";
import { importRecipients } from "./recipients-import.ts";

/** Items are a kind's own: whoever reads them hands them back to who wrote them. */
type AnyImporting = Importing<unknown>;

type Prepare = (parts: ImportParts, settings: ImportSettings) => Promise<AnyImporting | ImportRefusal>;

const kinds: { readonly [Kind in ImportKind]: Prepare } = {
  contacts: importContacts as Prepare,
  recipients: importRecipients as Prepare,
  consents: importConsents as Prepare,
  campaign: importCampaignNumbers as Prepare,
};

export function prepareImport(kind: ImportKind, parts: ImportParts, settings: ImportSettings): ReturnType<Prepare> {
  return kinds[kind](parts, settings);
}

/** Several columns may be groups; of any other field the first that is not empty counts. */
export function cellsBy(
  heading: readonly string[],
  fields: readonly (string | null)[],
): (cells: readonly string[]) => Cells {
  const placesOf = new Map<string, number[]>();
  for (const [place, field] of fields.entries())
    if (field !== null) placesOf.set(field, [...(placesOf.get(field) ?? []), place]);
  const headings = new Map(heading.map((name, place) => [name.trim().toLocaleLowerCase("tr"), place]));
  return (cells) => ({
    get(field) {
      const texts = (placesOf.get(field) ?? []).map((place) => cells[place] ?? "").filter((it) => it !== "");
      return field === "group" ? texts.join(",") : (texts[0] ?? "");
    },
    named(name) {
      const place = headings.get(name.toLocaleLowerCase("tr"));
      return place === undefined ? undefined : (cells[place] ?? "");
    },
  });
}
