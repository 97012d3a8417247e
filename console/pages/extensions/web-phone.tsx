// An extension's web phone in a tab of its own; a phone that is nobody's yet gets a staff account first.

import { useState } from "react";
import type { Reply } from "../../ask/ask.ts";
import { useAction } from "../../ask/use-action.ts";
import { useDo } from "../../ask/use-ask.ts";
import { DoIcon, ShownOnce } from "../../ui/buttons.tsx";
import { Editor } from "../../ui/editor.tsx";
import type { Draft } from "../../ui/field.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { texts } from "./texts.ts";

type Extension = Reply<"extensions.list">[number];
type Owner = Reply<"staff.create">;

export function WebPhoneButton({ extension }: { extension: Extension }) {
  const words = useWords(texts);
  const { number, staff } = extension;
  const [isOwnerless, askForOwner] = useState(false);
  const [owner, tell] = useState<Owner>();
  const open = useOpenTab(number);
  return (
    <>
      <DoIcon
        does="extensions.openWebphone"
        icon="call"
        label={`${words.webPhone}: ${number}`}
        act={() => (staff === null ? askForOwner(true) : void open())}
      />
      {isOwnerless && <NewOwner extension={extension} tell={tell} close={() => askForOwner(false)} />}
      {owner && (
        <ShownOnce
          title={`${words.ownerTitle} ${number}`}
          close={() => {
            tell(undefined);
            void open();
          }}
          facts={[
            [words.email, owner.email],
            [words.ownerPassword, owner.password],
          ]}
        />
      )}
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

type NewOwnerProps = { extension: Extension; tell(owner: Owner): void; close(): void };

function NewOwner({ extension: { number, name, email }, tell, close }: NewOwnerProps) {
  const words = useWords(texts);
  const { name: nameLabel } = useWords(general);
  const ownerOf = ({ name, email }: Draft) => ({
    name: String(name),
    email: String(email),
    role: "standard" as const,
    extension: number,
  });
  return (
    <Editor
      title={`${words.ownerTitle} ${number}`}
      fields={{
        name: { is: "text", label: nameLabel, required: true },
        email: { is: "email", label: words.email, required: true, about: words.ownerAbout },
      }}
      value={{ name, email: email ?? "" }}
      action={useAction("staff.create", ownerOf, { hear: tell })}
      close={close}
    />
  );
}
