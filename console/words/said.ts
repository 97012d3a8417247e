// Sentences of the exchange's own interface, which speaks English to programs, in the words of the console's people.
// `words.test.ts` holds every refusal of every forwarded operation against this table.

import { fieldName } from "./field-names.ts";
import type { Both, Language } from "./language.tsx";

type Sentence = [form: RegExp, words: Both<(...parts: string[]) => string>];

const plain = (form: RegExp, tr: string, en: string): Sentence => [form, { tr: () => tr, en: () => en }];
const tr = (field: string) => fieldName(field, "tr");
const en = (field: string) => fieldName(field, "en");

const sentences: Sentence[] = [
  [
    /^(?:(\w+) can't be blank|(\w+) required)$/,
    {
      tr: (field = "", other = "") => `“${tr(field || other)}” boş olamaz.`,
      en: (field = "", other = "") => `“${en(field || other)}” cannot be empty.`,
    },
  ],
  [
    /^(?:invalid (\w+): (.*)|(\w+) is invalid)$/s,
    {
      tr: (field = "", value = "", alone = "") => `“${tr(field || alone)}” uygun değil${value && `: ${value}`}`,
      en: (field = "", value = "", alone = "") => `“${en(field || alone)}” does not fit${value && `: ${value}`}`,
    },
  ],
  [
    /^(\w+) must be between (\d+) and (\d+)$/,
    {
      tr: (field = "", least, most) => `“${tr(field)}” ${least} ile ${most} arasında olmalı.`,
      en: (field = "", least, most) => `“${en(field)}” must be between ${least} and ${most}.`,
    },
  ],
  [
    /^(\w+) must be (\w+) or (\w+)$/,
    {
      tr: (field = "", one, other) => `“${tr(field)}” ${one} veya ${other} olmalı.`,
      en: (field = "", one, other) => `“${en(field)}” must be ${one} or ${other}.`,
    },
  ],
  [
    /^(\w+) did not return 200$/,
    {
      tr: (field = "") => `“${tr(field)}” deneme isteğine 200 ile cevap vermedi.`,
      en: (field = "") => `“${en(field)}” did not answer a trial request with 200.`,
    },
  ],
  plain(
    /^date_range_end must not be before date_range_begin$/,
    "Son gün ilk günden önce olamaz.",
    "The last day cannot be before the first.",
  ),
  plain(
    /^at least one digit target is required$/,
    "En az bir tuşun hedefi olmalı.",
    "At least one key has to lead somewhere.",
  ),
  [
    /^Queue_number value null or none (.*)$/,
    { tr: (queue) => `${queue} kuyruğu yok.`, en: (queue) => `There is no queue ${queue}.` },
  ],
  [
    /^phone_list is too long \(maximum is (\d+) numbers\)$/,
    { tr: (most) => `En çok ${most} numara verilebilir.`, en: (most) => `At most ${most} numbers can be given.` },
  ],
  plain(
    /^multi-line automatic calls are off$/,
    "Bu santralde aynı anda birden çok otomatik arama kapalı.",
    "This exchange makes automatic calls one at a time only.",
  ),
  [
    /^cannot find announcement with id: (.*)$/,
    { tr: (id) => `${id} numaralı anons yok.`, en: (id) => `There is no announcement ${id}.` },
  ],
  [
    /^cannot find group with id: (.*)$/,
    { tr: (id) => `${id} numaralı kayıt yok.`, en: (id) => `There is no entry ${id}.` },
  ],
  plain(
    /^google contacts integration is active$/,
    "Rehber dış kaynaktan yönetiliyor.",
    "Contacts are managed by an outside integration.",
  ),
  [
    /^(\d+) is already blocked$/,
    { tr: (number) => `${number} zaten engelli.`, en: (number) => `${number} is blocked already.` },
  ],
  [
    /^(\d+) is not blocked$/,
    { tr: (number) => `${number} engelli değil.`, en: (number) => `${number} is not blocked.` },
  ],
  plain(/^invalid base64$/, "Dosya okunamadı.", "The file cannot be read."),
  [
    /^Sound file should have one of these extensions: (.*)$/,
    {
      tr: (endings) => `Ses dosyasının uzantısı şunlardan biri olmalı: ${endings}`,
      en: (endings) => `A sound file has to end in one of these: ${endings}`,
    },
  ],
  plain(/^Sound file cannot be decoded$/, "Ses dosyası çözülemedi.", "The sound file cannot be decoded."),
  [
    /^Sound file is too long \(maximum is (\d+) seconds\)$/,
    {
      tr: (most) => `Ses çok uzun: en çok ${most} saniye.`,
      en: (most) => `The sound is too long: at most ${most} seconds.`,
    },
  ],
  [
    /^(Sound file|Document) is too large \(maximum is (\d+) MB\)$/,
    {
      tr: (_, most) => `Dosya çok büyük: en çok ${most} MB.`,
      en: (_, most) => `The file is too large: at most ${most} MB.`,
    },
  ],
  plain(
    /^sound files cannot be converted on this server$/,
    "Bu sunucu ses dosyalarını dönüştüremiyor: ffmpeg kurulu değil.",
    "This server cannot convert sound files: ffmpeg is not installed.",
  ),
  plain(
    /^Document should be a PDF, PNG, JPEG, TIFF or plain text$/,
    "Belge PDF, PNG, JPEG, TIFF ya da düz metin olmalı.",
    "The document has to be a PDF, PNG, JPEG, TIFF or plain text.",
  ),
  plain(/^Document is encrypted$/, "Belge parolayla korunuyor.", "The document is locked with a password."),
  plain(/^Document cannot be read$/, "Belge okunamadı.", "The document cannot be read."),
  plain(/^Document is empty$/, "Belge boş.", "The document is empty."),
  [
    /^Document has too many pages \(maximum is (\d+)\)$/,
    {
      tr: (most) => `Belgede çok fazla sayfa var: en çok ${most}.`,
      en: (most) => `The document has too many pages: at most ${most}.`,
    },
  ],
  plain(
    /^Document takes too much time or memory$/,
    "Belge çizilemeyecek kadar ağır.",
    "The document takes too much time or memory to draw.",
  ),
  plain(
    /^document_url cannot be fetched: /,
    "Belge verilen adresten alınamadı.",
    "The document cannot be fetched from its address.",
  ),
  plain(
    /^NO_ROUTE_DESTINATION$/,
    "Bu santralin faks gönderebileceği bir numarası yok.",
    "This exchange has no number of its own to send a fax from.",
  ),
  plain(/^fax needs libspandsp2: /, "Bu sunucuda faks programı kurulu değil.", "This server has no fax program."),
];

const faults: Sentence[] = [
  [/^must be <= (.*)$/, { tr: (most) => `en çok ${most} olabilir`, en: (most) => `at most ${most}` }],
  [/^must be >= (.*)$/, { tr: (least) => `en az ${least} olmalı`, en: (least) => `at least ${least}` }],
  [
    /^must not have more than (\d+) characters$/,
    { tr: (most) => `en çok ${most} karakter`, en: (most) => `at most ${most} characters` },
  ],
  plain(/^must not have fewer than 1 characters$/, "boş olamaz", "it cannot be empty"),
  [
    /^must not have fewer than (\d+) (?:characters|items)$/,
    { tr: (least) => `en az ${least} olmalı`, en: (least) => `at least ${least}` },
  ],
  [
    /^must not have more than (\d+) items$/,
    { tr: (most) => `en çok ${most} olabilir`, en: (most) => `at most ${most} entries` },
  ],
  plain(/^must not have duplicate items$/, "iki kez yazılan var", "something is listed twice"),
];

/** Undefined for a sentence that is not in the table. */
export const saidInWords = reader(sentences);

/** What a value has to be, after the server's schema looked at it; undefined where there is nothing to add. */
export const faultOfValue = reader(faults);

function reader(table: Sentence[]): (text: string, language: Language) => string | undefined {
  return (text, language) => {
    const [form, words] = table.find(([form]) => form.test(text)) ?? [];
    return form && words?.[language](...(form.exec(text) ?? []).slice(1));
  };
}
