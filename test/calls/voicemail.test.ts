import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { recordOf } from "../../src/exchange/journal/call-record.ts";
import { sql } from "../../src/store/sql.ts";
import { townWith } from "../town/town.ts";

const desks = { "1000": { hasMailbox: true, noAnswerSeconds: 5 }, "1001": {} };
type Town = Awaited<ReturnType<typeof townWith>>;
type Phone = ReturnType<Town["phone"]>;

async function hears(town: Town, phone: Phone, words: string) {
  const isHeard = () => phone.seen.includes("answered") && town.media.hears(phone.rtpPort()).join().includes(words);
  await town.until(words, isHeard);
}

test("nobody answers: the caller hears the greeting and leaves a message", async () => {
  const town = await townWith({ desks });
  const [ann, far] = [town.phone("1000"), town.phone("905321234567")];
  await far.calls("08505320000");
  await ann.rings();
  await town.pass({ seconds: 6 });
  await hears(town, far, "mesajınızı bırakabilirsiniz");
  town.media.finish(far.rtpPort());
  await town.until("the recording", () => town.media.recorded(far.rtpPort()) !== undefined);
  town.media.recorded(far.rtpPort())!(12_000);
  await town.isQuiet();
  expect(town.diary.lines).toContain("message for 1000 of 12000 ms");
  expect(far.seen.at(-1)).toBe("ended NORMAL_CLEARING");
  const { facts, end } = town.diary.records[0]!;
  expect(recordOf(facts, end, undefined).cdr).toMatchObject({ missed: true, hangupCause: "NO_ANSWER" });
});

test("a caller who hangs up while speaking has left his message all the same", async () => {
  const town = await townWith({ desks, target: "voicemail/1000" });
  const far = town.phone("905321234567");
  await far.calls("08505320000");
  await hears(town, far, "mesajınızı bırakabilirsiniz");
  town.media.finish(far.rtpPort());
  await town.until("the recording", () => town.media.recorded(far.rtpPort()) !== undefined);
  await far.hangsUp();
  await town.isQuiet();
  expect(town.diary.lines).toContain("message for 1000 of 4000 ms");
});

test("who only hears the beep leaves nothing; who hangs up during the greeting neither", async () => {
  const town = await townWith({ desks, target: "voicemail/1000" });
  const far = town.phone("905321234567");
  await far.calls("08505320000");
  await hears(town, far, "mesajınızı bırakabilirsiniz");
  town.media.finish(far.rtpPort());
  await town.until("the recording", () => town.media.recorded(far.rtpPort()) !== undefined);
  town.media.recorded(far.rtpPort())!(300);
  await town.isQuiet();
  far.seen.length = 0;
  await far.calls("08505320000");
  await hears(town, far, "mesajınızı bırakabilirsiniz");
  await far.hangsUp();
  await town.isQuiet();
  expect(town.diary.lines.filter((line) => line.startsWith("message"))).toEqual([]);
});

test("*97 asks for the PIN, says how many there are, plays them and deletes on 3", async () => {
  const message = { callerIdNumber: "05321234567", startStamp: new Date(), unread: true, objectKey: "voicemail/a.wav" };
  const town = await townWith({ desks, pin: "1234", messages: { "1000": [{ ...message, uuid: randomUUID() }] } });
  const ann = town.phone("1000");
  await ann.calls("*97");
  await hears(town, ann, "şifrenizi");
  for (const key of "1234") await ann.presses(key);
  await hears(town, ann, "1 yeni, 0 eski");
  town.media.finish(ann.rtpPort());
  await hears(town, ann, "/objects/voicemail/a.wav");
  await ann.presses("3");
  await hears(town, ann, "Mesaj silindi");
  town.media.finish(ann.rtpPort());
  await hears(town, ann, "Başka mesaj yok");
  town.media.finish(ann.rtpPort());
  await hears(town, ann, "bitirmek için kareye");
  await ann.presses("#");
  await town.isQuiet();
});

