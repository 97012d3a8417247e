// What an agent filled in: checked field by field, here for the server and in the browser before it asks the server.

import { FARTHEST, type FormField, isDay, isWritable, LONGEST_ANSWER } from "./definition.ts";

export type Answer = string | number | boolean | string[];
/** By the ids of the fields; what was left empty is not there. */
export type Answers = Record<string, Answer>;

/** Why an answer cannot be kept; `limit` where one is broken. */
export type AnswerProblem = { field: string } & (
  | { is: "required" | "unreadable" | "not-a-number" | "not-a-date" | "not-a-choice" | "not-yes-or-no" }
  | { is: "not-a-phone" | "no-such-field" }
  | { is: "too-long" | "too-small" | "too-large" | "too-few" | "too-many"; limit: number }
  | { is: "too-early" | "too-late"; limit: string }
);

type Problem = AnswerProblem extends infer One ? (One extends { field: string } ? Omit<One, "field"> : never) : never;
type Checked = { keep: Answer } | Problem;

const MOST_PROBLEMS = 100;

/** `sent` is whatever somebody sent, by the ids of the fields. */
export function checkAnswers(
  fields: readonly FormField[],
  sent: Readonly<Record<string, unknown>>,
): { answers: Answers } | { problems: AnswerProblem[] } {
  const answers: Answers = {};
  const problems: AnswerProblem[] = [];
  const known = new Set(fields.map(({ id }) => id));
  for (const name of Object.keys(sent))
    if (!known.has(name)) problems.push({ field: name.slice(0, 40), is: "no-such-field" });
  for (const field of fields) {
    const value = Object.hasOwn(sent, field.id) ? sent[field.id] : undefined;
    if (isEmpty(value)) {
      if (field.required) problems.push({ field: field.id, is: "required" });
      continue;
    }
    const checked = checks[field.is](value, field);
    if ("keep" in checked) answers[field.id] = checked.keep;
    else problems.push({ field: field.id, ...checked } as AnswerProblem); // the kind brings its own limit
  }
  return problems.length === 0 ? { answers } : { problems: problems.slice(0, MOST_PROBLEMS) };
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

const checks: Record<FormField["is"], (value: unknown, field: FormField) => Checked> = {
  "short-text": (value, field) => {
    const checked = textOf(value, field);
    return "keep" in checked && /[\r\n]/.test(String(checked.keep)) ? { is: "unreadable" } : checked;
  },
  "long-text": textOf,
  number: numberOf,
  date: dateOf,
  "one-of": (value, { choices }) =>
    typeof value === "string" && choices.includes(value) ? { keep: value } : { is: "not-a-choice" },
  "several-of": severalOf,
  "yes-no": (value) => (typeof value === "boolean" ? { keep: value } : { is: "not-yes-or-no" }),
  phone: phoneOf,
};

function textOf(value: unknown, { is, most }: FormField): Checked {
  if (typeof value !== "string" || !isWritable(value)) return { is: "unreadable" };
  const text = value.trim();
  const limit = most ?? LONGEST_ANSWER[is === "long-text" ? is : "short-text"];
  return text.length > limit ? { is: "too-long", limit } : { keep: text };
}

/** People write a comma or a point before the fraction. */
function numberOf(value: unknown, { least, most }: FormField): Checked {
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : "";
  const number = typeof value === "number" ? value : Number(text.replace(",", "."));
  if (!Number.isFinite(number) || (typeof value !== "number" && !/^[+-]?\d{1,13}([.,]\d{1,6})?$/.test(text)))
    return { is: "not-a-number" };
  const [low, high] = [least ?? -FARTHEST, most ?? FARTHEST];
  if (number < low) return { is: "too-small", limit: low };
  return number > high ? { is: "too-large", limit: high } : { keep: number };
}

function dateOf(value: unknown, { earliest, latest }: FormField): Checked {
  if (typeof value !== "string" || !isDay(value)) return { is: "not-a-date" };
  if (earliest !== null && value < earliest) return { is: "too-early", limit: earliest };
  return latest !== null && value > latest ? { is: "too-late", limit: latest } : { keep: value };
}

/** Kept in the order of the form, whatever order they were chosen in. */
function severalOf(value: unknown, { choices, least, most }: FormField): Checked {
  if (!Array.isArray(value) || value.length > choices.length) return { is: "not-a-choice" };
  const chosen = new Set<unknown>(value);
  if (![...chosen].every((choice) => typeof choice === "string" && choices.includes(choice)))
    return { is: "not-a-choice" };
  if (least !== null && chosen.size < least) return { is: "too-few", limit: least };
  if (most !== null && chosen.size > most) return { is: "too-many", limit: most };
  return { keep: choices.filter((choice) => chosen.has(choice)) };
}

/** With a plus or without, and nothing else than digits between what people put there for reading. */
function phoneOf(value: unknown): Checked {
  if (typeof value !== "string" || !/^\+?[\d ()./-]{3,40}$/.test(value.trim())) return { is: "not-a-phone" };
  const digits = value.replace(/\D/g, "");
  if (digits.length < 3 || digits.length > 15) return { is: "not-a-phone" };
  return { keep: value.trim().startsWith("+") ? `+${digits}` : digits };
}

/** As one cell of a table shows it. */
export function answerShown(answer: Answer | undefined, words: { yes: string; no: string }): string {
  if (answer === undefined) return "";
  if (typeof answer === "boolean") return answer ? words.yes : words.no;
  return Array.isArray(answer) ? answer.join("; ") : String(answer);
}
