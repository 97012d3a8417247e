// What came in, the titles messages are sent under, and the numbers that want none.

import { Group } from "@mantine/core";
import { useState } from "react";
import { smsTitle } from "../../../src/nouns/sms-title.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useRemoving, useSaving } from "../../ask/use-action.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { type RowOf, usePaged } from "../../ask/use-paged.ts";
import type { Draft } from "../../ui/field.ts";
import { ANY_DAY, DaysFilter, SearchBox, useSpan } from "../../ui/filters.tsx";
import { ListSurface, MakeButton } from "../../ui/list-page.tsx";
import { blankOf, setIn } from "../../ui/noun-form.ts";
import { Surface } from "../../ui/page.tsx";
import { PagedRows, Rows } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useNoun } from "../../ui/use-noun.ts";
import { useWords } from "../../words/language.tsx";
import { phonesIn } from "./phones.ts";
import { texts } from "./texts.ts";

export function Inbox() {
  const words = useWords(texts);
  const { dateTime } = useStamps();
  const [about, look] = useState("");
  const [days, setDays] = useState(ANY_DAY);
  const inbox = usePaged("sms.inbox", { about, ...useSpan(days) });
  return (
    <Surface title={words.tabInbox}>
      <Group px="md" py="xs" gap="sm">
        <SearchBox label={words.searchInbox} look={look} />
        <DaysFilter days={days} change={setDays} />
      </Group>
      <PagedRows
        pages={inbox}
        label={words.tabInbox}
        keyOf={({ id }) => id}
        empty={{ icon: "inbox", says: words.noInbox }}
        columns={[
          { title: words.when, show: ({ createdAt }) => dateTime(createdAt) },
          { title: words.from, show: ({ sourceAddr }) => <strong>{sourceAddr}</strong> },
          { title: words.to, show: ({ destinationAddr }) => destinationAddr },
          { title: words.text, show: ({ content }) => content },
        ]}
      />
    </Surface>
  );
}

export function Titles() {
  const words = useWords(texts);
  const overview = useAsk("sms.overview", {});
  const create = useSaving("sms.createTitle", newTitle);
  const fields = useNoun(smsTitle);
  return (
    <Surface
      title={words.tabTitles}
      actions={
        <MakeButton
          make={{ ...create, title: words.addTitle, blank: { name: "", ...blankOf(smsTitle) } }}
          fields={{
            name: { is: "text", label: words.sender, about: words.titleAbout, longest: 11, required: true },
            ...fields,
          }}
        />
      }
    >
      <Asked query={overview}>
        {({ titles }) => (
          <Rows
            label={words.tabTitles}
            rows={titles}
            keyOf={({ id }) => id}
            empty={{ icon: "message", says: words.noTitles }}
            columns={[
              { title: words.sender, show: ({ name }) => <strong>{name}</strong> },
              { title: fields.iysBrandCode.label, show: ({ iysBrandCode }) => iysBrandCode ?? "—" },
              { title: fields.optOutNumber.label, show: ({ optOutNumber }) => optOutNumber ?? "—" },
            ]}
          />
        )}
      </Asked>
    </Surface>
  );
}

function newTitle(draft: Draft) {
  return { ...setIn(smsTitle, draft), name: String(draft.name) };
}

const LIMIT = 50;

export function Blacklist() {
  const words = useWords(texts);
  const { dateTime } = useStamps();
  const phones = { is: "area", label: words.recipients, about: words.recipientsAbout } as const;
  return (
    <ListSurface<RowOf<"sms.blacklist">>
      title={words.tabBlacklist}
      icon="block"
      empty={words.noBlacklist}
      rows={usePaged("sms.blacklist", {}, { limit: LIMIT })}
      keyOf={({ phone }) => phone}
      nameOf={({ phone }) => phone}
      fields={{ phones: { ...phones, longest: 100_000, required: true } }}
      columns={[
        { title: words.phone, show: ({ phone }) => <strong>{phone}</strong> },
        { title: words.source, show: ({ source }) => source },
        { title: words.when, show: ({ createdAt }) => dateTime(createdAt) },
      ]}
      make={{
        ...useSaving("sms.addToBlacklist", ({ phones }: Draft) => ({ phones: phonesIn(phones) })),
        title: words.addBlacklist,
        blank: { phones: "" },
      }}
      drop={useRemoving("sms.removeFromBlacklist", ({ phone }) => ({ phone }))}
    />
  );
}
