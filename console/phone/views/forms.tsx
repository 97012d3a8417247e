// Forms about calls: the one of the call that is up, and after it those that are still to be filled in.

import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { FormField } from "../../../src/forms/definition.ts";
import type { FormShown } from "../../../src/http/webphone/shown.ts";
import { answerProblemInWords } from "../../../src/words/form-words.ts";
import { openForms } from "../forms.ts";
import { whoOn } from "../who.ts";
import { AnswerInput } from "./answer-input.tsx";
import { Icon } from "./icons.tsx";
import { useShown } from "./shown.ts";

export function FormsView(): JSX.Element {
  const { phone, state, words } = useShown();
  const shown = state.forms.find(({ callUuid }) => callUuid === state.formOpen) ?? openForms(state.forms)[0];
  const others = state.forms.filter((form) => form !== shown);
  return (
    <section class="view forms">
      <h1>{words.formsOwed}</h1>
      {!shown && others.length === 0 && <p class="empty">{words.noForms}</p>}
      {shown && <FormBox key={shown.callUuid} form={shown} named />}
      {others.length > 0 && (
        <ul class="list others">
          {others.map((form) => (
            <li key={form.callUuid}>
              <button type="button" onClick={() => phone.store.change({ formOpen: form.callUuid })}>
                <Icon name="forms" size={16} />
                <span class="who">
                  {whoOn(form, words)}
                  <small>{form.aside ? `${form.form} · ${words.putAsideMark}` : form.form}</small>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** `named`: says which call it is about, where no line says so. */
export function FormBox({ form, named = false }: { form: FormShown; named?: boolean }): JSX.Element {
  const { phone, state, words } = useShown();
  const box = useRef<HTMLFormElement>(null);
  const { callUuid: call } = form;
  const troubles = state.formProblems?.call === call ? state.formProblems : undefined;
  const save = async (event: Event) => {
    event.preventDefault();
    if (!(await phone.forms.save(call))) box.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
  };
  return (
    <form class="call-form" ref={box} onSubmit={(event) => void save(event)} noValidate aria-label={form.form}>
      <h2>{named ? `${form.form} · ${whoOn(form, words)}` : form.form}</h2>
      <div class="questions">
        {form.fields.map((field) => (
          <Question key={field.id} call={call} field={field} />
        ))}
      </div>
      {troubles && !troubles.problems && (
        <p class="trouble" role="alert">
          {words.formNotSaved}
        </p>
      )}
      <div class="pair">
        <button type="button" class="chip" onClick={() => void phone.forms.putAside(call)}>
          {words.putAside}
        </button>
        <button type="submit" class="chip save">
          {words.saveForm}
        </button>
      </div>
    </form>
  );
}

function Question({ call, field }: { call: string; field: FormField }): JSX.Element {
  const { phone, state } = useShown();
  const troubles = state.formProblems?.call === call ? state.formProblems.problems : undefined;
  const problem = troubles?.find((it) => it.field === field.id);
  return (
    <AnswerInput
      field={field}
      id={`${call} ${field.id}`.replaceAll(" ", "-")}
      value={state.drafts[call]?.[field.id]}
      trouble={problem && answerProblemInWords(problem, state.choices.language)}
      change={(value) => phone.forms.type(call, field.id, value)}
    />
  );
}
