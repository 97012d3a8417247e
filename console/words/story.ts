// A call's story in the words of the page. The exchange writes it down in English; `test/console/console-story.test.ts` holds
// every sentence that it can write against this table.

import { causeInWords } from "../../src/words/causes.ts";
import type { Language } from "./language.tsx";

/** Before what is more general: the first that fits is taken. */
const turkish: [form: RegExp, words: string][] = [
  [/^extension (\S+) dials (.+)$/, "Dahili $1, $2 numarasını çeviriyor"],
  [/^dials (.+) by (.+) as (.+)$/, "$2 hattından $1 aranıyor, görünen numara $3"],
  [/^(.+) and (.+) talk$/, "$1 ile $2 görüşüyor"],
  [/^(.+) rings$/, "$1 çalıyor"],
  [/^(.+) is gone: (.+)$/, "$1 ayrıldı: $2"],
  [/^the call is over: (.+)$/, "Çağrı bitti: $1"],
  [/^the interface hangs up$/, "API çağrıyı kapatıyor"],
  [/^the interface mutes$/, "API sesi kesiyor"],
  [/^the interface unmutes$/, "API sesi açıyor"],
  [/^the interface sends the call to (.+)$/, "API çağrıyı aktarıyor: $1"],
  [/^extension (\S+) picks up for extension (\S+)$/, "Dahili $1, dahili $2 yerine cevaplıyor"],
  [/^extension (\S+) forwards to (.+)$/, "Dahili $1 yönlendiriyor: $2"],
  [/^extension (\S+) sends the call to (.+)$/, "Dahili $1 çağrıyı aktarıyor: $2"],
  [/^(\S+) puts the call through to (\S+)$/, "$1 çağrıyı $2 numarasına bağlıyor"],
  [
    /^extension (\S+) does not ring: all its calls are forwarded$/,
    "Dahili $1 çalmıyor: bütün çağrıları yönlendirilmiş",
  ],
  [/^extension (\S+) does not ring: no phone is registered$/, "Dahili $1 çalmıyor: bağlı telefon yok"],
  [/^extension (\S+) does not ring: it wishes not to be disturbed$/, "Dahili $1 çalmıyor: rahatsız edilmek istemiyor"],
  [/^extension (\S+) does not ring: .+$/, "Dahili $1 çalmıyor: en çok çağrı sayısına ulaştı"],
  [/^extension (\S+) does not take it: (.+)$/, "Dahili $1 almadı: $2"],
  [/^extension (\S+) hung up before the two were joined$/, "Dahili $1 bağlanmadan kapattı"],
  [/^extension (\S+) talks with nobody$/, "Dahili $1 kimseyle görüşmüyor"],
  [/^supervises extension (\S+) \((\w+)\), call (.+)$/, "Dahili $1 dinleniyor ($2), çağrı $3"],
  [/^(.+) joins$/, "$1 görüşmeye katılıyor"],
  [/^(.+) listens$/, "$1 dinliyor"],
  [/^(.+) whispers$/, "$1 fısıldıyor"],
  [/^rings group (\S+) \((.*)\), (.+)$/, "Çağrı grubu $1 ($2) çaldırılıyor, $3"],
  [/^nobody of group (\S+) took the call$/, "Çağrı grubu $1 üyelerinden kimse almadı"],
  [/^comes to queue (\S+) \((.*)\)$/, "Kuyruk $1 ($2) sırasına giriyor"],
  [/^leaves queue (\S+): (.+)$/, "Kuyruk $1 sırasından çıkıyor: $2"],
  [
    /^(?:the caller )?is offered to (.+) of queue (\S+), (\S+) among ([^;]*?)(?:; not free: (.+))?$/,
    "Kuyruk $2: $1 temsilcisine veriliyor ($3: $4; boş olmayan: $5)",
  ],
  [/^the caller (.*)$/, "Arayan $1"],
  [/^keeps the place in queue (\S+) and will be called back$/, "Kuyruk $1 sırasını koruyor, geri aranacak"],
  [/^gives no score$/, "Puan vermedi"],
  [/^presses (\S+), which is no score$/, "$1 tuşladı, puan değil"],
  [/^gives extension (\S+) (\S+) of 5$/, "Dahili $1 için 5 üzerinden $2 puan verdi"],
  [/^has been led in a circle$/, "Yönlendirmeler kendine dönüyor"],
  [/^there is no queue (\S+)$/, "$1 kuyruğu yok"],
  [/^there is no menu (\S+)$/, "$1 menüsü yok"],
  [/^there is no group (\S+)$/, "$1 çağrı grubu yok"],
  [/^there is no extension (\S+)$/, "$1 dahilisi yok"],
  [/^there is no mailbox (\S+)$/, "$1 sesli mesaj kutusu yok"],
  [/^there is no sound (\S+)$/, "$1 anonsu yok"],
  [/^there is no number of ours to show$/, "Gösterilecek numaramız yok"],
  [/^this exchange has no such place$/, "Santralde böyle bir yer yok"],
  [/^is given the busy tone$/, "Meşgul tonu veriliyor"],
  [/^is hung up$/, "Kapatılıyor"],
  [/^(.+) is no telephone number$/, "$1 telefon numarası değil"],
  [/^(.+) is no place to go$/, "$1 gidilecek bir yer değil"],
  [/^(.+) may not be called: (.+)$/, "$1 aranamaz: $2"],
  [/^every channel of (.+) is taken$/, "$1 hattının bütün kanalları dolu"],
  [
    /^the spending limit allows no further minute with (.+)$/,
    "Harcama sınırı $1 ile bir dakika daha konuşmaya yetmiyor",
  ],
  [/^hears menu (\S+) \((.*)\)$/, "Menü $1 ($2) dinletiliyor"],
  [/^hears sound (\S+)$/, "Anons $1 dinletiliyor"],
  [/^hears its messages$/, "Sesli mesajlarını dinliyor"],
  [/^hears: (.+)$/s, "Dinletilen: $1"],
  [/^nothing of (.+) can be said$/s, "Seslendirilemiyor: $1"],
  [/^no key: nowhere to go$/, "Tuşlamadı: gidecek yer yok"],
  [/^no key: (.+)$/, "Tuşlamadı: $1"],
  [/^wrong key: nowhere to go$/, "Yanlış tuş: gidecek yer yok"],
  [/^wrong key: (.+)$/, "Yanlış tuş: $1"],
  [/^presses nothing$/, "Hiçbir tuşa basmadı"],
  [/^presses (\S+) keys$/, "$1 tuşa bastı"],
  [/^presses (\S+), which leads nowhere$/, "$1 tuşladı, bir yere gitmiyor"],
  [/^presses (\S+): (.+)$/, "$1 tuşladı: $2"],
  [/^presses (\S+)$/, "$1 tuşladı"],
  [/^took back the greeting of (\S+)$/, "$1 kutusunun karşılamasını sildi"],
  [/^keeps a new greeting of (\S+)$/, "$1 kutusu için yeni karşılama kaydetti"],
  [/^drops a new greeting of (\S+)$/, "$1 kutusu için kaydettiği karşılamadan vazgeçti"],
  [/^is asked to leave a message for (\S+)$/, "$1 için mesaj bırakması isteniyor"],
  [/^left a message of (\S+) s$/, "$1 saniyelik mesaj bıraktı"],
  [/^left no message$/, "Mesaj bırakmadı"],
  [/^there is no voice to speak with$/, "Seslendirecek bir ses yok"],
  [/^has already been at group (\S+)$/, "Çağrı grubu $1 daha önce çaldırıldı"],
  [/^did not know the PIN$/, "Şifreyi bilemedi"],
  [/^the PIN cannot be opened$/, "Şifre açılamıyor: anahtarı eksik"],
  [/^deleted a message of (\S+)$/, "$1 kutusundan bir mesaj sildi"],
  [/^is a fax machine, by its tone$/, "Tonuna göre bir faks makinesi"],
  [/^is an answering machine$/, "Telesekreter"],
  [/^is taken to the fax machine$/, "Faks makinesine bağlanıyor"],
  [/^no fax can be received: (.+)$/, "Faks alınamıyor: $1"],
  [/^sent a fax of (\S+) pages at (.+) by (.+)$/, "$1 sayfalık faks gönderdi, $2, $3"],
  [/^sent (\S+) pages, then: (.+)$/, "$1 sayfa gönderdi, sonra: $2"],
  [/^took (\S+) pages at (.+) by (.+)$/, "$1 sayfa aldı, $2, $3"],
  [/^took (\S+) pages, then: (.+)$/, "$1 sayfa aldı, sonra: $2"],
  [/^the fax machine calls itself "(.*)"$/, "Faks makinesinin adı “$1”"],
  [/^page (\S+) is over$/, "Sayfa $1 tamam"],
  [/^the service says: (.+)$/, "Servisin isteği: $1"],
  [/^(.+); goes to the spare target (.+)$/, "$1; yedek hedefe gidiyor: $2"],
  [/^(\S+) has not consented to calls$/, "$1 aranmaya onay vermemiş"],
  [/^wishes no more such calls$/, "Bir daha böyle aranmak istemiyor"],
];

const CAUSE = /\b[A-Z]+(?:_[A-Z]+)+\b/g;

export function storyInWords(text: string, language: Language): string {
  const said = text.replace(CAUSE, (cause) => causeInWords(cause, language));
  if (language === "en") return said;
  const [form, words] = turkish.find(([form]) => form.test(said)) ?? [];
  // A sentence of an older exchange stays as it was written.
  if (!form || words === undefined) return said;
  return said
    .replace(form, words)
    .replace(/\bextension (\S+)/g, "dahili $1")
    .replace("; boş olmayan: )", ")")
    .replace(/^d/, "D");
}
