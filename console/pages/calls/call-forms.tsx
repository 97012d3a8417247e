// The forms of one call: what each agent filled in, and the way to fill one in or correct it.

import { Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { type AnswerProblem, type Answers, answerShown, checkAnswers } from "../../../src/forms/answers.ts";
import { answerProblemInWords, yesNo } from "../../../src/words/form-words.ts";
import type { Reply } from "../../ask/ask.ts";
import { useSession } from "../../ask/session.tsx";
import { useStamps } from "../../ask/stamps.ts";
import { useSaving } from "../../ask/use-action.ts";
import { DoButton } from "../../ui/buttons.tsx";
import { changesBetween } from "../../ui/field.ts";
import { CancelButton, FormDrawer } from "../../ui/form-drawer.tsx";
import { Surface } from "../../ui/page.tsx";
import { Unsaved } from "../../ui/unsaved.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { AnswerInput } from "./answer-input.tsx";
import { formTexts } from "./texts.ts";

type CallForm = Reply<"calls.show">["forms"][number];

export function CallForms({ forms }: { forms: CallForm[] }) {
  return forms.map((form) => <OneForm key={form.extension} form={form} />);
}

function OneForm({ form }: { form: CallForm }) {
  const words = useWords(formTexts);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const { extension, rights } = useSession();
  const [isOpen, open] = useState(false);
  const { answers, filledAt, filledBy, changedAt, changedBy } = form;
  const may = extension === form.extension || rights.includes("supervise");
  return (
    <Surface
      title={words.title(form.form, form.extension)}
      actions={
        may && (
          <DoButton does="forms.fill" variant="light" aria-haspopup="dialog" act={() => open(true)}>
            {answers ? words.correct : words.fillIn}
          </DoButton>
        )
      }
    >
      <Stack gap="sm" p="md">
        <Text size="sm" c="dimmed">
          {filledAt ? words.filledBy(filledBy ?? "", dateTime(filledAt)) : words.owed}
          {changedAt && ` · ${words.changedBy(changedBy ?? "", dateTime(changedAt))}`}
        </Text>
        {answers && (
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
            {form.fields.map(({ id, label }) => (
              <div key={id}>
                <Text size="xs" c="dimmed">
                  {label}
                </Text>
                <Text size="sm" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
                  {answerShown(answers[id], yesNo[language]) || "—"}
                </Text>
              </div>
            ))}
          </SimpleGrid>
        )}
      </Stack>
      {isOpen && <FillIn form={form} close={() => open(false)} />}
    </Surface>
  );
}

function FillIn({ form, close }: { form: CallForm; close(): void }) {
  const words = useWords(formTexts);
  const { save } = useWords(general);
  const { language } = useLanguage();
  const [draft, setDraft] = useState<Record<string, unknown>>(form.answers ?? {});
  const [problems, show] = useState<AnswerProblem[]>([]);
  const { callUuid: uuid, extension } = form;
  const { does, isBusy, act } = useSaving("forms.fill", (answers: Answers) => ({ uuid, extension, answers }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const checked = checkAnswers(form.fields, draft);
    show("problems" in checked ? checked.problems : []);
    if ("answers" in checked) void act(checked.answers).then((done) => done !== undefined && close());
  };
  const errorOf = (id: string) => {
    const problem = problems.find(({ field }) => field === id);
    return problem && answerProblemInWords(problem, language);
  };
  return (
    <FormDrawer close={close} title={words.title(form.form, extension)}>
      <Unsaved when={Object.keys(changesBetween(form.answers ?? {}, draft)).length > 0} />
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {form.fields.map((field) => (
            <AnswerInput
              key={field.id}
              field={field}
              value={draft[field.id]}
              error={errorOf(field.id)}
              change={(next) => setDraft((before) => ({ ...before, [field.id]: next }))}
            />
          ))}
          <Group justify="flex-end" mt="md">
            <CancelButton />
            <DoButton does={does} act={() => undefined} type="submit" loading={isBusy}>
              {save}
            </DoButton>
          </Group>
        </Stack>
      </form>
    </FormDrawer>
  );
}
