// Tables of the reports: a line a number, campaign and extension.

import type { Reply } from "../../ask/ask.ts";
import { useAsk } from "../../ask/use-ask.ts";
import type { Days } from "../../ui/calls-behind.tsx";
import { Surface } from "../../ui/page.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useWords } from "../../words/language.tsx";
import { called, counts, lasting, Tables, useStretch } from "./report-tools.tsx";
import { texts } from "./texts.ts";

type OfDays = { days: Days };
type Campaign = Reply<"reports.campaigns">[number];
type Extension = Reply<"reports.extensions">[number];

export function NumberReport({ days }: OfDays) {
  const words = useWords(texts);
  const report = useAsk("reports.numbers", useStretch(days));
  type Row = Reply<"reports.numbers">[number];
  const incoming = (title: string, of: (row: Row) => number, more: Record<string, string>) =>
    counts<Row>(days, title, of, ({ number }) => ({ direction: "inbound", ownNumber: number, ...more }));
  return (
    <Surface title={words.numbers} actions={<Tables what="numbers" days={days} />}>
      <Asked query={report}>
        {(rows) => (
          <Rows
            label={words.table(words.numbers)}
            rows={rows}
            keyOf={({ number }) => number}
            empty={{ icon: "phone", says: words.noNumbers }}
            columns={[
              { title: words.number, show: ({ number }) => <strong>{number || "—"}</strong> },
              incoming(words.inbound, (row) => row.incoming, {}),
              incoming(words.answered, ({ answered }) => answered, { result: "answered" }),
              incoming(words.missed, ({ missed }) => missed, { result: "missed" }),
              counts<Row>(
                days,
                words.outbound,
                ({ outgoing }) => outgoing,
                ({ number }) => ({ direction: "outbound", ownNumber: number }),
              ),
              lasting<Row>(
                days,
                words.talk,
                ({ talk }) => talk,
                ({ number }) => ({ ownNumber: number, talked: "yes" }),
              ),
            ]}
          />
        )}
      </Asked>
    </Surface>
  );
}

export function CampaignReport({ days }: OfDays) {
  const words = useWords(texts);
  const report = useAsk("reports.campaigns", useStretch(days));
  return (
    <Surface title={words.campaigns} actions={<Tables what="campaigns" days={days} />}>
      <Asked query={report}>
        {(rows) => (
          <Rows
            label={words.table(words.campaigns)}
            rows={rows}
            keyOf={({ campaign }) => campaign}
            empty={{ icon: "call", says: words.noCampaigns }}
            columns={[
              { title: words.campaign, show: ({ name }) => <strong>{name}</strong> },
              counts<Campaign>(
                days,
                words.calls,
                ({ calls }) => calls,
                ({ campaign }) => ({ campaign }),
              ),
              counts<Campaign>(
                days,
                words.answered,
                ({ answered }) => answered,
                ({ campaign }) => ({ campaign, result: "answered" }),
              ),
              lasting<Campaign>(
                days,
                words.talk,
                ({ talk }) => talk,
                ({ campaign }) => ({ campaign, talked: "yes" }),
              ),
            ]}
          />
        )}
      </Asked>
    </Surface>
  );
}

export function ExtensionReport({ days }: OfDays) {
  const words = useWords(texts);
  const report = useAsk("reports.extensions", useStretch(days));
  return (
    <Surface title={words.extensions} actions={<Tables what="extensions" days={days} />}>
      <Asked query={report}>
        {(rows) => (
          <Rows
            label={words.table(words.extensions)}
            rows={rows}
            keyOf={({ extension }) => extension}
            empty={{ icon: "phone" }}
            columns={[
              { title: words.extension, show: ({ extension, name }) => called(extension, name) },
              counts<Extension>(
                days,
                words.made,
                ({ made }) => made,
                ({ extension }) => ({ madeBy: extension }),
              ),
              counts<Extension>(
                days,
                words.taken,
                ({ taken }) => taken,
                ({ extension }) => ({ takenBy: extension }),
              ),
              counts<Extension>(
                days,
                words.missed,
                ({ missed }) => missed,
                ({ extension }) => ({ unansweredBy: extension }),
              ),
              lasting<Extension>(
                days,
                words.talk,
                ({ talk }) => talk,
                ({ extension }) => ({ talkedBy: extension }),
              ),
              lasting<Extension>(
                days,
                words.averageTalk,
                ({ averageTalk }) => averageTalk,
                ({ extension }) => ({ talkedBy: extension }),
              ),
            ]}
          />
        )}
      </Asked>
    </Surface>
  );
}
