// Nothing lies about unused: a file that no program reaches, an export that no other file imports.

import { expect, test } from "vitest";
import { isTest, readSources } from "./ground/sources.ts";

/** What programs, threads and pages begin with, and what bin/docs.mjs reads. */
const roots = [
  "src/cli.ts",
  "src/supervisor/supervise.ts",
  "src/media/embedded/worker.ts",
  "src/server/reading-thread.ts",
  "src/media/webrtc/gateway-process.ts",
  "src/media/fax/fax-program.ts",
  "src/media/documents/drawer-process.ts",
  "src/http/whole-reference.ts",
  "src/http/reference/client-requests.ts",
  "console/main.tsx",
  "console/phone/main.tsx",
  "console/push/worker.ts",
  "console/wall/main.tsx",
  "console/vite.config.ts",
];

/** Exports that only tests and benches use, each kind with its reason. */
const forTests: Record<string, readonly string[]> = {
  "a table or formula whose every case is told": [
    "console/phone/lines.ts lineActions",
    "console/phone/lines.ts lineMoves",
    "src/exchange/calls/causes.ts causeOfStatus",
    "src/exchange/call-desk.ts scriptsOf",
    "src/exchange/calls/story.ts storyKinds",
    "src/exchange/features/agents/phone-codes.ts phoneCodes",
    "src/exchange/features/campaigns/notify.ts printNotification",
    "src/exchange/features/campaigns/odds.ts binomial",
    "src/exchange/features/campaigns/odds.ts disappointedAtTheEnd",
    "src/exchange/features/campaigns/odds.ts disappointedOnTheWay",
    "src/exchange/features/forms/forms.ts formFor",
    "src/exchange/plan/hours.ts isOpen",
    "src/exchange/plan/target.ts targets",
    "src/http/door/answer.ts rangeOf",
    "src/codecs/g711.ts expandALaw",
    "src/codecs/g711.ts expandMuLaw",
    "src/codecs/telephone-event.ts KEYS",
    "src/media/embedded/learn.ts isPrivate",
    "src/uploads/upload.ts sniffExtension",
    "src/sip/transport/locate.ts drawn",
    "src/sms/gsm-error.ts GSM_ERRORS",
    "src/store/sms-state.ts FINAL_STATES",
    "src/store/sms-state.ts statesBefore",
  ],
  "what a clock is made with": ["src/clock.ts asTicks"],
  "a step whose outcome cannot be seen from outside": [
    "src/exchange/archiving/plan.ts planArchiving",
    "src/media/documents/draw-text.ts paginate",
    "src/media/embedded/srtp-crypto.ts loadLibcrypto",
    "src/media/fax/page-header.ts drawHeader",
    "src/media/tone.ts peakOf",
    "src/sip/headers/via.ts stampVia",
    "src/sip/reading/multipart.ts partsOf",
    "src/sms/chores.ts expire",
    "src/store/audit.ts listAuditLines",
  ],
  "the other end, which a test plays": [
    "src/media/embedded/srtp-crypto.ts nodeCrypto",
    "src/sip/digest-answer.ts ha1Of",
    "src/sip/headers/auth.ts parseAuth",
    "src/sip/headers/via.ts parseVia",
    "src/store/embedded-roles.ts OWNER",
    "src/store/embedded-roles.ts SERVER",
    "src/store/embedded-roles.ts TENANT",
    "src/store/totp.ts totpCode",
  ],
};

const all = readSources("src", "console");
const sources = all.filter((it) => !isTest(it));
const byPath = new Map(sources.map((it) => [it.path, it]));

test("every file is reached by a program, not by tests alone", () => {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    const source = byPath.get(path);
    if (!source || reached.has(path)) return;
    reached.add(path);
    for (const { from } of [...source.imports, ...source.later]) visit(from);
  };
  for (const root of roots) visit(root);
  expect(sources.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
  for (const root of roots) expect(byPath.has(root), root).toBe(true);
});

const VALUES = /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class) (\w+)/gm;
const TYPES = /^export (?:type|interface) (\w+)/gm;

// A type may be exported for who reads what a function takes; but something has to name it, its own file at least.
test("every export is imported by another file, and not by tests alone", () => {
  const used = new Set<string>();
  for (const { imports, later } of sources)
    for (const { from, names } of [...imports, ...later]) for (const name of names) used.add(`${from} ${name}`);
  const unused = sources
    .filter(({ path }) => !roots.includes(path) && !used.has(`${path} *`))
    .flatMap(({ path, text }) => {
      const values = [...text.matchAll(VALUES)].map(([, name]) => name);
      const types = [...text.matchAll(TYPES)].map(([, name]) => name);
      const unnamed = types.filter((name) => text.split(new RegExp(`\\b${name}\\b`)).length === 2);
      return [...values, ...unnamed].map((name) => `${path} ${name}`);
    })
    .filter((it) => !used.has(it));
  const excused = Object.values(forTests).flat();
  expect(unused.filter((it) => !excused.includes(it))).toEqual([]);
  for (const it of excused) expect(unused, `${it} is used or gone: take it out`).toContain(it);
});
