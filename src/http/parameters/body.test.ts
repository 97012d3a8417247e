import { expect, test } from "vitest";
import { readBody } from "./body.ts";
import { SentFile } from "./sent.ts";

const read = (body: string | Buffer, type = "") => readBody(Buffer.from(body as string), type);
const values = (body: string, type?: string) => Object.fromEntries(read(body, type) as Map<string, unknown[]>);

test("a form keeps the order of repeated names and forgives a stray percent sign", () => {
  expect(values("a=1&b=2&a=3&&c&=x&d=100%&e=%C5%9F+%2B")).toEqual({
    a: ["1", "3"],
    b: ["2"],
    c: [""],
    "": ["x"],
    d: ["100%"],
    e: ["ş +"],
  });
});

test("names without a value stand between those with one, however many, in the time that the text takes", () => {
  expect(values("a&b=1&&c&d=2=3&e")).toEqual({ a: [""], b: ["1"], c: [""], d: ["2=3"], e: [""] });
  const none = read(`${"a&".repeat(990)}${"b".repeat(500_000)}`) as Map<string, unknown[]>;
  expect(none.get("a")).toHaveLength(990);
});

test("every spelling of a list is one name", () => {
  expect(values("a[]=1&a[0]=2&a%5B%5D=3&a:[]=4")).toEqual({ a: ["1", "2", "3", "4"] });
});

test("a JSON list name given twice keeps both values, whatever stands around it", () => {
  const body = '{"x":{"y":[1,"}"]},"a:[]":"1", "s":"with \\" and , and {" ,"a:[]" : [2,3],"n":null}';
  expect(values(body)).toEqual({ x: [{ y: [1, "}"] }], a: ["1", 2, 3], s: ['with " and , and {'], n: [null] });
});

test("an empty JSON list is something said", () => {
  expect(values('{"a":[]}')).toEqual({ a: [] });
});

test("names that mean something to JavaScript are just names", () => {
  expect([...(read('{"__proto__":1,"constructor":2}') as Map<string, unknown>)]).toEqual([
    ["__proto__", [1]],
    ["constructor", [2]],
  ]);
});

test("a JSON body a hundred thousand deep neither crashes nor hangs", () => {
  expect(read(`${"[".repeat(100_000)}${"]".repeat(100_000)}`, "application/json")).toEqual({
    unreadable: "json",
  });
  expect(read(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)).toBeInstanceOf(Map);
});

test("a list with a million entries is read", () => {
  expect(values(`{"a":[${"1,".repeat(999_999)}1]}`).a).toHaveLength(1_000_000);
});

test("files of a multipart form keep their name and bytes", () => {
  const body = Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="f"; filename="ş.wav"\r\nContent-Type: audio/wav\r\n\r\n'),
    Buffer.from([0, 255, 13, 10, 1]),
    Buffer.from("\r\n--b\r\ncontent-disposition: form-data; name=plain\r\n\r\ntext\r\n--b--"),
  ]);
  const sent = read(body, 'multipart/form-data; boundary="b"') as Map<string, unknown[]>;
  expect(sent.get("f")).toEqual([new SentFile("ş.wav", Buffer.from([0, 255, 13, 10, 1]))]);
  expect(sent.get("plain")).toEqual(["text"]);
});

test.each(["", "--b", "--b\r\n\r\n", "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--", "nothing of the kind"])(
  "the multipart body %j is refused",
  (body) => {
    expect(read(body, "multipart/form-data; boundary=b")).toEqual({ unreadable: "multipart" });
  },
);
