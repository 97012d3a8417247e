// Imports and what their rows become, asked of the store for ours with their ids.

import { tellNumbersCame } from "../../src/store/campaign-numbers.ts";
import { openConsentCampaign, releaseConsentCampaign } from "../../src/store/consents.ts";
import { joinGroups } from "../../src/store/contact-pages.ts";
import * as imports from "../../src/store/imports.ts";
import { knownPhones } from "../../src/store/known-phones.ts";
import { EARLIER } from "./handles.ts";
import { type Both, type Call, call } from "./store-call.ts";

const now = new Date(EARLIER);

export function importCalls({ us: { exchangeId, id: own }, them }: Both): Call[] {
  const made = {
    kind: "contacts",
    fileName: "ours.csv",
    objectKey: "ours",
    heading: ["a"],
    fields: ["phone"],
  } as const;
  const kinds = ["contacts", "recipients", "consents", "campaign"] as const;
  return [
    call(imports.createImport, { ...made, exchangeId, heading: ["a"], fields: ["phone"], begunBy: "ours", now }),
    call(imports.listImports, exchangeId, { page: 1, limit: 100, kinds }),
    call(knownPhones, exchangeId, ["05320007766", them.blocked]),
    call(tellNumbersCame, exchangeId),
    call(openConsentCampaign, { exchangeId, titleId: them.id, source: "list", now }),
    ...[them.id, own].flatMap((id) => [
      call(releaseConsentCampaign, exchangeId, id),
      call(joinGroups, exchangeId, [{ id, name: "ours" }]),
      ...[id, id + 1, id + 2].flatMap((id) => importCallsOf(exchangeId, id)),
    ]),
  ];
}

function importCallsOf(exchangeId: number, id: number): Call[] {
  const faults = [{ row: 3, why: "bad-phone", value: "ours", cells: ["ours"] }];
  return [
    call(imports.findImport, exchangeId, id),
    call(imports.beginImport, { exchangeId, id, fields: ["phone"], settings: {} }),
    call(imports.resumeImport, exchangeId, id),
    call(imports.notePortion, { exchangeId, id }, 0, { rows: 1, good: 0, faults, madeId: null }),
    call(imports.endImport, exchangeId, id, { state: "stopped", now }),
    call(imports.listImportFaults, { exchangeId, id }, { after: 0, limit: 100 }),
  ];
}
