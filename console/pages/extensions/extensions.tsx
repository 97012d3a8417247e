// Extensions: the phones of the exchange, and how each is reached when it is not.

import { Badge, Group, Text, Tooltip } from "@mantine/core";
import { useState } from "react";
import { extension } from "../../../src/nouns/extension.ts";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useAction, useRemoving, useSaving } from "../../ask/use-action.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { useLivePart } from "../../live/live.ts";
import { DoIcon } from "../../ui/buttons.tsx";
import type { Draft, Field } from "../../ui/field.ts";
import { ListPage } from "../../ui/list-page.tsx";
import { blankOf, setIn } from "../../ui/noun-form.ts";
import type { Column } from "../../ui/rows.tsx";
import { useNoun } from "../../ui/use-noun.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { extensionStates, general } from "../../words/texts.ts";
import { Connect, type Connected } from "./connect.tsx";
import { MailboxButton } from "./mailbox.tsx";
import { connectTexts, texts } from "./texts.ts";
import { WebPhoneButton } from "./web-phone.tsx";

type Extension = Reply<"extensions.list">[number];
type Changes = Parameters<"extensions.update">["changes"];

/** Most new ones are used from a browser. */
const blank = { number: "", ...blankOf(extension), use_webrtc: true };

export function Extensions() {
  const words = useWords(texts);
  const [phone, tell] = useState<Connected>();
  const { connect } = useWords(connectTexts);
  const renew = useDo("extensions.newPassword");
  return (
    <ListPage<Extension>
      title={words.title}
      about={words.about}
      icon="phone"
      empty={words.empty}
      rows={useAsk("extensions.list", {})}
      columns={useColumns()}
      keyOf={({ number }) => number}
      nameOf={({ number, name }) => `${number} ${name}`.trim()}
      fields={useFields()}
      make={{ ...useAction("extensions.create", newExtension, { hear: tell }), title: words.add, blank }}
      change={{
        ...useSaving("extensions.update", ({ number }: Extension, changes: Draft) => ({
          number,
          changes: changes as Changes, // the form has its fields
        })),
        draftOf,
      }}
      drop={useRemoving("extensions.delete", ({ number }) => ({ number }))}
      more={(extension) => (
        <>
          <DoIcon
            does="extensions.invitePhone"
            icon="qr"
            label={`${connect}: ${extension.number}`}
            act={() => tell({ number: extension.number })}
          />
          <WebPhoneButton extension={extension} />
          <MailboxButton extension={extension} />
          <DoIcon
            does="extensions.newPassword"
            icon="key"
            label={`${words.newPassword}: ${extension.number}`}
            act={() => void renew({ number: extension.number }).then((made) => made && tell(made))}
          />
        </>
      )}
    >
      {phone && <Connect phone={phone} close={() => tell(undefined)} />}
    </ListPage>
  );
}

function newExtension(draft: Draft) {
  return { number: String(draft.number), changes: setIn(extension, draft) };
}

/** Only what the form can change: the rest of the row is for reading. */
function draftOf(extension: Extension): Draft {
  const { mailbox: _mailbox, staff: _staff, queues: _queues, groups: _groups, unheard: _unheard, ...rest } = extension;
  const { byMd5: _byMd5, ...draft } = rest;
  return draft;
}

function useColumns(): Column<Extension>[] {
  const words = useWords(texts);
  const { number, name } = useWords(general);
  const { language } = useLanguage();
  return [
    { title: number, show: (row) => <strong>{row.number}</strong> },
    { title: name, show: (row) => row.name || "—" },
    { title: words.state, show: (row) => <State extension={row} /> },
    {
      title: extension.fields.outbound_caller_id.label[language],
      show: ({ outbound_caller_id }) => outbound_caller_id ?? "—",
    },
    { title: words.places, show: ({ queues, groups }) => [...queues, ...groups].join(", ") || "—" },
    {
      title: words.voicemail,
      show: ({ mailbox, unheard }) => (
        <Group gap={6}>
          {mailbox?.active ? words.on : words.off}
          {unheard > 0 && (
            <Badge size="sm" variant="filled">
              {unheard}
            </Badge>
          )}
        </Group>
      ),
    },
    { title: words.staff, show: ({ staff }) => <Text size="sm">{staff ?? "—"}</Text> },
  ];
}

function State({ extension: { number, active, byMd5 } }: { extension: Extension }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const now = useLivePart((live) => live.extensions.get(number)?.state) ?? "unregistered";
  if (!active) return <Badge color="gray">{words.passive}</Badge>;
  const state = extensionStates[now];
  return (
    <Group gap={6}>
      <Badge color={state.color}>{state[language]}</Badge>
      {byMd5 && (
        <Tooltip label={words.byMd5About}>
          <Badge size="sm" variant="outline" color="orange">
            MD5
          </Badge>
        </Tooltip>
      )}
    </Group>
  );
}

function useFields(): Record<string, Field> {
  const words = useWords(texts);
  const { number } = useWords(general);
  return {
    number: { is: "text", label: number, longest: 8, required: true, fixed: true, about: words.numberAbout },
    ...useNoun(extension),
  };
}
