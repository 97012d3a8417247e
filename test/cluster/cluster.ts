// All of it on this machine, as a provider has it: three nodes, an edge with Kamailio and rtpengine, PostgreSQL with a
// synchronous standby, a bucket for files. Each node has a loopback address of its own, as a machine has.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { realClock } from "../../src/clock.ts";
import { type Database, openDatabase } from "../../src/store/db.ts";
import { sql } from "../../src/store/sql.ts";
import { type Edge, startEdge } from "../carriers/edge.ts";
import { PRIVATE_WEBHOOKS } from "../customer/event-receiver.ts";
import { BUCKET, openS3Server, S3_LOGIN } from "../customer/s3.ts";
import { selfSigned } from "../ground/certificate.ts";
import { eventually } from "../ground/eventually.ts";
import { freePorts } from "../ground/free-ports.ts";
import { NODE_SECRET } from "../ground/nodes.ts";
import { type SantralProcess, santral, startProcess, temporaryFolder } from "../ground/santral-process.ts";
import { whenOver } from "../ground/when-over.ts";
import type { FirstRun } from "../town/real-town.ts";
import { type DatabasePair, openDatabasePair, ROLES } from "./database-pair.ts";

export type ClusterNode = {
  name: string;
  sip: string;
  http: string;
  data: string;
  /** The process that runs now, or ran last. */
  process(): SantralProcess;
  isRunning(): boolean;
  start(): Promise<void>;
  /** As a machine without power; `SIGSTOP` and `SIGCONT` are for whoever holds its pid. */
  kill(): Promise<void>;
  stop(): Promise<void>;
};

export type Cluster = {
  nodes: ClusterNode[];
  edge: Edge;
  database: DatabasePair;
  /** By the superuser, past every wall and fence. */
  db: Database;
  /** Where the keys of secrets lie. */
  keys: string;
  firstRun: FirstRun & { sms: { username: string; password: string } };
  command(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Done, or why not. */
  done(...words: string[]): Promise<string>;
  /** The node that an exchange lives on, once it does. */
  ownerOf(exchangeId?: number): Promise<ClusterNode>;
};

export type ClusterOptions = {
  say?(line: string): void;
  /** Settings of all nodes. */
  env?: Record<string, string>;
};

/** By which phones come to the edge. */
export const TRANSPORTS = ["udp", "tcp", "tls"] as const;

export const doorFor = ({ edge }: Cluster, transport: (typeof TRANSPORTS)[number]) =>
  transport === "tls" ? edge.secureAt : edge.at;

const EDGE_ADDRESS = "127.0.0.40";
/** On an address that nobody else here has; each call takes eight. */
const EDGE_VOICE = { from: 24_000, to: 27_999 };
const NODES = [
  ["one", "127.0.0.41"],
  ["two", "127.0.0.42"],
  ["three", "127.0.0.43"],
] as const;

export async function openCluster({ say = () => {}, env: more = {} }: ClusterOptions = {}): Promise<Cluster> {
  const folder = temporaryFolder();
  say("PostgreSQL: a primary and its synchronous standby …");
  const database = await openDatabasePair(`${folder}-pg`, say);
  const bucket = await openS3Server();
  whenOver(() => bucket.close());
  const env = {
    ...PRIVATE_WEBHOOKS,
    DATABASE_URL: database.urlOf(ROLES.server),
    SANTRAL_DATABASE_OWNER_URL: database.urlOf(ROLES.owner),
    SANTRAL_DATABASE_TENANT_URL: database.urlOf(ROLES.tenant),
    SANTRAL_CLUSTER: "on",
    SANTRAL_NODE_SECRET: NODE_SECRET,
    SANTRAL_SECRET_KEYS: join(folder, "secret.keys"),
    SANTRAL_EDGES: EDGE_ADDRESS,
    SANTRAL_FILES_URL: `${bucket.url}/${BUCKET}`,
    SANTRAL_FILES_KEY: S3_LOGIN.accessKey,
    SANTRAL_FILES_SECRET: S3_LOGIN.secretKey,
    SANTRAL_TRUSTED_PROXIES: "127.0.0.1",
    ...more,
  };
  const nodes: ClusterNode[] = [];
  for (const [name, address] of NODES) {
    say(`node ${name} …`);
    nodes.push(await startNode(name, { address, data: join(folder, name), env }));
  }
  say("Kamailio and rtpengine …");
  const behind = nodes.map(({ sip }) => sip);
  const tls = certificateIn(temporaryFolder());
  const edge = await startEdge({ address: EDGE_ADDRESS, nodes: behind, relays: true, tls, voicePorts: EDGE_VOICE });
  const db = openDatabase(database.superuser, realClock, { connections: 2, life: "command" });
  whenOver(() => db.close());
  const [first] = nodes;
  const firstRun = JSON.parse(readFileSync(join(first!.data, "first-run.json"), "utf8")) as Cluster["firstRun"]; // it was started first
  const command = (...words: string[]) => santral(join(folder, "operator"), words, { env });
  return {
    ...{ nodes, edge, database, db, keys: folder, firstRun, command },
    async done(...words) {
      const { code, stdout, stderr } = await command(...words);
      if (code !== 0) throw new Error(`santral ${words.join(" ")}: ${stderr || stdout}`);
      return stdout;
    },
    ownerOf: (exchangeId = firstRun.exchange.id) =>
      eventually("it lives somewhere", async () => {
        const name = await ownerIn(db, exchangeId);
        return nodes.find((node) => node.name === name);
      }),
  };
}

/** As PEM files. */
function certificateIn(folder: string): { certificate: string; key: string } {
  const files = { certificate: join(folder, "edge.pem"), key: join(folder, "key.pem") };
  const { key, cert } = selfSigned("edge.example.com");
  writeFileSync(files.certificate, cert);
  writeFileSync(files.key, key);
  return files;
}

async function startNode(
  name: string,
  { address, data, env }: { address: string; data: string; env: Record<string, string> },
): Promise<ClusterNode> {
  const [sip, http, voice] = [await freePorts(1), await freePorts(1), await freePorts(1)];
  const first = 30_000 + (voice % 1_000) * 2;
  const own = {
    SANTRAL_NODE: name,
    SANTRAL_SIP: `${address}:${sip}`,
    SANTRAL_HTTP: `${address}:${http}`,
    SANTRAL_RTP_PORTS: `${first}-${first + 799}`,
  };
  const start = () => startProcess(data, { env: { ...env, ...own } });
  let running = await start();
  return {
    ...{ name, sip: own.SANTRAL_SIP, http: `http://${own.SANTRAL_HTTP}`, data },
    process: () => running,
    isRunning: () => running.child.exitCode === null && running.child.signalCode === null,
    async start() {
      running = await start();
    },
    async kill() {
      await running.end("SIGKILL");
    },
    async stop() {
      await running.end("SIGTERM");
    },
  };
}

async function ownerIn(db: Database, exchangeId: number): Promise<string | undefined> {
  const found = await db.query<{ node: string }>(
    sql`select node from exchange_owners join nodes on name = node
     where exchange_id = $1 and state <> 'over' and until > clock_timestamp()`,
    [exchangeId],
  );
  return found[0]?.node;
}
