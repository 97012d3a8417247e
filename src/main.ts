// Builds the parts of a running exchange in order, opens the doors, and closes everything in reverse order.

import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import { type Arrears, openArrears } from "./arrears/arrears.ts";
import type { Clock } from "./clock.ts";
import type { ClusterNode } from "./cluster/node.ts";
import type { Config } from "./config.ts";
import { nodeNameOf } from "./config-cluster.ts";
import { openSwitchboard, type Switchboard } from "./exchange/signalling/switchboard.ts";
import { openControl } from "./exchange/signalling/trace/control.ts";
import { openSounds } from "./exchange/sounds.ts";
import { makeFirstRun, tellConsoleUrl } from "./first-run/first-run.ts";
import { operations } from "./http/operations.ts";
import type { HttpServer, HttpServerOptions } from "./http/server.ts";
import type { Log } from "./log.ts";
import { programVersion } from "./places.ts";
import { ownMark } from "./process-mark.ts";
import { countArrears } from "./server/arrears-metrics.ts";
import { callAnswers } from "./server/call-answers.ts";
import { countCalls } from "./server/call-metrics.ts";
import { openClockWatch } from "./server/clock-watch.ts";
import { openDataFolder } from "./server/data-folder.ts";
import { bringUpToDate, openDatabaseServer } from "./server/database-server.ts";
import { countFiles } from "./server/files-metrics.ts";
import { giveUp } from "./server/give-up.ts";
import { countRefusals } from "./server/limit-metrics.ts";
import { countUnexpected } from "./server/machine-metrics.ts";
import { askedByMetrics, openMetrics } from "./server/metrics.ts";
import { countNode } from "./server/node-metrics.ts";
import { type Calls, closeDesk, openCalls } from "./server/open-calls.ts";
import { consoleOf } from "./server/open-console.ts";
import { openConversions } from "./server/open-converter.ts";
import { openExchangeErrands } from "./server/open-errands.ts";
import { type Files, filesAnswers, openFiles } from "./server/open-files.ts";
import { connectionLimits } from "./server/open-files-limit.ts";
import { databaseOfAll, holdOrJoin, openFront, serveAsNode } from "./server/open-node.ts";
import { sealEverything } from "./server/open-secrets.ts";
import { openSms } from "./server/open-sms.ts";
import { openSystemOffice } from "./server/open-system-office.ts";
import { openWebphone } from "./server/open-webphone.ts";
import { type JournalNeeds, openCallJournal, openWork } from "./server/open-work.ts";
import { openParts, type Parts, type Stop } from "./server/parts.ts";
import { openReach } from "./server/reach.ts";
import { type WatchedReadiness, watchReadiness } from "./server/readiness.ts";
import { countReadiness } from "./server/readiness-metrics.ts";
import { type WatchNeeds, watchRecordings } from "./server/recordings-watch.ts";
import { residenceOf } from "./server/residence.ts";
import { announceRun, forgetRun, type Opened } from "./server/run-file.ts";
import { openSipDoors, type SipDoors } from "./server/sip-doors.ts";
import { countSip } from "./server/sip-metrics.ts";
import type { Supervisor } from "./server/supervised.ts";
import { openTurnWatch } from "./server/turn-watch.ts";
import { openDatabase } from "./store/db.ts";
import { probe } from "./webhooks/probe.ts";

export type Santral = {
  opened: Opened;
  firstRun: boolean;
  firstRunFile: string;
  /** Kept when another server has the database: who that is. */
  lost: Promise<string>;
  stop(stop: Stop): Promise<void>;
  /** While it stops: the calls that are up are not waited for any longer. */
  cut(): void;
};

/** Who has started the server, if he would do it again, and who hears that a command wants it to stop. */
type Around = { supervisor?: Supervisor | undefined; isService?: boolean; onStop?(stop: Stop): void };

type Surroundings = Around & { config: Config; log: Log; clock: Clock };

