// A button beside a report: has this one sent by mail from now on.

import { useState } from "react";
import { type MailedReport, mailedReports } from "../../../src/nouns/report-plan.ts";
import { useHas } from "../../ask/session.tsx";
import { DoButton } from "../../ui/buttons.tsx";
import { Editor } from "../../ui/editor.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { type Filter, usePlanFields, usePlanMaking } from "./plan-form.ts";
import { texts } from "./texts.ts";

/** Not shown to who may not carry reports away. */
export function MailButton({ report, filter = {} }: { report: MailedReport; filter?: Filter }) {
  const isAllowed = [useHas("mail-reports"), useHas("exports")].every(Boolean);
  return isAllowed ? <Button report={report} filter={filter} /> : null;
}

function Button({ report, filter }: { report: MailedReport; filter: Filter }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const [isMaking, setMaking] = useState(false);
  const name = mailedReports[report][language];
  const { report: _, ...fields } = usePlanFields();
  const making = usePlanMaking({ name, report }, filter);
  return (
    <>
      <DoButton
        does="reportPlans.create"
        variant="light"
        className="unprinted"
        act={() => setMaking(true)}
        aria-haspopup="dialog"
        leftSection={<Icon name="inbox" />}
      >
        {words.byMail}
      </DoButton>
      {isMaking && (
        <Editor
          title={words.byMailOf(name)}
          fields={fields}
          value={making.blank}
          action={making}
          close={() => setMaking(false)}
        />
      )}
    </>
  );
}
