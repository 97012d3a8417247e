import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { askServer } from "../../src/server/control-client.ts";
import { selfSigned } from "../ground/certificate.ts";
import { freePorts } from "../ground/free-ports.ts";
import { shows } from "../ground/interop.ts";
import { putMadeFolder } from "../ground/made-folder.ts";
import { type SantralProcess, santral, startProcess, temporaryFolder } from "../ground/santral-process.ts";
import { whenOver } from "../ground/when-over.ts";
import { type Baresip, type BaresipOptions, startBaresip } from "../phones/baresip.ts";

type FirstRun = { exchange: { id: number; sip_domain: string }; extensions: { number: string; password: string }[] };

const LADDER = { timeout: 90_000, interval: 1_000 };
const phones = new Set<Baresip>();
afterAll(() => Promise.all([...phones].map((phone) => phone.kill())));

const firstRunIn = (data: string) => JSON.parse(readFileSync(join(data, "first-run.json"), "utf8")) as FirstRun;
const phonesOf = (data: string) => askServer(join(data, "control.sock"), "phones");

async function phoneOf(data: string, { run }: SantralProcess, options: Partial<BaresipOptions> = {}): Promise<Baresip> {
  const { exchange, extensions } = firstRunIn(data);
  const { number, password } = extensions.find((it) => it.number === (options.user ?? "1000"))!;
  const standard = { user: number, password, domain: exchange.sip_domain, server: run.sip! };
  const phone = await startBaresip({ ...standard, ...options });
  phones.add(phone);
  return phone;
}

async function quit(phone: Baresip): Promise<void> {
  phones.delete(phone);
  await phone.quit();
}

/** Half of what a handshake or an unfinished request is given: a stop has waited for none of them. */
const STOP_MS = 8_000;

