import { expect, test } from "vitest";
import { DatabaseAnswers } from "./database-answers.ts";

function message(type: string, body: string): Buffer {
  const bytes = Buffer.alloc(5 + body.length);
  bytes.write(type, 0, "latin1");
  bytes.writeInt32BE(4 + body.length, 1);
  bytes.write(body, 5, "latin1");
  return bytes;
}

const written = Buffer.concat([message("C", "INSERT 0 1\0"), message("Z", "I")]);
const inTransaction = Buffer.concat([message("C", "INSERT 0 1\0"), message("Z", "T")]);
const committed = Buffer.concat([message("C", "COMMIT\0"), message("Z", "I")]);
const read = Buffer.concat([message("D", "row"), message("C", "SELECT 1\0"), message("Z", "I")]);

test("the answer of whatever was written for good can be lost, and nothing else", () => {
  const answers = new DatabaseAnswers();
  const lose = () => true;
  expect(answers.read(read, lose)).toEqual({ pass: read, lost: false });
  expect(answers.read(inTransaction, lose)).toEqual({ pass: inTransaction, lost: false });
  expect(answers.read(committed, lose)).toMatchObject({ lost: true });
  expect(new DatabaseAnswers().read(written, lose)).toMatchObject({ lost: true });
});

test("what is cut into pieces on the way is passed on whole", () => {
  const answers = new DatabaseAnswers();
  const all = Buffer.concat([read, written, committed]);
  const passed = [...all].map((byte) => answers.read(Buffer.from([byte]), () => false).pass);
  expect(Buffer.concat(passed)).toEqual(all);
});
