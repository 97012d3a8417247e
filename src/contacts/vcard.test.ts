import { expect, test } from "vitest";
import { contactOnCard, uidOn } from "./card-contact.ts";
import { partsOf, readCards } from "./vcard.ts";

const written = (...lines: string[]) => ["BEGIN:VCARD", ...lines, "END:VCARD", ""].join("\r\n");
const person = (...lines: string[]) => {
  const [card] = readCards(written(...lines));
  return card ? contactOnCard(card) : undefined;
};

test("a card of version 3.0 as Nextcloud writes it", () => {
  const told = person(
    "VERSION:3.0",
    "PRODID:-//Sabre//Sabre VObject 4.5.4//EN",
    "UID:3f0a",
    "FN:Dr. Ayşe Nur Yılmaz",
    "N:Yılmaz;Ayşe;Nur;Dr.;",
    'item1.TEL;TYPE="WORK,VOICE":0212 000 33 44',
    "TEL;TYPE=CELL,pref:+90 (532) 000 11 22",
    "TEL;TYPE=fax:0212 000 33 45",
    "TEL;TYPE=HOME:0312-000-55-66",
    "EMAIL;TYPE=HOME:ayse@example.com",
    "ORG:Deneme A.Ş.;Satış",
    "TITLE:Müdür",
    "BDAY:19850412",
    "ADR;TYPE=HOME:;;Atatürk Cad. 1\\, Kat 2;Ankara;;06000;Türkiye",
    "CATEGORIES:Müşteriler,Ankara\\, merkez",
    "NOTE:birinci satır\\nikinci satır\\; sonu",
    "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ",
    " SkZJRgABAQ",
  );
  expect(told).toEqual({
    fields: {
      salutation: "Dr.",
      name: "Ayşe Nur",
      surname: "Yılmaz",
      phone: "05320001122",
      phone1: "02120003344",
      phone2: "03120005566",
      fax: "02120003345",
      email: "ayse@example.com",
      company_name: "Deneme A.Ş.",
      title: "Müdür",
      birthday: "1985-04-12",
      birthday_sms: false,
      weddingday_sms: false,
      monthly_sms_day: null,
      monthly_sms_message: null,
      address: "Atatürk Cad. 1, Kat 2, Ankara, 06000, Türkiye",
      note1: "birinci satır\nikinci satır; sonu",
    },
    groups: ["Müşteriler", "Ankara, merkez"],
  });
});

test("a card of version 4.0: telephone numbers as addresses, preferences as numbers, a gender", () => {
  const told = person(
    "VERSION:4.0",
    "N:Öz;Can;;;",
    'TEL;VALUE=uri;PREF=2;TYPE="voice,cell":tel:+49-170-1234567',
    'TEL;VALUE=uri;PREF=1;TYPE="cell":tel:+90-533-000-22-33;ext=12',
    "GENDER:M;he",
    "BDAY:--0412",
    "ANNIVERSARY:2010-06-05T00:00:00Z",
  );
  expect(told).toMatchObject({
    fields: { phone: "05330002233", phone1: "00491701234567", gender: "m", weddingday: "2010-06-05" },
  });
  expect(told).not.toHaveProperty("fields.birthday");
});

test("a card of version 2.1: bare types, quoted-printable over several lines, an old code page", () => {
  const told = person(
    "VERSION:2.1",
    "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C5=9Eahin;=C3=96zg=C3=BCr;;;",
    "TEL;CELL;VOICE:05340003344",
    "NOTE;CHARSET=ISO-8859-9;QUOTED-PRINTABLE:uzun bir not =FE=",
    "=FD=F0 ve sonu",
  );
  expect(told).toMatchObject({
    fields: { name: "Özgür", surname: "Şahin", phone: "05340003344", note1: "uzun bir not şığ ve sonu" },
  });
});

test("lines are unfolded wherever they were cut, in a word or between two", () => {
  expect(person("FN:Ali", " ", "  Veli Ka", "\tya", "TEL:0535", " 0004455")).toMatchObject({
    fields: { name: "Ali Veli", surname: "Kaya", phone: "05350004455" },
  });
});

