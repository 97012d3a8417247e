import { expect, test } from "vitest";
import { tidyUrl } from "./tidy-url.ts";

const rows: [url: string, tidy: string][] = [
  ["/contacts?key=a/b//c/", "/contacts?key=a/b//c/"],
  ["/contacts/", "/contacts"],
  ["//contacts///7//?a=1", "/contacts/7?a=1"],
  ["/ivr_campaigns/112.json", "/ivr_campaigns/112"],
  ["/ivr_campaigns.json/?a", "/ivr_campaigns?a"],
  ["http://exchange.example.com/contacts/?a", "/contacts?a"],
  ["HTTPS://exchange.example.com", "/"],
  ["/", "/"],
  ["//", "/"],
  ["*", "/*"],
  ["?a=1", "/?a=1"],
];

test.each(rows)("%s is %s", (url, tidy) => {
  expect(tidyUrl(url)).toBe(tidy);
});
