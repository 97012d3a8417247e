// The calling half of a server: media, the sandbox, and the call desk between them and the switchboard.

import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { asWritten, fromHere, loopbackBeside } from "../addresses.ts";
import type { Arrears } from "../arrears/arrears.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import { type CallDesk, type CallNeeds, type FeatureNeeds, openCallDesk } from "../exchange/call-desk.ts";
import type { Dialler } from "../exchange/features/campaigns/dialler.ts";
import { openQueueStore } from "../exchange/features/queues/queue-store.ts";
import { openSandboxFaxes, type SandboxFaxes, trayIn } from "../exchange/features/sandbox/fax-machines.ts";
import { openSandbox, type Sandbox } from "../exchange/features/sandbox/sandbox.ts";
import { openVoicemail, type Voicemail } from "../exchange/features/voicemail/voicemail.ts";
import { openedFor } from "../exchange/journal/recovery.ts";
import { servedBySandbox, wayByName, waysOver } from "../exchange/lead/trunk-ways.ts";
import { openLegs } from "../exchange/legs/legs.ts";
import { standingOf } from "../exchange/legs/standing.ts";
import { openStreamHub } from "../exchange/legs/stream-hub.ts";
import { openOfficeLamp } from "../exchange/office-switch.ts";
import type { Panel } from "../exchange/panel.ts";
import { openSettings } from "../exchange/plan/settings.ts";
import { recordingIn } from "../exchange/recordings/leftovers.ts";
import { hash } from "../exchange/signalling/registrar/hashing.ts";
import type { Switchboard } from "../exchange/signalling/switchboard.ts";
import { openAttestation } from "../exchange/signalling/trunks/attestation.ts";
import { fromTrunk } from "../exchange/signalling/trunks/from-trunk.ts";
import { allowanceOf } from "../exchange/spending/spending.ts";
import type { OpenTurns } from "../fair-turns.ts";
import type { PhoneState, PhoneStates } from "../http/door/phone-states.ts";
import type { Log } from "../log.ts";
import type { ReportUnexpected } from "../machine.ts";
import { openEmbeddedEngine } from "../media/embedded/embedded.ts";
import type { MediaEngine, RecordingFault } from "../media/engine.ts";
import type { WebGateway } from "../media/webrtc/gateway.ts";
import { OFFICE_CODE } from "../nouns/choices.ts";
import type { Objects } from "../objects/objects.ts";
import { programVersion } from "../places.ts";
import type { RunProgram } from "../programs/program.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Source, Transport } from "../sip/transport/transport.ts";
import { openUdp } from "../sip/transport/udp.ts";
import { httpRecogniser } from "../speech/recognise.ts";
import type { Speech } from "../speech/tts.ts";
import type { Database } from "../store/db.ts";
import type { Requester } from "../webhooks/requester.ts";
import { placesIn } from "./data-folder.ts";
import { joinToPhones } from "./join-to-phones.ts";
import { openBoards } from "./open-boards.ts";
import { openCampaigns } from "./open-campaigns.ts";
import type { ExchangeErrands } from "./open-errands.ts";
import { type Faxes, type FaxMachine, openFaxes, openFaxMachine } from "./open-faxes.ts";
import { openPushes, tellsLeft } from "./open-pushes.ts";
import { openVoices, voiceOf } from "./open-voices.ts";
import { browserPlace, openWeb } from "./open-web.ts";
import type { CallJournal } from "./open-work.ts";
import type { Stop } from "./parts.ts";
import type { Reach } from "./reach.ts";

export type Calls = {
  desk: CallDesk;
  sandbox: Sandbox | undefined;
  presence: PhoneStates;
  panel: Panel;
  speech: Speech;
  media: MediaEngine;
  web: WebGateway;
  dialler: Dialler;
  faxes: Faxes;
  close(stop?: Stop): Promise<void>;
};

export type CallsNeeds = {
  config: Config;
  db: Database;
  secrets: Secrets;
  clock: Clock;
  log: Log;
  unexpected: ReportUnexpected;
  objects: Objects;
  runProgram: RunProgram;
  openTurns?: OpenTurns | undefined;
  switchboard: Switchboard;
  journal: CallJournal;
  arrears: Arrears;
  errands: ExchangeErrands;
  requester: Requester;
  reach: Reach;
  /** Where phones reach us by UDP. */
  sipAddress: { host: string; port: number };
  recordings: string;
  /** One of them could not be written as it should. */
  onFault(fault: RecordingFault): void;
  /** Where spoken sentences are kept. */
  speech: string;
  /** Faxes on their way. */
  faxes: string;
  holdMusic: string | undefined;
};

