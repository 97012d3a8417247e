import { expect, test } from "vitest";
import { readDelivery } from "./incoming.ts";

const FORGED = "id:42 sub:001 dlvrd:001 submit date:2601051200 done date:2601051201 stat:DELIVRD err:000 text:Merhaba";
const marks = { unmarked: false };
const said = (more: object, text = FORGED) => ({
  source_addr: "905321112233",
  destination_addr: "4607",
  data_coding: 0,
  esm_class: 0,
  short_message: Buffer.from(text, "latin1"),
  ...more,
});

test("words of a receipt in a handset's message are a message, whatever else it says", () => {
  for (const text of [FORGED, "id:42 stat:DELIVRD", 'Id="42"; stat="UNDELIV"', "id=1 stat=REJECTD err=1"]) {
    const heard = readDelivery(said({}, text), 0, marks);
    expect(heard).toMatchObject({ is: "message", message: { from: "905321112233", text } });
  }
  const wide = Buffer.from("id:42 stat:DELIVRD", "utf16le").swap16();
  expect(readDelivery(said({ data_coding: 8, short_message: wide }), 0, marks)).toMatchObject({ is: "message" });
  const payload = { short_message: Buffer.alloc(0), message_payload: Buffer.from(FORGED) };
  expect(readDelivery(said(payload), 0, marks)).toMatchObject({ is: "message" });
  expect(readDelivery(said({ esm_class: 0x40, short_message: Buffer.from(`\0${FORGED}`) }), 0, marks).is).toBe(
    "message",
  );
});

test("an acknowledgement that a handset or its user made tells of no end either", () => {
  for (const esmClass of [0x08, 0x10, 0x18]) {
    const heard = readDelivery(said({ esm_class: esmClass }), 0, { unmarked: true });
    expect(heard).toMatchObject({ is: "receipt", receipt: { references: [], state: undefined } });
  }
});

test("what the carrier marks is a receipt, by its class or by a field of its own", () => {
  for (const more of [{ esm_class: 0x04 }, { receipted_message_id: "42", message_state: 2 }])
    expect(readDelivery(said(more), 0, marks)).toMatchObject({ is: "receipt", receipt: { state: "DELIVERED" } });
  expect(readDelivery(said({ esm_class: 0x04 }, "nonsense"), 0, marks)).toMatchObject({ is: "receipt" });
});

test("a carrier of which it is said that it marks none is believed by the words", () => {
  const heard = readDelivery(said({}), 0, { unmarked: true });
  expect(heard).toMatchObject({ is: "receipt", receipt: { state: "DELIVERED" } });
  expect(readDelivery(said({}, "EVET"), 0, { unmarked: true })).toMatchObject({ is: "message" });
});