test("a mailbox speaks its own language to its owner too", async () => {
  const town = await townWith({ desks, pin: "1234" });
  await town.db.query(sql`update mailboxes set greeting_language = 'en-US' where exchange_id = $1`, [town.exchangeId]);
  const ann = town.phone("1000");
  await ann.calls("*97");
  await hears(town, ann, "/speech/en-US/Please enter your PIN");
  for (const key of "1234") await ann.presses(key);
  await hears(town, ann, "/speech/en-US/You have no messages");
  town.media.finish(ann.rtpPort());
  await hears(town, ann, "/speech/en-US/Press one to hear your messages");
  await ann.presses("2");
  await hears(town, ann, "/speech/en-US/Press one to record your greeting");
  await ann.presses("#");
  await hears(town, ann, "/speech/en-US/Press one to hear your messages");
  await ann.presses("#");
  await town.isQuiet();
});

test("a PIN that cannot be opened fits nobody, and nobody is let in without it", async () => {
  const town = await townWith({ desks, pin: `sealed:ffffffff:${"A".repeat(40)}` });
  const ann = town.phone("1000");
  await ann.calls("*97");
  await town.isQuiet();
  expect(ann.seen.at(-1)).toBe("ended CALL_REJECTED");
});

test("three wrong PINs and the mailbox stays closed", async () => {
  const town = await townWith({ desks, pin: "1234" });
  const ann = town.phone("1000");
  await ann.calls("*97");
  for (let attempt = 0; attempt < 3; attempt++) {
    await hears(town, ann, "şifrenizi");
    for (const key of "9999") await ann.presses(key);
    await town.until("taken", () => !town.media.hears(ann.rtpPort()).join().includes("şifrenizi") || attempt < 2);
    await town.pass({ seconds: 1 });
  }
  await town.isQuiet();
  expect(ann.seen.at(-1)).toBe("ended CALL_REJECTED");
});

test("wrong PINs are counted from call to call: each further one keeps the mailbox closed for longer", async () => {
  const town = await townWith({ desks, pin: "1234" });
  const ann = town.phone("1000");
  const guesses = async (pin: string) => {
    await ann.calls("*97");
    await hears(town, ann, "şifrenizi");
    for (const key of pin) await ann.presses(key);
  };
  const isRefused = async () => {
    const before = ann.seen.length;
    await ann.calls("*97");
    await town.until("it is refused", () => ann.seen.slice(before).includes("ended CALL_REJECTED"));
  };
  // One at a time, and hung up before anybody is told no.
  for (const pin of ["9990", "9991", "9992"]) {
    await guesses(pin);
    await town.pass({ seconds: 1 });
    expect(await wrongPins(town)).toBe(Number(pin) - 9989);
    if (pin !== "9992") await ann.hangsUp();
    await town.pass({ seconds: 1 });
  }
  await isRefused();
  await town.pass({ seconds: 60 });
  await guesses("9993");
  await town.until("the mailbox closes", () => ann.seen.at(-1) === "ended CALL_REJECTED");
  expect(await wrongPins(town)).toBe(4);
  await town.pass({ seconds: 70 });
  await isRefused();
  await town.pass({ seconds: 60 });
  await guesses("1234");
  await town.pass({ seconds: 1 });
  expect(await wrongPins(town)).toBe(0);
  await ann.hangsUp();
  await town.isQuiet();
});

async function wrongPins(town: Town): Promise<number | undefined> {
  const [row] = await town.db.query<{ wrong: number }>(
    sql`select max(wrong_pins) as wrong from mailboxes where exchange_id = $1`,
    [town.exchangeId],
  );
  return row?.wrong;
}