export async function startSantral(config: Config, log: Log, clock: Clock, around: Around = {}): Promise<Santral> {
  const parts = openParts(log);
  try {
    return await buildParts(parts, { ...around, config, log, clock });
  } catch (error) {
    await parts.close({ calls: "cut" });
    throw error;
  }
}

/** What is stored, as this version of the program knows it. */
async function openStorage(parts: Parts, { config, log, clock, supervisor }: Surroundings) {
  const folder = await parts.open("data folder", openDataFolder(config.dataFolder, "server", clock, supervisor?.pid));
  await forgetRun(folder.run);
  const server = await parts.open("database server", openDatabaseServer({ config, folder, clock, log, supervisor }));
  const needs = { url: server.urls.server, dataFolder: folder.path, clock, log };
  const hold = await parts.open("database hold", holdOrJoin(config, needs));
  await bringUpToDate(server.urls, clock, log, config.cluster);
  const epoch = await hold.take();
  const { node } = hold;
  const onFenced = node && (() => void node.tally.writesRefused++);
  const options = { statementSeconds: config.databaseSeconds, life: node && epoch, onFenced };
  const db = await parts.open("database", openDatabase(server.urls, clock, options));
  const all = await parts.open("database of all", databaseOfAll(db, server.urls, { hold, clock }));
  const secrets = await sealEverything({ config, db: all.db, urls: server.urls, clock, log });
  const files = await parts.open("files", openFiles({ config, clock, log, folder: folder.objects }));
  return { folder, server, hold, epoch, db, all: all.db, secrets, files };
}

/** What is counted and told of the whole, for who watches over it. */
async function openMeasuring(parts: Parts, needs: Omit<WatchNeeds, "registry"> & { node: string }) {
  const registry = openMetrics(needs.db);
  const watch = await parts.open("watch", watchRecordings({ registry, ...needs }));
  const disk = { recordings: needs.folder.recordings, onFault: watch.report };
  const clocks = await parts.open("clock watch", openClockWatch({ registry, ...needs }));
  const turns = await parts.open("turn watch", openTurnWatch({ registry, ...needs }));
  const refusals = countRefusals(registry, askedByMetrics(needs.db));
  const seen = { recordings: () => watch.view(), clock: () => clocks.view(), turns: () => turns.view() };
  const views = { ...seen, limits: refusals.view };
  return { registry, clocks, views, disk, refused: refusals.note, unexpected: countUnexpected(registry, needs.log) };
}

