// A fax machine dials a number where a voice answers: it is heard for what it is, and gets its pages through.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { CARRIER_ADDRESS } from "../carriers/carrier.ts";
import { drawPages, writePages } from "../fax/drawn-pages.ts";
import { buildOffice, type OfficeProcess, startOffice } from "../fax/office-process.ts";
import { whenOver } from "../ground/when-over.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

const OWN_NUMBER = "908505321111";
const GREETING = "Hoş geldiniz, lütfen bekleyin, sizi en kısa sürede bir arkadaşımıza bağlayacağız. ".repeat(5);

let town: RealTown;
let caller: OfficeProcess;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "santral-fax-tone-"));
  whenOver(() => rm(folder, { recursive: true, force: true }));
  town = await realTown();
  const program = await buildOffice();
  caller = await startOffice(program, CARRIER_ADDRESS);
  whenOver(async () => {
    await caller.close();
    await rm(program, { force: true });
  });
  const reach = [`port=${caller.door.port}`, `source-addresses=${CARRIER_ADDRESS}`, "health-check=no"];
  await town.command("trunk", "create", "carrier", CARRIER_ADDRESS, ...reach);
  await town.trunkIsUp("carrier");
  await town.command("number", "create", OWN_NUMBER, `tts/tr-TR/${GREETING}`, "fax-target=fax");
});

test("its tone is heard while the voice speaks, and the fax is taken", { timeout: 300_000 }, async () => {
  const [host = "", port] = (town.santral.run.sip ?? "").split(":");
  const tiff = await writePages(join(folder, "sent.tif"), drawPages(1));
  const { result } = await caller.send({
    to: { host, port: Number(port) },
    dial: OWN_NUMBER,
    wanted: { role: "send", pages: { tiff }, stationId: "+905321234567" },
  });
  expect(result).toMatchObject({ ok: true, pages: 1, t38: true });
});
