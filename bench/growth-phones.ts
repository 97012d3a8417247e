// Many phones on one node: node bench/run.mjs bench/growth-phones.ts [phones]
//
// What each registered phone takes of memory, and what a registration costs with few and with many of them there. The
// server is on one core, the phones on the other; every binding is committed before its 200.

import { figure } from "./figure.ts";
import { openPhones } from "./idle-phones.ts";
import { startPinned } from "./pinned.ts";
import { serveRegistrar } from "./registrar-server.ts";
import { freePort, GENERATOR_CORE, SERVER_CORE } from "./two-cores.ts";

const USUAL = 10_000;
const A_SECOND = 1_000;

if (process.argv[2] === "serve") await serveRegistrar(Number(process.argv[3]), Number(process.argv[4]));
else if (process.argv[2] === "pinned") {
  const most = Number(process.argv[3] ?? USUAL);
  const few = await measure(most / 10);
  const many = await measure(most);
  const beside = { yardstick: "the same with a tenth of the phones", ratio: many.cpuMs / few.cpuMs };
  const common = { better: "less" as const, with: `${most} phones, digest, every binding committed` };
  figure({ name: `registration-of-${most}`, value: many.cpuMs, unit: "ms", ...beside, ...common });
  figure({ name: `memory-a-phone-of-${most}`, value: many.phoneMb, unit: "MB", ...common });
} else await startPinned(GENERATOR_CORE, ["pinned", ...process.argv.slice(2)]).ended;

async function measure(total: number): Promise<{ cpuMs: number; phoneMb: number }> {
  const port = await freePort();
  const server = startPinned(SERVER_CORE, ["serve", String(port), String(total)]);
  await server.line();
  const phones = await openPhones(total, port);
  const empty = await server.report();
  await phones.register(A_SECOND);
  const before = await server.report();
  await phones.register(A_SECOND);
  const after = await server.report();
  const counts = phones.counts();
  phones.close();
  await server.stop();
  const spent = after.serverCpuMs + after.databaseCpuMs - before.serverCpuMs - before.databaseCpuMs;
  const [cpuMs, phoneMb] = [spent / total, (before.heapMb - empty.heapMb) / total];
  console.log(
    `${total} phones: ${(cpuMs * 1_000).toFixed(0)} us CPU a refresh, ${(phoneMb * 1_000).toFixed(1)} kB of heap a phone, ` +
      `${after.rssMb.toFixed(0)} MB resident, ${after.more.stored} stored; ${JSON.stringify(counts)}`,
  );
  return { cpuMs, phoneMb };
}