test("who has no name is called as he can be: by his company or his address", () => {
  expect(person("ORG:Kargo Ltd.;", "TEL:4440000")).toMatchObject({ fields: { name: "Kargo Ltd.", surname: "" } });
  expect(person("N:;;;;", "EMAIL:info@example.com", "TEL:4440000")).toMatchObject({
    fields: { name: "info@example.com" },
  });
  expect(person("N:;;;;", "FN:Kargo", "ORG:Kargo Ltd.", "X-ABShowAs:COMPANY", "TEL:4440000")).toMatchObject({
    fields: { name: "Kargo Ltd." },
  });
});

test("what cannot be a contact says why", () => {
  expect(person("FN:Ayşe", "EMAIL:a@example.com")).toEqual({ why: "no-phone", value: "Ayşe" });
  expect(person("FN:Ayşe", "TEL:ara beni")).toEqual({ why: "bad-phone", value: "ara beni" });
  expect(person("TEL:05320001122")).toEqual({ why: "no-name", value: "05320001122" });
  expect(person("KIND:group", "FN:Hepsi", "TEL:05320001122")).toEqual({ why: "a-group", value: "Hepsi" });
});

test("several cards stand in one text, and one that does not end is none", () => {
  const text = `${written("UID:1", "FN:A")}rubbish\r\n${written("UID:2", "FN:B")}BEGIN:VCARD\nUID:3\nFN:C`;
  expect([...readCards(text)].map(uidOn)).toEqual(["1", "2"]);
});

test("parts of a value end at marks that are not escaped", () => {
  expect(partsOf("a\\;b;c\\\\;d\\,e;\\n", ";")).toEqual(["a;b", "c\\", "d,e", ""]);
  expect(partsOf("", ";")).toEqual([""]);
});

/** The same numbers for everybody. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test("whatever happens to a card on its way, it is read to its end, and what is kept is what a contact may hold", () => {
  const whole = written(
    "VERSION:3.0",
    "UID:x",
    "N:Soyad;Ad;;;",
    'item2.TEL;TYPE="cell,pref":+905320001122',
    "NOTE;ENCODING=QUOTED-PRINTABLE:a=20b=",
    "c",
    "BDAY:1985-02-29",
    "CATEGORIES:x,y",
  );
  const random = randomFrom(20_261_116);
  const bits = [
    "\u0000",
    "\r\n ",
    "\\",
    '"',
    ";",
    ":",
    ",",
    "=",
    "=ZZ",
    "\ud800",
    "\ufeff",
    "BEGIN:VCARD\r\n",
    "^n",
    "é",
  ];
  for (let round = 0; round < 3_000; round++) {
    let text = whole;
    for (let changes = random(6); changes >= 0; changes--) {
      const at = random(text.length + 1);
      const bit = bits[random(bits.length)] ?? "";
      text = text.slice(0, at) + bit.repeat(random(3)) + text.slice(at + random(10));
    }
    for (const card of readCards(text)) {
      const told = contactOnCard(card);
      const kept = JSON.stringify(told);
      expect(kept).not.toMatch(/\\u0000|\\ud[89ab]/);
      if ("why" in told) continue;
      expect(told.fields.phone).toMatch(/^\d{2,20}$/);
      expect(told.fields.birthday).toBeUndefined();
      expect(told.fields.name).not.toBe("");
    }
  }
});

test("a line of ten million letters and a card of a million lines are no trouble", () => {
  const long = person("FN:Ali Kaya", `NOTE:${"x".repeat(10_000_000)}`, "TEL:05320001122");
  expect(long).toMatchObject({ fields: { note1: "x".repeat(1_000) } });
  expect(person("FN:Ali Kaya", "TEL:05320001122", ...Array<string>(200_000).fill("X-A:b"))).toMatchObject({
    fields: { phone: "05320001122" },
  });
  expect(
    person("FN:Ali Kaya", "TEL:05320001122", "NOTE:a", ...Array<string>(200_000).fill(" bbbbbbbbb")),
  ).toBeDefined();
});
