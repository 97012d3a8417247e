// The architecture as a test: who may import whom, and which words may appear where.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { codecNames } from "../src/codecs/codec.ts";
import { languages } from "../src/speech/language.ts";

// Read downwards: a part may import only what its own line names.
const mayImport: Record<string, string[]> = {
  languages: [],
  addresses: [],
  codecs: [],
  nouns: ["languages", "codecs", "speech"],
  forms: [],
  clock: [],
  again: [],
  machine: ["clock"],
  log: [],
  passwords: [],
  libc: [],
  "exit-codes": [],
  "fair-turns": [],
  "in-turns": [],
  "hosts-file": ["clock"],
  names: ["hosts-file", "clock"],
  // It stays small, and lives through whatever befalls the server.
  supervisor: ["clock", "exit-codes", "programs"],
  "durable-file": [],
  folders: [],
  secrets: ["durable-file", "log"],
  sip: ["machine", "clock", "libc", "addresses"],
  sdp: ["codecs", "addresses"],
  programs: ["clock"],
  media: ["fair-turns", "codecs", "sdp", "addresses", "clock", "libc", "programs"],
  store: ["languages", "nouns", "forms", "speech", "secrets", "clock", "libc", "process-mark", "programs"],
  speech: ["fair-turns", "clock", "programs"],
  // It stays pure of what a server does: the parts that load and drop are handed in.
  cluster: ["store", "machine", "clock", "log"],
  "process-mark": [],
  arrears: ["durable-file", "folders", "store", "clock", "log"],
  mail: ["fair-turns"],
  jobs: ["store", "again", "clock", "log"],
  webhooks: ["names", "nouns", "store", "secrets", "jobs", "clock", "log"],
  // What browsers are told: only types of it go further up, and into the browser.
  push: ["languages", "webhooks", "store", "secrets", "clock", "log"],
  archive: ["names", "webhooks", "clock"],
  objects: ["archive", "durable-file", "folders", "process-mark", "clock", "log"],
  exchange: [
    "uploads",
    "fair-turns",
    "languages",
    "addresses",
    "codecs",
    "nouns",
    "sip",
    "sdp",
    "media",
    "speech",
    "objects",
    "mail",
    "folders",
    "durable-file",
    "store",
    "arrears",
    "secrets",
    "jobs",
    "webhooks",
    "push",
    "archive",
    "machine",
    "again",
    "clock",
    "log",
  ],
  // Words are made of facts, and the browser makes them too: of what lies below only types and tables without wires.
  sms: ["names", "in-turns", "nouns", "store", "arrears", "secrets", "jobs", "webhooks", "again", "clock", "log"],
  readers: ["fair-turns", "clock"],
  uploads: [],
  contacts: [
    "in-turns",
    "readers",
    "nouns",
    "exchange",
    "store",
    "secrets",
    "jobs",
    "webhooks",
    "again",
    "clock",
    "log",
  ],
  imports: [
    "in-turns",
    "readers",
    "nouns",
    "speech",
    "exchange",
    "contacts",
    "sms",
    "objects",
    "store",
    "jobs",
    "clock",
    "log",
  ],
  // Who somebody is at an exchange's own provider.
  sso: ["nouns", "store", "secrets", "webhooks"],
  words: [
    "languages",
    "nouns",
    "passwords",
    "forms",
    "exchange",
    "sms",
    "contacts",
    "imports",
    "sso",
    "store",
    "archive",
  ],
  // Figures as tables and letters; what they look like on a page is the browser's.
  reports: ["languages", "words", "nouns", "exchange", "mail", "store", "jobs", "clock", "log"],
  http: [
    "in-turns",
    "fair-turns",
    "uploads",
    "languages",
    "words",
    "reports",
    "nouns",
    "forms",
    "codecs",
    "speech",
    "addresses",
    "exchange",
    "sms",
    "contacts",
    "imports",
    "readers",
    "sso",
    "webhooks",
    "push",
    "archive",
    "objects",
    "store",
    "secrets",
    "clock",
    "log",
    "passwords",
  ],
};

