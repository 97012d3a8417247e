// Address book servers that answer with what nobody in good faith would: tried from the console of a whole server, whose
// first thread is watched.

import { beforeAll, expect, test, vi } from "vitest";
import { type ContactFiles, openContactFiles } from "../customer/contact-files.ts";
import { childrenOf } from "../ground/children.ts";
import { eventually } from "../ground/eventually.ts";
import { seeded } from "../sip/sip-mutator.ts";
import { type Visitor, visitorAt } from "../town/console-town.ts";
import { type RealTown, realTown } from "../town/real-town.ts";
import { floodOf, mistakesIn, SEED } from "./flood.ts";
import { spoiltText } from "./spoilt-files.ts";
import { threadsOf } from "./threads-of.ts";
import { expectShort, turnWatch } from "./watched-server.ts";

const COUNT = floodOf(15);
const isLong = process.env.SANTRAL_FUZZ !== undefined;
/** It is left to the long form. */
const DEAREST = "a list without an end";
vi.setConfig({ testTimeout: 120_000 + COUNT * 2_000, hookTimeout: 240_000 });

const BOSS = { email: "boss@example.com", password: "kept by nobody but me" };
const MEBIBYTE = 1024 * 1024;
const watch = turnWatch();
let town: RealTown;
let visitor: Visitor;
let web: ContactFiles;
let paths = 0;

beforeAll(async () => {
  town = await realTown({ ...watch.env, SANTRAL_PRIVATE_WEBHOOKS: "on" });
  await town.command("staff", "create", BOSS.email, "Patron", "--role", "administrator", "--password", BOSS.password);
  visitor = visitorAt(`http://${town.santral.run.http}`);
  expect((await visitor.signIn(BOSS)).status).toBe(200);
  web = await openContactFiles();
});

const NAMES = 'xmlns:d="DAV:" xmlns:card="urn:ietf:params:xml:ns:carddav" xmlns:cs="http://calendarserver.org/ns/"';
const multistatus = (inside: string) => `<?xml version="1.0"?><d:multistatus ${NAMES}>${inside}</d:multistatus>`;
const response = (href: string, prop: string, status = "200 OK") =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${prop}</d:prop><d:status>HTTP/1.1 ${status}</d:status></d:propstat></d:response>`;
const card = (name: string, phone: string) =>
  `BEGIN:VCARD&#13;\nVERSION:3.0&#13;\nFN:${name}&#13;\nTEL;TYPE=CELL:${phone}&#13;\nEND:VCARD&#13;\n`;

type Book = { itself: string; list: string; cards: string };

/** What a good server says of its book, of what is in it, and of the cards that are asked for. */
function goodBook(path: string): Book {
  const kinds = "<d:resourcetype><d:collection/><card:addressbook/></d:resourcetype>";
  const own = response(path, `${kinds}<d:displayname>Kişiler</d:displayname><d:sync-token>7</d:sync-token>`);
  const tags = ["a", "b"].map((it) => response(`${path}${it}.vcf`, `<d:getetag>"${it}"</d:getetag>`));
  const data = [card("Ayşe Yılmaz", "05320001122"), card("Veli Ak", "05320003344")];
  const cards = data.map((text, at) =>
    response(
      `${path}${"ab"[at]}.vcf`,
      `<d:getetag>"${"ab"[at]}"</d:getetag><card:address-data>${text}</card:address-data>`,
    ),
  );
  return { itself: multistatus(own), list: multistatus(own + tags.join("")), cards: multistatus(cards.join("")) };
}

/** What trying it finds; `change` says what is answered in the place of the good book. */
async function tried(change: (book: Book) => Partial<Book>): Promise<unknown> {
  const path = `/books/${paths++}/`;
  const good = goodBook(path);
  const said = { ...good, ...change(good) };
  const url = web.serve(path, (request, answer) => {
    const what = request.method === "REPORT" ? "cards" : request.headers.depth === "1" ? "list" : "itself";
    answer.writeHead(207, { "content-type": "text/xml" }).end(said[what]);
  });
  const reply = await visitor.post("/console/api/contactSources.try", { name: "x", kind: "carddav", url, changes: {} });
  const text = await reply.text();
  expect(reply.status, text).toBe(200);
  return JSON.parse(text);
}

const turns = () => watch.turnsOf(town.santral.child);

test("a good book is found, with the people in it", async () => {
  expect(await tried(() => ({}))).toMatchObject({
    found: {
      books: [{ name: "Kişiler" }],
      entries: 2,
      first: [{ fields: { name: "Ayşe", surname: "Yılmaz", phone: "05320001122" } }, { fields: { name: "Veli" } }],
    },
  });
});

