// What came in, the titles messages are sent under, and the numbers that want none.

import { Group } from "@mantine/core";
import { useState } from "react";
import { useSession } from "../../app/session.tsx";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { usePaged } from "../../ask/use-paged.ts";
import { DeleteIcon } from "../../ui/buttons.tsx";
import type { Draft } from "../../ui/editor.tsx";
import { ANY_DAY, DaysFilter, SearchBox, useSpan } from "../../ui/filters.tsx";
import { MakeButton } from "../../ui/list-page.tsx";
import { Surface } from "../../ui/page.tsx";
import { PagedRows, Rows } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { showDateTime } from "../../words/stamps.ts";
import { texts } from "./texts.ts";

export function Inbox() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { exchange } = useSession();
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
          { title: words.when, show: ({ createdAt }) => showDateTime(createdAt, language, exchange.timeZone) },
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
  const { saved } = useWords(general);
  const overview = useAsk("sms.overview", {});
  const create = useDo("sms.createTitle", saved);
  const make = ({ name, iysCode, iysBrandCode, optOutNumber }: Draft) =>
    create({
      name: String(name),
      ...(typeof iysCode === "number" ? { iysCode } : {}),
      ...(typeof iysBrandCode === "number" ? { iysBrandCode } : {}),
      ...(optOutNumber ? { optOutNumber: String(optOutNumber) } : {}),
    });
  const code = { least: 1, most: 999_999_999, orNothing: true };
  return (
    <Surface
      title={words.tabTitles}
      actions={
        <MakeButton
          make={{
            does: "sms.createTitle",
            title: words.addTitle,
            blank: { name: "" },
            act: make,
            isBusy: create.isBusy,
          }}
          fields={{
            name: { is: "text", label: words.sender, about: words.titleAbout, longest: 11, required: true },
            iysCode: { is: "whole", label: words.iysCode, ...code },
            iysBrandCode: { is: "whole", label: words.brand, ...code },
            optOutNumber: { is: "text", label: words.optOut, longest: 15 },
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
              { title: words.brand, show: ({ iysBrandCode }) => iysBrandCode ?? "—" },
              { title: words.optOut, show: ({ optOutNumber }) => optOutNumber ?? "—" },
            ]}
          />
        )}
      </Asked>
    </Surface>
  );
}

const LIMIT = 50;

export function Blacklist() {
  const words = useWords(texts);
  const { actions, saved, removed } = useWords(general);
  const { language } = useLanguage();
  const { exchange } = useSession();
  const list = usePaged("sms.blacklist", {}, { limit: LIMIT });
  const add = useDo("sms.addToBlacklist", saved);
  const remove = useDo("sms.removeFromBlacklist", removed);
  const make = ({ phones }: Draft) =>
    add({
      phones: String(phones)
        .split(/[\s,;]+/)
        .filter((it) => it !== ""),
    });
  return (
    <Surface
      title={words.tabBlacklist}
      actions={
        <MakeButton
          make={{
            does: "sms.addToBlacklist",
            title: words.addBlacklist,
            blank: { phones: "" },
            act: make,
            isBusy: add.isBusy,
          }}
          fields={{
            phones: {
              is: "area",
              label: words.recipients,
              about: words.recipientsAbout,
              longest: 100_000,
              required: true,
            },
          }}
        />
      }
    >
      <PagedRows
        pages={list}
        label={words.tabBlacklist}
        keyOf={({ phone }) => phone}
        empty={{ icon: "block", says: words.noBlacklist }}
        columns={[
          { title: words.phone, show: ({ phone }) => <strong>{phone}</strong> },
          { title: words.source, show: ({ source }) => source },
          { title: words.when, show: ({ createdAt }) => showDateTime(createdAt, language, exchange.timeZone) },
          {
            title: actions,
            end: true,
            show: ({ phone }) => (
              <DeleteIcon does="sms.removeFromBlacklist" what={phone} act={() => remove({ phone })} />
            ),
          },
        ]}
      />
    </Surface>
  );
}