async function buildParts(parts: Parts, surroundings: Surroundings): Promise<Santral> {
  const { config, log, clock } = surroundings;
  const { folder, server, hold, epoch, db, all, secrets, files } = await openStorage(parts, surroundings);
  const { objects } = files;
  const firstRun = await makeFirstRun({ db: all, secrets, objects, file: folder.firstRun });

  const measured = { db, clock, log, folder, node: nodeNameOf(config) };
  const { registry, unexpected, refused, views, clocks, disk } = await openMeasuring(parts, measured);
  const { means, confinement } = await parts.open("conversions", openConversions({ ...measured, registry }));
  const base = { config, db, secrets, clock, log, objects, ...means, reach: openReach({ ...config, clock }) };
  const doors = await parts.open("SIP doors", openSipDoors(base));
  const { transports, webSocket } = doors;
  const stackOptions = { unexpected, transports, holdsStrays: true, residence: hold.node && residenceOf(hold.node) };
  const switchboard = await parts.open("switchboard", openSwitchboard({ ...config, ...base, ...stackOptions }));

  const working = { ...base, epoch, due: clocks.due, own: hold.node?.held() };
  const { requester, archives } = await parts.open("background work", openWork(working));
  const owed = await openOwed(parts, { ...base, ...disk, folder: folder.arrears });
  const [{ arrears }, { speech, faxes, path: dataFolder }] = [owed, folder];
  const sipAddress = hostAndPort(doors.addresses[0]);
  const needs = { ...base, ...owed, ...disk, unexpected, switchboard, requester, sipAddress, speech, faxes };
  const opening = openCalls({ ...needs, holdMusic: undefined });
  void loadHttp();
  const calls = await parts.open("calls", opening);

  const webphone = await parts.open("web phones", openWebphone({ db, clock, log, switchboard, calls }));
  await parts.open("messages", openSms({ ...base, arrears, life: hold.node && epoch }));

  const readiness = watchReadiness({ ...base, dataFolder, ...server, ...calls.desk, arrears });
  const system = await parts.open("system", openSystemOffice({ ...base, all, dataFolder, readiness, arrears }));
  countAll(registry, { switchboard, calls, readiness, arrears, node: hold.node, files });
  const operating = operations({ registry, ready: readiness.ask, fromAnywhere: config.metricsFromAnywhere });
  const upgrading = async (app: FastifyInstance) => app.claimUpgrade(webSocket.upgrade);
  const looking = hold.node && (await parts.open("front", openFront(hold.node, server.urls, { ...base, calls })));
  const http = await parts.open(
    "http",
    openHttp({
      ...base,
      front: looking?.front,
      sounds: openSounds(base),
      plugins: [operating, upgrading, webphone.plugin],
      probeUrl: async (url, body = "{}") => "ok" in (await probe(requester, url, body)),
      archives,
      refused,
      openSecret: (place, stored) => secrets.open(place, stored),
      ...servedBy(calls),
      webLogins: switchboard.webLogins,
      console: consoleOf({ config, secrets, calls, switchboard, doors, requester, all, clock, system }),
    }),
  );
  // Browsers hang on the HTTP server, which waits for them to go: before it closes, their calls end and they are let go.
  await parts.open("browsers", { close: (stop) => closeDesk(calls.desk, stop).then(() => webSocket.close()) });
  const url = config.publicUrl ?? `http://${http.address}`;
  if (firstRun) await tellConsoleUrl(folder.firstRun, firstRun, `${url}/console`);

  const answering = { heard: () => db.heard(), ready: readiness.ask, ...views, confinement };
  const sip = { ...switchboardAnswers(switchboard), ...callAnswers(calls) };
  const answers = { ...sip, ...answering, ...filesAnswers(files), ...stopAnswers(surroundings) };
  await parts.open("control", openControl({ path: folder.control, clock, trace: switchboard.trace, answers }));

  const opened = openedBy(http.address, doors, config);
  await parts.open("readiness", readiness);
  const serving = { db, clock, epoch, switchboard, calls, journal: owed.journal, tally: hold.node?.tally };
  if (hold.node)
    await parts.open("node", serveAsNode(hold.node, serving, { config, http: opened.http, sip: doors.addresses[0] }));
  await parts.open("run file", announceRun(folder.run, opened));
  log.info(opened, "ready");
  const ends = stops(parts, calls, { readiness, node: hold.node });
  return { opened, firstRun: firstRun !== undefined, firstRunFile: folder.firstRun, lost: hold.lost, ...ends };
}

type Stopping = { readiness: WatchedReadiness; node?: ClusterNode | undefined };

/** Of the thirty seconds that a stop may take. */
const LEAVES_WITHIN_MS = 20_000;

function stops(parts: Parts, calls: Calls, { readiness, node }: Stopping) {
  let isCut = () => {};
  const cut = new Promise<void>((resolve) => {
    isCut = resolve;
  });
  return {
    async stop(stop: Stop) {
      // Who comes back for them at once keeps them.
      if (!stop.again) await Promise.race([node?.leave(LEAVES_WITHIN_MS).catch(() => undefined), cut]);
      if (stop.calls !== "drain") return parts.close(stop);
      readiness.drain();
      await Promise.race([calls.desk.drain(), cut]);
      return parts.close({ ...stop, calls: "cut" });
    },
    cut() {
      isCut();
      void closeDesk(calls.desk);
    },
  };
}

