// Keeps the forms of the phone's calls: asks which are owed, remembers what was typed, saves and puts aside.

import { checkAnswers } from "../../src/forms/answers.ts";
import type { ExchangeClient } from "./exchange-client.ts";
import { formOf, openForms } from "./forms.ts";
import { keepDrafts, keptDrafts } from "./keep.ts";
import type { PhoneState } from "./state.ts";
import type { Store } from "./store.ts";

const LOOK_MS = 1_000;
/** At first every second, later every fifth: somebody may get a caller in the middle of a call. */
const EAGER_LOOKS = 15;
const LATER_EVERY = 5;
/** A call that was over at once may have a form all the same. */
const LOOKS_AFTERWARDS = 3;

export class FormKeeper {
  readonly #desk: ExchangeClient;
  readonly #store: Store<PhoneState>;
  #who = "";
  #timer: ReturnType<typeof setInterval> | undefined;
  #looks = 0;
  #afterwards = 0;
  #asking: Promise<void> | undefined;

  constructor(desk: ExchangeClient, store: Store<PhoneState>) {
    this.#desk = desk;
    this.#store = store;
    store.watch((state, before) => this.#follow(state, before));
  }

  start(who: string): void {
    this.stop();
    this.#who = who;
    this.#store.change({ drafts: keptDrafts(who) });
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    void this.#ask();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  type(call: string, field: string, value: unknown): void {
    const { drafts, formProblems } = this.#store.get();
    const left = formProblems?.problems?.filter((problem) => problem.field !== field);
    this.#store.change({
      drafts: { ...drafts, [call]: { ...drafts[call], [field]: value } },
      formProblems: formProblems?.call === call && left ? { call, problems: left } : formProblems,
    });
    this.#keep();
  }

  /** What the page itself can see is wrong is not sent. */
  async save(call: string): Promise<boolean> {
    const { forms, drafts } = this.#store.get();
    const form = forms.find(({ callUuid }) => callUuid === call);
    if (!form) return false;
    const checked = checkAnswers(form.fields, drafts[call] ?? {});
    const saved = "answers" in checked ? await this.#desk.saveForm(call, checked.answers) : checked;
    if (!saved || "problems" in saved) {
      this.#store.change({ formProblems: { call, problems: saved?.problems } });
      return false;
    }
    this.#forget(call);
    this.#store.change({ notice: "formSaved" });
    return true;
  }

  async putAside(call: string): Promise<void> {
    if (!(await this.#desk.putFormAside(call))) return;
    this.#store.change(({ forms }) => ({
      forms: forms.map((form) => (form.callUuid === call ? { ...form, aside: true } : form)),
      formOpen: undefined,
    }));
    this.#goOn();
  }

  #follow({ lines }: PhoneState, before: PhoneState): void {
    if (lines === before.lines || this.#timer === undefined) return;
    const talking = (state: { lines: PhoneState["lines"] }) => state.lines.filter(({ at }) => at === "talking").length;
    if (talking({ lines }) > talking(before)) this.#looks = 0;
    if (lines.length >= before.lines.length) return;
    this.#afterwards = LOOKS_AFTERWARDS;
    if (lines.length === 0 && openForms(this.#store.get().forms).length > 0) this.#store.change({ view: "forms" });
  }

  #look(): void {
    const { lines, forms, session } = this.#store.get();
    const isMissing = lines.some((line) => line.at === "talking" && !formOf(line, lines, forms));
    if (!session?.hasForms || (!isMissing && this.#afterwards === 0)) return;
    this.#looks += 1;
    if (this.#afterwards > 0) this.#afterwards -= 1;
    else if (this.#looks > EAGER_LOOKS && this.#looks % LATER_EVERY !== 0) return;
    void this.#ask();
  }

  /** One question at a time. */
  #ask(): Promise<void> {
    this.#asking ??= this.#desk
      .forms()
      .then((forms) => {
        if (forms && this.#timer !== undefined) this.#show(forms);
      })
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }

  #show(forms: PhoneState["forms"]): void {
    const before = new Set(this.#store.get().forms.map(({ callUuid }) => callUuid));
    const isNews = openForms(forms).some(({ callUuid }) => !before.has(callUuid));
    const owed = new Set(forms.map(({ callUuid }) => callUuid));
    this.#store.change(({ lines, drafts, view }) => ({
      forms,
      drafts: Object.fromEntries(Object.entries(drafts).filter(([call]) => owed.has(call))),
      view: isNews && lines.length === 0 ? "forms" : view,
    }));
    this.#keep();
  }

  #forget(call: string): void {
    this.#store.change(({ forms, drafts: { [call]: _saved, ...drafts } }) => ({
      forms: forms.filter(({ callUuid }) => callUuid !== call),
      drafts,
      formOpen: undefined,
      formProblems: undefined,
    }));
    this.#keep();
    this.#goOn();
  }

  /** With nothing left to fill in the phone is a phone again. */
  #goOn(): void {
    if (openForms(this.#store.get().forms).length === 0) this.#store.change({ view: "keypad" });
  }

  #keep(): void {
    keepDrafts(this.#who, this.#store.get().drafts);
  }
}