// The floors of the exchange, read downwards: a room may import only what its own line names, and never a room above.
// The files that stand in no room (the call desk and what it opens) are the top: they may import all of them.
const floors: Record<string, string[]> = {
  plan: [],
  "signalling/abuse": [],
  "signalling/registrar": ["plan", "signalling/abuse"],
  "signalling/trunks": ["plan", "signalling/registrar"],
  "signalling/presence": ["signalling/registrar"],
  "signalling/trace": ["signalling/abuse"],
  "signalling/texts": ["signalling/registrar"],
  signalling: [
    "signalling/abuse",
    "signalling/registrar",
    "signalling/trunks",
    "signalling/presence",
    "signalling/trace",
    "signalling/texts",
  ],
  calls: ["plan"],
  legs: ["calls"],
  journal: ["plan", "calls"],
  recordings: ["calls", "journal"],
  archiving: [],
  gate: ["calls"],
  spending: ["plan"],
  lead: ["plan", "signalling/registrar", "signalling/trunks", "calls", "legs", "spending"],
  "features/agents": ["calls"],
  "features/queues": ["plan", "calls", "lead", "features/agents"],
  "features/alarms": ["features/queues"],
  "features/voicemail": ["calls", "lead"],
  "features/campaigns": ["plan", "calls", "journal", "lead", "features/queues"],
  "features/faxes": ["plan", "calls", "lead"],
  "features/forms": ["plan", "calls", "journal"],
  "features/programming": ["plan", "calls", "lead"],
  "features/supervision": ["plan", "signalling/registrar", "calls", "lead"],
  "features/trunk-tests": ["plan", "signalling/registrar", "signalling/trunks", "calls", "lead"],
  "features/sandbox": ["plan", "signalling/trunks", "calls", "legs", "lead", "features/faxes"],
  "features/phone": ["signalling/trunks", "calls", "legs"],
};

/** They put names or texts into statements: of ours, or of the database's catalogue. */
const namesItsOwnColumns = [
  "store/call-counts",
  "store/cdr-filter",
  "store/contact-pages",
  "store/contacts",
  "store/db",
  "store/dial-plan",
  "store/embedded-roles",
  "store/event-receivers",
  "store/former",
  "store/noted-figures",
  "store/order-of-words",
  "store/paid-sums",
  "store/raise-fences",
  "store/reports",
  "store/sealing",
  "store/sms-state",
  "store/sought-calls",
  "store/update",
  "store/walls",
  "sms/send",
  "backup/restore",
  "backup/rows",
];

const onlyIn: [word: RegExp, home: RegExp, why: string][] = [
  [/\bsubject: [`"]/, /^words\/letters\//, "letters are facts until somebody reads them, in his own language"],
  [/\bprocess\.env\b/, /^(config|programs\/(environment|confine))\.ts$/, "settings are read once and passed down"],
  [
    /\b(setTimeout|setInterval|Date\.now)\b/,
    /^(clock\.ts|media\/embedded\/)/,
    "time is passed in, so that tests wind it",
  ],
  [
    /\.sentBy\b/,
    /^(sip\/transport\/|server\/sip-doors|exchange\/features\/sandbox\/)/,
    "what a peer is told depends on the peer: contactFor() and sentByTo() know",
  ],
  [/::ffff:/i, /^(addresses|media\/fax\/data-link)\.ts$/, "asWritten() takes an address out of IPv6 clothing"],
  [
    /\bsql`(?!notify|select pg_notify)/,
    /^(store|jobs|backup|demo|doctor|first-run|server|cluster|cli)\//,
    "whatever asks about an exchange is asked with a foreign one in test/hostile/store-tenants.test.ts",
  ],
  [/\bas Sql\b/, /^store\/sql\.ts$/, "only what was written as SQL is SQL"],
  [/\bfromOwnFile\(/, /^(store\/(sql|migrate)|backup\/restore)\.ts$/, "no other file holds statements"],
  [
    /import \{[^}]*\b(quoted|literal)\b[^}]*\} from "[./]*(store\/)?sql\.ts"/,
    new RegExp(`^(${namesItsOwnColumns.join("|")})\\.ts$`),
    "what is put into a statement as a name or a text stands in the code: whoever does that is looked at once",
  ],
  [
    /(from |import\(\s*)["']pg["'/]/,
    /^store\/(db|hosts|pool|notices|copy)\.ts$/,
    "statements go through one handle that takes only SQL",
  ],
  [
    /from "node:/,
    /^(?!sip\/(?!transport\/)|sdp\/|machine|languages|nouns\/|forms\/|codecs\/|words\/|addresses|speech\/language)/,
    "browsers run this too",
  ],
];

const sourcesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(folder, path), "utf8") }));
const sources = sourcesIn("src");

