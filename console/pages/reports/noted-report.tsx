// Calls by what agents wrote about them: a line a tag, or a disposition.

import type { Reply } from "../../ask/ask.ts";
import { useAsk } from "../../ask/use-ask.ts";
import type { Days } from "../../ui/calls-behind.tsx";
import { Surface } from "../../ui/page.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useWords } from "../../words/language.tsx";
import { counts, lasting, Tables, useStretch } from "./report-tools.tsx";
import { texts } from "./texts.ts";

type Noted = Reply<"reports.tags">[number];

export function NotedReport({ days, of }: { days: Days; of: "tag" | "disposition" }) {
  const words = useWords(texts);
  const report = useAsk(`reports.${of}s`, useStretch(days));
  return (
    <Surface title={words[`${of}s`]} actions={<Tables what={`${of}s`} days={days} />}>
      <Asked query={report}>
        {(rows) => (
          <Rows
            label={words.table(words[`${of}s`])}
            rows={rows}
            keyOf={({ which }) => which}
            empty={{ icon: "form", says: words.noNotes }}
            columns={[
              { title: words[of], show: ({ which }) => <strong>{which}</strong> },
              counts<Noted>(
                days,
                words.calls,
                ({ calls }) => calls,
                ({ which }) => ({ [of]: which }),
              ),
              counts<Noted>(
                days,
                words.answered,
                ({ answered }) => answered,
                ({ which }) => ({ [of]: which, result: "answered" }),
              ),
              lasting<Noted>(
                days,
                words.talk,
                ({ talk }) => talk,
                ({ which }) => ({ [of]: which, talked: "yes" }),
              ),
            ]}
          />
        )}
      </Asked>
    </Surface>
  );
}
