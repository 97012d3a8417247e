// Faxes that came and went.

import { Badge } from "@mantine/core";
import { Link } from "wouter";
import { useStamps } from "../../ask/stamps.ts";
import { useAction } from "../../ask/use-action.ts";
import { usePaged } from "../../ask/use-paged.ts";
import type { Draft } from "../../ui/field.ts";
import { base64Of } from "../../ui/files.ts";
import { MakeButton } from "../../ui/list-page.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { PagedRows } from "../../ui/rows.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { showDuration } from "../../words/stamps.ts";
import { directions } from "../../words/texts.ts";
import { faxTexts } from "./texts.ts";

const DOCUMENTS = "application/pdf,image/png,image/jpeg,image/tiff,text/plain";

export function Faxes() {
  const words = useWords(faxTexts);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const faxes = usePaged("faxes.list", {});
  return (
    <PageFrame title={words.title} about={words.about} actions={<SendButton />}>
      <Surface>
        <PagedRows
          pages={faxes}
          label={words.title}
          keyOf={({ callUuid }) => callUuid}
          empty={{ icon: "audit", says: words.empty }}
          columns={[
            {
              title: words.when,
              show: ({ callUuid, startStamp }) => <Link href={`/calls/${callUuid}`}>{dateTime(startStamp)}</Link>,
            },
            { title: words.direction, show: ({ direction }) => directions[direction]?.[language] },
            { title: words.from, show: ({ callerIdNumber }) => callerIdNumber },
            { title: words.to, show: ({ originalDestination }) => originalDestination },
            {
              title: words.pages,
              show: ({ pages, totalPages }) => `${pages} / ${Math.max(pages, totalPages)}`,
              end: true,
            },
            { title: words.rate, show: ({ transferRate }) => transferRate, end: true },
            { title: words.duration, show: ({ durationSeconds }) => showDuration(durationSeconds), end: true },
            {
              title: words.result,
              show: ({ success }) => <Badge color={success ? "teal" : "red"}>{success ? words.good : words.bad}</Badge>,
            },
          ]}
        />
      </Surface>
    </PageFrame>
  );
}

function SendButton() {
  const words = useWords(faxTexts);
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
