import type { TSchema } from "typebox";
import { expect, test } from "vitest";
import { type StoryFact, type StoryLine, storyKinds, storyOf } from "../../exchange/calls/story.ts";
import { LANGUAGES } from "../../languages.ts";
import { storyInWords } from "./story.ts";

/** Everything that fields can hold: each value of each choice, with and without what may be missing. */
function objectsOf(fields: Record<string, TSchema>): object[] {
  return Object.entries(fields).reduce<object[]>(
    (objects, [name, schema]) => objects.flatMap((it) => valuesOf(schema).map((value) => ({ ...it, [name]: value }))),
    [{}],
  );
}

type Described = TSchema & {
  type?: string;
  enum?: unknown[];
  anyOf?: TSchema[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
  "~optional"?: true;
};

function valuesOf(schema: TSchema): unknown[] {
  const { type, enum: choices, anyOf, items, properties, "~optional": optional } = schema as Described;
  if (optional) return [undefined, ...valuesOf({ ...schema, "~optional": undefined })];
  if (choices) return choices;
  if (anyOf) return anyOf.flatMap(valuesOf);
  if (items) return [[], [valuesOf(items)[0]], valuesOf(items)];
  if (properties) return objectsOf(properties);
  if (type === "string") return ["", "ivr/7"];
  if (type === "boolean") return [true, false];
  return type === "null" ? [null] : [49];
}

// As it is stored and read: each fits the very kind it was made for.
const everything = Object.entries(storyKinds).flatMap(([is, fields]) =>
  objectsOf(fields).map((fact) => JSON.parse(JSON.stringify({ atMs: 1, is, ...fact })) as StoryLine),
);

test("every fact is read as what it was written", () => {
  expect(everything.length).toBeGreaterThan(500);
  expect(storyOf(everything)).toEqual(everything);
});

test.each(LANGUAGES)("every fact that a story can hold has words in %s", (language) => {
  for (const fact of everything) {
    const words = storyInWords(fact, language);
    expect(words.trim(), JSON.stringify(fact)).not.toBe("");
    expect(words, JSON.stringify(fact)).not.toMatch(/undefined|null|NaN|\[object|[A-Z]_[A-Z]/);
  }
});

const wordsIn = (sentence: string) => sentence.toLocaleLowerCase("tr").match(/\p{L}{2,}/gu) ?? [];
/** Spelt alike in both languages, or only the sample's own. */
const SHARED = ["json", "ivr", "disk", "dns"];

test("no Turkish sentence has an English word in it", () => {
  const faxes = Array.from(
    { length: 70 },
    (_, at): StoryLine => ({
      atMs: 1,
      is: "fax-failed",
      role: "sent",
      pages: 1,
      code: at - 7,
    }),
  );
  const all = [...everything, ...faxes];
  const english = new Set(all.flatMap((fact) => wordsIn(storyInWords(fact, "en").replaceAll("I", "i"))));
  for (const fact of all) {
    const words = storyInWords(fact, "tr");
    expect(
      wordsIn(words).filter((word) => english.has(word) && !SHARED.includes(word)),
      words,
    ).toEqual([]);
  }
});

test.each<[StoryFact, tr: string, en: string]>([
  [
    {
      is: "talk",
      one: { is: "extension", number: "1006", name: "Ayşe" },
      other: { is: "extension", number: "1000", name: "" },
    },
    "Dahili 1006 (Ayşe) ile dahili 1000 görüşüyor",
    "extension 1006 (Ayşe) and extension 1000 talk",
  ],
  [{ is: "over", cause: "NORMAL_CLEARING" }, "Çağrı bitti: Cevaplandı", "the call is over: Answered"],
  [
    { is: "leads-to", number: "08505320000", target: "queue/200", because: "holiday", holiday: "Cumhuriyet Bayramı" },
    "Bugün tatil (Cumhuriyet Bayramı): 08505320000 → kuyruk 200",
    "today is a holiday (Cumhuriyet Bayramı): 08505320000 leads to queue 200",
  ],
  [
    {
      is: "offered",
      agents: ["1001"],
      queue: "200",
      strategy: "sequential",
      free: ["1001", "1002"],
      freeInAll: 9,
      unfree: [{ why: "on break", agents: 2 }],
      callback: false,
    },
    "Kuyruk 200: çağrı 1001 temsilcisine sunuluyor (sırayla; boşta: 1001, 1002, …; boşta olmayan: 2 molada)",
    "is offered to 1001 of queue 200, sequential among 1001, 1002, …; not free: 2 on break",
  ],
  [
    { is: "service-fails", why: "status", status: 500, target: "user/1001" },
    "Servisin cevabı: 500; yedek hedefe gidiyor: dahili 1001",
    "the service answered 500; goes to the spare target: extension 1001",
  ],
])("%j", (fact, tr, en) => {
  expect([storyInWords(fact, "tr"), storyInWords(fact, "en")]).toEqual([tr, en]);
});

test("a line of an older exchange, and one that nobody knows, is shown as it is", () => {
  const stored = [
    { atMs: 7, text: "it went well" },
    { atMs: 8, is: "rings" },
    { atMs: 9, is: "toString" },
    "odd",
    null,
  ];
  const story = storyOf(stored);
  for (const language of LANGUAGES)
    expect(story.map((line) => storyInWords(line, language))).toEqual([
      "it went well",
      '{"atMs":8,"is":"rings"}',
      '{"atMs":9,"is":"toString"}',
      '"odd"',
      "null",
    ]);
  expect(story.map(({ atMs }) => atMs)).toEqual([7, 8, 9, 0, 0]);
  expect(storyOf(undefined)).toEqual([]);
});
