// The SMS account: credits, who may use its interface, and where reports go.

import { useState } from "react";
import { smsAccount } from "../../../src/nouns/sms-account.ts";
import { showCount } from "../../../src/words/stamps.ts";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useSaving } from "../../ask/use-action.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DoIcon, ShownOnce } from "../../ui/buttons.tsx";
import { Editor } from "../../ui/editor.tsx";
import type { Draft } from "../../ui/field.ts";
import { Surface } from "../../ui/page.tsx";
import { Rows, useRowButtons } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useNoun } from "../../ui/use-noun.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
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
              {
                title: smsAccount.fields.allowedAddresses.label[language],
                show: ({ allowedAddresses }) => allowedAddresses.join(", ") || "—",
              },
              { title: smsAccount.fields.pushUrl.label[language], show: ({ pushUrl }) => pushUrl ?? "—" },
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
  const update = useSaving("sms.updateAccount", (_: Draft, changes: Draft) => ({
    id: account.id,
    changes: changes as Changes, // the form has its fields
  }));
  return <Editor title={account.username} fields={useNoun(smsAccount)} value={account} action={update} close={close} />;
}
