import { expect, test } from "vitest";
import { openContactFiles } from "../../../test/customer/contact-files.ts";
import { openSourceDesk } from "../../../test/customer/source-desk.ts";
import { secrets } from "../../../test/ground/secrets.ts";
import { whenOver } from "../../../test/ground/when-over.ts";
import { consoleTown } from "../../../test/town/console-town.ts";
import { realClock } from "../../clock.ts";
import { listAuditLines } from "../../store/audit.ts";
import { openRequester } from "../../webhooks/requester.ts";
import type { Running } from "./operation/operation.ts";

const requester = openRequester({ clock: realClock, privateAllowed: true });
whenOver(async () => requester.close());
const running = { requester } as Running; // nothing else of it is asked here
const { db, ours, member } = await consoleTown({ console: { from: [], pages: undefined, running, secrets } });
const files = await openContactFiles();
const boss = await member("administrator");
const page = { page: 1, limit: 10, about: "", groupId: null };

test("a source is tried, added, read, looked at, confirmed and removed", async () => {
  const url = files.serveFile("/a.csv", "Cep No,ad,grup,Boy\n05320001122,Ayşe,VIP,170\nyok,Ali,,\n");
  const wanted = {
    name: "sheet",
    kind: "file",
    url,
    changes: { columns: ["phone:Cep No"], password: "gizli-96" },
  } as const;
  expect(await boss.ask("contactSources.try", { ...wanted, changes: {} })).toEqual({
    failure: { kind: "no-phone-column", about: "Cep No, ad, grup, Boy" },
  });
  expect(await boss.ask("contactSources.try", wanted)).toMatchObject({
    found: {
      entries: 2,
      columns: [
        { column: "Cep No", field: "phone" },
        { column: "ad", field: "name" },
        { column: "grup", field: "group" },
        { column: "Boy", field: null },
      ],
      first: [{ fields: { name: "Ayşe", phone: "05320001122" }, groups: ["VIP"] }],
      faults: [{ why: "bad-phone", value: "yok" }],
    },
  });
  expect(files.asked.at(-1)).toMatchObject({ login: "Bearer gizli-96" });
  await boss.ask("contactSources.create", wanted);
  expect(await boss.refused("contactSources.create", wanted)).toMatchObject({ refused: "name-taken" });
  // Tried from its form a source has the password that is kept.
  await boss.ask("contactSources.try", { ...wanted, changes: { columns: ["phone:Cep No"] } });
  expect(files.asked.at(-1)).toMatchObject({ login: "Bearer gizli-96" });
  const desk = await openSourceDesk(db, { exchangeId: ours.id });
  const [source] = await boss.ask("contactSources.list", {});
  expect(source).toMatchObject({ name: "sheet", has_password: true, contacts: 0, lastRunAt: null });
  await desk.run(source?.id ?? 0);
  expect(await boss.ask("contactSources.faults", { name: "sheet" })).toEqual([
    { foreignId: "row 3", why: "bad-phone", value: "yok" },
  ]);
  const [ayse] = (await boss.ask("contacts.list", { ...page, about: "Ayşe" })).rows;
  expect(ayse).toMatchObject({ source: "sheet", phone: "05320001122" });
  const change = { id: ayse?.id ?? 0, changes: { name: "x" } };
  expect(await boss.refused("contacts.update", change)).toMatchObject({ refused: "external-contacts" });
  expect(await boss.refused("contacts.delete", { id: change.id })).toMatchObject({ refused: "external-contacts" });
  files.serveFile("/a.csv", "Cep No,ad\n");
  await boss.ask("contactSources.run", { name: "sheet" });
  await desk.run(source?.id ?? 0);
  expect(await boss.ask("contactSources.list", {})).toMatchObject([{ heldRemovals: 1, contacts: 1 }]);
  await boss.ask("contactSources.confirm", { name: "sheet" });
  await desk.run(source?.id ?? 0);
  expect(await boss.ask("contactSources.list", {})).toMatchObject([{ heldRemovals: 0, contacts: 0 }]);
  await boss.ask("contactSources.delete", { name: "sheet", keeps: false });
  expect(await boss.ask("contactSources.list", {})).toEqual([]);
  const trail = JSON.stringify(await listAuditLines(db, ours.id, {}));
  expect(trail).toContain("contactSources.confirm");
  expect(trail).not.toContain("gizli-96");
});

test("what cannot be a source is refused, and who may not set one up", async () => {
  const wanted = { name: "x", kind: "file", url: "https://example.com/a.csv", changes: {} } as const;
  const badly = { ...wanted, changes: { columns: ["telephone:Cep"] } };
  expect(await boss.refused("contactSources.create", badly)).toMatchObject({ refused: "invalid", field: "columns" });
  expect(await boss.refused("contactSources.create", { ...wanted, url: "ftp://example.com" })).toMatchObject({
    refused: "invalid",
    field: "url",
  });
  expect(await boss.refused("contactSources.run", { name: "nobody" })).toMatchObject({ refused: "not-found" });
  const worker = await member("standard");
  expect(await worker.refused("contactSources.create", wanted)).toMatchObject({ refused: "not-your-role" });
  expect(await worker.refused("contactSources.try", wanted)).toMatchObject({ refused: "not-your-role" });
});
