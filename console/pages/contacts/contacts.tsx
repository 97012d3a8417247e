// The telephone book: people, their groups, and the way in for a whole table of them.

import { Group, Select } from "@mantine/core";
import { useState } from "react";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { usePaged } from "../../ask/use-paged.ts";
import { DeleteIcon, DoIcon } from "../../ui/buttons.tsx";
import { type Draft, Editor, type Field } from "../../ui/editor.tsx";
import { SearchBox } from "../../ui/filters.tsx";
import { ListSurface, MakeButton } from "../../ui/list-page.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { type Column, PagedRows } from "../../ui/rows.tsx";
import { useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { ImportButton } from "./import.tsx";
import { texts } from "./texts.ts";

type Contact = Reply<"contacts.list">["rows"][number];
type NewContact = Parameters<"contacts.create">;

const blank = { name: "", surname: "", phone: "" };

export function Contacts() {
  const words = useWords(texts);
  const { saved } = useWords(general);
  const [about, setAbout] = useState("");
  const [groupId, setGroup] = useState<number | null>(null);
  const contacts = usePaged("contacts.list", { about, groupId });
  const groups = useAsk("contactGroups.list", {});
  const create = useDo("contacts.create", saved);
  const fields = useFields();
  const [editing, edit] = useState<Contact>();
  const columns = useColumns(edit);
  const make = (draft: Draft) => create(draft as NewContact); // the form has its fields
  return (
    <PageFrame
      title={words.title}
      actions={
        <>
          <ImportButton />
          <MakeButton
            fields={fields}
            make={{ does: "contacts.create", title: words.add, blank, act: make, isBusy: create.isBusy }}
          />
        </>
      }
    >
      <Surface>
        <Group p="md" pb="xs" gap="sm">
          <SearchBox label={words.search} look={setAbout} />
          <Select
            aria-label={words.group}
            placeholder={words.group}
            clearable
            data={groups.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
            value={groupId === null ? null : String(groupId)}
            onChange={(value) => setGroup(value === null ? null : Number(value))}
          />
        </Group>
        <PagedRows
          pages={contacts}
          label={words.title}
          keyOf={({ id }) => id}
          columns={columns}
          empty={{ icon: "book", says: words.empty }}
        />
      </Surface>
      <ContactGroups />
      {editing && <EditContact contact={editing} close={() => edit(undefined)} />}
    </PageFrame>
  );
}

function useColumns(edit: (contact: Contact) => void): Column<Contact>[] {
  const words = useWords(texts);
  const { name, actions, edit: editWord, removed } = useWords(general);
  const remove = useDo("contacts.delete", removed);
  const full = (contact: Contact) => `${contact.name} ${contact.surname}`.trim();
  return [
    { title: name, show: (contact) => <strong>{full(contact)}</strong> },
    { title: words.phone, show: ({ phone }) => phone },
    { title: words.company, show: ({ company_name }) => company_name ?? "—" },
    { title: words.email, show: ({ email }) => email ?? "—" },
    {
      title: actions,
      end: true,
      show: (contact) => (
        <Group gap={2} justify="flex-end" wrap="nowrap">
          <DoIcon
            does="contacts.update"
            icon="edit"
            label={`${editWord}: ${full(contact)}`}
            act={() => edit(contact)}
          />
          <DeleteIcon does="contacts.delete" what={full(contact)} act={() => remove({ id: contact.id })} />
        </Group>
      ),
    },
  ];
}

function EditContact({ contact, close }: { contact: Contact; close(): void }) {
  const { saved } = useWords(general);
  const update = useDo("contacts.update", saved);
  const value = Object.fromEntries(Object.entries(contact).map(([name, value]) => [name, value ?? ""]));
  return (
    <Editor
      title={`${contact.name} ${contact.surname}`.trim()}
      fields={useFields()}
      value={value}
      does="contacts.update"
      isBusy={update.isBusy}
      close={close}
      save={(_, changes) => void update({ id: contact.id, changes }).then((done) => done && close())}
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
  const { name, saved, removed } = useWords(general);
  const create = useDo("contactGroups.create", saved);
  const rename = useDo("contactGroups.rename", saved);
  const remove = useDo("contactGroups.delete", removed);
  const fields: Record<string, Field> = { name: { is: "text", label: name, required: true } };
  return (
    <ListSurface<ContactGroup>
      title={words.groups}
      heading={words.groups}
      icon="people"
      empty={words.noGroups}
      query={useAsk("contactGroups.list", {})}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      fields={fields}
      columns={[
        { title: name, show: (group) => <strong>{group.name}</strong> },
        { title: words.people, show: ({ people }) => people, end: true },
      ]}
      actions={
        <MakeButton
          fields={fields}
          make={{
            ...{ does: "contactGroups.create", title: words.addGroup, blank: { name: "" }, isBusy: create.isBusy },
            act: ({ name }) => create({ name: String(name) }),
          }}
        />
      }
      change={{
        does: "contactGroups.rename",
        act: ({ id }, { name }) => rename({ id, name: String(name) }),
        isBusy: rename.isBusy,
        draftOf: ({ name }) => ({ name }),
      }}
      drop={{ does: "contactGroups.delete", act: ({ id }) => remove({ id }) }}
    />
  );
}
