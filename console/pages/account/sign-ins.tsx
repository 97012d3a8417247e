// When and from where somebody signed in under this account, and who could not.

import { auditInWords } from "../../../src/words/audit/words.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { Surface } from "../../ui/page.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

export function SignIns() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const lines = useAsk("signIns.list", {});
  return (
    <Surface title={words.signIns}>
      <Asked query={lines}>
        {(rows) => (
          <Rows
            label={words.signIns}
            rows={rows}
            keyOf={({ at, did }) => `${at} ${did}`}
            empty={{ icon: "audit", says: words.noSignIns }}
            columns={[
              { title: words.when, show: ({ at }) => dateTime(at) },
              { title: words.what, show: (line) => auditInWords(line, language) },
            ]}
          />
        )}
      </Asked>
    </Surface>
  );
}
