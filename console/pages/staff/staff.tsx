// Staff accounts: who may open the console, in which role, and with which extension.

import { Badge, Group } from "@mantine/core";
import { useState } from "react";
import { roles, USUAL_ROLE } from "../../../src/nouns/role.ts";
import { staff } from "../../../src/nouns/staff.ts";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useAction, useRemoving, useSaving } from "../../ask/use-action.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DoIcon, ShownOnce } from "../../ui/buttons.tsx";
import type { Draft, Field } from "../../ui/field.ts";
import { ListPage } from "../../ui/list-page.tsx";
import type { Column } from "../../ui/rows.tsx";
import { useNoun } from "../../ui/use-noun.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { texts } from "./texts.ts";

type Member = Reply<"staff.list">[number];
type Role = Member["role"];
type Changes = Parameters<"staff.update">["changes"];
type Secret = { email: string; password: string };

export function Staff() {
  const words = useWords(texts);
  const [secret, tell] = useState<Secret>();
  return (
    <ListPage<Member>
      title={words.title}
      about={words.about}
      icon="people"
      empty={words.title}
      rows={useAsk("staff.list", {})}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      fields={useFields()}
      columns={useColumns()}
      make={{
        ...useAction("staff.create", newMember, { hear: tell }),
        title: words.add,
        blank: {
          ...{ name: "", email: "", role: USUAL_ROLE, extension: null, language: null },
          ...{ queues: [], recordings: null, exports: null },
        },
      }}
      change={{
        ...useSaving("staff.update", ({ id }: Member, changes: Draft) => ({ id, changes: changes as Changes })),
        draftOf: ({ name, role, active, extension, language, queues, recordings, exports }) => ({
          ...{ name, role, active, extension, language },
          ...{ queues, recordings, exports },
        }),
      }}
      drop={useRemoving("staff.delete", ({ id }) => ({ id }))}
      more={(member) => <MemberButtons member={member} tell={tell} />}
    >
      {secret && (
        <ShownOnce
          title={words.newPassword}
          close={() => tell(undefined)}
          facts={[
            [words.email, secret.email],
            [words.password, secret.password],
          ]}
        />
      )}
    </ListPage>
  );
}

/** The form has its fields. */
function newMember({ name, email, role, extension, language, queues, recordings, exports }: Draft) {
  return {
    name: String(name),
    email: String(email),
    role: role as Role,
    extension: extension ? String(extension) : null,
    language: language ? (language as NonNullable<Member["language"]>) : null,
    queues: role === "supervisor" ? (queues as string[]) : [],
    recordings: (recordings || null) as Member["recordings"],
    exports: (exports || null) as Member["exports"],
  };
}

function MemberButtons({ member: { id, name, hasTotp }, tell }: { member: Member; tell(secret: Secret): void }) {
  const words = useWords(texts);
  const resetPassword = useDo("staff.resetPassword");
  const resetTotp = useDo("staff.resetTotp", words.done);
  const endSessions = useDo("staff.endSessions", words.done);
  return (
    <>
      <DoIcon
        does="staff.resetPassword"
        icon="key"
        label={`${words.newPassword}: ${name}`}
        act={() => void resetPassword({ id }).then((made) => made && tell(made))}
      />
      {hasTotp && (
        <DoIcon
          does="staff.resetTotp"
          icon="phone"
          label={`${words.dropTotp}: ${name}`}
          act={() => void resetTotp({ id })}
        />
      )}
      <DoIcon
        does="staff.endSessions"
        icon="leave"
        label={`${words.endSessions}: ${name}`}
        act={() => void endSessions({ id })}
      />
    </>
  );
}

function RoleShown({ member: { role, queues } }: { member: Member }) {
  const { language } = useLanguage();
  const said = roles[role].words[language];
  return role === "supervisor" ? `${said} (${queues.join(", ") || "—"})` : said;
}

function useColumns(): Column<Member>[] {
  const words = useWords(texts);
  const { name } = useWords(general);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  return [
    { title: name, show: (member) => <strong>{member.name}</strong> },
    { title: words.email, show: ({ email }) => email },
    { title: staff.fields.role.label[language], show: (member) => <RoleShown member={member} /> },
    { title: staff.fields.extension.label[language], show: ({ extension }) => extension ?? "—" },
    {
      title: words.state,
      show: ({ active, hasTotp, lockedUntil, mustChangePassword }) => (
        <Group gap={4}>
          <Badge color={active ? "teal" : "gray"}>{active ? staff.fields.active.label[language] : words.passive}</Badge>
          {hasTotp && <Badge>2FA</Badge>}
          {lockedUntil && Date.parse(lockedUntil) > Date.now() && <Badge color="red">{words.locked}</Badge>}
          {mustChangePassword && <Badge color="yellow">{words.firstPassword}</Badge>}
        </Group>
      ),
    },
    {
      title: words.lastSignIn,
      show: ({ lastSignInAt }) => (lastSignInAt ? dateTime(lastSignInAt) : "—"),
    },
  ];
}

function useFields(): Record<string, Field> {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { name, active, role, queues, ...others } = useNoun(staff);
  const options = Object.entries(roles).map(([value, { words, about }]): [string, string] => [
    value,
    `${words[language]}: ${about[language]}`,
  ]);
  return {
    name,
    email: { is: "email", label: words.email, required: true, fixed: true },
    role: { ...role, is: "choice", options },
    queues: { ...queues, when: (draft) => draft.role === "supervisor" },
    ...others,
    active: { ...active, when: (draft) => draft.active !== undefined },
  };
}