describe("its owner's greeting", () => {
  const into = async (town: Town, phone: Phone, ms: number) => {
    await hears(town, phone, "Sinyal sesinden sonra");
    town.media.finish(phone.rtpPort());
    await town.until("the recording", () => town.media.recorded(phone.rtpPort()) !== undefined);
    town.media.recorded(phone.rtpPort())!(ms);
  };
  const atGreetings = async (town: Town, phone: Phone) => {
    await phone.calls("*97");
    await hears(town, phone, "Mesajınız yok");
    town.media.finish(phone.rtpPort());
    await hears(town, phone, "karşılama mesajınız için ikiye");
    await phone.presses("2");
    await hears(town, phone, "kaydetmek için bire");
  };
  const callersHear = async (town: Town, words: string) => {
    const far = town.phone("905321234567");
    await far.calls("08505320000");
    await hears(town, far, words);
    await far.hangsUp();
  };

  test("on a disk that takes nothing is not asked for again and again", async () => {
    const town = await townWith({ desks, target: "voicemail/1000" });
    const ann = town.phone("1000");
    await atGreetings(town, ann);
    await ann.presses("1");
    await hears(town, ann, "Sinyal sesinden sonra");
    town.media.finish(ann.rtpPort());
    await town.until("the recording", () => town.media.recorded(ann.rtpPort()) !== undefined);
    town.media.recorded(ann.rtpPort())!(0, "unwritable");
    await hears(town, ann, "Kayıt silindi");
    await ann.hangsUp();
    await town.isQuiet();
    const told = town.diary.records[0]!.facts.story;
    expect(told).toContainEqual(expect.objectContaining({ is: "recording-failed", step: "write", code: "ENOSPC" }));
  });

  test("is spoken, heard, spoken anew and kept, and callers hear it", async () => {
    const town = await townWith({ desks, target: "voicemail/1000" });
    const ann = town.phone("1000");
    await atGreetings(town, ann);
    await ann.presses("1");
    await into(town, ann, 3_000);
    await hears(town, ann, "/messages/greeting-");
    const [first = ""] = town.media.hears(ann.rtpPort());
    town.media.finish(ann.rtpPort());
    await hears(town, ann, "Saklamak için bire");
    await ann.presses("2");
    await into(town, ann, 4_000);
    await hears(town, ann, "/messages/greeting-");
    const [second = ""] = town.media.hears(ann.rtpPort());
    expect(second).not.toBe(first);
    town.media.finish(ann.rtpPort());
    await hears(town, ann, "Saklamak için bire");
    await ann.presses("1");
    await hears(town, ann, "kaydedildi");
    town.media.finish(ann.rtpPort());
    await hears(town, ann, "kaydetmek için bire");
    await ann.presses("2");
    const kept = (JSON.parse(second) as { path: string }).path;
    await hears(town, ann, `/objects/${kept}`);
    await ann.hangsUp();
    await callersHear(town, `/objects/${kept}`);
    await town.isQuiet();
    expect(town.diary.lines).toContain(`discarded ${(JSON.parse(first) as { path: string }).path}`);
  });

  test("is taken back, and callers hear the usual one", async () => {
    const town = await townWith({ desks, target: "voicemail/1000", greetings: { "1000": "old.wav" } });
    const ann = town.phone("1000");
    await callersHear(town, "/objects/old.wav");
    await atGreetings(town, ann);
    await ann.presses("3");
    await hears(town, ann, "Varsayılan karşılama mesajı");
    town.media.finish(ann.rtpPort());
    await hears(town, ann, "kaydetmek için bire");
    await ann.presses("#");
    await hears(town, ann, "karşılama mesajınız için ikiye");
    await ann.presses("#");
    await town.until("ended", () => ann.seen.includes("ended NORMAL_CLEARING"));
    await callersHear(town, "mesajınızı bırakabilirsiniz");
    await town.isQuiet();
  });

  test("that is too short, dropped or left by hanging up changes nothing", async () => {
    const town = await townWith({ desks, target: "voicemail/1000", greetings: { "1000": "old.wav" } });
    const ann = town.phone("1000");
    await atGreetings(town, ann);
    await ann.presses("1");
    await into(town, ann, 300);
    await into(town, ann, 2_000);
    await hears(town, ann, "/messages/greeting-");
    town.media.finish(ann.rtpPort());
    await hears(town, ann, "Saklamak için bire");
    await ann.presses("#");
    await hears(town, ann, "Kayıt silindi");
    town.media.finish(ann.rtpPort());
    await hears(town, ann, "kaydetmek için bire");
    await ann.presses("1");
    await hears(town, ann, "Sinyal sesinden sonra");
    town.media.finish(ann.rtpPort());
    await town.until("the recording", () => town.media.recorded(ann.rtpPort()) !== undefined);
    await ann.hangsUp();
    await callersHear(town, "/objects/old.wav");
    await town.isQuiet();
    expect(town.diary.lines.filter((line) => line.startsWith("discarded"))).toHaveLength(3);
  });
});
