// Staff accounts: who may open the console, in which role, and with which extension.

import { Badge, Group } from "@mantine/core";
import { useState } from "react";
import { useSession } from "../../app/session.tsx";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DoIcon, ShownOnce } from "../../ui/buttons.tsx";
import type { Draft, Field } from "../../ui/editor.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import type { Column } from "../../ui/rows.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general, roles } from "../../words/nouns.ts";
import { showDateTime } from "../../words/stamps.ts";
import { texts } from "./texts.ts";

type Member = Reply<"staff.list">[number];
type Role = Member["role"];
type Secret = { email: string; password: string };

export function Staff() {
  const words = useWords(texts);
  const { saved, removed } = useWords(general);
  const [secret, tell] = useState<Secret>();
  const create = useDo("staff.create");
  const update = useDo("staff.update", saved);
  const remove = useDo("staff.delete", removed);
  const make = async ({ name, email, role, extension }: Draft) => {
    const wanted = {
      name: String(name),
      email: String(email),
      role: role as Role,
      extension: extension ? String(extension) : null,
    };
    const made = await create(wanted);
    if (made) tell(made);
    return made;
  };
  return (
    <ListPage<Member>
      title={words.title}
      about={words.about}
      icon="people"
      empty={words.title}
      query={useAsk("staff.list", {})}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      fields={useFields()}
      columns={useColumns()}
      make={{
        ...{ does: "staff.create", title: words.add, act: make, isBusy: create.isBusy },
        blank: { name: "", email: "", role: "standard", extension: null },
      }}
      change={{
        does: "staff.update",
        act: ({ id }, changes) => update({ id, changes: changes as Parameters<"staff.update">["changes"] }), // the form's fields
        isBusy: update.isBusy,
        draftOf: ({ name, role, active, extension }) => ({ name, role, active, extension }),
      }}
      drop={{ does: "staff.delete", act: ({ id }) => remove({ id }) }}
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

function useColumns(): Column<Member>[] {
  const words = useWords(texts);
  const { name } = useWords(general);
  const { language } = useLanguage();
  const { exchange } = useSession();
  return [
    { title: name, show: (member) => <strong>{member.name}</strong> },
    { title: words.email, show: ({ email }) => email },
    { title: words.role, show: ({ role }) => roles[role][language] },
    { title: words.extension, show: ({ extension }) => extension ?? "—" },
    {
      title: words.state,
      show: ({ active, hasTotp, lockedUntil, mustChangePassword }) => (
        <Group gap={4}>
          <Badge variant="light" color={active ? "teal" : "gray"}>
            {active ? words.active : words.passive}
          </Badge>
          {hasTotp && <Badge variant="light">2FA</Badge>}
          {lockedUntil && Date.parse(lockedUntil) > Date.now() && (
            <Badge variant="light" color="red">
              {words.locked}
            </Badge>
          )}
          {mustChangePassword && (
            <Badge variant="light" color="yellow">
              {words.firstPassword}
            </Badge>
          )}
        </Group>
      ),
    },
    {
      title: words.lastSignIn,
      show: ({ lastSignInAt }) => (lastSignInAt ? showDateTime(lastSignInAt, language, exchange.timeZone) : "—"),
    },
  ];
}

function useFields(): Record<string, Field> {
  const words = useWords(texts);
  const { name } = useWords(general);
  const { language } = useLanguage();
  return {
    name: { is: "text", label: name, required: true },
    email: { is: "email", label: words.email, required: true, fixed: true },
    role: {
      is: "choice",
      label: words.role,
      options: Object.entries(roles).map(([value, both]) => [value, both[language]]),
    },
    extension: { is: "extension", label: words.extension, about: words.extensionAbout, orNothing: true },
    active: { is: "switch", label: words.active, when: (draft) => draft.active !== undefined },
  };
}
