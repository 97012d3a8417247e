// Numbers people call from outside, their hours, and the holidays.

import { externalNumber } from "../../../src/nouns/external-number.ts";
import { showDate } from "../../../src/words/stamps.ts";
import { weekInWords } from "../../../src/words/week.ts";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useRemoving, useSaving } from "../../ask/use-action.ts";
import { useAsk } from "../../ask/use-ask.ts";
import type { Draft } from "../../ui/field.ts";
import { ListPage, ListSurface } from "../../ui/list-page.tsx";
import { blankOf, setIn } from "../../ui/noun-form.ts";
import { OfficeSwitch } from "../../ui/office-switch.tsx";
import { useTargetWords } from "../../ui/target-picker.tsx";
import { useNoun } from "../../ui/use-noun.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { texts } from "./texts.ts";

type OwnNumber = Reply<"numbers.list">[number];
type Changes = Parameters<"numbers.update">["changes"];
type Holiday = Reply<"holidays.list">[number];

export function Numbers() {
  const words = useWords(texts);
  const { number } = useWords(general);
  const targetWords = useTargetWords();
  const fields = useNoun(externalNumber);
  const { language } = useLanguage();
  const hours = ({ office_hours }: OwnNumber) => (office_hours ? weekInWords(office_hours, language) : "—");
  return (
    <ListPage<OwnNumber>
      title={words.numbers}
      about={words.numbersAbout}
      icon="number"
      actions={<OfficeSwitch />}
      empty={words.noNumbers}
      rows={useAsk("numbers.list", {})}
      keyOf={({ number }) => number}
      nameOf={({ number }) => number}
      fields={{
        number: { is: "text", label: number, longest: 20, required: true, fixed: true, about: words.numberForm },
        ...fields,
      }}
      columns={[
        { title: number, show: (row) => <strong>{row.number}</strong> },
        { title: fields.description.label, show: ({ description }) => description || "—" },
        { title: fields.target.label, show: ({ target }) => targetWords(target) },
        { title: fields.closed_target.label, show: ({ closed_target }) => targetWords(closed_target) },
        { title: fields.office_hours.label, show: hours },
        { title: fields.trunk.label, show: ({ trunk }) => trunk ?? "—" },
      ]}
      make={{
        ...useSaving("numbers.create", newNumber),
        title: words.addNumber,
        blank: { number: "", ...blankOf(externalNumber), target: "" },
      }}
      change={useSaving("numbers.update", ({ number }, changes) => ({ number, changes: changes as Changes }))}
      drop={useRemoving("numbers.delete", ({ number }) => ({ number }))}
    >
      <Holidays />
    </ListPage>
  );
}

function newNumber(draft: Draft) {
  const { target: _target, ...changes } = setIn(externalNumber, draft);
  return { number: String(draft.number).replace(/\D/g, ""), target: String(draft.target ?? ""), changes };
}

function Holidays() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const date = (day: string) => showDate(day, language);
  const targetWords = useTargetWords();
  return (
    <ListSurface<Holiday>
      title={words.holidays}
      icon="number"
      empty={words.noHolidays}
      rows={useAsk("holidays.list", {})}
      keyOf={({ id }) => id}
      nameOf={({ day, description }) => `${day} ${description}`.trim()}
      fields={{
        description: { is: "text", label: words.holidayName, required: true },
        day: { is: "day", label: words.firstDay, required: true },
        last_day: { is: "day", label: words.lastDay, about: words.lastDayAbout },
        number: { is: "own-number", label: words.everyNumber },
        target: { is: "target", label: words.holidayTarget, orNothing: true },
      }}
      columns={[
        { title: words.holidayName, show: ({ description }) => <strong>{description || "—"}</strong> },
        { title: words.day, show: ({ day, last_day }) => (last_day ? `${date(day)} – ${date(last_day)}` : date(day)) },
        { title: words.everyNumber, show: ({ number }) => number ?? words.everyNumber },
        { title: words.holidayTarget, show: ({ target }) => targetWords(target) },
      ]}
      make={{
        ...useSaving("holidays.create", newHoliday),
        title: words.addHoliday,
        blank: { day: "", last_day: null, description: "", number: null, target: null },
      }}
      change={{
        ...useSaving("holidays.update", ({ id }: Holiday, _changes: Draft, draft: Draft) => ({
          id,
          ...newHoliday(draft),
        })),
        draftOf: ({ id: _id, ...draft }) => draft,
      }}
      drop={useRemoving("holidays.delete", ({ id }) => ({ id }))}
    />
  );
}

function newHoliday({ day, last_day, description, number, target }: Draft) {
  return {
    day: String(day),
    last_day: last_day ? String(last_day) : null,
    description: String(description ?? ""),
    number: number ? String(number) : null,
    target: target ? String(target) : null,
  };
}
