// Contacts out of an address book that a third-party server keeps: put, changed and deleted there, found again here.

import { expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { findAddressBooks } from "../../src/contacts/address-books.ts";
import { webFor } from "../../src/contacts/guarded-fetch.ts";
import { openRequester } from "../../src/webhooks/requester.ts";
import { card, startRadicale } from "../customer/radicale.ts";
import { openSourceDesk } from "../customer/source-desk.ts";
import { freshDatabase } from "../ground/database.ts";
import { whenOver } from "../ground/when-over.ts";

const { db } = await freshDatabase();
const radicale = await startRadicale();
const { username, password } = radicale;
const requester = openRequester({ clock: realClock, privateAllowed: true });
whenOver(async () => requester.close());

const ayse = ["N:Yılmaz;Ayşe;;;", "FN:Ayşe Yılmaz", "TEL;TYPE=CELL:+90 532 000 11 22"];

test("a book is found by the server's address alone", async () => {
  const book = await radicale.book("found");
  const web = webFor(requester, { url: radicale.url, username, password }, new AbortController().signal);
  expect(await findAddressBooks(web, radicale.url)).toEqual([{ url: book, name: "found" }]);
  expect(await findAddressBooks(web, book)).toEqual([{ url: book, name: "found" }]);
});

test("cards that are put, changed and deleted there are contacts here", async () => {
  const desk = await openSourceDesk(db, { requester });
  const url = await radicale.book("people");
  const id = await desk.add({ kind: "carddav", url, username, password });
  await radicale.put(url, "ayse.vcf", card("ayse", ayse));
  await radicale.put(url, "veli.vcf", card("veli", ["FN:Veli Ak", "TEL;TYPE=WORK:0212 000 33 44"]));
  await radicale.put(url, "mail.vcf", card("mail", ["FN:Nur Su", "EMAIL:nur@example.com"]));
  expect(await desk.run(id)).toMatchObject({
    failure: null,
    added: 2,
    changed: 0,
    removed: 0,
    contacts: 2,
    unreadable: 1,
  });
  expect(await desk.people()).toEqual(["Ayşe Yılmaz 05320001122", "Veli Ak 02120003344"]);
  expect(await desk.run(id)).toMatchObject({ added: 0, changed: 0, removed: 0 });
  await radicale.put(url, "ayse.vcf", card("ayse", [...ayse, "TEL;TYPE=HOME:0312 000 55 66"]));
  await radicale.put(url, "can.vcf", card("can", ["FN:Can Er", "TEL:0533 000 77 88"]));
  await radicale.remove(url, "veli.vcf");
  expect(await desk.run(id)).toMatchObject({ added: 1, changed: 1, removed: 1, heldRemovals: 0 });
  expect(await desk.people()).toEqual(["Ayşe Yılmaz 05320001122 03120005566", "Can Er 05330007788"]);
});
