import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type Sipp, type SippOptions, startSipp } from "../carriers/sipp.ts";
import { expectsUsAt } from "../carriers/sipp-changes.ts";
import { callsIn, takesCall } from "../carriers/sipp-scenarios.ts";
import { selfSigned } from "../ground/certificate.ts";
import { eventually } from "../ground/eventually.ts";
import { freePorts } from "../ground/free-ports.ts";
import { shows } from "../ground/interop.ts";
import { santral, temporaryFolder } from "../ground/santral-process.ts";
import { whenOver } from "../ground/when-over.ts";
import { type Baresip, startBaresip } from "../phones/baresip.ts";
import { talked } from "../phones/ear.ts";
import { expectHeard } from "../town/call-story.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

/** Of these two the first is this machine's own and so local, and the second is outside by the settings. */
const NEAR = "127.0.0.1";
const FAR = "127.0.0.9";
const DRESSED = `::ffff:${FAR}`;
/** Stands for the public address: loopback takes what is sent to it, as a router with forwarded ports would. */
const PUBLIC = "127.0.0.77";
const OWN_NUMBER = "908505321111";

let town: RealTown;
let port: number;
let tlsPort: number;
let ann: Baresip;
let bob: Baresip;
let six: Baresip;

beforeAll(async () => {
  const folder = temporaryFolder();
  const { cert, key } = selfSigned("localhost");
  writeFileSync(join(folder, "cert.pem"), cert);
  writeFileSync(join(folder, "key.pem"), key);
  port = await freePorts(1);
  tlsPort = await freePorts(1);
  town = await realTown({
    SANTRAL_SIP: `0.0.0.0:${port},[::]:${port}`,
    SANTRAL_SIP_TLS: `127.0.0.1:${tlsPort},[::1]:${tlsPort}`,
    SANTRAL_TLS_CERTIFICATE: join(folder, "cert.pem"),
    SANTRAL_TLS_KEY: join(folder, "key.pem"),
    SANTRAL_PUBLIC_IP: PUBLIC,
    SANTRAL_LOCAL_NETWORKS: "127.0.0.2/32",
  });
  const server = `127.0.0.1:${port}`;
  [ann, bob, six] = await Promise.all([
    town.phone("1000", 440, { server, answerMode: "auto" }),
    town.phone("1001", 660, { server, answerMode: "auto", transport: "tcp" }),
    town.phone("1002", 880, {
      server: `[::1]:${tlsPort}`,
      address: "::1",
      answerMode: "auto",
      transport: "tls",
      tlsAuthorities: join(folder, "cert.pem"),
    }),
  ]);
  await town.command("number", "create", OWN_NUMBER, "user/1000");
});

async function speak(from: [Baresip, number], to: [Baresip, number], number: string): Promise<void> {
  const [caller, callerHz] = from;
  const [called, calledHz] = to;
  await caller.dial(number);
  await caller.event("CALL_ESTABLISHED");
  await called.event("CALL_ESTABLISHED");
  await talked([caller, calledHz], [called, callerHz]);
  await caller.hangUp();
  for (const phone of [caller, called]) await phone.event("CALL_CLOSED");
  await expectHeard(caller, calledHz);
  await expectHeard(called, callerHz);
}

test(
  "phones of a server that listens on every address hear each other, though it has a public one",
  shows("addresses: every address of the machine", "baresip"),
  () => speak([ann, 440], [bob, 660], "1001"),
);

test(
  "a phone on IPv6 and one on IPv4 hear each other, whoever calls",
  shows("addresses: IPv6 and IPv4", "baresip"),
  async () => {
    await speak([ann, 440], [six, 880], "1002");
    await speak([six, 880], [bob, 660], "1001");
  },
);

test(
  "a carrier outside is told the public address and reaches us there, one inside that of the way to it",
  shows("addresses: public and local", "SIPp", "baresip"),
  async () => {
    // The far one is written in IPv6 clothing, and is the same machine.
    for (const [name, address, host, us, number] of [
      ["far", FAR, DRESSED, PUBLIC, "05331234567"],
      ["near", NEAR, NEAR, NEAR, "05321234567"],
    ] as const) {
      const carrier = await carrierPlays({ address, scenario: expectsUsAt(us, takesCall), echo: true });
      const reach = [`port=${carrier.port}`, `source-addresses=${DRESSED}`, "health-check=no"];
      await town.command("trunk", "create", name, host, ...reach);
      await town.command("rule", "create", name, "--prefix", `9${number.slice(0, 4)}`, "--trunk", name);
      await town.trunkIsUp(name);
      await ann.dial(number);
      await carrier.meanwhile(ann.event("CALL_ESTABLISHED"));
      await carrier.meanwhile(talked([ann, 440]));
      await ann.hangUp();
      await ann.event("CALL_CLOSED");
      expect(await carrier.done).toMatchObject({ code: 0 });
    }
    const scenario = expectsUsAt(PUBLIC, callsIn("905331234567"));
    const caller = await carrierPlays({ address: FAR, scenario, server: `127.0.0.1:${port}`, number: OWN_NUMBER });
    await caller.meanwhile(ann.event("CALL_ESTABLISHED"));
    await caller.meanwhile(talked([ann, 1_200]));
    await ann.event("CALL_CLOSED");
    expect(await caller.done).toMatchObject({ code: 0 });
  },
);

