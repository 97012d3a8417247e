// An extension's mailbox: whether it takes messages, and what it says first.

import { useState } from "react";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useSaving } from "../../ask/use-deed.ts";
import { DoIcon } from "../../ui/buttons.tsx";
import { Editor } from "../../ui/editor.tsx";
import type { Draft, Field } from "../../ui/field.ts";
import { useWords } from "../../words/language.tsx";
import { spoken } from "../../words/spoken.ts";
import { texts } from "./texts.ts";

type Changes = Parameters<"mailboxes.update">["changes"];

const usual = { active: false, greeting_language: "tr-TR", max_seconds: 180 };

export function MailboxButton({ extension: { number, mailbox } }: { extension: Reply<"extensions.list">[number] }) {
  const words = useWords(texts);
  const [isOpen, setOpen] = useState(false);
  const deed = useSaving("mailboxes.update", (_: Draft, { pin, ...changes }: Draft) => ({
    ...{ number, changes: { ...changes, ...(pin ? { pin } : {}) } as Changes }, // the form has its fields
  }));
  const fields: Record<string, Field> = {
    active: { is: "switch", label: words.mailboxActive },
    greeting_announcement_id: { is: "sound", label: words.greetingSound },
    greeting_text: { is: "area", label: words.greetingText },
    greeting_language: { is: "choice", label: words.greetingLanguage, options: spoken },
    max_seconds: { is: "whole", label: words.maxSeconds, least: 5, most: 1_800 },
    pin: { is: "secret", label: words.pin, about: mailbox?.has_pin ? words.pinKept : words.pinAbout },
    email: { is: "email", label: words.mailboxEmail },
  };
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
          deed={deed}
          close={() => setOpen(false)}
        />
      )}
    </>
  );
}
