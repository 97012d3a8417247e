// Sources of contacts and their runs, asked of the store for ours with their names and ids.

import { mayWrite, type Run, writePage } from "../../src/store/contact-pages.ts";
import * as runs from "../../src/store/contact-runs.ts";
import * as sources from "../../src/store/contact-sources.ts";
import { secrets } from "../ground/secrets.ts";
import { EARLIER } from "./handles.ts";
import { type Both, type Call, call } from "./store-call.ts";

const at = new Date(EARLIER);

export function sourceCalls({ us: { exchangeId, id: own, uuid }, them }: Both): Call[] {
  const names = ["hat", them.trunk];
  const theirRun = { exchangeId, sourceId: them.id, run: them.uuid };
  return [
    call(sources.listContactSources, exchangeId),
    ...names.flatMap((name) => [
      call(sources.createContactSource, secrets, {
        exchangeId,
        name,
        source: { kind: "file", url: "https://a.example" },
        at,
      }),
      call(sources.updateContactSource, secrets, { exchangeId, name, changes: { password: "ours" }, at }),
      call(sources.deleteContactSource, { exchangeId, name, keeps: true }),
      call(sources.deleteContactSource, { exchangeId, name, keeps: false }),
      call(sources.makeSourceDue, { exchangeId, name, at }),
      call(sources.confirmRemovals, { exchangeId, name, at }),
      call(sources.listSourceFaults, { exchangeId, name, limit: 100 }),
      call(runs.sourcePassword, secrets, { exchangeId, name }),
    ]),
    ...[theirRun, { exchangeId, sourceId: own, run: uuid }, { exchangeId, sourceId: own, run: them.uuid }].flatMap(
      runCalls,
    ),
  ];
}

function runCalls(run: Run): Call[] {
  const contact = { fields: { name: "ours", surname: "", phone: "05320000000" }, groups: ["ours"] };
  const page = [{ foreignId: "same", mark: "ours", contact }];
  const gone = { gone: ["same"], unreadable: [], before: 10 };
  const ending = { ...gone, added: 1, changed: 0, memory: {}, at, nextAt: at };
  return [
    call(runs.beginRun, secrets, run),
    call(runs.readKnown, run),
    call(mayWrite, run),
    call(writePage, run, page),
    call(runs.finishRun, run, ending),
    call(runs.failRun, run, { failure: "late", about: "ours", at, nextAt: at }),
    call(runs.leaveRun, run),
  ];
}
