// Contacts out of an address book that a third-party server keeps: put, changed and deleted there, found again here.

import { expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { findAddressBooks } from "../../src/contacts/address-books.ts";
import { webFor } from "../../src/contacts/guarded-fetch.ts";
import { trySource } from "../../src/contacts/try-out.ts";
import { inThisThread } from "../../src/readers/task.ts";
import { confirmRemovals, updateContactSource } from "../../src/store/contact-sources.ts";
import { openRequester, type Requester } from "../../src/webhooks/requester.ts";
import { card, startRadicale } from "../customer/radicale.ts";
import { openSourceDesk } from "../customer/source-desk.ts";
import { freshDatabase } from "../ground/database.ts";
import { shows } from "../ground/interop.ts";
import { secrets } from "../ground/secrets.ts";
import { whenOver } from "../ground/when-over.ts";

const { db } = await freshDatabase();
const radicale = await startRadicale();
const { username, password } = radicale;
const requester = openRequester({ clock: realClock, privateAllowed: true });
whenOver(async () => requester.close());

const ayse = ["N:Yılmaz;Ayşe;;;", "FN:Ayşe Yılmaz", "TEL;TYPE=CELL:+90 532 000 11 22"];

test(
  "a book is found by the server's address alone",
  shows("contacts: address books are found", "Radicale"),
  async () => {
    const book = await radicale.book("found");
    const web = webFor(requester, { url: radicale.url, username, password }, new AbortController().signal);
    const dav = { web, readers: inThisThread, how: { share: "", when: "now" } } as const;
    expect(await findAddressBooks(dav, radicale.url)).toEqual([{ url: book, name: "found" }]);
    expect(await findAddressBooks(dav, book)).toEqual([{ url: book, name: "found" }]);
  },
);

const kept = shows("contacts: kept as an address book has them", "Radicale");

test("cards that are put, changed and deleted there are contacts here", kept, async () => {
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

test("with several books one has to be chosen, and trying the source names them", async () => {
  const desk = await openSourceDesk(db, { requester });
  const chosen = await radicale.book("chosen");
  await radicale.put(chosen, "can.vcf", card("can", ["FN:Can Er", "TEL:0533 000 77 88", "CATEGORIES:Müşteriler"]));
  await radicale.put(chosen, "nobody.vcf", card("nobody", ["FN:Nur Su"]));
  const source = { kind: "carddav", url: radicale.url, username, password } as const;
  const id = await desk.add(source);
  expect(await desk.run(id)).toMatchObject({ failure: "several-address-books", contacts: 0 });
  const tried = { ...source, address_book: null, columns: [] };
  expect(await trySource({ requester, readers: inThisThread, share: "" }, tried)).toMatchObject({
    found: { entries: null, books: expect.arrayContaining([{ url: chosen, name: "chosen" }]), first: [] },
  });
  expect(
    await trySource({ requester, readers: inThisThread, share: "" }, { ...tried, address_book: chosen }),
  ).toMatchObject({
    found: {
      entries: 2,
      first: [{ fields: { name: "Can", surname: "Er", phone: "05330007788" }, groups: ["Müşteriler"] }],
      faults: [{ why: "no-phone", value: "Nur" }],
    },
  });
  const { exchangeId } = desk;
  const wanted = { exchangeId, name: "outside", changes: { address_book: chosen }, at: new Date() };
  await updateContactSource(db, secrets, wanted);
  expect(await desk.run(id)).toMatchObject({ failure: null, contacts: 1, unreadable: 1 });
});

test("a wrong password is told, and removes nobody; so does a book that is gone", async () => {
  const desk = await openSourceDesk(db, { requester });
  const url = await radicale.book("guarded");
  await radicale.put(url, "ayse.vcf", card("ayse", ayse));
  const id = await desk.add({ kind: "carddav", url, username, password });
  expect(await desk.run(id)).toMatchObject({ contacts: 1 });
  const change = { exchangeId: desk.exchangeId, name: "outside", at: new Date() };
  await updateContactSource(db, secrets, { ...change, changes: { password: "wrong" } });
  expect(await desk.run(id)).toMatchObject({ failure: "login-refused", contacts: 1 });
  await updateContactSource(db, secrets, { ...change, changes: { password, address_book: `${url}away/` } });
  expect(await desk.run(id)).toMatchObject({ failure: "not-there", contacts: 1 });
});

test("cards that go one after the other are removed; most of them at once only when somebody says so", async () => {
  const desk = await openSourceDesk(db, { requester });
  const url = await radicale.book("emptied");
  const id = await desk.add({ kind: "carddav", url, username, password });
  for (const n of [1, 2, 3, 4, 5])
    await radicale.put(url, `${n}.vcf`, card(`e${n}`, [`FN:Kişi ${n}`, `TEL:053200000${n}0`]));
  expect(await desk.run(id)).toMatchObject({ contacts: 5 });
  await radicale.remove(url, "1.vcf");
  expect(await desk.run(id)).toMatchObject({ contacts: 4, removed: 1 });
  for (const n of [2, 3, 4]) await radicale.remove(url, `${n}.vcf`);
  expect(await desk.run(id)).toMatchObject({ contacts: 4, heldRemovals: 3 });
  // What the server has told once it is asked for again, until somebody has decided.
  expect(await desk.run(id)).toMatchObject({ contacts: 4, heldRemovals: 3 });
  await confirmRemovals(db, { exchangeId: desk.exchangeId, name: "outside", at: new Date() });
  expect(await desk.run(id)).toMatchObject({ contacts: 1, heldRemovals: 0, removed: 3 });
});

test("a run that is cut off in the middle is taken up by the next one", async () => {
  const desk = await openSourceDesk(db, { requester });
  const url = await radicale.book("many");
  for (let n = 0; n < 60; n++)
    await radicale.put(url, `${n}.vcf`, card(`m${n}`, [`FN:Kişi ${n}`, `TEL:05320010${String(100 + n)}`]));
  const cut = new AbortController();
  let reports = 0;
  const cutting: Requester = {
    close: () => undefined,
    ask(address, request) {
      if (request.method === "REPORT" && ++reports === 2) cut.abort();
      return requester.ask(address, request);
    },
  };
  const halfway = await openSourceDesk(db, { requester: cutting, exchangeId: desk.exchangeId });
  const id = await desk.add({ kind: "carddav", url, username, password });
  expect(await halfway.run(id, cut.signal)).toMatchObject({ contacts: 50, lastRunAt: null, failure: null });
  expect(await desk.run(id)).toMatchObject({ contacts: 60, added: 10, changed: 0 });
});
