// A telephone that does what no real test phone at hand can: it answers when told to by NOTIFY, and puts two calls
// together by REFER with Replaces. SIP by our own stack, voice by one socket.

import { realClock } from "../../src/clock.ts";
import { openStack } from "../../src/sip/stack.ts";
import { openRandom } from "../../src/sip/transport/random.ts";
import { openUdp } from "../../src/sip/transport/udp.ts";
import { unexpected } from "../ground/unexpected.ts";
import { whenOver } from "../ground/when-over.ts";
import type { RealTown } from "../town/real-town.ts";
import { type PhoneOptions, RtpPhone } from "./rtp-phone.ts";
import { type Account, SipPhone, type SoftPhone } from "./sip-phone.ts";

export type { RingingCall, SoftCall, SoftPhone } from "./sip-phone.ts";

/** With a password of its own it only tries to call, and does not register; nor does it at a carrier's address. */
export type SoftOptions = { password?: string; voice?: Partial<PhoneOptions>; address?: string };

export async function softPhone(
  town: Pick<RealTown, "firstRun"> & { santral: { run: { sip?: string } } },
  number: string,
  hz: number,
  { password, voice: more = {}, address = "127.0.0.1" }: SoftOptions = {},
): Promise<SoftPhone> {
  const [host = "", port = ""] = (town.santral.run.sip ?? "").split(":");
  const known = town.firstRun.extensions.find((it) => it.number === number)?.password ?? "";
  const account: Account = {
    number,
    password: password ?? known,
    domain: town.firstRun.exchange.sip_domain,
    server: { transport: "udp", address: host, port: Number(port) },
  };
  const transport = await openUdp({ address, port: 0 });
  const stack = openStack({ clock: realClock, random: openRandom(), unexpected, transports: [transport] });
  const voices: RtpPhone[] = [];
  whenOver(async () => {
    for (const voice of voices) voice.hangUp();
    await stack.close();
  });
  const phone = new SipPhone(stack, account, `<sip:${number}@${address}:${transport.sentBy.port}>`, async () => {
    const voice = await RtpPhone.open({ says: hz, events: 101, ...more });
    voices.push(voice);
    return voice;
  });
  if (password === undefined && address === "127.0.0.1") await phone.register();
  return phone;
}
