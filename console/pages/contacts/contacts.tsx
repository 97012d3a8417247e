// The telephone book: people, their groups, and the way in for a whole table of them.

import { Group, Select } from "@mantine/core";
import { useState } from "react";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { useRemoving, useSaving } from "../../ask/use-deed.ts";
import { type RowOf, usePaged } from "../../ask/use-paged.ts";
import type { Draft, Field } from "../../ui/field.ts";
import { SearchBox } from "../../ui/filters.tsx";
import { ListPage, ListSurface } from "../../ui/list-page.tsx";
import { useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { ImportButton } from "./import.tsx";
import { texts } from "./texts.ts";

type Contact = RowOf<"contacts.list">;
type NewContact = Parameters<"contacts.create">;

const blank = { name: "", surname: "", phone: "" };

export function Contacts() {
  const words = useWords(texts);
  const { name } = useWords(general);
  const [about, setAbout] = useState("");
  const [groupId, setGroup] = useState<number | null>(null);
  return (
    <ListPage<Contact>
      title={words.title}
      icon="book"
      empty={words.empty}
      rows={usePaged("contacts.list", { about, groupId })}
      keyOf={({ id }) => id}
      nameOf={fullName}
      fields={useFields()}
      columns={[
        { title: name, show: (contact) => <strong>{fullName(contact)}</strong> },
        { title: words.phone, show: ({ phone }) => phone },
        { title: words.company, show: ({ company_name }) => company_name ?? "—" },
        { title: words.email, show: ({ email }) => email ?? "—" },
      ]}
      actions={<ImportButton />}
      filters={
        <Group p="md" pb="xs" gap="sm">
          <SearchBox label={words.search} look={setAbout} />
          <GroupFilter groupId={groupId} change={setGroup} />
        </Group>
      }
      make={{
        ...useSaving("contacts.create", (draft: Draft) => draft as NewContact), // the form has its fields
        ...{ title: words.add, blank },
      }}
      change={{
        ...useSaving("contacts.update", ({ id }: Contact, changes: Draft) => ({ id, changes })),
        draftOf: (contact) => Object.fromEntries(Object.entries(contact).map(([name, value]) => [name, value ?? ""])),
      }}
      drop={useRemoving("contacts.delete", ({ id }) => ({ id }))}
    >
      <ContactGroups />
    </ListPage>
  );
}

const fullName = ({ name, surname }: Contact) => `${name} ${surname}`.trim();

function GroupFilter({ groupId, change }: { groupId: number | null; change(groupId: number | null): void }) {
  const words = useWords(texts);
  const groups = useAsk("contactGroups.list", {});
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

function useFields(): Record<string, Field> {
  const words = useWords(texts);
  const { name } = useWords(general);
  return {
    name: { is: "text", label: name, required: true },
    surname: { is: "text", label: words.surname },
    phone: { is: "text", label: words.phone, required: true, longest: 32 },
    phone1: { is: "text", label: words.phone1, longest: 32 },
    company_name: { is: "text", label: words.company },
    title: { is: "text", label: words.jobTitle },
    email: { is: "email", label: words.email },
    address: { is: "area", label: words.address },
    note1: { is: "area", label: words.note },
    birthday: { is: "text", label: words.birthday, longest: 10 },
    birthday_sms: { is: "switch", label: words.birthdaySms },
  };
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
      rows={useAsk("contactGroups.list", {})}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      fields={{ name: { is: "text", label: name, required: true } }}
      columns={[
        { title: name, show: (group) => <strong>{group.name}</strong> },
        { title: words.people, show: ({ people }) => people, end: true },
      ]}
      make={{
        ...useSaving("contactGroups.create", ({ name }: Draft) => ({ name: String(name) })),
        ...{ title: words.addGroup, blank: { name: "" } },
      }}
      change={{
        ...useSaving("contactGroups.rename", ({ id }: ContactGroup, { name }: Draft) => ({ id, name: String(name) })),
        draftOf: ({ name }) => ({ name }),
      }}
      drop={useRemoving("contactGroups.delete", ({ id }) => ({ id }))}
    />
  );
}
