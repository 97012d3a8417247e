import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { rowsOf, zip } from "../../test/ground/workbooks.ts";
import { plainDate } from "./dates.ts";
import { FileFailed, openTable } from "./table-rows.ts";

async function read(bytes: Buffer): Promise<{ heading: string[]; rows: string[][] }> {
  const { heading, portions } = await openTable(bytes);
  const rows: string[][] = [];
  for await (const portion of portions) rows.push(...portion.map(({ cells }) => cells));
  return { heading, rows };
}

const why = (bytes: Buffer) =>
  read(bytes).then(
    () => "read",
    (error: unknown) => (error instanceof FileFailed ? error.why : String(error)),
  );

const sheetOf = (rows: string) => ({
  "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
});

describe("a table in CSV", () => {
  const text = "numara;ad\r\n0532 123 45 67;Şule Işık\r\n";
  const wanted = { heading: ["numara", "ad"], rows: [["0532 123 45 67", "Şule Işık"]] };
  const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();

  test.each([
    ["UTF-8", Buffer.from(text)],
    ["UTF-8 with a mark", Buffer.from(`\uFEFF${text}`)],
    ["UTF-16 with a mark", Buffer.from(`\uFEFF${text}`, "utf16le")],
    ["UTF-16 without one", Buffer.from(text, "utf16le")],
    ["UTF-16 the other way round", swapped(Buffer.from(`\uFEFF${text}`, "utf16le"))],
    ["windows-1254", Buffer.from(text.replace("Ş", "\xde").replace("ş", "\xfe").replace("ı", "\xfd"), "latin1")],
    ["a separator that Excel names", Buffer.from(`sep=;\r\n${text}`)],
  ])("in %s is read", async (_, bytes) => {
    expect(await read(bytes)).toEqual(wanted);
  });

  test("without a heading begins with its first row", async () => {
    expect(await read(Buffer.from("05321234567\n05321234568"))).toEqual({
      heading: ["1"],
      rows: [["05321234567"], ["05321234568"]],
    });
  });

  test("that is none, or never ends a quotation, says so", async () => {
    expect(await why(Buffer.from(""))).toBe("empty");
    expect(await why(Buffer.from([1, 0, 2, 2, 0, 3]))).toBe("unreadable");
    expect(await why(Buffer.from('numara,ad\n05321234567,"Ali\n'))).toBe("cut-off");
  });
});

describe("a workbook", () => {
  test("is read: shared and inline texts, gaps, results of formulas, and numbers that lost their shape", async () => {
    const sheet = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>Soyad</t></is></c></row>
      <row r="4"><c r="A4"><v>5.321234567E9</v></c><c r="B4" t="str"><f>HYPERLINK("http://x","y")</f><v>y</v></c>
      <c r="C4" t="s"><v>1</v></c></row><row r="5"/>`;
    const strings = `<sst><si><t>numara</t></si><si><r><t>Y&#305;l</t></r><rPh><t>no</t></rPh><r><t xml:space="preserve">maz &amp; Co</t></r></si></sst>`;
    const file = zip({ ...sheetOf(sheet), "xl/sharedStrings.xml": strings });
    expect(await rowsOf(file)).toEqual([
      ["numara", "", "Soyad"],
      ["5321234567", "y", "Yılmaz & Co"],
    ]);
    const { portions } = await openTable(file);
    expect((await portions.next()).value).toMatchObject([{ row: 4 }]);
    expect(await why(file.subarray(0, 60))).toBe("unreadable");
  });

  test("of the sheet that stands first, whatever its file is called", async () => {
    const row = (text: string) =>
      `<worksheet><sheetData><row><c t="inlineStr"><is><t>${text}</t></is></c></row></sheetData></worksheet>`;
    const file = zip({
      "xl/worksheets/sheet1.xml": row("second"),
      "xl/worksheets/sheet2.xml": row("first"),
      "xl/workbook.xml": `<workbook><sheets><sheet name="a" r:id="r2"/><sheet name="b" r:id="r1"/></sheets></workbook>`,
      "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
    });
    expect(await rowsOf(file)).toEqual([["first"]]);
  });

  test("of a stranger costs no more than its letters: bombs, entities, tags without an end", async () => {
    const many = (text: string, count: number) => zip(sheetOf(text.repeat(count)));
    expect(await why(many("<row><c>", 200_000))).toBe("empty");
    expect(await why(many("<", 200_000))).toBe("unreadable");
    expect(await why(zip({ "xl/worksheets/sheet1.xml": '<!DOCTYPE x [<!ENTITY a "aa">]><worksheet/>' }))).toBe(
      "unreadable",
    );
    // What unpacks to more than a sheet can have: 320 MiB out of 320 KiB.
    expect(await why(bomb(320))).toBe("too-large");
  });
});

/** So many mebibytes of blanks, packed without being made. */
function bomb(mebibytes: number): Buffer {
  const marker = zip({ "xl/worksheets/sheet1.xml": "" });
  const head = deflateRawSync(Buffer.from("<worksheet>"), { finishFlush: 3 });
  const blanks = deflateRawSync(Buffer.alloc(1024 * 1024, " "), { finishFlush: 3 });
  const packed = Buffer.concat([head, ...Array.from({ length: mebibytes }, () => blanks), Buffer.from([3, 0])]);
  const name = "xl/worksheets/sheet1.xml".length;
  const directory = Buffer.from(marker.subarray(marker.indexOf("PK\u0001\u0002")));
  directory.writeUInt32LE(packed.length, 20);
  directory.writeUInt32LE(30 + name + packed.length, directory.indexOf("PK\u0005\u0006") + 16);
  return Buffer.concat([marker.subarray(0, 30 + name), packed, directory]);
}

test("days are read as the country and as Excel write them", () => {
  expect(plainDate("31.12.2025 14:30")).toBe("2025-12-31 14:30");
  expect(plainDate("1/2/2025")).toBe("2025-02-01");
  expect(plainDate("46022")).toBe("2025-12-31");
  expect(plainDate("46022.6041666667")).toBe("2025-12-31 14:30:00");
  expect(plainDate("2025-12-31")).toBe("2025-12-31");
});
