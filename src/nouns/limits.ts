// What may be set of an exchange about how far and how much it calls.

import { money, whole, yesOrNo } from "./kinds.ts";

export const ofLimits = { tr: "Sınırlar", en: "Limits" };

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
};
