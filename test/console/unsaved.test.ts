// Nothing that was filled in is lost silently: whatever takes input says so to the one guard, or stands here with its reason.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const sources = new Map(
  ["app", "pages", "ui"]
    .flatMap((room) =>
      readdirSync(`console/${room}`, { recursive: true, encoding: "utf8" }).map((it) => join("console", room, it)),
    )
    .filter((path) => path.endsWith(".tsx"))
    .map((path): [string, string] => [path, readFileSync(path, "utf8")]),
);

const INPUTS =
  /<(FieldInput|TextInput|Textarea|NumberInput|PasswordInput|Password|PasswordField|TagsInput|FileInput|AnswerInput|TargetPicker|DateInput|Switch|Checkbox|JsonInput|Autocomplete|MultiSelect)\b/;
const SAYS_SO = /\b(useUnsaved|useDraft)\(|<Unsaved\b/;

const PART = "is a part of a form: whoever has the draft says so";
const LOOKS = "narrows what is shown, and stands in the address";
const AT_ONCE = "does what it says as soon as it is turned";
const SMALL = "one word or code that is typed anew at once";

/** Takes input and has no word for the guard. */
const reasons: Record<string, string> = {
  "console/app/prove-again.tsx": SMALL,
  "console/app/search-dialog.tsx": SMALL,
  "console/app/shell.tsx": "has the router's Switch, which is none to fill in",
  "console/pages/account/account.tsx": SMALL,
  "console/pages/account/confirm-form.tsx": SMALL,
  "console/pages/account/recovery-codes.tsx": SMALL,
  "console/pages/alarms/alarms-now.tsx": AT_ONCE,
  "console/pages/board/extensions-now.tsx": LOOKS,
  "console/pages/calls/answer-input.tsx": PART,
  "console/pages/calls/calls.tsx": LOOKS,
  "console/pages/desk/note-form.tsx": "keeps every letter in the browser, over a reload as well",
  "console/pages/forms/field-editor.tsx": PART,
  "console/pages/forms/report.tsx": LOOKS,
  "console/pages/lines/try-trunk.tsx": SMALL,
  "console/pages/messages/ready-texts.tsx": PART,
  "console/pages/outreach/campaigns.tsx": AT_ONCE,
  "console/pages/reports/reports.tsx": LOOKS,
  "console/pages/response-times/filters.tsx": LOOKS,
  "console/pages/settings/deliveries.tsx": "narrows what is shown",
  "console/pages/sign-in/sign-in.tsx": SMALL,
  "console/pages/sign-in/sign-on-door.tsx": SMALL,
  "console/pages/spending/breakdown.tsx": LOOKS,
  "console/ui/field-input.tsx": PART,
  "console/ui/filters.tsx": LOOKS,
  "console/ui/keys-input.tsx": PART,
  "console/ui/password.tsx": PART,
  "console/ui/session-form.tsx": PART,
  "console/ui/target-picker.tsx": PART,
  "console/ui/time-input.tsx": PART,
  "console/ui/week-input.tsx": PART,
};

test("whatever takes input asks before it is left, or says why it need not", () => {
  const silent = [...sources].filter(([, text]) => INPUTS.test(text) && !SAYS_SO.test(text)).map(([path]) => path);
  expect(silent.sort()).toEqual(Object.keys(reasons).sort());
});

test("windows are opened by the parts that ask before they close", () => {
  const opens = [...sources].filter(([, text]) => /\b(Modal|Drawer)\b[^;]*from "@mantine\/core"/.test(text));
  expect(opens.map(([path]) => path).sort()).toEqual([
    "console/ui/dialog.tsx",
    "console/ui/form-drawer.tsx",
    "console/ui/leave-question.tsx",
  ]);
});
