import { expect, test } from "vitest";
import { pause, realClock } from "../../src/clock.ts";
import { CARRIER_ADDRESS } from "../carriers/carrier.ts";
import { eventually } from "../ground/eventually.ts";
import { earOf } from "../phones/ear.ts";
import { heard, keyPressed } from "../phones/listening.ts";
import { softPhone } from "../phones/soft-phone.ts";
import { recordOf } from "../town/call-story.ts";
import { ABSENT, CLEAR, realTown, strongestIn } from "../town/real-town.ts";

const BEEP = 1_000;
const seconds = (count: number) => pause(realClock, count * 1_000);

/** The outside calls in, chooses a key, waits, talks with an agent, and is sent to a mailbox by the agent's phone. */
test("from the outside through menu, queue and agent into a mailbox, and out of it again", {
  timeout: 400_000,
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

  const [agents, owners] = await Promise.all([earOf(agent), earOf(owner)]);

  const outside = await softPhone(town, "905321234567", 440, { address: CARRIER_ADDRESS });
  const call = await outside.call(number!);
  if ("refused" in call) throw new Error(`refused: ${call.refused}`);
  await keyPressed(call.voice, "1", agent.event("CALL_ESTABLISHED", 120_000));
  expect(await call.voice.soonHears(660)).toBeGreaterThan(CLEAR);
  await agents.hears(440, { forMs: 1_000 });
  call.voice.listenAnew();
  await agent.command("transfer", `sip:*981000@${town.firstRun.exchange.sip_domain}`);
  await agent.event("CALL_CLOSED");
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
  await owner.event("MWI_NOTIFY");

  expect((await recordOf(town, message.uuid)).cdr.result).toBe("Cevaplandı");

  await owner.dial("*97");
  await owner.event("CALL_ESTABLISHED");
  await owners.hears(440, { forMs: 1_000 }); // the message, between sentences
  await owner.hangUp();
  await owner.event("CALL_CLOSED");
  const [atOwner] = await owner.recordings("dec");
  expect(strongestIn(atOwner!, 880, 1_000)).toBeLessThan(ABSENT * 2);

  const url = await town.post("/voicemail_recording_url", { uuid: message.uuid });
  const sound = new Uint8Array(await (await fetch(url)).arrayBuffer());
  expect(strongestIn(sound, 440, 1_000)).toBeGreaterThan(CLEAR);
});
