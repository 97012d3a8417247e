// Numbers whose calls are refused, in either direction.

import { Badge } from "@mantine/core";
import { useRemoving, useSaving } from "../../ask/use-action.ts";
import { type RowOf, usePaged } from "../../ask/use-paged.ts";
import type { Draft } from "../../ui/field.ts";
import { ListPage } from "../../ui/list-page.tsx";
import { choicesIn, useLanguage, useWords } from "../../words/language.tsx";
import { directions, general } from "../../words/texts.ts";
import { texts } from "./texts.ts";

type Blocked = RowOf<"blocked.list">;

export function BlockedNumbers() {
  const words = useWords(texts);
  const { number } = useWords(general);
  const { language } = useLanguage();
  const options = choicesIn(directions, language).filter(([direction]) => direction !== "internal");
  return (
    <ListPage<Blocked>
      title={words.title}
      about={words.about}
      icon="block"
      empty={words.empty}
      rows={usePaged("blocked.list", {})}
      keyOf={({ id }) => id}
      nameOf={({ number }) => number}
      fields={{
        number: { is: "text", label: number, required: true, longest: 32 },
        direction: { is: "choice", label: words.direction, options },
      }}
      columns={[
        { title: number, show: (row) => <strong>{row.number}</strong> },
        {
          title: words.direction,
          show: ({ direction }) => <Badge>{directions[direction]?.[language]}</Badge>,
        },
      ]}
      make={{
        ...useSaving("blocked.add", newlyBlocked),
        title: words.add,
        blank: { number: "", direction: "inbound" },
      }}
      drop={useRemoving("blocked.remove", ({ number, direction }) => ({ number, direction }))}
    />
  );
}

function newlyBlocked({ number, direction }: Draft) {
  return { number: String(number), direction: direction === "outbound" ? ("outbound" as const) : ("inbound" as const) };
}
