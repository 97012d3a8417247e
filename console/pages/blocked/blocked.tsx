// Numbers whose calls are refused, in either direction.

import { Badge } from "@mantine/core";
import type { Reply } from "../../ask/ask.ts";
import { useDo } from "../../ask/use-ask.ts";
import { usePaged } from "../../ask/use-paged.ts";
import { DeleteIcon } from "../../ui/buttons.tsx";
import { MakeButton } from "../../ui/list-page.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { type Column, PagedRows } from "../../ui/rows.tsx";
import { inBoth, useLanguage, useWords } from "../../words/language.tsx";
import { directions } from "../../words/live-words.ts";
import { general } from "../../words/nouns.ts";

const texts = inBoth({
  title: { tr: "Engelli numaralar", en: "Blocked numbers" },
  about: {
    tr: "Bu numaralardan gelen ya da bu numaralara giden çağrılar reddedilir.",
    en: "Calls from or to these numbers are refused.",
  },
  empty: { tr: "Engellenmiş numara yok.", en: "No number is blocked." },
  add: { tr: "Numara engelle", en: "Block a number" },
  direction: { tr: "Yön", en: "Direction" },
});

type Blocked = Reply<"blocked.list">["rows"][number];

export function BlockedNumbers() {
  const words = useWords(texts);
  const { number, actions, saved, removed } = useWords(general);
  const { language } = useLanguage();
  const blocked = usePaged("blocked.list", {});
  const add = useDo("blocked.add", saved);
  const remove = useDo("blocked.remove", removed);
  const both = (["inbound", "outbound"] as const).map((value): [string, string] => [
    value,
    directions[value]?.[language] ?? value,
  ]);
  const columns: Column<Blocked>[] = [
    { title: number, show: (row) => <strong>{row.number}</strong> },
    {
      title: words.direction,
      show: ({ direction }) => <Badge variant="light">{directions[direction]?.[language]}</Badge>,
    },
    {
      title: actions,
      end: true,
      show: ({ number, direction }) => (
        <DeleteIcon does="blocked.remove" what={number} act={() => remove({ number, direction })} />
      ),
    },
  ];
  return (
    <PageFrame
      title={words.title}
      about={words.about}
      actions={
        <MakeButton
          fields={{
            number: { is: "text", label: number, required: true, longest: 32 },
            direction: { is: "choice", label: words.direction, options: both },
          }}
          make={{
            ...{ does: "blocked.add", title: words.add, isBusy: add.isBusy },
            blank: { number: "", direction: "inbound" },
            act: (draft) =>
              add({ number: String(draft.number), direction: draft.direction === "outbound" ? "outbound" : "inbound" }),
          }}
        />
      }
    >
      <Surface>
        <PagedRows
          pages={blocked}
          label={words.title}
          keyOf={({ id }) => id}
          columns={columns}
          empty={{ icon: "block", says: words.empty }}
        />
      </Surface>
    </PageFrame>
  );
}
