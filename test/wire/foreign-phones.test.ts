// What our own phones do in other stories, done by somebody else's: where both ends are ours, two mistakes may agree.
// docs/interop.md says what is shown by which program.

import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { CARRIER_ADDRESS } from "../carriers/carrier.ts";
import { type Sipp, type SippOptions, startSipp } from "../carriers/sipp.ts";
import { refreshesAndChangesCodec, speaksAndRefuses, TONE_HZ } from "../carriers/sipp-scenarios.ts";
import { PRIVATE_WEBHOOKS } from "../customer/event-receiver.ts";
import { openProgramService, type ProgramService } from "../customer/program-service.ts";
import { eventually } from "../ground/eventually.ts";
import { shows } from "../ground/interop.ts";
import { whenOver } from "../ground/when-over.ts";
import type { Baresip } from "../phones/baresip.ts";
import { earOf, talked } from "../phones/ear.ts";
import { talking } from "../town/call-story.ts";
import { CLEAR, type RealTown, realTown } from "../town/real-town.ts";

// Many phones and voices share the machine with whatever else is tested just then.
vi.setConfig({ testTimeout: 300_000 });

const ANN_SAYS = 660;
const BOB_SAYS = 880;
const BEEP = 1_000;
/** Well above the second below which somebody has said nothing. */
const A_MESSAGE_MS = 2_500;
/** A hundredth of full scale: quiet music is louder, comfort noise far below. */
const AUDIBLE = 0.01;

const tones = {
  bırakabilirsiniz: 440,
  "mesajınız var": 500,
  "Mesaj silindi": 560,
  "Bir tuş": 620,
  Görüşmemizi: 720,
  Teşekkür: 760,
};

let town: RealTown;
let service: ProgramService;
let ann: Baresip;
let bob: Baresip;

beforeAll(async () => {
  service = await openProgramService(tones);
  town = await realTown({ ...service.env, ...PRIVATE_WEBHOOKS });
  await town.command("exchange", "set", `program-url=${service.url}`);
  await town.command("extension", "set", "1002", "forward-always=programmed");
  await town.command("queue", "set", "200", "wrap-up-seconds=0", "callback-key=5", "survey=yes");
  await town.command("queue", "members", "200", "1000");
  [ann, bob] = await Promise.all([
    town.phone("1000", ANN_SAYS, { config: ["module_app mwi.so"], account: "mwi=yes" }),
    town.phone("1001", BOB_SAYS),
  ]);
});

afterEach(() => {
  for (const phone of [ann, bob]) phone.forget();
});

const accepts = async (phone: Baresip) => {
  await phone.event("CALL_INCOMING");
  await phone.command("accept");
  await phone.event("CALL_ESTABLISHED");
};

/** A key may come before anybody waits for it: then again, until it has done what it should. */
async function presses(phone: Baresip, key: string, until: Promise<unknown>): Promise<void> {
  let isDone = false;
  const done = until.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await phone.command("sndcode", key);
    await Promise.race([done, talking(1_000)]);
  }
  await done;
}

async function plays(options: SippOptions): Promise<Sipp> {
  const sipp = await startSipp({ address: CARRIER_ADDRESS, calls: 1, ...options });
  whenOver(sipp.end);
  return sipp;
}

test(
  "a message is left after the tone, lights the owner's lamp, is heard and deleted",
  shows(["calls: voicemail left, heard, deleted", "lamps: message waiting"], "baresip"),
  async () => {
    const lamp = async (state: "yes" | "no") => {
      for (;;) if (`${(await ann.event("MWI_NOTIFY")).param}`.includes(`Messages-Waiting: ${state}`)) return;
    };
    const bobs = await earOf(bob);
    await bob.dial("*981000");
    await bobs.hears(tones.bırakabilirsiniz);
    await bobs.hears(BEEP, { forMs: 200 });
    await talking(A_MESSAGE_MS);
    await presses(bob, "#", bob.event("CALL_CLOSED"));
    await lamp("yes");
    const anns = await earOf(ann);
    await ann.dial("*97");
    await anns.hears(tones["mesajınız var"]);
    await anns.hears(BOB_SAYS);
    await presses(ann, "3", anns.hears(tones["Mesaj silindi"]));
    await lamp("no");
    await ann.hangUp();
    await ann.event("CALL_CLOSED");
  },
);