/** Connections that stay and say nothing: two at each door, a WebSocket that says nothing of SIP, the control door. */
async function knockEverywhere(doors: string[], data: string): Promise<Socket[]> {
  const sockets = doors.flatMap((door) => {
    const [host, port] = [door.slice(0, door.lastIndexOf(":")), Number(door.slice(door.lastIndexOf(":") + 1))];
    return [0, 1].map(() => connect({ host, port, allowHalfOpen: true }));
  });
  sockets.push(connect({ path: join(data, "control.sock"), allowHalfOpen: true }));
  for (const socket of sockets) socket.on("error", () => undefined).resume();
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const [, , , , web, half] = sockets;
  web!.write(
    "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Protocol: sip\r\n" +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  expect(String((await once(web!, "data"))[0])).toMatch(/^HTTP\/1\.1 101 /);
  half!.write("GET /healthz HTTP/1.1\r\nX-Half");
  sockets[0]!.write("OPTIONS sip:x SIP/2.0\r\nVia");
  return sockets;
}

describe("a server that is killed", () => {
  test("knows its phones when it is back, and they need not notice", {
    ...shows("registration: kept over a kill of the server", "baresip"),
    timeout: 300_000,
  }, async () => {
    const data = join(temporaryFolder(), "data");
    await putMadeFolder(data);
    const env = { SANTRAL_SIP: `127.0.0.1:${await freePorts(1)}` };
    const before = await startProcess(data, { env });
    const [desk, second] = await Promise.all([
      phoneOf(data, before, { user: "1000" }),
      phoneOf(data, before, { user: "1001" }),
    ]);
    await Promise.all([desk.registered(), second.registered()]);
    expect(await phonesOf(data)).toEqual({ extensions: 2, contacts: 2 });

    expect(await before.end("SIGKILL")).toBe("SIGKILL");
    const after = await startProcess(data, { env });

    expect(await phonesOf(data)).toEqual({ extensions: 2, contacts: 2 });
    expect(await (await after.get("/metrics")).text()).toContain('santral_phones{what="contacts"} 2');
    // It is not only remembered, it rings: neither phone has registered again since.
    await desk.dial("1001");
    await second.event("CALL_INCOMING");
    const { id } = await desk.event("CALL_RINGING");
    await desk.hangUp();
    // The ladder holds both legs of the call, whichever of them is asked for.
    await expect.poll(async () => (await santral(data, ["sip", "ladder", String(id)])).stdout, LADDER).toMatch(/487/);
    const { stdout: ladder } = await santral(data, ["sip", "ladder", String(id)]);
    expect(ladder).toContain("(Europe/Istanbul)"); // as the call's story has it
    expect(ladder.match(/-INVITE sdp-/g)?.length).toBeGreaterThanOrEqual(2);
    for (const phone of [desk, second]) expect(ladder).toContain(`udp 127.0.0.1:${phone.sipPort}`);
    await Promise.all([quit(desk), quit(second)]);
    await expect.poll(() => phonesOf(data)).toEqual({ extensions: 0, contacts: 0 });
    expect(await after.end("SIGTERM")).toBe(0);
  });
});

describe("a running server", () => {
  test("speaks TLS with the certificate it was given, shows messages as they pass, and keeps exchanges apart", async () => {
    const data = join(temporaryFolder(), "data");
    await putMadeFolder(data);
    const files = { cert: join(data, "cert.pem"), key: join(data, "key.pem") };
    const { cert, key } = selfSigned("localhost");
    const tlsPort = await freePorts(1);
    writeFileSync(files.cert, cert);
    writeFileSync(files.key, key);
    const env = {
      SANTRAL_SIP_TLS: `127.0.0.1:${tlsPort}`,
      SANTRAL_TLS_CERTIFICATE: files.cert,
      SANTRAL_TLS_KEY: files.key,
    };
    const server = await startProcess(data, { env });
    const trace = watch(data, "--extension", "1000");
    await expect.poll(() => trace.isOpen()).toBe(true);

    const secure = await phoneOf(data, server, {
      transport: "tls",
      server: `127.0.0.1:${tlsPort}`,
      tlsAuthorities: files.cert,
    });
    await secure.registered();
    await expect.poll(() => trace.text()).toContain("SIP/2.0 200 OK");
    expect(trace.text()).toMatch(/Authorization: Digest .*username="1000".*response="\*\*\*"/);
    expect(trace.text()).not.toMatch(/nonce="[^*]/);
    trace.end();
    await quit(secure);

    // A second exchange with an extension of the same number, and a password of its own.
    const made = await santral(data, ["exchange", "create", "Other", "--sip-domain", "other.example"]);
    expect(made.code, made.stderr).toBe(0);
    const id = (
      JSON.parse((await santral(data, ["exchange", "list", "--json"])).stdout) as { id: number; sip_domain: string }[]
    ).find(({ sip_domain }) => sip_domain === "other.example")!.id;
    const password = "another-long-password";
    const add = ["extension", "create", "1000", "--password", password, "--exchange", String(id)];
    expect((await santral(data, add)).code).toBe(0);
    const other = await phoneOf(data, server, { domain: "other.example", password });
    await other.registered();
    const intruder = await phoneOf(data, server, { password });
    await expect
      .poll(
        async () =>
          ((await askServer(join(data, "control.sock"), "ignored")) as { faults: Record<string, number> }).faults[
            "wrong-password"
          ],
      )
      .toBeGreaterThan(0);
    expect(await intruder.isRegistered()).toBe(false);
    await expect.poll(() => phonesOf(data)).toEqual({ extensions: 1, contacts: 1 });
    await Promise.all([quit(other), quit(intruder)]);

    const silent = await knockEverywhere([server.run.sip!, `127.0.0.1:${tlsPort}`, server.run.http], data);
    const beganMs = performance.now();
    expect(await server.end("SIGTERM")).toBe(0);
    expect(performance.now() - beganMs, "ms to stop").toBeLessThan(STOP_MS);
    for (const socket of silent) socket.destroy();
  }, 300_000);

  test("answers OPTIONS, and refuses what it does not know or cannot believe", async () => {
    const data = join(temporaryFolder(), "data");
    await putMadeFolder(data);
    const server = await startProcess(data);
    const port = Number(server.run.sip!.split(":")[1]);
    const statusOf = async (method: string, extra = "") =>
      Number(/^SIP\/2\.0 (\d+)/.exec(await exchangeOf(port, request(method, extra)))?.[1]);
    expect(await statusOf("OPTIONS")).toBe(200);
    expect(await statusOf("INVITE", "Contact: <sip:x@127.0.0.1>\r\n")).toBe(401);
    expect(await statusOf("SUBSCRIBE", "Event: dialog\r\nContact: <sip:x@127.0.0.1>\r\n")).toBe(401);
    expect(await statusOf("REGISTER")).toBe(401);
    expect(await statusOf("MESSAGE")).toBe(401);
    expect(await statusOf("PUBLISH")).toBe(401);
    expect(await statusOf("NONSENSE")).toBe(501);
    expect(await statusOf("BYE")).toBe(481);
    expect([401, 403, 405]).toContain(
      await statusOf("REFER", "Refer-To: <sip:y@127.0.0.1>\r\nContact: <sip:x@127.0.0.1>\r\n"),
    );
    expect([401, 403, 405, 481]).toContain(await statusOf("NOTIFY", "Event: talk\r\nSubscription-State: active\r\n"));
    expect(await server.end("SIGTERM")).toBe(0);
  }, 240_000);
});

let asked = 0;
function request(method: string, extra: string): string {
  const id = `${process.pid}-${++asked}`;
  return (
    `${method} sip:1000@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bK${id};rport\r\nMax-Forwards: 70\r\n` +
    `From: <sip:x@127.0.0.1>;tag=${id}\r\nTo: <sip:1000@127.0.0.1>\r\nCall-ID: ${id}\r\nCSeq: 1 ${method}\r\n${extra}\r\n`
  );
}

/** The first datagram that comes back and is no 100. */
function exchangeOf(port: number, text: string): Promise<string> {
  return new Promise((settle, reject) => {
    const socket = createSocket("udp4");
    const timer = setTimeout(() => {
      socket.close();
      reject(new Error(`no answer to ${text}`));
    }, 60_000);
    socket.on("message", (answer) => {
      if (answer.toString().startsWith("SIP/2.0 100")) return;
      clearTimeout(timer);
      socket.close();
      settle(answer.toString());
    });
    socket.send(text, port, "127.0.0.1");
  });
}

/** santral sip trace, as somebody at a terminal sees it. */
function watch(data: string, ...options: string[]) {
  const { DATABASE_URL: _url, ...inherited } = process.env;
  const env = { ...inherited, SANTRAL_DATA: data };
  const child = spawn(process.execPath, [resolve("dist/santral.js"), "sip", "trace", ...options], { env });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  whenOver(() => child.kill());
  return {
    text: () => text,
    isOpen: async () => ((await askServer(join(data, "control.sock"), "watching")) as number) > 0,
    end: () => child.kill(),
  };
}
