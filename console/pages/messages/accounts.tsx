// The SMS account: credits, who may use its interface, and where reports go.

import { useState } from "react";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { useSaving } from "../../ask/use-deed.ts";
import { DoIcon, ShownOnce } from "../../ui/buttons.tsx";
import { Editor } from "../../ui/editor.tsx";
import type { Draft, Field } from "../../ui/field.ts";
import { Surface } from "../../ui/page.tsx";
import { Rows, useRowButtons } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { showCount } from "../../words/stamps.ts";
import { texts } from "./texts.ts";

type Changes = Parameters<"sms.updateAccount">["changes"];
type Account = Reply<"sms.overview">["accounts"][number];

export function SmsAccounts() {
  const words = useWords(texts);
  const { edit } = useWords(general);
  const { language } = useLanguage();
  const overview = useAsk("sms.overview", {});
  const renew = useDo("sms.renewPassword");
  const [secret, tell] = useState<string>();
  const [editing, setEditing] = useState<Account>();
  const buttons = useRowButtons<Account>((account) => (
    <>
      <DoIcon
        does="sms.updateAccount"
        icon="edit"
        label={`${edit}: ${account.username}`}
        act={() => setEditing(account)}
      />
      <DoIcon
        does="sms.renewPassword"
        icon="key"
        label={`${words.renew}: ${account.username}`}
        act={() => void renew({ username: account.username }).then((made) => tell(made?.password))}
      />
    </>
  ));
  return (
    <Surface title={words.tabAccount}>
      <Asked query={overview}>
        {({ accounts }) => (
          <Rows
            label={words.tabAccount}
            rows={accounts}
            keyOf={({ id }) => id}
            empty={{ icon: "message", says: words.noAccount }}
            columns={[
              { title: words.username, show: ({ username }) => <strong>{username}</strong> },
              { title: words.credits, show: ({ credits }) => showCount(credits, language), end: true },
              { title: words.addresses, show: ({ allowedAddresses }) => allowedAddresses.join(", ") || "—" },
              { title: words.pushUrl, show: ({ pushUrl }) => pushUrl ?? "—" },
              buttons,
            ]}
          />
        )}
      </Asked>
      {secret && (
        <ShownOnce title={words.newPassword} facts={[[words.newPassword, secret]]} close={() => tell(undefined)} />
      )}
      {editing && <EditAccount account={editing} close={() => setEditing(undefined)} />}
    </Surface>
  );
}

function EditAccount({ account, close }: { account: Account; close(): void }) {
  const words = useWords(texts);
  const update = useSaving("sms.updateAccount", (_: Draft, changes: Draft) => ({
    ...{ id: account.id, changes: changes as Changes }, // the form has its fields
  }));
  const fields: Record<string, Field> = {
    international: { is: "switch", label: words.international },
    allowedAddresses: { is: "words", label: words.addresses, about: words.addressesAbout },
    pushUrl: { is: "text", label: words.pushUrl, longest: 2_000 },
    consentPushUrl: { is: "text", label: words.consentPushUrl, longest: 2_000 },
  };
  return <Editor title={account.username} fields={fields} value={account} deed={update} close={close} />;
}
