import { expect, test } from "vitest";
import { isLink, linkFor, originOfLink } from "./link.ts";

const call = { number: "05321234567", uuid: "u-1", queue: "200" };

test("a link is filled in, and what a caller sends stays a value of it", () => {
  expect(linkFor("https://crm.example/c?tel={number}&q={queue}#{uuid}", call)).toBe(
    "https://crm.example/c?tel=05321234567&q=200#u-1",
  );
  const hostile = { ...call, number: '1&admin=1#x/../"><script>\ud800' };
  expect(linkFor("https://crm.example/c?tel={number}", hostile)).toBe(
    "https://crm.example/c?tel=1%26admin%3D1%23x%2F..%2F%22%3E%3Cscript%3E%EF%BF%BD",
  );
});

test.each([
  "javascript:alert({number})",
  " javascript:alert(1)",
  "data:text/html,{number}",
  "https://{number}.example/",
  "https://crm.example{queue}/",
  "https://user:secret@crm.example/",
  "https:\\\\crm.example",
  "//crm.example/{number}",
  "https://",
  "ftp://crm.example/{number}",
  "https://crm.example/a b",
])("is no link: %s", (text) => {
  expect(isLink(text)).toBe(false);
  expect(linkFor(text, call)).toBeUndefined();
});

test("where links lead is known without a call", () => {
  expect(originOfLink("http://127.0.0.1:9000/c?tel={number}")).toBe("http://127.0.0.1:9000");
  expect(originOfLink("https://crm.example")).toBe("https://crm.example");
});
