// Forms about calls, asked of the store for ours with their names and ids.

import { blankField } from "../../src/forms/definition.ts";
import * as callForms from "../../src/store/call-forms.ts";
import * as formReport from "../../src/store/form-report.ts";
import * as forms from "../../src/store/forms.ts";
import { type Both, type Call, call } from "./store-call.ts";

const PAGE = { page: 1, limit: 100 };
const NOW = new Date();
const LONG_AGO = new Date("2020-01-01T00:00:00Z");
const FAR = new Date("2032-01-01T00:00:00Z");

export function formCalls({ us: { exchangeId }, them }: Both): Call[] {
  const { uuid, id, extension, missedUuid, marker } = them;
  const fields = [{ ...blankField, label: "ours" }];
  const about = { direction: "inbound", number: "1", name: "ours", queue: "200", atMs: 0, version: 1 } as const;
  const owed = (formId: number) => ({ ...about, exchangeId, callUuid: uuid, extension: "1001", formId });
  const days = { from: LONG_AGO, before: FAR };
  return [
    call(forms.listForms, exchangeId),
    call(forms.findForm, exchangeId, id),
    call(forms.asksForms, exchangeId),
    call(forms.formVersions, exchangeId, id),
    ...["Form", marker].flatMap((name) => [
      call(forms.formCalled, exchangeId, name),
      call(forms.createForm, { exchangeId, name, active: true, fields }),
      call(forms.updateForm, { exchangeId, id, name, active: false, fields }),
    ]),
    call(forms.usersOfForm, exchangeId, id),
    call(forms.deleteForm, exchangeId, id),
    call(forms.deleteForm, exchangeId, id + 1),
    call(callForms.oweForms, [owed(id)]),
    ...[uuid, missedUuid].flatMap((callUuid) => [
      call(callForms.formsOfCall, exchangeId, callUuid),
      ...["1000", extension].flatMap((number) => [
        call(callForms.findCallForm, { exchangeId, callUuid, extension: number }),
        call(callForms.putFormAside, { exchangeId, callUuid, extension: number }),
        call(callForms.fillCallForm, { exchangeId, callUuid, extension: number, answers: {}, by: "ours", at: NOW }),
      ]),
    ]),
    call(callForms.formsOwedBy, { exchangeId, extension: "1000", since: LONG_AGO, most: 9 }),
    ...[true, false].map((filled) => call(formReport.reportForms, exchangeId, { ...days, filled }, PAGE)),
    call(formReport.reportForms, exchangeId, { ...days, filled: true, form: id, about: marker }, PAGE),
    call(formReport.walkForms, exchangeId, { ...days, filled: true }, { atOnce: 10 }),
    call(formReport.countChoices, exchangeId, { ...days, filled: true }, ["f1"]),
  ];
}
