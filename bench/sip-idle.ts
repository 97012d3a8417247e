// What it costs to keep phones registered: node bench/run.mjs bench/sip-idle.ts [phones]
//
// So many phones refresh every 60 seconds with digest, bindings written to the database. The server is on one core, the
// phones on the other.

import { openPhones } from "./idle-phones.ts";
import { startPinned } from "./pinned.ts";
import { serveRegistrar } from "./registrar-server.ts";
import { freePort, GENERATOR_CORE, SERVER_CORE } from "./two-cores.ts";

const EVERY_SECONDS = 60;
const ROUNDS = 2;

if (process.argv[2] === "serve") await serveRegistrar(Number(process.argv[3]), Number(process.argv[4]));
else if (process.argv[2] === "pinned") await drive(Number(process.argv[3] ?? 10_000));
else await startPinned(GENERATOR_CORE, ["pinned", ...process.argv.slice(2)]).ended;

async function drive(total: number): Promise<void> {
  const port = await freePort();
  const server = startPinned(SERVER_CORE, ["serve", String(port), String(total)]);
  await server.line();
  const phones = await openPhones(total, port);
  await phones.register(500);
  console.log(`${total} phones registered: ${JSON.stringify(phones.counts())}`);
  for (let round = 1; round <= ROUNDS; round++) {
    const before = await server.report();
    const countsBefore = phones.counts();
    const began = performance.now();
    await phones.register(total / EVERY_SECONDS);
    const seconds = (performance.now() - began) / 1_000;
    const after = await server.report();
    const counts = phones.counts();
    const cores = (from: number, to: number) => ((to - from) / 1_000 / seconds).toFixed(3);
    console.log(
      `round ${round}: ${counts.accepted - countsBefore.accepted} of ${total} refreshed in ${seconds.toFixed(0)} s, ` +
        `${counts.challenged - countsBefore.challenged} challenged, ${counts.refused - countsBefore.refused} refused; ` +
        `${cores(before.serverCpuMs, after.serverCpuMs)} core, database ${cores(before.databaseCpuMs, after.databaseCpuMs)} core, ` +
        `${after.rssMb.toFixed(0)} MB resident, ${after.heapMb.toFixed(0)} MB heap, ${after.more.stored} stored`,
    );
  }
  phones.close();
  await server.stop();
}