/** A command asks us to stop. Who says `again` is told whether anybody would start us again. */
function stopAnswers({ supervisor, isService, onStop }: Surroundings) {
  const stop = ({ calls, again }: { calls?: string; again?: string }) => {
    const wanted = (["handOver", "drain", "cut"] as const).find((it) => it === calls);
    if (!wanted || !onStop) return { refused: "unknown" };
    if (again && !supervisor?.isThere() && !isService) return { refused: "nobody-starts-again" };
    onStop({ calls: wanted, again: again !== undefined });
    return { pid: process.pid, version: programVersion() };
  };
  return { stop };
}

/** What must be written whatever becomes of the database and of us; what an earlier life left of it is written first. */
async function openOwed(parts: Parts, needs: Omit<JournalNeeds, "arrears"> & { folder: string }) {
  const { folder, clock } = needs;
  const arrears = await parts.open("arrears", openArrears({ folder, clock, node: nodeNameOf(needs.config) }));
  const errands = await parts.open("errands", openExchangeErrands({ ...needs, arrears }));
  return { arrears, errands, journal: await parts.open("journal", openCallJournal({ ...needs, arrears })) };
}

type Counted = {
  switchboard: Switchboard;
  calls: Calls;
  readiness: WatchedReadiness;
  arrears: Arrears;
  node: ClusterNode | undefined;
  files: Files;
};

function countAll(registry: Registry, { switchboard, calls, readiness, arrears, node, files }: Counted): void {
  countFiles(registry, files.inBucket);
  if (node) countNode(registry, node);
  countArrears(registry, arrears);
  countSip(registry, switchboard);
  countCalls(registry, calls);
  countReadiness(registry, readiness, calls.desk);
}

function openedBy(http: string, { addresses, tlsAddresses }: SipDoors, config: Config): Opened {
  const { publicIp, publicUrl, tlsCertificate } = config;
  const told = { publicIp, publicUrl, tlsCertificate };
  return { ...ownMark(), http, sip: addresses[0], sipDoors: addresses, sipTlsDoors: tlsAddresses, ...told };
}

/** What of calls the interface asks for. */
function servedBy({ desk, faxes, presence }: Calls) {
  return { exchange: desk.exchange, faxes: faxes.office, presence };
}

function hostAndPort(address: string): { host: string; port: number } {
  const colon = address.lastIndexOf(":");
  return { host: address.slice(0, colon).replace(/^\[|\]$/g, ""), port: Number(address.slice(colon + 1)) };
}

/** A third of the program: it is read once SIP is answered, while the threads of media start. */
const loadHttp = () => import("./http/server.ts");

/** A door that cannot be opened is the operator's business, and one sentence is enough. */
async function openHttp(needs: HttpServerOptions & { config: Config }): Promise<HttpServer> {
  try {
    const { openHttpServer } = await loadHttp();
    return await openHttpServer({ ...needs, connections: await connectionLimits() });
  } catch (error) {
    const { host, port } = needs.config.http;
    const why = whyNot[error instanceof Error && "code" in error ? String(error.code) : ""];
    if (!why) throw error;
    return giveUp(`${host}:${port} ${why}: set SANTRAL_HTTP to another host:port`, "inUse");
  }
}

const whyNot: Partial<Record<string, string>> = {
  EADDRINUSE: "is already in use",
  EACCES: "may only be opened by root",
  EADDRNOTAVAIL: "is not an address of this machine",
  ENOTFOUND: "is not a known host",
};

/** What the command line may ask a running server about its SIP side. */
function switchboardAnswers({ trace, abuse, registrar, trunks }: Switchboard) {
  return {
    ignored: () => ({ boxed: abuse.boxed(), ...abuse.counts() }),
    phones: () => registrar.counts(),
    contacts: ({ exchange = "" }: { exchange?: string }) => registrar.list(Number(exchange)),
    md5: () => registrar.md5Phones(),
    trunks: () => trunks.list(),
    watching: () => trace.counts().watching,
  };
}