export async function openCalls(needs: CallsNeeds): Promise<Calls> {
  const { config, db, clock, log, unexpected, switchboard, arrears, errands } = needs;
  await mkdir(needs.recordings, { recursive: true, mode: 0o700 });
  const media = await openMedia(needs);
  const web = openWeb({ config, clock, log, random: switchboard.random, media });
  const settings = await openSettings(db);
  const machine = await openFaxMachine(needs, needs.faxes);
  const sandboxFaxes = openTray(needs, machine, media);
  const sandbox = config.sandbox === "off" ? undefined : await openBox(needs, media, sandboxFaxes);
  if (sandbox) switchboard.spare((asked) => sandbox.recognise(asked) !== undefined);
  const waysTo = waysOver(switchboard.trunks, sandbox && { way: sandbox.way, serves: serves(needs) });
  const speech = openVoices(needs);
  const pushes = openPushes(needs);
  const voicemail = await openMessages(needs, pushes);
  const queues = await openQueueStore(db, errands);
  const desk = openCallDesk(
    {
      ...needs,
      media,
      settings,
      legs: legsOver(needs, media, web),
      allowance: allowanceOf(db, log, errands),
      chance: Math.random,
      phones: phonesOf(switchboard),
      wake: pushes.tell,
      trunks: { waysTo, ...trunksOf(needs, sandbox) },
      voice: voiceOf(needs, speech),
      recordingPath: (uuid) => recordingIn(needs.recordings, uuid),
    },
    { queues, fax: machine.room, mailboxes: { secrets: needs.secrets, voicemail }, program: programOf(needs) },
  );
  const lamp = openOfficeLamp(settings, (id) => switchboard.presence.changed(id, OFFICE_CODE, "dialog"));
  joinToPhones(switchboard, { desk, web, lamp });
  await goOn(desk, needs);
  const dialler = await openCampaigns({ db, clock, log, unexpected, desk, settings, arrears, errands });
  const faxes = await openFaxes({ ...needs, machine, desk, settings, waysTo });
  const { panel, ...boards } = await openBoards({ ...needs, desk, settings, lamp });
  return {
    desk,
    sandbox,
    media,
    web,
    panel,
    speech,
    dialler,
    faxes,
    presence: presenceOf(switchboard, desk),
    async close(stop) {
      await boards.close();
      await dialler.stop();
      await faxes.stop();
      await closeDesk(desk, stop);
      await pushes.close();
      await dialler.close();
      await faxes.close();
      await queues.close();
      await sandbox?.close();
      await voicemail.close();
      await settings.close();
      await web.stop();
      await media.stop({ handOver: stop?.calls === "handOver" });
    },
  };
}

/** Sooner than the rest, where it has to be. */
export function closeDesk(desk: CallDesk, stop: Stop = { calls: "cut" }): Promise<void> {
  return desk.close({ handOver: stop.calls === "handOver" });
}

function phonesOf({ registrar, directory, authenticate, isPhone }: Switchboard): CallNeeds["phones"] {
  return { ...registrar, authenticate, isPhone, callsForHelp: directory.callsForHelp };
}

function trunksOf({ clock, switchboard: { trunks } }: CallsNeeds, sandbox: Sandbox | undefined) {
  const attest = openAttestation(clock);
  const from: CallNeeds["trunks"]["from"] = (incoming) =>
    sandbox?.recognise(incoming) ?? fromTrunk(trunks, attest, incoming);
  return { from, lineOf: trunks.lineOf, wayBy: wayByName(trunks) };
}

/** Lamps for waiting messages follow what is left and heard; browsers are told of what was left. */
async function openMessages(needs: CallsNeeds, pushes: ReturnType<typeof openPushes>): Promise<Voicemail> {
  const { db, objects, recordings, errands, switchboard } = needs;
  const { presence } = switchboard;
  const voicemail = await openVoicemail({
    db,
    errands,
    objects,
    folder: recordings,
    onChange: (exchangeId, extension) => presence.changed(exchangeId, extension, "message-summary"),
    onLeft: tellsLeft(pushes),
  });
  presence.provide({ voicemail: voicemail.counts });
  return voicemail;
}