test("a call goes out by a trunk on IPv6", shows("addresses: trunk on IPv6", "baresip"), async () => {
  const outside = await startBaresip({
    ...{ user: "905341234567", password: "", domain: "127.0.0.1", server: `[::1]:${port}`, address: "::1" },
    ...{ registerSeconds: 0, answerMode: "auto", plays: town.tone(990) },
  });
  town.keep(outside);
  const reach = [`port=${outside.sipPort}`, "source-addresses=fd00::9", "health-check=no"];
  await town.command("trunk", "create", "six", "::1", ...reach);
  await town.command("rule", "create", "six", "--prefix", "90534", "--trunk", "six");
  await town.trunkIsUp("six");
  await speak([ann, 440], [outside, 990], "05341234567");
});

test(
  "a call goes out by a trunk over TLS with encrypted voice, and to nobody whose certificate is another's",
  shows(["trunks: over TLS", "encryption: required of a trunk"], "baresip"),
  async () => {
    const folder = temporaryFolder();
    const { cert, key } = selfSigned("carrier.example");
    const [own, authority] = [join(folder, "own.pem"), join(folder, "authority.pem")];
    writeFileSync(own, `${key}${cert}`);
    writeFileSync(authority, cert);
    const outside = await startBaresip({
      ...{ user: "905351234567", password: "", domain: "127.0.0.1", server: `127.0.0.1:${tlsPort}`, transport: "tls" },
      ...{ registerSeconds: 0, answerMode: "auto", plays: town.tone(990) },
      ...{ config: [`sip_certificate ${own}`], account: "mediaenc=srtp-mand" },
    });
    town.keep(outside);
    const reach = [`port=${outside.sipPort + 1}`, "transport=tls", `tls-ca=${authority}`, "tls-name=carrier.example"];
    await town.command("trunk", "create", "safe", NEAR, ...reach, "srtp=required", "source-addresses=fd00::10");
    await town.command("rule", "create", "safe", "--prefix", "90535", "--trunk", "safe");
    await town.trunkIsUp("safe");
    await speak([ann, 440], [outside, 990], "05351234567");
    await town.command("trunk", "set", "safe", "tls-name=another.example");
    await eventually("the trunk says why", async () =>
      (await santral(town.data, ["trunk", "list"])).stdout.includes("its certificate is for another name"),
    );
  },
);

test("banner and doctor name every door that is open, those for TLS too, and what peers are told", async () => {
  const banner = town.santral.output();
  expect(banner).toContain(`SIP             0.0.0.0:${port} (every IPv4 address)\n`);
  expect(banner).toContain(`SIP             [::]:${port} (every IPv6 address)\n`);
  for (const host of ["127.0.0.1", "[::1]"]) expect(banner).toContain(`SIP over TLS    ${host}:${tlsPort}\n`);
  // By the server's own settings, whatever the environment of who asks says.
  const env = { SANTRAL_PUBLIC_IP: "", SANTRAL_PUBLIC_URL: "https://elsewhere.example" };
  const doctor = await santral(town.data, ["doctor"], { env });
  for (const door of [`SIP [::]:${port}`, `SIP over TLS 127.0.0.1:${tlsPort}`, `SIP over TLS [::1]:${tlsPort}`])
    expect(doctor.stdout).toContain(`${door}, open by our server`);
  expect(doctor.stdout).toContain(`peers outside the local networks are told ${PUBLIC}`);
  expect(doctor.stdout).toContain("programs on other machines cannot reach us");
  expect(doctor.stdout).toMatch(/certificate .+\.pem/);
});

test("after a restart all of it holds", async () => {
  await town.restart();
  await speak([six, 880], [ann, 440], "1000");
  await speak([ann, 440], [bob, 660], "1001");
});

async function carrierPlays(options: SippOptions): Promise<Sipp> {
  const sipp = await startSipp({ calls: 1, ...options });
  whenOver(sipp.end);
  return sipp;
}
