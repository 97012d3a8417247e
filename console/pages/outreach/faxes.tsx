// Faxes that came and went.

import { Badge } from "@mantine/core";
import { Link } from "wouter";
import { useStamps } from "../../app/stamps.ts";
import { useDeed } from "../../ask/use-deed.ts";
import { usePaged } from "../../ask/use-paged.ts";
import type { Draft } from "../../ui/field.ts";
import { base64Of } from "../../ui/files.ts";
import { MakeButton } from "../../ui/list-page.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { PagedRows } from "../../ui/rows.tsx";
import { inBoth, useLanguage, useWords } from "../../words/language.tsx";
import { directions } from "../../words/live-words.ts";
import { showDuration } from "../../words/stamps.ts";

const texts = inBoth({
  title: { tr: "Fakslar", en: "Faxes" },
  about: { tr: "Gönderilen ve alınan fakslar.", en: "Faxes that came and went." },
  empty: { tr: "Henüz faks yok.", en: "There are no faxes yet." },
  send: { tr: "Faks gönder", en: "Send a fax" },
  ordered: { tr: "Faks sıraya alındı.", en: "The fax is on its way." },
  file: { tr: "Belge", en: "Document" },
  fileAbout: {
    tr: "PDF, PNG, JPEG, TIFF veya düz metin; en çok 20 MB ve 100 sayfa",
    en: "PDF, PNG, JPEG, TIFF or plain text; at most 20 MB and 100 pages",
  },
  when: { tr: "Zaman", en: "When" },
  direction: { tr: "Yön", en: "Direction" },
  from: { tr: "Gönderen", en: "From" },
  to: { tr: "Alan", en: "To" },
  pages: { tr: "Sayfa", en: "Pages" },
  rate: { tr: "Hız", en: "Rate" },
  duration: { tr: "Süre", en: "Duration" },
  result: { tr: "Sonuç", en: "Result" },
  good: { tr: "Tamam", en: "Complete" },
  bad: { tr: "Başarısız", en: "Failed" },
});

const DOCUMENTS = "application/pdf,image/png,image/jpeg,image/tiff,text/plain";

export function Faxes() {
  const words = useWords(texts);
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
  const words = useWords(texts);
  const send = useDeed("faxes.send", faxOf, { says: words.ordered });
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
