// What may be set of an exchange about how far and how much it calls.

import { money, whole, yesOrNo } from "./kinds.ts";

export const ofLimits = { tr: "Sınırlar", en: "Limits" };
const ofAlarms = { tr: "Harcama alarmları", en: "Alarms of spending" };

export const limitFields = {
  international_calls: yesOrNo(
    { tr: "Yurt dışı aramaya izin ver", en: "Allow international calls" },
    { default: false, under: ofLimits },
  ),
  premium_calls: yesOrNo(
    { tr: "Özel ücretli ve uydu numaralarına izin ver", en: "Allow calls to premium and satellite numbers" },
    {
      default: false,
      about: {
        tr: "0900, 0888, 0898 ve başka ülkelerin benzerleri; +870, +881, +882, +883, +979",
        en: "0900, 0888, 0898 and their like abroad; +870, +881, +882, +883, +979",
      },
      under: ofLimits,
    },
  ),
  monthly_spending_limit: money(
    { tr: "Aylık harcama sınırı", en: "Monthly spending limit" },
    { orNothing: true, under: ofLimits },
  ),
  hourly_spending_limit: money(
    { tr: "Bir saatlik harcama sınırı", en: "Spending limit of an hour" },
    {
      orNothing: true,
      about: {
        tr: "Son bir saatte bu kadar harcanmışsa ücretli arama yapılmaz, süren ücretli çağrılar kapanır; acil aramalar hep yapılır",
        en: "Once that much was spent within an hour no paid call goes out and those that are up end; emergency calls always go out",
      },
      under: ofLimits,
    },
  ),
  channel_limit: whole(
    { tr: "Aynı anda en çok dış çağrı", en: "Outside calls at the same time" },
    { least: 1, most: 100_000, orNothing: true, under: ofLimits },
  ),
  max_call_seconds: whole(
    { tr: "En uzun çağrı (sn)", en: "Longest call (seconds)" },
    { least: 60, most: 86_400, default: 14_400, under: ofLimits },
  ),
  campaign_channels: whole(
    { tr: "Otomatik arama kanal sayısı", en: "Channels for automatic calls" },
    { least: 1, most: 1_000, default: 2, under: ofLimits },
  ),
  hourly_spending_alarm: money(
    { tr: "Bir saatte bundan çok harcanırsa bildir", en: "Tell of more than that spent in an hour" },
    {
      orNothing: true,
      about: {
        tr: "Yöneticilere e-posta gider; her nedenle saatte en çok bir kez",
        en: "By a letter to the administrators; at most one an hour for each cause",
      },
      under: ofAlarms,
    },
  ),
  extension_hourly_alarm: money(
    { tr: "Bir dahili bir saatte bundan çok harcarsa bildir", en: "Tell of more than that spent by one extension" },
    { orNothing: true, under: ofAlarms },
  ),
  unusual_spending_alarm: whole(
    {
      tr: "Son dört haftanın en pahalı saatinin bu katı harcanırsa bildir",
      en: "Tell of an hour that costs so many times the dearest of four weeks",
    },
    { least: 2, most: 1_000, orNothing: true, under: ofAlarms },
  ),
  calls_at_once_alarm: whole(
    {
      tr: "Aynı anda bundan çok ücretli ya da yurt dışı çağrı varsa bildir",
      en: "Tell of more paid or international calls than that at once",
    },
    { least: 1, most: 100_000, orNothing: true, under: ofAlarms },
  ),
  extension_calls_alarm: whole(
    {
      tr: "Bir dahilinin aynı anda bundan çok böyle çağrısı varsa bildir",
      en: "Tell of more such calls than that of one extension",
    },
    { least: 1, most: 1_000, orNothing: true, under: ofAlarms },
  ),
};
