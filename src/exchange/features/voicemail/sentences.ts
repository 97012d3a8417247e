// What a mailbox says, in every language it speaks.

import type { Language } from "../../../speech/language.ts";

export type Sentences = {
  /** To callers, where its owner has said nothing of his own. */
  greeting: string;
  askPin: string;
  summary(unread: number, heard: number): string;
  /** The number as it is read out, digit by digit; empty when it was withheld. */
  messageFrom(number: string): string;
  deleted: string;
  noMore: string;
  choices: string;
  greetingChoices: string;
  speakNow: string;
  keepOrNot: string;
  greetingKept: string;
  greetingDropped: string;
  usualGreeting: string;
};

export const sentences: Record<Language, Sentences> = {
  "tr-TR": {
    greeting: "Aradığınız kişi şu anda telefona cevap veremiyor. Sinyal sesinden sonra mesajınızı bırakabilirsiniz.",
    askPin: "Lütfen şifrenizi girin.",
    summary: (unread, heard) =>
      unread + heard === 0 ? "Mesajınız yok." : `${unread} yeni, ${heard} eski mesajınız var.`,
    messageFrom: (number) => `${number || "Gizli"} numaralı telefondan mesaj.`,
    deleted: "Mesaj silindi.",
    noMore: "Başka mesaj yok.",
    choices: "Mesajlarınızı dinlemek için bire, karşılama mesajınız için ikiye, bitirmek için kareye basın.",
    greetingChoices:
      "Karşılama mesajınızı kaydetmek için bire, dinlemek için ikiye, varsayılana dönmek için üçe, çıkmak için kareye basın.",
    speakNow: "Sinyal sesinden sonra konuşun, bitirmek için kareye basın.",
    keepOrNot: "Saklamak için bire, yeniden kaydetmek için ikiye, vazgeçmek için kareye basın.",
    greetingKept: "Karşılama mesajınız kaydedildi.",
    greetingDropped: "Kayıt silindi.",
    usualGreeting: "Varsayılan karşılama mesajı kullanılacak.",
  },
  "en-US": {
    greeting: "The person you have called cannot come to the phone. Please leave a message after the tone.",
    askPin: "Please enter your PIN.",
    summary: (unread, heard) =>
      unread + heard === 0 ? "You have no messages." : `You have ${unread} new and ${heard} old messages.`,
    messageFrom: (number) => (number === "" ? "A message from a withheld number." : `A message from ${number}.`),
    deleted: "The message is deleted.",
    noMore: "There are no more messages.",
    choices: "Press one to hear your messages, two for your greeting, or the hash key to end.",
    greetingChoices:
      "Press one to record your greeting, two to hear it, three to go back to the usual one, or the hash key to leave.",
    speakNow: "Speak after the tone, and press the hash key when you are done.",
    keepOrNot: "Press one to keep it, two to record it again, or the hash key to drop it.",
    greetingKept: "Your greeting is kept.",
    greetingDropped: "The recording is deleted.",
    usualGreeting: "The usual greeting will be played.",
  },
  "ar-XA": {
    greeting: "الشخص المطلوب لا يمكنه الرد الآن. يرجى ترك رسالة بعد الصافرة.",
    askPin: "يرجى إدخال الرقم السري.",
    summary: (unread, heard) =>
      unread + heard === 0 ? "لا توجد لديك رسائل." : `عدد رسائلك الجديدة ${unread} والقديمة ${heard}.`,
    messageFrom: (number) => (number === "" ? "رسالة من رقم محجوب." : `رسالة من الرقم ${number}.`),
    deleted: "تم حذف الرسالة.",
    noMore: "لا توجد رسائل أخرى.",
    choices: "للاستماع إلى رسائلك اضغط واحد، لرسالة الترحيب اضغط اثنين، للإنهاء اضغط مربع.",
    greetingChoices:
      "لتسجيل رسالة الترحيب اضغط واحد، للاستماع إليها اضغط اثنين، للعودة إلى الرسالة المعتادة اضغط ثلاثة، للخروج اضغط مربع.",
    speakNow: "تحدث بعد الصافرة، ثم اضغط مربع عند الانتهاء.",
    keepOrNot: "للحفظ اضغط واحد، للتسجيل مرة أخرى اضغط اثنين، للإلغاء اضغط مربع.",
    greetingKept: "تم حفظ رسالة الترحيب.",
    greetingDropped: "تم حذف التسجيل.",
    usualGreeting: "ستستخدم رسالة الترحيب المعتادة.",
  },
};
