// An extension's mailbox: whether it takes messages, and what it says first.

import { useState } from "react";
import { mailbox as mailboxNoun } from "../../../src/nouns/mailbox.ts";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useSaving } from "../../ask/use-action.ts";
import { DoIcon } from "../../ui/buttons.tsx";
import { Editor } from "../../ui/editor.tsx";
import type { Draft } from "../../ui/field.ts";
import { blankOf } from "../../ui/noun-form.ts";
import { useNoun } from "../../ui/use-noun.ts";
import { useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

type Changes = Parameters<"mailboxes.update">["changes"];

/** Who has none takes no messages yet. */
const usual = { ...blankOf(mailboxNoun), active: false };

export function MailboxButton({ extension: { number, mailbox } }: { extension: Reply<"extensions.list">[number] }) {
  const words = useWords(texts);
  const [isOpen, setOpen] = useState(false);
  const action = useSaving("mailboxes.update", (_: Draft, { pin, ...changes }: Draft) => ({
    number,
    changes: { ...changes, ...(pin ? { pin } : {}) } as Changes, // the form has its fields
  }));
  const form = useNoun(mailboxNoun);
  const fields = mailbox?.has_pin ? { ...form, pin: { ...form.pin, about: words.pinKept } } : form;
  const { has_pin: _pin, ...value } = mailbox ?? { ...usual, has_pin: false };
  return (
    <>
      <DoIcon
        does="mailboxes.update"
        icon="voicemail"
        label={`${words.voicemail}: ${number}`}
        act={() => setOpen(true)}
      />
      {isOpen && (
        <Editor
          title={`${words.voicemail} ${number}`}
          fields={fields}
          value={value}
          action={action}
          close={() => setOpen(false)}
        />
      )}
    </>
  );
}