function legsOver({ clock, log, unexpected, switchboard }: CallsNeeds, media: MediaEngine, web: WebGateway) {
  const { stack, random, resolve, trace, directory, registrar, authenticate, trunks } = switchboard;
  const known = { phones: { ...registrar, authenticate }, exchanges: directory, trunks: trunks.whose };
  return openLegs({
    clock,
    log,
    unexpected,
    media,
    web,
    stack,
    random,
    hash,
    locate: resolve,
    standing: (of, party) => standingOf(known, of, party),
    voiceOfTrunk: trunks.whose.hasVoiceAt,
    product: `Santral/${programVersion()}`,
    traced: trace.join,
  });
}

/** The customer's own service: how it is asked, and who writes down what a caller says to it. */
function programOf({ config, requester }: CallsNeeds): FeatureNeeds["program"] {
  return {
    ask: (url, limitMs) => requester.ask(url, { method: "GET", limitMs, wantBytes: 65_536 }),
    recognise: config.recogniserUrl === undefined ? undefined : httpRecogniser(config.recogniserUrl),
  };
}

/** With what an earlier process left: those to be called back, and the calls that were up. */
async function goOn(desk: CallDesk, { journal, switchboard }: CallsNeeds): Promise<void> {
  await desk.queues.recall();
  await desk.resume(journal.left, journal.giveUp);
  switchboard.stack.releaseStrays();
}

function openMedia({ config, reach, log, onFault, journal }: CallsNeeds): Promise<MediaEngine> {
  const { rtpPorts, mediaWorkers, mediaTimeoutSeconds, sip } = config;
  const [address = "", ...alsoAt] = new Set(sip.map(({ host }) => host));
  return openEmbeddedEngine({
    workers: mediaWorkers,
    portRange: [rtpPorts.from, rtpPorts.to],
    address,
    alsoAt,
    reach,
    browsers: browserPlace(config),
    workerPath: fileURLToPath(new URL("./media-worker.js", import.meta.url)),
    mediaTimeoutMs: mediaTimeoutSeconds * 1000,
    ledgerFolder: placesIn(config.dataFolder).streams,
    opened: journal.left.flatMap(openedFor),
    log,
    onFault,
  });
}

function openTray({ clock, faxes }: CallsNeeds, { room }: FaxMachine, media: MediaEngine): SandboxFaxes {
  return openSandboxFaxes({ clock, media, engine: room.engine, folder: trayIn(faxes) });
}

async function openBox(needs: CallsNeeds, media: MediaEngine, faxes: SandboxFaxes): Promise<Sandbox> {
  const { clock, log, unexpected, switchboard, sipAddress } = needs;
  const transport = await openUdp({ address: loopbackBeside(sipAddress.host), port: 0 });
  const exchange = { transport: "udp", address: fromHere(sipAddress.host), port: sipAddress.port } as const;
  return openSandbox({
    clock,
    log,
    unexpected,
    media,
    hash,
    random: switchboard.random,
    streams: openStreamHub(media),
    transport,
    exchange,
    isExchange: spokenBy([exchange, ownDoorTo(switchboard, transport)]),
    serves: serves(needs),
    newId: randomUUID,
    faxes,
  });
}

/** Where the exchange speaks from when it calls somebody there. */
function ownDoorTo({ stack }: Switchboard, { sentBy }: Transport): { address: string; port: number } | undefined {
  const door = stack.doorTo({ transport: "udp", address: asWritten(sentBy.host), port: sentBy.port });
  const { sentBy: own } = door ?? {};
  return own && { address: asWritten(fromHere(own.host)), port: own.port };
}

/** Ports that we hold: nobody else on this machine can speak from one. */
function spokenBy(doors: readonly ({ address: string; port: number } | undefined)[]) {
  return (source: Source) => doors.some((door) => door?.port === source.port && door.address === source.address);
}

const serves = ({ config, switchboard }: CallsNeeds) => servedBySandbox(config.sandbox, switchboard.trunks);

function presenceOf({ registrar }: Switchboard, { live }: CallDesk): PhoneStates {
  return {
    stateOf(exchangeId, extension): PhoneState {
      const onTheLine = live.of(exchangeId, extension).some((call) => call.legs().some((leg) => leg.isAnswered()));
      if (onTheLine) return "talking";
      return registrar.isRegistered(exchangeId, extension) ? "registered" : "unregistered";
    },
  };
}
