import { describe, expect, test } from "vitest";
import { checkUrl, guardedLookup, isPublicAddress } from "./guard.ts";

const strict = { privateAllowed: false };
const open = { privateAllowed: true };

describe("a URL that may be called", () => {
  test.each([
    "http://example.com",
    "https://example.com/hook?a=b",
    "https://example.com:8443/",
    "http://8.8.8.8/",
    "http://[2606:4700::1111]/",
    "https://münchen.example/",
  ])("%s", (url) => {
    expect(checkUrl(url, strict)).toHaveProperty("url");
  });
});

describe("a URL that is refused", () => {
  test.each([
    ["", "not a valid URL"],
    ["example.com", "not a valid URL"],
    ["http://", "not a valid URL"],
    ["http://exa mple.com/", "not a valid URL"],
    [`http://example.com/${"a".repeat(2_000)}`, "not a valid URL"],
    ["ftp://example.com/", "only http and https are called"],
    ["file:///etc/passwd", "only http and https are called"],
    ["gopher://example.com/", "only http and https are called"],
    ["javascript:alert(1)", "only http and https are called"],
    ["http://user@example.com/", "a URL with credentials is not called"],
    ["http://user:secret@example.com/", "a URL with credentials is not called"],
    ["http://example.com:22/", "port 22 is not called"],
    ["http://example.com:25/", "port 25 is not called"],
    ["http://example.com:5432/", "port 5432 is not called"],
    ["http://example.com:6379/", "port 6379 is not called"],
    ["http://127.0.0.1/", "127.0.0.1 is not a public address"],
    ["http://127.1/", "127.0.0.1 is not a public address"],
    ["http://2130706433/", "127.0.0.1 is not a public address"],
    ["http://0x7f000001/", "127.0.0.1 is not a public address"],
    ["http://0x7f.0.0.1/", "127.0.0.1 is not a public address"],
    ["http://0177.0.0.1/", "127.0.0.1 is not a public address"],
    ["http://017700000001/", "127.0.0.1 is not a public address"],
    ["http://127.0.0.1./", "127.0.0.1 is not a public address"],
    ["http://①②⑦.0.0.1/", "127.0.0.1 is not a public address"],
    ["http://0/", "0.0.0.0 is not a public address"],
    ["http://10.1.2.3/", "10.1.2.3 is not a public address"],
    ["http://172.31.255.255/", "172.31.255.255 is not a public address"],
    ["http://192.168.0.1/", "192.168.0.1 is not a public address"],
    ["http://169.254.169.254/latest/meta-data", "169.254.169.254 is not a public address"],
    ["http://100.64.0.1/", "100.64.0.1 is not a public address"],
    ["http://224.0.0.1/", "224.0.0.1 is not a public address"],
    ["http://255.255.255.255/", "255.255.255.255 is not a public address"],
    ["http://[::1]/", "::1 is not a public address"],
    ["http://[::]/", ":: is not a public address"],
    ["http://[::ffff:127.0.0.1]/", "::ffff:7f00:1 is not a public address"],
    ["http://[::ffff:8.8.8.8]/", "::ffff:808:808 is not a public address"],
    ["http://[::127.0.0.1]/", "::7f00:1 is not a public address"],
    ["http://[64:ff9b::7f00:1]/", "64:ff9b::7f00:1 is not a public address"],
    ["http://[64:ff9b:1::a00:1]/", "64:ff9b:1::a00:1 is not a public address"],
    ["http://[2002:7f00:1::]/", "2002:7f00:1:: is not a public address"],
    ["http://[2001:0:1234::1]/", "2001:0:1234::1 is not a public address"],
    ["http://[2001:db8::1]/", "2001:db8::1 is not a public address"],
    ["http://[fe80::1]/", "fe80::1 is not a public address"],
    ["http://[fec0::1]/", "fec0::1 is not a public address"],
    ["http://[fc00::1]/", "fc00::1 is not a public address"],
    ["http://[fd12:3456::1]/", "fd12:3456::1 is not a public address"],
    ["http://[ff02::1]/", "ff02::1 is not a public address"],
  ])("%s", (url, refused) => {
    expect(checkUrl(url, strict)).toMatchObject({ refused });
  });
});

test("an operator may open his own network, but never a crowd of addresses", () => {
  for (const url of ["http://127.0.0.1:8080/", "http://[::1]/", "http://10.0.0.5/crm", "http://localhost:81/"])
    expect(checkUrl(url, open)).toHaveProperty("url");
  for (const url of ["http://224.0.0.1/", "http://[ff02::1]/", "http://255.255.255.255/", "ftp://10.0.0.5/"])
    expect(checkUrl(url, open)).toHaveProperty("refused");
});

test("what is no address is not public", () => {
  for (const address of ["", "localhost", "1.2.3", "1.2.3.4.5", "::g"]) expect(isPublicAddress(address)).toBe(false);
  for (const address of ["1.1.1.1", "172.32.0.1", "100.128.0.1", "2a00:1450::1"])
    expect(isPublicAddress(address)).toBe(true);
});

describe("a name is resolved once, and only what was checked is connected to", () => {
  const resolving = (...addresses: string[]) =>
    guardedLookup({
      ...strict,
      resolve: (_host, done) =>
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
        ),
    });
  const ask = (lookup: ReturnType<typeof guardedLookup>, all = true) =>
    new Promise<unknown>((resolve) =>
      lookup("hook.example", { all }, (error, found) => resolve(error ? error.message : found)),
    );

  test("to public addresses", async () => {
    expect(await ask(resolving("8.8.8.8", "2606:4700::1111"))).toEqual([
      { address: "8.8.8.8", family: 4 },
      { address: "2606:4700::1111", family: 6 },
    ]);
    expect(await ask(resolving("8.8.8.8"), false)).toBe("8.8.8.8");
  });

  test("and one private address among them spoils the whole name", async () => {
    expect(await ask(resolving("8.8.8.8", "127.0.0.1"))).toContain("127.0.0.1, which is not a public address");
    expect(await ask(resolving("::ffff:10.0.0.1"))).toContain("not a public address");
    expect(await ask(resolving())).toContain("no address");
  });
});
