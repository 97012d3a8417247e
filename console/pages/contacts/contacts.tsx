// The telephone book: people, their groups, and the way in for a whole table of them.

import { Group, Select } from "@mantine/core";
import { useEffect, useState } from "react";
import { contact } from "../../../src/nouns/contact.ts";
import type { Reply } from "../../ask/ask.ts";
import { useSession } from "../../ask/session.tsx";
import { useRemoving, useSaving } from "../../ask/use-action.ts";
import { useNamed } from "../../ask/use-ask.ts";
import { type RowOf, usePaged } from "../../ask/use-paged.ts";
import type { Draft } from "../../ui/field.ts";
import { SearchBox } from "../../ui/filters.tsx";
import { ListPage, ListSurface } from "../../ui/list-page.tsx";
import { blankOf, setIn } from "../../ui/noun-form.ts";
import { useFilters } from "../../ui/use-filters.ts";
import { useNoun } from "../../ui/use-noun.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { ImportButton } from "./import.tsx";
import { ContactSources } from "./sources.tsx";
import { texts } from "./texts.ts";

type Contact = RowOf<"contacts.list">;

export function Contacts() {
  const words = useWords(texts);
  const { may } = useSession();
  const fields = useNoun(contact);
  const { language } = useLanguage();
  const [query] = useFilters();
  const sought = query.get("about") ?? "";
  const [about, setAbout] = useState(sought);
  useEffect(() => setAbout(sought), [sought]);
  const [groupId, setGroup] = useState<number | null>(null);
  return (
    <ListPage<Contact>
      title={words.title}
      icon="book"
      empty={words.empty}
      rows={usePaged("contacts.list", { about, groupId, language })}
      keyOf={({ id }) => id}
      nameOf={fullName}
      isFixed={({ source }) => source !== null}
      fields={fields}
      columns={[
        { title: fields.name.label, show: (row) => <strong>{fullName(row)}</strong> },
        { title: fields.phone.label, show: ({ phone }) => phone },
        { title: fields.company_name.label, show: ({ company_name }) => company_name ?? "—" },
        { title: fields.email.label, show: ({ email }) => email ?? "—" },
        { title: words.source, show: ({ source }) => source ?? "—" },
      ]}
      actions={<ImportButton />}
      filters={
        <Group p="md" pb="xs" gap="sm">
          <SearchBox key={sought} label={words.search} look={setAbout} first={sought} />
          <GroupFilter groupId={groupId} change={setGroup} />
        </Group>
      }
      make={{
        ...useSaving("contacts.create", newContact),
        title: words.add,
        blank: blankOf(contact),
      }}
      change={{
        ...useSaving("contacts.update", ({ id }: Contact, changes: Draft) => ({ id, changes })),
        draftOf: ({ source: _source, ...row }) =>
          Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? ""])),
      }}
      drop={useRemoving("contacts.delete", ({ id }) => ({ id }))}
    >
      <ContactGroups />
      {may.includes("contactSources.list") && <ContactSources />}
    </ListPage>
  );
}

function newContact(draft: Draft) {
  const { name, surname, phone } = draft;
  return { ...setIn(contact, draft), name: String(name), surname: String(surname ?? ""), phone: String(phone) };
}

const fullName = ({ name, surname }: Contact) => `${name} ${surname}`.trim();

function GroupFilter({ groupId, change }: { groupId: number | null; change(groupId: number | null): void }) {
  const words = useWords(texts);
  const groups = useNamed("contactGroups.list", {});
  return (
    <Select
      aria-label={words.group}
      placeholder={words.group}
      clearable
      data={groups.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
      value={groupId === null ? null : String(groupId)}
      onChange={(value) => change(value === null ? null : Number(value))}
    />
  );
}

type ContactGroup = Reply<"contactGroups.list">[number];

function ContactGroups() {
  const words = useWords(texts);
  const { name } = useWords(general);
  return (
    <ListSurface<ContactGroup>
      title={words.groups}
      icon="people"
      empty={words.noGroups}
      rows={useNamed("contactGroups.list", {})}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      fields={{ name: { is: "text", label: name, required: true } }}
      columns={[
        { title: name, show: (group) => <strong>{group.name}</strong> },
        { title: words.people, show: ({ people }) => people, end: true },
      ]}
      make={{
        ...useSaving("contactGroups.create", ({ name }: Draft) => ({ name: String(name) })),
        title: words.addGroup,
        blank: { name: "" },
      }}
      change={{
        ...useSaving("contactGroups.rename", ({ id }: ContactGroup, { name }: Draft) => ({ id, name: String(name) })),
        draftOf: ({ name }) => ({ name }),
      }}
      drop={useRemoving("contactGroups.delete", ({ id }) => ({ id }))}
    />
  );
}
