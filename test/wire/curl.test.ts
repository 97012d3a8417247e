// Every request that the interface documents, in its documented form, sent by curl to a running exchange.

import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { eventually } from "../ground/eventually.ts";
import { shows } from "../ground/interop.ts";
import { whenOver } from "../ground/when-over.ts";
import type { Baresip } from "../phones/baresip.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ID = /^\d+$/;
const NOWHERE = "358c20bc-fd86-11e5-87a2-157d41a07454";
const JSON_BODY = ["-H", "Content-Type: application/json", "-d"];
const ECHOES = "905000000001";

let town: RealTown;
let ann: Baresip;
let hook: string;
let clients = 0;

beforeAll(async () => {
  town = await realTown({ SANTRAL_PRIVATE_WEBHOOKS: "true" });
  ann = await town.phone("1000", 440, { answerMode: "auto" });
  await town.phone("1001", 660, { answerMode: "auto" });
  const server = createServer((_, response) => response.setHeader("content-type", "text/plain").end("OK"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  whenOver(() => void server.close());
  hook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

/** What curl prints. Each question comes from a client of its own, so that rates are not what is tested. */
async function curl(path: string, ...words: string[]): Promise<{ status: number; text: string; type: string }> {
  clients = (clients % 250) + 1;
  const from = path.startsWith("/v2/") ? [] : ["-H", `X-Forwarded-For: 192.0.2.${clients}`];
  const url = `http://${town.santral.run.http}${path}`;
  const { stdout } = await promisify(execFile)("curl", [
    "-sS",
    "-w",
    "\n%{http_code} %{content_type}",
    ...from,
    ...words,
    url,
  ]);
  const end = stdout.lastIndexOf("\n");
  const [status = "", ...type] = stdout.slice(end + 1).split(" ");
  return { status: Number(status), text: stdout.slice(0, end), type: type.join(" ") };
}

const keyed = (path: string) => `${path}${path.includes("?") ? "&" : "?"}key=${town.firstRun.exchange.key}`;

/** The text of an answer with 200. */
async function said(path: string, ...words: string[]): Promise<string> {
  const { status, text } = await curl(keyed(path), ...words);
  expect([status, text], path).toEqual([200, text]);
  return text;
}

const listed = async (path: string) => JSON.parse(await said(path)) as never;
const refused = (path: string, ...words: string[]) =>
  curl(keyed(path), ...words).then(({ status, text }) => ({ status, text }));
const NO_CHANNEL = { status: 400, text: "No such channel!" };

test(
  "calls: originate, answer, mute, transfer, hang up, bridge, the outbound number",
  shows("interface: calls", "curl"),
  async () => {
    const first = await said(`/originate?extension=1000&destination=${ECHOES}&timeout=20`);
    expect(first).toMatch(UUID);
    await ann.event("CALL_ESTABLISHED");
    await eventually("the call is up", async () => (await curl(keyed(`/mute/${first}?state=on`))).text === "+OK");
    expect(await said(`/mute/${first}?state=off`)).toBe("+OK");
    expect(await said(`/transfer?id=${first}&user_number=1001`, "-X", "POST")).toBe("+OK");
    await ann.event("CALL_CLOSED");
    expect(await said(`/hangup/${first}`)).toBe("+OK");
    expect(await refused(`/hangup/${first}`)).toEqual(NO_CHANNEL);

    const body = JSON.stringify({ extension: "1000", destination: ECHOES, manual_answer: false });
    const second = await said("/originate", ...JSON_BODY, body);
    await ann.event("CALL_ESTABLISHED");
    await eventually("talking", async () => (await curl(keyed(`/mute/${second}?state=off`))).text === "+OK");
    expect(await said(`/transfer/${second}?user_number=1001`)).toBe("+OK");
    expect(await said(`/hangup/${second}`)).toBe("+OK");

    expect(await refused(`/answer/${NOWHERE}`)).toEqual(NO_CHANNEL);
    expect(await refused("/answer", "-d", `id=${NOWHERE}`)).toEqual(NO_CHANNEL);
    const bridged = await said(`/bridge?source=${ECHOES}&destination=905000000001&timeout=10&recording_enabled=false`);
    expect(bridged).toMatch(UUID);
    expect(await said(`/hangup/${bridged}`)).toBe("+OK");

    const [own] = (await listed("/caller_ids")) as string[];
    expect(await said(`/update_outbound_caller_id?extension=1000&caller_id=${own}`)).toBe("OK");
  },
);

test(
  "statuses, do-not-disturb, queues, tokens and settings",
  shows("interface: statuses, queues, settings", "curl"),
  async () => {
    expect(await listed("/agent_statuses?queue=200")).toContainEqual(expect.objectContaining({ agent: "1000" }));
    expect(await listed("/user_statuses")).toContainEqual(expect.objectContaining({ user: 1000 }));
    expect(await said("/dnd/1001?state=on")).toBe("Changed DND of 1001 to on.");
    expect(await said("/dnd/1001?state=off")).toBe("Changed DND of 1001 to off.");
    expect(await said("/webphone_tokens", ...JSON_BODY, JSON.stringify({ extension: "1000" }))).toMatch(/^W/);
    expect(await listed("/queues")).toContainEqual({ number: 200, name: "Destek" });
    expect(await listed("/queues/pending")).toEqual([]);
    expect(await said("/queue/manage_users?queue_number=200&user_list=1002,1000")).toBe("OK");
    expect(await listed("/queue/user_list?queue_number=200")).toMatchObject([{ user: 1002 }, { user: 1000 }]);
    const events = ["-d", "ringing=on", "-d", "answered=on", "-d", "hangup=on"];
    expect(await said("/crm_integrations", ...events, "-d", `notification_url=${hook}`)).toBe("OK");
    expect(await listed("/crm_integrations")).toMatchObject({ ringing: "on", notification_url: hook });
  },
);

test("records, recordings and voicemail", shows("interface: records and recordings", "curl"), async () => {
  const call = await said(`/originate?extension=1000&destination=${ECHOES}`);
  await eventually("talking", async () => (await curl(keyed(`/mute/${call}?state=off`))).text === "+OK");
  await eventually("a second of talk", async () => {
    const { text } = await curl(keyed("/user_statuses?user=1000"));
    return text.includes("TALKING");
  });
  await said(`/hangup/${call}`);
  await eventually("the record", async () => (await curl(keyed(`/cdrs/${call}`))).status === 200);
  const whole = (await listed(`/cdrs/${call}`)) as { cdr: object; call_flow: object[] };
  expect(whole.cdr).toMatchObject({ caller_id_number: "1000", destination_number: "05000000001" });
  expect(whole.call_flow).toHaveLength(2);
  const from = encodeURIComponent(new Date(Date.now() - 86_400_000).toISOString());
  const { cdrs } = (await listed(`/cdrs?start_stamp_from=${from}&direction=outbound&missed=false&page=1&limit=10`)) as {
    cdrs: { call_uuid: string; recording_present: string }[];
  };
  const recorded = cdrs.find(({ call_uuid }) => call_uuid === call);
  expect(recorded?.recording_present).toBe("true");
  const url = await said(`/recording_url?call_uuid=${call}`, "-X", "POST");
  const { status, type } = await curl(new URL(url).pathname, "-o", "/dev/null");
  expect([status, type.split("/")[0]]).toEqual([200, "audio"]);
  expect(await listed("/voicemail_messages?read=false&user_number=1000&page=1&limit=10")).toMatchObject({
    messages: [],
  });
  expect(await refused(`/voicemail_recording_url?call_uuid=${NOWHERE}`, "-X", "POST")).toEqual({
    status: 400,
    text: `cannot find voicemail with uuid ${NOWHERE}`,
  });
});

test(
  "sound files, blocked numbers, groups and contacts",
  shows("interface: sounds, numbers, contacts", "curl"),
  async () => {
    const wav = readFileSync(town.tone(440)).subarray(0, 44 + 16_000);
    wav.writeUInt32LE(16_000, 40);
    const base64 = wav.toString("base64");
    const sound = await said(
      "/announcements",
      "--data-urlencode",
      "name=Karşılama 2",
      "--data-urlencode",
      `sounddata=data:audio/wav;name:a.wav;base64,${base64}`,
    );
    expect(sound).toMatch(ID);
    expect(await said("/announcements", "-d", "name=b", "--data-urlencode", `content=${base64}`)).toMatch(ID);
    expect(await said(`/announcements/${sound}`, "-X", "PATCH", "-d", "name=Yeni")).toBe("OK");
    expect(await listed("/announcements")).toContainEqual({ id: Number(sound), name: "Yeni" });
    expect(await said(`/announcements/${sound}`, "-X", "DELETE")).toBe("OK");

    expect(await said("/blocked_numbers", "-d", "number=05551112233")).toMatch(ID);
    expect(await listed("/blocked_numbers?page=1&limit=10")).toMatchObject({
      blocked_numbers: [{ number: "905551112233" }],
    });
    expect(await said("/blocked_numbers/delete?number=05551112233", "-X", "DELETE")).toBe("OK");

    const group = await said("/contact_groups", "-d", "name=Bayiler");
    expect(await said(`/contact_groups/${group}`, "-X", "PATCH", "-d", "name=Bayi")).toBe("OK");
    expect(await listed("/contact_groups")).toContainEqual({ id: Number(group), name: "Bayi" });
    const fields = ["-d", "name=Deniz", "-d", "surname=Ak", "-d", "phone=05321234567", "-d", `group_ids=${group}`];
    const contact = await said("/contacts", ...fields);
    expect(await said(`/contacts/${contact}`, "-X", "PATCH", "-d", "surname=Su")).toBe("OK");
    expect(await listed("/contacts?page=1&limit=10")).toMatchObject({ contacts: [{ surname: "Su" }] });
    expect(await said(`/contacts/${contact}`, "-X", "DELETE")).toBe("OK");
    expect(await said(`/contact_groups/${group}`, "-X", "DELETE")).toBe("OK");
  },
);

test("automatic calls and faxes", shows("interface: campaigns and faxes", "curl"), async () => {
  const campaign = { call_type: "ivr", name: "Anket", digit_target_1: "queue/200", webhook_url: hook };
  const order = { ...campaign, date_range_begin: "2097-01-01", phone_list: [{ phone: ECHOES, phrase: "73.56" }] };
  const id = await said("/ivr_campaigns.json", ...JSON_BODY, JSON.stringify(order));
  expect(id).toMatch(ID);
  expect(await said(`/ivr_campaigns/${id}`, "-X", "PATCH", "-d", "status=off")).toBe("Ok");
  expect(await said(`/ivr_campaigns/${id}.json?status=on`, "-X", "PATCH")).toBe("Ok");
  const astray = JSON.stringify({ ...order, digit_target_1: "queue/299" });
  expect(await refused("/ivr_campaigns.json", ...JSON_BODY, astray)).toEqual({
    status: 400,
    text: "invalid digit_target_1: queue/299",
  });

  const page = `data:text/plain;base64,${Buffer.from("Merhaba").toString("base64")}`;
  const fax = await said("/fax_orders", "-d", "remote_station_id=902123205072", "--data-urlencode", `filedata=${page}`);
  expect(fax).toMatch(ID);
  const fetched = { destination: "902123205072", document_url: hook };
  expect(await said("/fax_orders", ...JSON_BODY, JSON.stringify(fetched))).toMatch(ID);
  expect(await listed("/fax_orders?page=1&limit=10")).toHaveProperty("fax_orders");
  const stamps = "start_stamp_from=2018-03-01+00:00:00+UTC&start_stamp_to=2018-03-31+00:00:00+UTC";
  expect(await listed(`/fdrs?${stamps}&direction=inbound&success=true`)).toMatchObject({ fdrs: [] });
  expect(await refused("/fax_document_url", "-d", `id=${NOWHERE}`)).toEqual({
    status: 400,
    text: `cannot find call with call_uuid ${NOWHERE}`,
  });
  expect((await curl(`/fax_document/F${NOWHERE}`)).status).toBe(400);
});

test("messages", shows("interface: messages", "curl"), async () => {
  const { sms } = JSON.parse(readFileSync(join(town.data, "first-run.json"), "utf8")) as {
    sms: { username: string; password: string; title: string };
  };
  const { title: source_addr, ...login } = sms;
  const messages = [{ dest: "905321234567", msg: "Kargonuz yolda" }];
  const sent = await curl("/v2/send.json", ...JSON_BODY, JSON.stringify({ ...login, source_addr, messages }));
  expect(sent).toMatchObject({ status: 200, text: expect.stringMatching(ID) });
  const phone = { ...login, phone: "905551112233" };
  expect((await curl("/v2/blacklists", ...JSON_BODY, JSON.stringify(phone))).status).toBe(200);
});

test(
  "a client that would rather speak HTTP/2 is answered in HTTP/1.1, and leaves nothing open",
  shows("interface: upgrades", "curl"),
  async () => {
    const openFiles = () => readdirSync(`/proc/${town.santral.run.pid}/fd`).length;
    const eager = ["--http2", "--max-time", "20"];
    expect(await curl("/healthz", ...eager)).toMatchObject({ status: 200 });
    expect(await said("/webphone_tokens", ...eager, ...JSON_BODY, '{"extension":"1000"}')).toMatch(/^W/);
    const before = openFiles();
    const ws = ["-H", "Connection: Upgrade", "-H", "Upgrade: websocket", "-H", "Sec-WebSocket-Version: 13"];
    const each = [eager, [...ws, "-H", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "--max-time", "20"]];
    for (let i = 0; i < 100; i += 10)
      await Promise.all(each.flatMap((words) => Array.from({ length: 10 }, () => curl("/nowhere", ...words))));
    await eventually("all are closed", async () => openFiles() < before + 20);
  },
);

test("an extension's password is shown where its provider says so, and was made since then", async () => {
  expect(await listed("/extensions/1000")).not.toHaveProperty("password");
  await town.command("exchange", "set", "show-sip-passwords=yes");
  await town.command("extension", "create", "1077", "--password", "a long SIP password");
  expect(await listed("/extensions/1000")).not.toHaveProperty("password");
  expect(await listed("/extensions/1077")).toMatchObject({ number: "1077", password: "a long SIP password" });
  await town.command("extension", "password", "1077", "--password", "another SIP password");
  expect(await listed("/extensions/1077")).toMatchObject({ password: "another SIP password" });
  await town.command("exchange", "set", "show-sip-passwords=no");
  expect(await listed("/extensions/1077")).not.toHaveProperty("password");
});