const refused = (...kinds: string[]) => ({
  failure: { kind: expect.stringMatching(new RegExp(`^(${kinds.join("|")})$`)) },
});
const bad = refused("bad-answer", "no-address-book", "cut-off", "too-long");
const fill = (text: string, mebibytes: number) => text.repeat(Math.ceil((mebibytes * MEBIBYTE) / text.length));

const monsters: [what: string, change: (book: Book) => Partial<Book>, comes: unknown][] = [
  ["a megabyte of brackets", () => ({ itself: multistatus(fill("<", 1)) }), refused("too-long")],
  ["elements in elements", () => ({ itself: multistatus(fill("<a>", 0.2)) }), bad],
  ["an element that ends and ends", () => ({ itself: multistatus(fill("</a>", 0.1)) }), bad],
  ["attributes", () => ({ itself: multistatus(`<a ${fill('b="" ', 4)}/>`) }), bad],
  [
    "a name of eight megabytes",
    ({ itself }) => ({ itself: itself.replace("Kişiler", fill("x", 8)) }),
    { found: { entries: 2 } },
  ],
  [
    "entities in entities",
    ({ itself }) => ({ itself: `<!DOCTYPE a [<!ENTITY b "&b;&b;">]>${itself.replace("Kişiler", "&b;")}` }),
    expect.anything(),
  ],
  [
    "a list of nothing",
    ({ itself }) => ({ itself, list: multistatus(fill("<d:response/>", 2)) }),
    { found: { entries: 0 } },
  ],
  [
    DEAREST,
    () => ({
      list: multistatus(
        Array.from({ length: 101_000 }, (_, at) => response(`/${at}`, "<d:getetag>1</d:getetag>")).join(""),
      ),
    }),
    refused("too-many", "too-long"),
  ],
  ["more than anybody reads", () => ({ list: fill("x", 65) }), refused("too-long")],
  [
    "a card that is folded for ever",
    ({ cards }) => ({ cards: cards.replace("VERSION:3.0", `NOTE:x${fill("&#13;\n x", 2)}`) }),
    { found: { entries: 2 } },
  ],
  [
    "a card in a card in a card",
    ({ cards }) => ({ cards: cards.replace("VERSION:3.0", fill("BEGIN:VCARD\n", 4)) }),
    { found: { entries: 2 } },
  ],
  [
    "cards that nobody asked for",
    ({ cards }) => ({ cards: cards.replaceAll(/\/books/g, "/other") }),
    refused("cut-off"),
  ],
  ["names of the language", () => ({ itself: multistatus("<__proto__><constructor/></__proto__><toString/>") }), bad],
  ["no XML at all", () => ({ itself: "\u0000\u0001\u0002" }), bad],
];

test("answers that are made to take for ever keep no call waiting, and say why they were not read", async () => {
  await turns();
  const all: number[] = [];
  for (const [what, change, comes] of monsters.filter(([what]) => isLong || what !== DEAREST)) {
    const found = await tried(change);
    expect({ what, found }).toMatchObject({ what, found: comes });
    const took = await turns();
    expect({ what, longest: took.at(-1) ?? 0 }).toEqual({ what, longest: expect.toSatisfy((it: number) => it < 100) });
    all.push(...took);
  }
  expectShort(all.sort((one, other) => one - other));
});

test(`${COUNT} spoilt answers are read or refused, none of them through a mistake of ours, and nothing stays`, async () => {
  const before = { threads: threadsOf(town.santral.run.pid), children: childrenOf(town.santral.run.pid).length };
  await turns();
  for (let at = 0; at < COUNT; at++) {
    const random = seeded(Math.imul(SEED + at, 0x9e3779b1));
    const spoil = (text: string) => (random() < 0.4 ? spoiltText(text, random) : text);
    const found = await tried(({ itself, list, cards }) => ({
      itself: spoil(itself),
      list: spoil(list),
      cards: spoil(cards),
    }));
    expect(found, `seed ${SEED + at}: ${JSON.stringify(found)}`).not.toMatchObject({ failure: { kind: "broken" } });
  }
  expectShort(await turns());
  expect(mistakesIn(town.santral.output())).toEqual([]);
  await eventually("its threads and children are those from before", async () => {
    const { pid } = town.santral.run;
    return threadsOf(pid) <= before.threads && childrenOf(pid).length <= before.children;
  });
});
