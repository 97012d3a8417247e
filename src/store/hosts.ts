// Where the database is: one host, or several of which one takes writes at a time. The driver knows only one; this finds
// it, and looks again when it has moved.

import pg from "pg";

export type Place = { host: string; port: number };

/** `url` is one that the driver reads; `places` are empty where there is nothing to choose. */
export type Address = { url: string; places: Place[] };

const USUAL_PORT = 5432;
/** The sessions that are of use here: we write, so of several hosts it is always the one that takes writes. */
const WANTED: readonly string[] = ["any", "read-write", "primary"];

/** As libpq writes it: `postgres://user@one:5432,two:5432/name?target_session_attrs=read-write`, or `?host=/run/a,/run/b`. */
export function addressOf(text: string): Address | { unreadable: string } {
  const [, scheme, user = "", authority = "", path = "", search = ""] =
    /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)(\/[^?#]*)?(?:\?([^#]*))?$/.exec(text) ?? [];
  const query = new URLSearchParams(search);
  const wanted = query.get("target_session_attrs") ?? "any";
  const hosts = (query.get("host") ?? authority).split(",");
  if (!WANTED.includes(wanted)) return { unreadable: `one with target_session_attrs=${WANTED.join(" or ")}` };
  if (scheme === undefined || (hosts.length === 1 && wanted === "any")) return { url: text, places: [] };
  query.delete("target_session_attrs");
  const ports = query.get("port")?.split(",") ?? [];
  const places = hosts.map((host, at) => placeOf(host, ports[at] ?? ports[0]));
  const [first] = places;
  if (!first || !places.every((place) => place !== undefined))
    return { unreadable: "one with hosts and ports between commas" };
  if (query.has("host")) query.set("host", first.host);
  if (query.has("port")) query.set("port", String(first.port));
  const at = query.has("host") ? "" : hosts[0];
  return { url: `${scheme}${user}${at}${path}${query.size > 0 ? `?${query}` : ""}`, places };
}

function placeOf(text: string, port: string | undefined): Place | undefined {
  const [, name, own] = /^(\/.*|\[[^\]]*\]|[^:[\]]+?)(?::(\d+))?$/.exec(text) ?? [];
  const number = Number(own ?? port ?? USUAL_PORT);
  if (name === undefined || !(number > 0 && number < 65_536)) return undefined;
  return { host: name.replace(/^\[|\]$/g, ""), port: number };
}

/** Hosts that cannot be reached are not waited for longer than this while others are asked. */
const PROBE_MS = 3_000;

/** A server that is being followed, or that was told to take no writes. */
const TAKES_WRITES = "select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writes";

export class Hosts {
  readonly #address: Address;
  #finding: Promise<Place> | undefined;
  /** Connections of an earlier one lead to a server that has become the wrong one. */
  #epoch = 0;

  constructor(address: Address) {
    this.#address = address;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** Undefined where there is nothing to choose. Remembered until `moved`. */
  place(): Promise<Place | undefined> {
    if (this.#address.places.length === 0) return Promise.resolve(undefined);
    if (!this.#finding) {
      const finding = this.#find();
      this.#finding = finding;
      finding.catch(() => {
        if (this.#finding === finding) this.lost();
      });
    }
    return this.#finding;
  }

  /** The host that we knew does not answer: the others are looked at. */
  lost(): void {
    this.#finding = undefined;
  }

  /** The host that we knew takes no writes any more: what is connected to it is of no use either. */
  moved(): void {
    this.#epoch += 1;
    this.lost();
  }

  async #find(): Promise<Place> {
    const { url, places } = this.#address;
    try {
      return await Promise.any(places.map((place) => probe(url, place)));
    } catch (error) {
      const why =
        error instanceof AggregateError ? error.errors.map((it: Error) => it.message).join("; ") : String(error);
      throw Object.assign(new Error(`no database server takes writes: ${why}`), { code: "08001" });
    }
  }
}

async function probe(url: string, place: Place): Promise<Place> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS });
  Object.assign(client, place);
  client.on("error", () => undefined);
  try {
    await client.connect();
    await mustTakeWrites(client);
    return place;
  } catch (error) {
    throw new Error(`${place.host}: ${error instanceof Error ? error.message : error}`);
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** `query_timeout` of the driver, so that a server that has just frozen is not waited for. */
export async function mustTakeWrites(client: pg.ClientBase): Promise<void> {
  const statement = { text: TAKES_WRITES, query_timeout: PROBE_MS };
  const { rows } = await client.query<{ writes: boolean }>(statement);
  if (!rows[0]?.writes) throw Object.assign(new Error("it takes no writes"), { code: READ_ONLY });
}

/** SQLSTATE read_only_sql_transaction. */
export const READ_ONLY = "25006";
