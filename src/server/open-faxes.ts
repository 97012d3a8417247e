// Fax as this server's settings want it: the machine and the drawing office before the calls, the desk after them.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { familyOf, fromHere } from "../addresses.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { CallDesk } from "../exchange/call-desk.ts";
import { FaxDesk } from "../exchange/features/faxes/fax-desk.ts";
import { type FaxOffice, openFaxOffice } from "../exchange/features/faxes/fax-office.ts";
import { FaxService } from "../exchange/features/faxes/fax-service.ts";
import type { OutsideNeeds } from "../exchange/lead/outside.ts";
import { phoneNumber } from "../exchange/plan/numbers.ts";
import type { SettingsBook } from "../exchange/plan/settings.ts";
import type { OpenTurns } from "../fair-turns.ts";
import type { Log } from "../log.ts";
import { type Drawer, openDrawer } from "../media/documents/drawer.ts";
import { openFaxProcess } from "../media/fax/fax-process.ts";
import type { Objects } from "../objects/objects.ts";
import type { RunProgram } from "../programs/program.ts";
import type { Database } from "../store/db.ts";
import type { Requester } from "../webhooks/requester.ts";
import { strangersAtOnce } from "./open-converter.ts";
import type { ExchangeErrands } from "./open-errands.ts";

type Means = {
  config: Config;
  db: Database;
  clock: Clock;
  log: Log;
  objects: Objects;
  errands: ExchangeErrands;
  runProgram: RunProgram;
  openTurns?: OpenTurns | undefined;
};

export type FaxMachine = { room: FaxService; drawer: Drawer; folder: string };

export async function openFaxMachine(means: Means, folder: string): Promise<FaxMachine> {
  const { config, clock, log } = means;
  const documents = means.objects.folder("faxes");
  // Before the machines' process begins, or it would never see them.
  for (const path of [folder, documents]) await mkdir(path, { recursive: true, mode: 0o700 });
  const { sip, rtpPorts } = config;
  const [{ host }] = sip;
  const drawing = { clock, runProgram: means.runProgram, openTurns: means.openTurns };
  const engine = openFaxProcess({
    places: { bind: bindOf(sip), ports: rtpPorts, inside: fromHere(host) },
    folder,
    documents: [documents],
    processPath: beside("fax-machines.js"),
    clock,
    log,
  });
  return {
    room: new FaxService({ ...means, engine, now: () => clock.wall(), folder: join(folder, "arriving") }),
    drawer: openDrawer({ ...drawing, program: beside("document-drawer.js"), atOnce: strangersAtOnce() }),
    folder,
  };
}

export type Faxes = {
  office: FaxOffice;
  /** The exchange lives here from now on. */
  load(exchangeId: number): Promise<void>;
  /** Takes nothing new. */
  stop(): Promise<void>;
  /** Once the calls are over. */
  close(): Promise<void>;
};

export type FaxDeskNeeds = Means & {
  machine: FaxMachine;
  desk: CallDesk;
  settings: SettingsBook;
  requester: Requester;
  waysTo: OutsideNeeds["waysTo"];
};

export async function openFaxes(needs: FaxDeskNeeds): Promise<Faxes> {
  const { config, db, clock, log, objects, machine, settings, requester } = needs;
  const { room, drawer } = machine;
  const desk = new FaxDesk({
    db,
    clock,
    log,
    objects,
    errands: needs.errands,
    place: needs.desk.placeFaxCall,
    trunkTo: (exchangeId, number) => firstWay(needs, exchangeId, number),
    spacingMs: config.faxRetrySeconds.map((seconds) => seconds * 1_000),
    linesPerTrunk: config.faxLines,
  });
  await desk.recover();
  await room.recover();
  desk.look();
  return {
    office: openFaxOffice({
      db,
      clock,
      objects,
      drawer,
      settings,
      requester,
      whyNot: () => room.whyNot(),
      taken: () => desk.look(),
      dropped: (callUuid) => desk.drop(callUuid),
    }),
    async load(exchangeId) {
      await desk.recover(db.forExchange(exchangeId));
      await room.recover(db.forExchange(exchangeId));
      desk.look();
    },
    stop: () => desk.stop(),
    async close() {
      await desk.close();
      await room.close();
    },
  };
}

function firstWay({ waysTo }: FaxDeskNeeds, exchangeId: number, number: string): string {
  const read = phoneNumber(number);
  return (read && waysTo(exchangeId, read)[0]?.trunk) ?? "";
}

/** A fax as data has one socket, which hears everybody who may send to any of our addresses. */
function bindOf([{ host }, ...others]: Config["sip"]): string {
  if (others.length === 0) return host;
  return [host, ...others.map((at) => at.host)].some((it) => familyOf(it) === 6) ? "::" : "0.0.0.0";
}

/** Built next to this very file. */
function beside(program: string): string {
  return fileURLToPath(new URL(`./${program}`, import.meta.url));
}
