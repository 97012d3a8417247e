// Two exchanges, each a server of its own with a trunk to the other: a fax ordered at one is read at the other.

import { beforeAll, expect, test } from "vitest";
import { encodeG4 } from "../../src/media/fax/g4.ts";
import { writeTiff } from "../../src/media/fax/tiff.ts";
import { type DrawnPage, drawPages } from "../fax/drawn-pages.ts";
import { renderedDifferences } from "../fax/rendered.ts";
import { eventually } from "./eventually.ts";
import { type RealTown, realTown } from "./real-town.ts";

const SENDER_ADDRESS = "127.0.0.2";
const RECEIVER_ADDRESS = "127.0.0.1";
const FAX_NUMBER = "908505324444";
/** More pages take longer, and show no more: for those who want to see it. */
const PAGES = Number(process.env.SANTRAL_TEST_FAX_PAGES ?? 3);
const PATIENCE = 120 + PAGES * 10;

type FaxRecord = Record<"direction" | "pages_count" | "result" | "call_uuid" | "original_destination", string> & {
  transfer_rate: number;
  duration: number;
  success: boolean;
};

let sender: RealTown;
let receiver: RealTown;

beforeAll(async () => {
  [sender, receiver] = await Promise.all([realTown({ SANTRAL_SIP: `${SENDER_ADDRESS}:0` }), realTown()]);
  await Promise.all([
    joinTo(sender, { town: receiver, address: RECEIVER_ADDRESS }),
    joinTo(receiver, { town: sender, address: SENDER_ADDRESS }),
    receiver.command("number", "create", FAX_NUMBER, "fax"),
  ]);
});

async function joinTo(town: RealTown, other: { town: RealTown; address: string }): Promise<void> {
  const port = other.town.santral.run.sip?.split(":")[1];
  const reach = [`port=${port}`, `source-addresses=${other.address}`, "health-check=no"];
  await town.command("trunk", "create", "other", other.address, ...reach);
  await town.trunkIsUp("other");
}

async function lastRecord(town: RealTown): Promise<FaxRecord | undefined> {
  const { fdrs } = JSON.parse(await town.ask("/fdrs")) as { fdrs: FaxRecord[] };
  return fdrs[0];
}

async function documentOf(town: RealTown, callUuid: string): Promise<Buffer> {
  const answer = await fetch(await town.post("/fax_document_url", { call_uuid: callUuid }));
  expect(answer.headers.get("content-type")).toBe("application/pdf");
  return Buffer.from(await answer.arrayBuffer());
}

test("both have the same to say of it, and the pages are the same", { timeout: PATIENCE * 2_000 }, async () => {
  const pages: DrawnPage[] = drawPages(PAGES);
  const tiff = writeTiff(pages.map((page) => ({ ...page, across: 204, g4: encodeG4(page) })));
  const filedata = `data:image/tiff;base64,${tiff.toString("base64url")}`;
  await sender.post("/fax_orders", {
    remote_station_id: FAX_NUMBER,
    local_station_header: "Gönderen Şirketi",
    filedata,
  });
  const sent = await eventually("the sender has a record", () => lastRecord(sender), PATIENCE);
  const received = await eventually("the receiver has a record", () => lastRecord(receiver));
  const same = { pages_count: `${PAGES} / ${PAGES}`, transfer_rate: 14400, success: true, result: "Başarılı" };
  expect(sent).toMatchObject({ ...same, direction: "Giden", original_destination: FAX_NUMBER });
  expect(received).toMatchObject({ ...same, direction: "Gelen", original_destination: FAX_NUMBER });
  expect(Math.abs(sent.duration - received.duration)).toBeLessThanOrEqual(3);
  const documents = await Promise.all([documentOf(sender, sent.call_uuid), documentOf(receiver, received.call_uuid)]);
  for (const pdf of documents) expect(await renderedDifferences(pdf, pages)).toEqual(pages.map(() => 0));
});
