import { expect, test } from "vitest";
import { pause, realClock } from "../../src/clock.ts";
import { CARRIER_ADDRESS } from "./carrier.ts";
import { eventually } from "./eventually.ts";
import { heard, keyPressed } from "./listening.ts";
import { ABSENT, CLEAR, realTown, toneIn } from "./real-town.ts";
import { softPhone } from "./soft-phone.ts";

const BEEP = 1_000;
const seconds = (count: number) => pause(realClock, count * 1_000);

/** The outside calls in, chooses a key, waits, talks with an agent, and is sent to a mailbox by the agent's phone. */
test("from the outside through menu, queue and agent into a mailbox, and out of it again", {
  timeout: 240_000,
}, async () => {
  const town = await realTown();
  const [number] = JSON.parse(await town.ask("/caller_ids")) as string[];
  await town.command("trunk", "create", "carrier", CARRIER_ADDRESS, `source-addresses=${CARRIER_ADDRESS}`);
  await town.command("menu", "create", "11", "Test", "keys=1:queue/200");
  await town.command("number", "set", number!, "target=ivr/11", "closed-target=ivr/11");
  await town.command("queue", "members", "200", "1001");
  await town.command("agent", "login", "1001");
  const agent = await town.phone("1001", 660, { answerMode: "auto" });
  const owner = await town.phone("1000", 880, { config: ["module_app mwi.so"], account: "mwi=yes" });

  const outside = await softPhone(town, "905321234567", 440, { address: CARRIER_ADDRESS });
  const call = await outside.call(number!);
  if ("refused" in call) throw new Error(`refused: ${call.refused}`);
  await keyPressed(call.voice, "1", agent.event("CALL_ESTABLISHED", 60_000));
  expect(await call.voice.soonHears(660)).toBeGreaterThan(CLEAR);
  await seconds(3);
  await agent.command("transfer", `sip:*981000@${town.firstRun.exchange.sip_domain}`);
  await agent.event("CALL_CLOSED", 20_000);
  const [atAgent] = await agent.recordings("dec");
  expect(toneIn(atAgent!, 440, { lastMs: 2_000 })).toBeGreaterThan(CLEAR);
  await heard(call.voice, BEEP);
  await seconds(4); // in which he speaks
  await call.hangUp();

  const message = await eventually(
    "a message is left",
    async () => {
      const { messages } = JSON.parse(await town.ask("/voicemail_messages", { user_number: "1000" })) as {
        messages: { uuid: string; read_stamp: string | null }[];
      };
      return messages[0];
    },
    60,
  );
  expect(message.read_stamp).toBeNull();
  await owner.event("MWI_NOTIFY", 10_000);

  const { cdr } = JSON.parse(await town.ask(`/cdrs/${message.uuid}`)) as { cdr: { result: string } };
  expect(cdr.result).toBe("Cevaplandı");

  await owner.dial("*97");
  await owner.event("CALL_ESTABLISHED");
  await seconds(20);
  await owner.hangUp();
  await owner.event("CALL_CLOSED");
  const [atOwner] = await owner.recordings("dec");
  expect(loudest(atOwner!, 440)).toBeGreaterThan(CLEAR);
  expect(loudest(atOwner!, 880)).toBeLessThan(ABSENT * 2);

  const url = await town.post("/voicemail_recording_url", { uuid: message.uuid });
  const sound = new Uint8Array(await (await fetch(url)).arrayBuffer());
  expect(toneIn(sound, 440)).toBeGreaterThan(CLEAR);
});

/** The strongest second of a file: a message stands between sentences. */
function loudest(file: string, hz: number): number {
  const levels = Array.from({ length: 60 }, (_, second) => toneIn(file, hz, { fromMs: second * 500, forMs: 1_000 }));
  return Math.max(...levels);
}
