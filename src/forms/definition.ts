// What a form asks: its fields in order. Plain values, read by browsers too.

export const fieldKinds = [
  "short-text",
  "long-text",
  "number",
  "date",
  "one-of",
  "several-of",
  "yes-no",
  "phone",
] as const;

export type FieldKind = (typeof fieldKinds)[number];

/** What somebody who defines a form says of one field. Limits that mean nothing for its kind are null. */
export type WantedField = {
  is: FieldKind;
  label: string;
  help: string;
  required: boolean;
  /** Of a list. */
  choices: readonly string[];
  /** Of a number, or of how many are chosen from a list. */
  least: number | null;
  /** The same, or characters of a text. */
  most: number | null;
  /** Of a date, YYYY-MM-DD. */
  earliest: string | null;
  latest: string | null;
  /** Which field of the version before it is; a new one has none. */
  id?: string | undefined;
};

/** Its id stays from version to version while its kind does: answers to it stand in one column. */
export type FormField = WantedField & { id: string };

export const MOST_FIELDS = 40;
export const MOST_CHOICES = 100;
export const LONGEST_LABEL = 120;
export const LONGEST_HELP = 300;
export const LONGEST_CHOICE = 120;
export const LONGEST_ANSWER: Readonly<Record<"short-text" | "long-text", number>> = {
  "short-text": 255,
  "long-text": 4_000,
};
/** Of a number that is asked for. */
export const FARTHEST = 1e12;

/** What is wrong with a definition, and at which field of it. */
export type DefinitionProblem = {
  at: number;
  why: "no-label" | "same-label" | "no-choices" | "same-choice" | "limits-reversed" | "limit-too-far" | "unwritable";
};

/** Without what means nothing for its kind, and without blanks around it. */
export function tidied(field: WantedField): WantedField {
  const isList = field.is === "one-of" || field.is === "several-of";
  const isText = field.is === "short-text" || field.is === "long-text";
  const counts = field.is === "number" || field.is === "several-of";
  return {
    is: field.is,
    label: field.label.trim(),
    help: field.help.trim(),
    required: field.required,
    choices: isList ? field.choices.map((choice) => choice.trim()).filter((choice) => choice !== "") : [],
    least: counts ? field.least : null,
    most: counts || isText ? field.most : null,
    earliest: field.is === "date" ? field.earliest || null : null,
    latest: field.is === "date" ? field.latest || null : null,
    id: field.id,
  };
}

/** Of fields that were tidied. */
export function definitionProblems(fields: readonly WantedField[]): DefinitionProblem[] {
  return fields.flatMap((field, at) => {
    const why = problemOf(field, fields.slice(0, at));
    return why ? [{ at, why }] : [];
  });
}

function problemOf(field: WantedField, before: readonly WantedField[]): DefinitionProblem["why"] | undefined {
  const texts = [field.label, field.help, ...field.choices];
  if (!texts.every(isWritable)) return "unwritable";
  if (field.label === "") return "no-label";
  if (before.some(({ label }) => isSame(label, field.label))) return "same-label";
  const isList = field.is === "one-of" || field.is === "several-of";
  if (isList && field.choices.length === 0) return "no-choices";
  if (field.choices.some((choice, at) => field.choices.slice(0, at).some((other) => isSame(other, choice))))
    return "same-choice";
  return limitProblem(field);
}

function limitProblem({ is, choices, least, most, earliest, latest }: WantedField) {
  const far = is === "short-text" || is === "long-text" ? LONGEST_ANSWER[is] : FARTHEST;
  if ([least, most].some((limit) => limit !== null && !(Math.abs(limit) <= far))) return "limit-too-far";
  if (is !== "number" && [least, most].some((limit) => limit !== null && !(Number.isInteger(limit) && limit >= 1)))
    return "limit-too-far";
  if (is === "several-of" && (least ?? 0) > choices.length) return "limit-too-far";
  if ([earliest, latest].some((day) => day !== null && !isDay(day))) return "limit-too-far";
  const isReversed = (least !== null && most !== null && least > most) || (earliest && latest && earliest > latest);
  return isReversed ? "limits-reversed" : undefined;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The database holds neither a nought nor half of a sign. */
export function isWritable(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text);
}

/** A day of the calendar. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** Every field gets an id: the one it had in any version before if it is still of that kind, else a new one. */
export function withIds(wanted: readonly WantedField[], versions: readonly (readonly FormField[])[]): FormField[] {
  const known = new Map(versions.flatMap((fields) => fields.map(({ id, is }) => [id, is] as const)));
  let last = Math.max(0, ...[...known.keys()].map((id) => Number(id.slice(1))));
  const taken = new Set<string>();
  return wanted.map((field) => {
    const kept = field.id !== undefined && known.get(field.id) === field.is && !taken.has(field.id);
    const id = kept ? field.id! : `f${++last}`;
    taken.add(id);
    return { ...field, id };
  });
}

/** Whether they ask the same in the same words. */
export function areSame(one: readonly FormField[], other: readonly FormField[]): boolean {
  return one.length === other.length && one.every((field, at) => isSameField(field, other[at]!));
}

function isSameField(one: FormField, other: FormField): boolean {
  const names = Object.keys(blankField) as (keyof typeof blankField)[]; // its own keys
  return one.id === other.id && names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}

export const blankField: Omit<WantedField, "id"> = {
  is: "short-text",
  label: "",
  help: "",
  required: false,
  choices: [],
  least: null,
  most: null,
  earliest: null,
  latest: null,
};
