import { describe, expect, test } from "vitest";
import { decodeUpload, readUpload, soundExtensions } from "./upload.ts";

// Bytes whose base64 has both letters in which the two alphabets differ.
const bytes = Buffer.from("fbff3efbff3efb", "hex");
const wav = Buffer.from("RIFF\x24\0\0\0WAVEfmt ", "latin1");

describe("base64 is read in every dress it comes in", () => {
  const standard = bytes.toString("base64");
  test.each([
    ["standard", standard],
    ["for URLs", bytes.toString("base64url")],
    ["without padding", standard.replaceAll("=", "")],
    ["with line breaks", standard.replace(/(.{4})/g, "$1\r\n")],
    ["with pluses that became spaces", standard.replaceAll("+", " ")],
    ["with blanks around it", `  ${standard}\n`],
  ])("%s", (_title, text) => {
    expect(decodeUpload(text).bytes).toEqual(bytes);
  });

  test.each(["not base64!", "a", "abcde", "ab=cd", "====", "<xml/>"])("%j is none", (text) => {
    expect(decodeUpload(text).bytes).toBeUndefined();
  });
});

describe("the extension comes from the name, else from the type, else from the bytes", () => {
  const body = `base64,${wav.toString("base64")}`;
  test.each([
    [`data:audio/mp3;name:welcome.gsm;${body}`, "gsm"],
    [`data:audio/mp3;name=welcome.OGG;${body}`, "ogg"],
    [`data:audio/mp3;name:a%2Eb.wma;${body}`, "wma"],
    [`data:audio/mp3;name:welcome;${body}`, "mp3"],
    [`data:audio/x-wav;${body}`, "wav"],
    [`data:audio/mpeg;${body}`, "mp3"],
    [`data:video/mpeg;${body}`, "mpeg"],
    [`data:audio/3gpp;${body}`, "3gp"],
    [`data:application/octet-stream;${body}`, "wav"],
    [`data:;${body}`, "wav"],
    [`DATA:audio/mp4;BASE64,${wav.toString("base64")}`, "m4a"],
    [wav.toString("base64"), "wav"],
  ])("%s", (text, extension) => {
    expect(readUpload(text)).toMatchObject({ extension, bytes: wav });
  });
});

describe("an upload that cannot be a sound is refused", () => {
  const text = Buffer.from("plain text, no sound at all").toString("base64");
  const extension = { refused: "extension", known: soundExtensions };
  test.each([
    [`data:audio/mp3;name:virus.exe;base64,${text}`, extension],
    [`data:audio/mp3;name:sound.webm;base64,${text}`, extension],
    [`data:text/plain;base64,${text}`, extension],
    [text, extension],
    ["data:audio/mp3;base64,%%%", { refused: "not-base64" }],
    [`data:audio/mp3,${text}`, { refused: "not-base64" }],
    ["data:audio/mp3;base64", { refused: "not-base64" }],
    ["data:audio/mp3;base64,", { refused: "empty" }],
    ["", { refused: "empty" }],
  ])("%s", (upload, refusal) => {
    expect(readUpload(upload)).toEqual(refusal);
  });

  test("and so is one that is too large", () => {
    const large = Buffer.alloc(1_001).toString("base64");
    expect(readUpload(`data:audio/wav;base64,${large}`, { limitBytes: 1_000 })).toEqual({
      refused: "too-large",
      limitBytes: 1_000,
    });
    expect(readUpload("A".repeat(10_000), { limitBytes: 1_000 })).toEqual({ refused: "too-large", limitBytes: 1_000 });
  });
});

test("a file name is a name, not a path", () => {
  const upload = readUpload(`data:audio/wav;name:..%2F..%2Fetc%2Fpasswd.wav;base64,${wav.toString("base64")}`);
  expect(upload).toMatchObject({ fileName: "passwd.wav" });
  const stray = readUpload(`data:audio/wav;name:100%.wav;base64,${wav.toString("base64")}`);
  expect(stray).toMatchObject({ fileName: "100%.wav" });
});
