// An extension's web phone in a tab of its own; a phone that is nobody's yet gets a staff account first.

import { useState } from "react";
import type { Reply } from "../../ask/ask.ts";
import { useDo } from "../../ask/use-ask.ts";
import { DoIcon, ShownOnce } from "../../ui/buttons.tsx";
import { type Draft, Editor } from "../../ui/editor.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { texts } from "./texts.ts";

type Extension = Reply<"extensions.list">[number];

export function WebPhoneButton({ extension }: { extension: Extension }) {
  const words = useWords(texts);
  const { number, staff } = extension;
  const [isOwnerless, askForOwner] = useState(false);
  const open = useOpenTab(number);
  return (
    <>
      <DoIcon
        does="extensions.openWebphone"
        icon="call"
        label={`${words.webPhone}: ${number}`}
        act={() => (staff === null ? askForOwner(true) : void open())}
      />
      {isOwnerless && <NewOwner extension={extension} close={() => askForOwner(false)} open={open} />}
    </>
  );
}

function useOpenTab(number: string): () => Promise<void> {
  const { language } = useLanguage();
  const issue = useDo("extensions.openWebphone");
  return async () => {
    // Before the token is there: a browser opens a tab only for a click that was just now.
    const tab = window.open("", "_blank");
    const issued = await issue({ number });
    if (issued && tab) tab.location.href = `/webphone?token=${issued.token}&lang=${language}`;
    else tab?.close();
  };
}

type NewOwnerProps = { extension: Extension; close(): void; open(): Promise<void> };

function NewOwner({ extension: { number, name, email }, close, open }: NewOwnerProps) {
  const words = useWords(texts);
  const { name: nameLabel } = useWords(general);
  const [made, tell] = useState<Reply<"staff.create">>();
  const create = useDo("staff.create");
  const save = async ({ name, email }: Draft) =>
    tell(await create({ name: String(name), email: String(email), role: "standard", extension: number }));
  if (!made)
    return (
      <Editor
        title={`${words.ownerTitle} ${number}`}
        fields={{
          name: { is: "text", label: nameLabel, required: true },
          email: { is: "email", label: words.email, required: true, about: words.ownerAbout },
        }}
        value={{ name, email: email ?? "" }}
        does="staff.create"
        isBusy={create.isBusy}
        close={close}
        save={(draft) => void save(draft)}
      />
    );
  return (
    <ShownOnce
      title={`${words.ownerTitle} ${number}`}
      close={() => {
        close();
        void open();
      }}
      facts={[
        [words.email, made.email],
        [words.ownerPassword, made.password],
      ]}
    />
  );
}