const partOf = (path: string) => path.split(/[/.]/)[0]!;

test("every import points down", () => {
  for (const { path, text } of sources) {
    const part = partOf(path);
    const allowed = mayImport[part];
    if (!allowed) continue; // main.ts, cli.ts, config.ts and workers.ts put the parts together
    for (const [, target] of text.matchAll(/from "(\.[^"]+)"/g)) {
      const to = partOf(join(dirname(path), target!));
      expect(to === part || allowed.includes(to), `${path} imports ${to}`).toBe(true);
    }
  }
});

test("inside the exchange every import points to a lower floor", () => {
  const roomOf = (path: string) => dirname(path.slice("exchange/".length));
  const order = Object.keys(floors);
  for (const [room, allowed] of Object.entries(floors))
    for (const below of allowed)
      expect(order.indexOf(below), `${room} names ${below}`).toBeLessThan(order.indexOf(room));
  for (const { path, text } of sources.filter(({ path }) => path.startsWith("exchange/"))) {
    const room = roomOf(path);
    if (room === ".") continue;
    const allowed = floors[room];
    expect(allowed, `${path} stands in a room without a line`).toBeDefined();
    for (const [, target] of text.matchAll(/(?:from|import|module) \(?"(\.[^"]+)"/g)) {
      const to = join(dirname(path), target!);
      if (!to.startsWith("exchange/")) continue;
      expect(roomOf(to) === room || allowed?.includes(roomOf(to)), `${path} imports ${to}`).toBe(true);
    }
  }
});

test("words stay where they belong", () => {
  for (const { path, text } of sources)
    for (const [word, home, why] of onlyIn)
      if (word.test(text)) expect(path, `${path}: ${word.source} — ${why}`).toMatch(home);
});

test("codecs are named in their own records, and spoken languages listed in theirs", () => {
  const codec = new RegExp(`"(${codecNames.join("|")})"`);
  const list = new RegExp(`"(${languages.join("|")})"[,| ]+"(${languages.join("|")})"`);
  for (const { path, text } of sources) {
    if (!path.startsWith("codecs/")) expect(codec.exec(text)?.[0], path).toBeUndefined();
    expect(list.exec(text)?.[0], path).toBeUndefined();
  }
});

test("there is one list of codecs, and every codec is in it", () => {
  const files = sources.filter(({ path, text }) => path.startsWith("codecs/") && /satisfies (Law)?Codec;/.test(text));
  const described = files.map(({ text }) => /name: "([\w-]+)"/.exec(text)?.[1]);
  expect([...codecNames].sort()).toEqual(described.sort());
});

test("who listens on every address is asked for in one place", () => {
  for (const { path, text } of sources)
    expect(/=== "(0\.0\.0\.0|::|\[::\])"|EVERYWHERE/.exec(text)?.[0], path).toBeUndefined();
});

// A spread after it could bring another tenant along. What takes an object apart is another matter.
const TENANT_BEFORE_SPREAD = /\{[^{}[\];]*\bexchangeId\b[^{}[\];]*,\s*\.\.\.[^{}[\];]*\}(?!\s*([:=]|of\b))/;

test("whoever builds an object names its exchange after every spread", () => {
  for (const { path, text } of sources) expect(TENANT_BEFORE_SPREAD.exec(text)?.[0], path).toBeUndefined();
});

test("files have names that say something, and fit the head", () => {
  for (const { path, text } of [...sources, ...sourcesIn("console")]) {
    expect(path).not.toMatch(/(^|\/)(index|utils?|helpers?|common|misc|types|constants)\.ts$/);
    expect(text.split("\n").length, `${path} is longer than 300 lines`).toBeLessThanOrEqual(301);
  }
});

// Names that meant nothing in the trade, or everything. docs/words.md has what is said instead.
const UNSAID = /\b\w*(?:[wW]ish|[dD]eed(?!s? not)|[kK]nock|[pP]urse|[aA]skingParts|ServingParts)\w*\b/;

test("names are plain words, and no spread is there for the formatter", () => {
  for (const { path, text } of sources) {
    const names = text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|"[^"\n]*"|`[^`]*`/g, "");
    expect(UNSAID.exec(names)?.[0], path).toBeUndefined();
    expect(/\.\.\.\{ /.exec(text)?.[0], path).toBeUndefined();
  }
});
