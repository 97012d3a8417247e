// The people who call: names, companies and numbers, the same for the same seed.

import { chanceOf } from "./random.ts";

export type Person = {
  name: string;
  surname: string;
  company: string | null;
  gender: "m" | "f";
  phone: string;
  email: string;
};

const WOMEN =
  "Ayşe Fatma Elif Zeynep Merve Emine Hatice Selin Derya Gizem Ebru Özlem Pınar Esra Büşra İrem Ceren Nur Sibel Aslı";
const MEN =
  "Mehmet Ahmet Mustafa Can Burak Emre Hakan Murat Ali Hüseyin Kerem Onur Serkan Tolga Uğur Volkan Barış Deniz Cem Efe";
const SURNAMES =
  "Yılmaz Kaya Demir Şahin Çelik Yıldız Yıldırım Öztürk Aydın Özdemir Arslan Doğan Kılıç Aslan Çetin Kara Koç Kurt Özkan Şimşek Polat Korkmaz Erdoğan Acar Güneş Bulut Tekin Aksoy Turan Sarı";
const COMPANIES =
  "Deniz Lojistik;Anadolu Gıda;Marmara Tekstil;Ege Yapı;Bosfor Sigorta;Yıldız Elektrik;Toros Tarım;Pera Otel;Kuzey Denizcilik;Güven Sağlık;Mavi Turizm;Atlas Makina;Çınar Eğitim;Lale Mobilya;Fener Hukuk";
const MOBILE = ["530", "532", "533", "535", "536", "541", "542", "543", "545", "551", "553", "554", "555"];
const LANDLINE = ["212", "216", "312", "232", "224", "242"];

const [women, men, surnames] = [WOMEN, MEN, SURNAMES].map((list) => list.split(" ")) as [string[], string[], string[]];
const companies = COMPANIES.split(";");

/** The `index`th person of a seed. */
export function personOf(seed: string, index: number): Person {
  const chance = chanceOf(`${seed} person ${index}`);
  const gender = chance.happens(0.5) ? "f" : "m";
  const name = chance.pick(gender === "f" ? women : men);
  const surname = chance.pick(surnames);
  const area = chance.happens(0.78) ? chance.pick(MOBILE) : chance.pick(LANDLINE);
  const phone = `0${area}${String(chance.between(1_000_000, 9_999_999))}`;
  const company = chance.happens(0.4) ? chance.pick(companies) : null;
  return { name, surname, company, gender, phone, email: `${plain(name)}.${plain(surname)}${index}@example.com` };
}

const letters: Record<string, string> = { ı: "i", ş: "s", ğ: "g", ç: "c", ö: "o", ü: "u" };

function plain(name: string): string {
  return name.toLocaleLowerCase("tr").replace(/[ışğçöü]/g, (letter) => letters[letter] ?? letter);
}
