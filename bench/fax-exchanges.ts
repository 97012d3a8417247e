// Many T.38 faxes at once between two whole exchanges on this machine: ordered by HTTP, dialled by SIP, kept as PDF.

import { runExchange } from "./exchange-process.ts";

const SENDER_ADDRESS = "127.0.0.2";
const RECEIVER_ADDRESS = "127.0.0.1";
const NUMBER = "908505324444";
const LOOK_EVERY_MS = 500;
const PATIENCE_MS = 600_000;

type Exchange = Awaited<ReturnType<typeof runExchange>>;
type FaxRecord = { success: boolean; duration: number; result: string; transfer_rate: number };

export type BetweenExchanges = {
  well: number;
  results: string[];
  seconds: number;
  /** Percent of a core that one fax costs both exchanges with all their processes, while it lasts. */
  shareOfOne: number;
};

export async function faxBetweenExchanges(faxes: number, tiff: Buffer): Promise<BetweenExchanges> {
  const common = { SANTRAL_TRUSTED_PROXIES: "127.0.0.1", SANTRAL_FAX_LINES: String(faxes) };
  const [sender, receiver] = await Promise.all([
    // One call each: what it did not bring is a failure here.
    runExchange({
      ...common,
      SANTRAL_SIP: `${SENDER_ADDRESS}:0`,
      SANTRAL_RTP_PORTS: "21000-24999",
      SANTRAL_WEB_PORTS: "19000-19199",
      SANTRAL_FAX_RETRY_SECONDS: "3600",
    }),
    runExchange({
      ...common,
      SANTRAL_SIP: `${RECEIVER_ADDRESS}:0`,
      SANTRAL_RTP_PORTS: "25000-28999",
      SANTRAL_WEB_PORTS: "19200-19399",
    }),
  ]);
  try {
    joinTo(sender, receiver, RECEIVER_ADDRESS);
    joinTo(receiver, sender, SENDER_ADDRESS);
    receiver.command("number", "create", NUMBER, "fax");
    return await measure({ sender, receiver }, faxes, tiff);
  } finally {
    await Promise.all([sender.stop(), receiver.stop()]);
  }
}

function joinTo(exchange: Exchange, other: Exchange, address: string): void {
  const reach = [`port=${other.sip.split(":")[1]}`, `source-addresses=${address}`, "health-check=no"];
  exchange.command("trunk", "create", "other", address, ...reach);
}

async function measure(
  { sender, receiver }: { sender: Exchange; receiver: Exchange },
  faxes: number,
  tiff: Buffer,
): Promise<BetweenExchanges> {
  const spent = () =>
    [sender, receiver].map(({ usage }) => usage()).reduce((sum, it) => sum + it.cpuMs + it.databaseCpuMs, 0);
  const filedata = `data:image/tiff;base64,${tiff.toString("base64url")}`;
  const before = spent();
  const beganMs = performance.now();
  for (let place = 0; place < faxes; place++)
    await ask(sender, "/fax_orders", { method: "POST", more: { remote_station_id: NUMBER, filedata } });
  const records = await finished(sender, faxes);
  const seconds = (performance.now() - beganMs) / 1_000;
  const lasted = records.reduce((sum, { duration }) => sum + duration, 0);
  return {
    well: records.filter(({ success }) => success).length,
    results: records.filter(({ success }) => !success).map(({ result }) => result),
    seconds,
    shareOfOne: ((spent() - before) / 1_000 / Math.max(1, lasted)) * 100,
  };
}

async function finished(sender: Exchange, faxes: number): Promise<FaxRecord[]> {
  for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs; ) {
    const { fdrs } = JSON.parse(await ask(sender, "/fdrs", { more: { limit: "100" } })) as { fdrs: FaxRecord[] };
    if (fdrs.length >= faxes) return fdrs;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Error("the faxes did not end");
}

let clients = 0;

/** Every question comes from a client of its own, so that the interface's rates are not what is measured. */
async function ask(
  { http, firstRun }: Exchange,
  path: string,
  { method = "GET", more = {} as Record<string, string> } = {},
): Promise<string> {
  clients = (clients % 250) + 1;
  const sent = new URLSearchParams({ key: firstRun.exchange.key, ...more });
  const headers = { "X-Forwarded-For": `192.0.2.${clients}` };
  const url = `http://${http}${path}`;
  const answer = await (method === "GET"
    ? fetch(`${url}?${sent}`, { headers })
    : fetch(url, { method, headers, body: sent }));
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
  return text;
}
