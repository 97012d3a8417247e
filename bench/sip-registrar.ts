// Registrations on one core: node bench/run.mjs bench/sip-registrar.ts [registrations/s ...]
//
// 401 and 200 with digest from SIPp on the other core, every binding committed to the database before its 200. Server
// and database share the one core. Kamailio's registrar, in memory only, is the yardstick of the same run.

import { runSipp, type SippResult } from "../test/carriers/sipp.ts";
import { account, registerScenario } from "../test/carriers/sipp-phones.ts";
import { hasKamailio, startKamailio } from "./kamailio-registrar.ts";
import { startPinned } from "./pinned.ts";
import { DOMAIN, FIRST_USER, passwordOf, serveRegistrar } from "./registrar-server.ts";
import { freePort, GENERATOR_CORE, pinned, SERVER_CORE } from "./two-cores.ts";

const SECONDS = 8;
const USERS = 10_000;
const RATES = [1_000, 2_000, 3_800, 4_500];

if (process.argv[2] === "serve") await serveRegistrar(Number(process.argv[3]), USERS);
else await drive(process.argv.slice(2).map(Number));

async function drive(rates: number[]): Promise<void> {
  console.log("FreeSWITCH on one core of this machine type: about 400 digest registrations/s clean");
  if (hasKamailio) await yardstick(rates);
  else console.log("kamailio is not installed: no yardstick");
  await ours(rates);
}

async function yardstick(rates: number[]): Promise<void> {
  const port = await freePort();
  const server = await startKamailio(port, DOMAIN, SERVER_CORE);
  for (const rate of rates.length > 0 ? rates : RATES) {
    const before = server.cpuMs();
    const result = await register(port, rate);
    say("Kamailio, in memory", rate, result, { server: server.cpuMs() - before, database: 0 });
  }
  await server.stop();
}

async function ours(rates: number[]): Promise<void> {
  const port = await freePort();
  const server = startPinned(SERVER_CORE, ["serve", String(port)]);
  await server.line();
  await register(port, 500);
  for (const rate of rates.length > 0 ? rates : RATES) {
    const before = await server.report();
    const result = await register(port, rate);
    const after = await server.report();
    const database = after.databaseCpuMs - before.databaseCpuMs;
    say("Santral, committed", rate, result, { server: after.serverCpuMs - before.serverCpuMs, database });
    const { contacts, stored, repeats, loopP50Ms, loopP99Ms, loopMaxMs } = after.more;
    console.log(
      `  ${contacts} contacts, ${stored} stored, ${repeats! - before.more.repeats!} repeated requests, ${after.rssMb.toFixed(0)} MB resident, event loop ${loopP50Ms?.toFixed(0)}/${loopP99Ms?.toFixed(0)}/${loopMaxMs?.toFixed(0)} ms late (median, p99, most)`,
    );
  }
  await server.stop();
}

function register(port: number, rate: number): Promise<SippResult> {
  const accounts = Array.from({ length: USERS }, (_, index) =>
    account(String(FIRST_USER + index), passwordOf(FIRST_USER + index)),
  );
  const scenario = registerScenario({ domain: DOMAIN, contactHost: "127.0.0.1:5999" });
  return runSipp({
    scenario,
    accounts,
    server: `127.0.0.1:${port}`,
    calls: rate * SECONDS,
    rate,
    launch: (words, options) => pinned(GENERATOR_CORE, words, options),
  });
}

function say(who: string, rate: number, result: SippResult, cpuMs: { server: number; database: number }): void {
  const { done, failed, retransmissions, seconds } = result;
  const each = ((cpuMs.server + cpuMs.database) * 1_000) / done;
  const split =
    cpuMs.database > 0
      ? ` (${((cpuMs.database / (cpuMs.server + cpuMs.database)) * 100).toFixed(0)} % of it the database)`
      : "";
  console.log(
    `${who}: ${rate}/s asked, ${(done / seconds).toFixed(0)}/s done, ${failed} failed, ${retransmissions} resent, ` +
      `${((cpuMs.server + cpuMs.database) / seconds / 1_000).toFixed(2)} core${split}, ${each.toFixed(0)} us each = ` +
      `${(1e6 / each).toFixed(0)}/s a core, ${(1e6 / each / 400).toFixed(1)} times FreeSWITCH`,
  );
}
