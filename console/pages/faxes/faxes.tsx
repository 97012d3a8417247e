// Faxes: those that came, those that go out, and a form to send one.

import { useSession } from "../../ask/session.tsx";
import { useAction } from "../../ask/use-action.ts";
import type { Draft } from "../../ui/field.ts";
import { base64Of } from "../../ui/files.ts";
import { MakeButton } from "../../ui/list-page.tsx";
import { PageFrame } from "../../ui/page.tsx";
import { PageTabs } from "../../ui/tabs.tsx";
import { useWords } from "../../words/language.tsx";
import { Inbox } from "./inbox.tsx";
import { Outbox } from "./outbox.tsx";
import { texts } from "./texts.ts";

const DOCUMENTS = "application/pdf,image/png,image/jpeg,image/tiff,text/plain";

export function Faxes() {
  const words = useWords(texts);
  const { may } = useSession();
  return (
    <PageFrame title={words.title} about={words.about} actions={may.includes("faxes.outbox") && <SendButton />}>
      <PageTabs
        tabs={[
          { name: "inbox", label: words.inbox, needs: "faxes.list", show: Inbox },
          { name: "outbox", label: words.outbox, needs: "faxes.outbox", show: Outbox },
        ]}
      />
    </PageFrame>
  );
}

function SendButton() {
  const words = useWords(texts);
  const send = useAction("faxes.send", faxOf, { says: words.ordered });
  return (
    <MakeButton
      make={{ ...send, title: words.send, blank: { to: "", from: null, file: null } }}
      fields={{
        to: { is: "text", label: words.to, longest: 32, required: true, placeholder: "02123205072" },
        from: { is: "own-number", label: words.from },
        file: { is: "file", label: words.file, about: words.fileAbout, accept: DOCUMENTS, required: true },
      }}
    />
  );
}

async function faxOf({ to, from, file }: Draft) {
  const content = file instanceof File ? await base64Of(file) : "";
  return { to: String(to), from: from ? String(from) : null, content };
}
