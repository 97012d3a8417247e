// Changes that point at something: a target, a number of ours, a sound, a trunk. Checked before they are kept.

import { checkTarget, hasSound } from "../../../exchange/plan/checked-target.ts";
import type { Changes, Field, Kind, Noun } from "../../../nouns/field.ts";
import { isLink } from "../../../nouns/link.ts";
import type { Db } from "../../../store/db.ts";
import { whyNotForHelp } from "../../../store/dial-plan.ts";
import { findExternalNumber } from "../../../store/external-numbers.ts";
import { formCalled } from "../../../store/forms.ts";
import { findTrunk } from "../../../store/trunks.ts";
import type { ConsoleRefusal } from "../operation/refusal.ts";

type Where = { db: Db; exchangeId: number };
type Checked = Promise<{ keep: unknown } | ConsoleRefusal>;

const checks: {
  [Is in Kind["is"]]?: (value: never, where: Where & { field: Extract<Kind, { is: Is }>; name: string }) => Checked;
} = {
  async target(value: string, { field, ...where }) {
    const checked = await checkTarget(value, field.place, where);
    return "target" in checked ? { keep: checked.target } : { refused: "bad-target", target: value, why: checked };
  },

  async keys(keys: Record<string, string>, { field: { place }, ...where }) {
    const kept: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(keys)) {
      const checked = await checks.target!(value as never, { ...where, field: { is: "target", place } });
      if ("refused" in checked) return checked;
      kept[key] = checked.keep;
    }
    return { keep: kept };
  },

  sound: async (id: number, { db, exchangeId }) =>
    (await hasSound(db, exchangeId, id)) ? { keep: id } : { refused: "announcement-not-found", id },

  "own-number": async (number: string, { db, exchangeId }) =>
    (await findExternalNumber(db, exchangeId, number)) ? { keep: number } : { refused: "not-own-number", number },

  trunk: async (trunk: string, { db, exchangeId }) =>
    (await findTrunk(db, exchangeId, trunk)) ? { keep: trunk } : { refused: "not-found", what: "trunk", which: trunk },

  form: async (form: string, { db, exchangeId }) =>
    (await formCalled(db, exchangeId, form)) ? { keep: form } : { refused: "not-found", what: "form", which: form },

  async "short-numbers"(numbers: readonly string[], { db, exchangeId }) {
    return (await whyNotForHelp(db, exchangeId, numbers)) ?? { keep: numbers };
  },

  url: async (url: string, { name }) =>
    /^https?:\/\//.test(url) ? { keep: url } : { refused: "invalid", field: name },

  link: async (link: string, { name }) => (isLink(link) ? { keep: link } : { refused: "invalid", field: name }),

  "time-zone": async (zone: string, { name }) =>
    isTimeZone(zone) ? { keep: zone } : { refused: "invalid", field: name },
};

/** One by itself, several together: a form shows each at its field. */
export function allOf(wrong: readonly ConsoleRefusal[]): ConsoleRefusal | undefined {
  return wrong.length > 1 ? { refused: "several-fields", wrong: [...wrong] } : wrong[0];
}

/** As they may be kept. An empty text takes away what may be missing. */
export async function checkedChanges<N extends Noun, Sent extends Changes<N>>(
  noun: N,
  changes: Sent,
  where: Where,
): Promise<{ kept: Sent } | ConsoleRefusal> {
  const kept: Record<string, unknown> = {};
  const wrong: ConsoleRefusal[] = [];
  for (const [name, sent] of Object.entries(changes)) {
    const field: Field | undefined = noun.fields[name];
    const value = field?.orNothing && sent === "" ? null : sent;
    // The check is chosen by the very kind that its parameter narrows on; the schema has looked at the value's type.
    const check = field && (checks[field.is] as ((value: unknown, where: object) => Checked) | undefined);
    const checked = check && value !== null ? await check(value, { ...where, field, name }) : { keep: value };
    if ("refused" in checked) wrong.push({ ...checked, field: name });
    else kept[name] = checked.keep;
  }
  return allOf(wrong) ?? { kept: kept as Sent }; // name by name
}

function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).format() !== "";
  } catch {
    return false;
  }
}
