import { expect, test } from "vitest";
import { soundExtensions } from "../../exchange/sounds.ts";
import { onTheWire, type WireRefusal } from "./wire-words.ts";

test.each<[WireRefusal, number, string]>([
  [
    { refused: "sound", no: { refused: "extension", known: soundExtensions } },
    400,
    "Sound file should have one of these extensions: wav mp3 wma m4a aac ac3 amr flac gsm mpeg mp1 mp2 ra spx ogg 3gp",
  ],
  [
    { refused: "sound", no: { refused: "too-large", limitBytes: 20 * 1024 ** 2 } },
    413,
    "Sound file is too large (maximum is 20 MB)",
  ],
  [{ refused: "misfit", field: "cli", value: "9".repeat(101) }, 400, `invalid cli: ${"9".repeat(100)}…`],
  [{ refused: "text-too-long", field: "name", most: 255 }, 400, "name is too long (maximum is 255 characters)"],
  [{ refused: "not-above", field: "page", least: 0 }, 400, "page must be greater than 0"],
  [{ refused: "not-one-of", field: "state", choices: ["on", "off"] }, 400, "state must be on or off"],
  [{ refused: "list-too-long", field: "active_days" }, 400, "too many active_days"],
  [{ refused: "unreadable", what: "parameters" }, 400, "too many parameters"],
  [{ refused: "bad-key", key: "K1" }, 401, "Gecersiz anahtar: K1"],
  [
    { refused: "in-use", what: "announcement", which: "1", by: { noun: "programming", which: "" } },
    400,
    "announcement 1 cannot be deleted: it is in use by the exchange's programming",
  ],
  [{ refused: "no-such-sending", id: "7" }, 400, "Kampanya bulunamadı: 7"],
  [{ refused: "required", field: "id or custom_id" }, 400, "id or custom_id required"],
])("%j is %i %s", (refusal, status, text) => {
  expect(onTheWire(refusal)).toEqual([status, text]);
});