test(
  "a key is taken by the customer's service, which sends the caller on",
  shows(["interface: call programs", "keys: in RTP (RFC 4733), sent"], "baresip"),
  async () => {
    const prompt = { phrase: "Bir tuş?", min_digits: "1", max_digits: "1", param_name: "key", timeout: 30 };
    service.answers = ({ fields }, response) => {
      const answer = fields.step === "1" ? { prompt } : { transfer: { target: "user/1000" } };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    };
    const bobs = await earOf(bob);
    await bob.dial("1002");
    await bobs.hears(tones["Bir tuş"]);
    await presses(bob, "7", ann.event("CALL_INCOMING"));
    expect(service.questions.at(-1)?.fields.key).toBe("7");
    await ann.command("accept");
    await talked([ann, BOB_SAYS], [bob, ANN_SAYS]);
    await bob.hangUp();
    await ann.event("CALL_CLOSED");
  },
);

test(
  "a caller in a queue hears music, keeps the place by a key, and is called back",
  shows("calls: waiting in a queue, called back", "baresip"),
  async () => {
    const pending = async () => JSON.parse(await town.ask("/queues/pending")) as { uuid: string }[];
    await town.command("agent", "break", "1000", "Mola");
    const bobs = await earOf(bob);
    await bob.dial("200");
    await bobs.hearsWhat("music", ({ level, loudness }) => level(ANN_SAYS) < CLEAR && loudness > AUDIBLE);
    const [waiting] = await eventually("bob waits", async () => {
      const all = await pending();
      return all.length === 1 && all;
    });
    await presses(
      bob,
      "5",
      eventually("the place is kept", async () => (await pending()).some(({ uuid }) => uuid !== waiting?.uuid)),
    );
    await bob.hangUp();
    bob.forget();
    await town.command("agent", "resume", "1000");
    await accepts(ann);
    await accepts(bob);
    await talked([ann, BOB_SAYS], [bob, ANN_SAYS]);
    await bob.hangUp();
    await ann.event("CALL_CLOSED");
  },
);

test(
  "an agent hangs up first, and the caller is asked how it was",
  shows("calls: asked how it was", "baresip"),
  async () => {
    await bob.dial("200");
    await accepts(ann);
    await talked([ann, BOB_SAYS], [bob, ANN_SAYS]);
    const bobs = await earOf(bob);
    await ann.hangUp();
    await bobs.hears(tones.Görüşmemizi);
    await presses(bob, "4", bobs.hears(tones.Teşekkür));
    await bob.event("CALL_CLOSED");
  },
);

test(
  "a desk is rung by the interface, picks up, and then the other is dialled",
  shows("interface: originate", "baresip"),
  async () => {
    await town.ask("/originate", { extension: "1000", destination: "1001", manual_answer: "true" });
    await accepts(ann);
    await accepts(bob);
    await talked([ann, BOB_SAYS], [bob, ANN_SAYS]);
    await ann.hangUp();
    await bob.event("CALL_CLOSED");
  },
);

test(
  "a carrier's voice is heard without any answer",
  shows("trunks: voice before the answer", "SIPp", "baresip"),
  async () => {
    const carrier = await plays({ scenario: speaksAndRefuses });
    const reach = [`port=${carrier.port}`, `source-addresses=${CARRIER_ADDRESS}`, "health-check=no"];
    await town.command("trunk", "create", "carrier", CARRIER_ADDRESS, ...reach);
    await town.trunkIsUp("carrier");
    const anns = await earOf(ann);
    await ann.dial("05331234567");
    await carrier.meanwhile(anns.hears(TONE_HZ.PCMA));
    expect((await ann.event("CALL_CLOSED")).param).toContain("486");
    expect(await carrier.done).toMatchObject({ code: 0 });
  },
);

test(
  "a carrier keeps its session alive and changes its codec in the middle of a call",
  shows("trunks: session timer, UPDATE, re-INVITE with another codec", "SIPp", "baresip"),
  async () => {
    await town.command("number", "create", "908505321111", "user/1000");
    const anns = await earOf(ann);
    const scenario = refreshesAndChangesCodec("905321234567");
    const carrier = await plays({ scenario, server: town.santral.run.sip ?? "", number: "908505321111" });
    await carrier.meanwhile(accepts(ann));
    await carrier.meanwhile(anns.hears(TONE_HZ.PCMA));
    await carrier.meanwhile(anns.hears(TONE_HZ.PCMU));
    await ann.event("CALL_CLOSED");
    expect(await carrier.done).toMatchObject({ code: 0 });
  },
);
