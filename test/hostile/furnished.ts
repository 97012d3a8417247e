// An exchange with a row in every table that rows of an exchange can stand in, each text of it carrying a marker.
//
// Every row has the same id, and every call, message and delivery the same uuid: one guess at an id then hits whatever
// an operation looks for. Numbers and names that are unique only within an exchange are there in every one of them.

import { blankField } from "../../src/forms/definition.ts";
import type { Db } from "../../src/store/db.ts";
import { joined, place as placeOf, quoted, sql } from "../../src/store/sql.ts";
import { furnishBoards } from "./furnished-boards.ts";
import { furnishMessages } from "./furnished-messages.ts";
import { furnishSignIn } from "./furnished-sign-in.ts";
import { EARLIER, type Furnished, handlesOf, ISSUER, type Place, type Put, SOON, sha256 } from "./handles.ts";

export async function furnish(db: Db, place: Place): Promise<Furnished> {
  const furnished = { ...place, ...handlesOf(place) };
  await db.transaction(async (db) => {
    const put: Put = async (table, ...rows) => {
      for (const row of rows) {
        const names = Object.keys(row);
        const columns = joined(names.map(quoted), ", ");
        const places = joined(
          names.map((_, index) => placeOf(index + 1)),
          ", ",
        );
        const values = names.map((name) => row[name]);
        await db.query(sql`insert into ${quoted(table)} (${columns}) values (${places})`, values);
      }
    };
    await furnishDesk(db, put, furnished);
    await furnishSignIn(put, furnished);
    await furnishPlaces(put, furnished);
    await furnishCalls(put, furnished);
    await furnishMessages(put, furnished);
    await furnishBoards(put, furnished);
  });
  return furnished;
}

/** The exchange itself, who works there, and the way in and out. */
async function furnishDesk(db: Db, put: Put, it: Furnished): Promise<void> {
  const { exchangeId: exchange_id, marker, id } = it;
  await db.query(
    sql`update exchanges set name = $2, crm_url = $3, crm_secret = $4, program_url = $3, default_caller_id = $5,
       webphone_origins = array[$6], multi_line_campaigns = true where id = $1`,
    [exchange_id, marker, `https://example.com/${marker}`, `${marker} secret`, it.external, `https://${marker}.test`],
  );
  await put("api_keys", { id, exchange_id, key_hash: sha256(it.apiKey), hint: marker, label: marker });
  const extension = { exchange_id, name: marker, email: `${marker}@example.com`, ha1_md5: marker, ha1_sha256: marker };
  const numbers = ["1000", "1001", it.extension];
  await put("extensions", ...numbers.map((number, at) => ({ ...extension, id: id + at, number, is_agent: true })));
  const person = { exchange_id, name: marker, role: "administrator", password_hash: marker, totp_secret: marker };
  const known = { sso_issuer: ISSUER, sso_subject: it.subject };
  await put("staff", { ...person, ...known, id, email: it.email, extension_id: id });
  const secrets = { host: `${marker}.example.com`, username: marker, password: marker };
  const trunk = { exchange_id, ...secrets, source_addresses: ["192.0.2.0/24"] };
  await put("trunks", { ...trunk, id, name: "hat" }, { ...trunk, id: id + 1, name: it.trunk });
  await put("trunk_states", { trunk_id: id, call_id: marker, last_error: marker });
  await put("trunk_approvals", { exchange_id, trunk_id: id, host: marker, by: "operator" });
  const number = { exchange_id, description: marker, target: "user/1000", trunk_id: id };
  await put("external_numbers", { ...number, id, number: it.external });
  await put("external_numbers", { ...number, id: id + 1, number: it.secondExternal });
  await put("holidays", { id, exchange_id, day: "2031-01-01", description: marker, target: "user/1001" });
  await put("holidays", { id: id + 1, exchange_id, day: "2031-05-19", number: it.external, description: marker });
  const rule = { exchange_id, priority: 10, prefix: "90", trunk_id: id, caller_id: it.external };
  await put("outbound_rules", { ...rule, id, name: "kural" }, { ...rule, id: id + 1, name: it.rule, priority: 20 });
  const moved = {
    doer: "staff",
    did: "agent-moved",
    details: { extension: "1000", from: "LOGGED_OUT", to: "ON_BREAK", break: marker },
  };
  await put("audit_lines", { id, exchange_id, doer: "staff", who: marker, did: marker, details: { marker } });
  await put("audit_lines", { id: id + 1, exchange_id, who: marker, ...moved, at: EARLIER });
  const token = { token_hash: sha256(it.webphoneToken), exchange_id, extension_id: id, staff_id: id };
  await put("webphone_tokens", { ...token, expires_at: SOON });
  const written = { from_number: "1000", from_name: marker, body: marker, sent_at: EARLIER };
  await put("phone_texts", { id, exchange_id, extension_id: id, ...written });
  await put("registrations", {
    exchange_id,
    extension_id: id,
    key: "key",
    contact: `sip:${marker}@192.0.2.1`,
    path: "[]",
    call_id: marker,
    cseq: 1,
    preference: 1,
    transport: "udp",
    source_address: "192.0.2.1",
    source_port: 5060,
    listener: "udp",
    user_agent: marker,
    registered_at: EARLIER,
    expires_at: SOON,
  });
  await put("phone_digests", { exchange_id, extension_id: id, user_agent: marker, challenge_order: 1, strong: true });
  await put("md5_phones", { exchange_id, extension_id: id, place: "192.0.2.1", user_agent: marker });
  const said = { tag: marker, is_open: false, note: marker, expires_at: SOON };
  await put("phone_publications", { exchange_id, extension_id: id, ...said });
  await put("call_rates", { exchange_id, prefix: "90", minute_price: 1 });
  await put("spending", { exchange_id, month: "2031-01-01", amount: 12 });
  const paid = { leg: marker, at: EARLIER, kind: "call", number: marker, trunk: marker, extension: marker };
  await put("paid_legs", { exchange_id, month: "2031-01-01", amount: 12, prefix: "90", ...paid });
  await put("spent_lately", { exchange_id, since: EARLIER, extension: marker, amount: 12 });
  const alarm = { cause: "hourly-spending", extension: marker, value: 2, threshold: 1 };
  await put("spending_alarms", { exchange_id, ...alarm, told_at: EARLIER });
  await put("paid_days", { exchange_id, at: EARLIER });
  const sums = { which: marker, name: marker, legs: 1, calls: 1, minutes: 1, amount: 12 };
  await put("paid_sums", { exchange_id, at: EARLIER, of: "trunk", is_noted: true, ...sums });
}

/** Sounds, and the places inside where a call can go. */
async function furnishPlaces(put: Put, it: Furnished): Promise<void> {
  const { exchangeId: exchange_id, marker, id } = it;
  const sound = { exchange_id, name: marker, file_name: marker, object_key: `${marker}/sound` };
  await put("announcements", { ...sound, id }, { ...sound, id: id + 1 });
  const fields = [{ ...blankField, id: "f1", label: marker, help: marker, is: "one-of", choices: [marker] }];
  await put("forms", { id, exchange_id, name: "Form" }, { id: id + 1, exchange_id, name: marker });
  for (const form_id of [id, id + 1])
    await put("form_versions", { exchange_id, form_id, version: 1, fields: JSON.stringify(fields) });
  const queue = { exchange_id, form_id: id, name: marker, music_announcement_id: id, overflow_target: "user/1001" };
  await put("queues", { ...queue, id, number: "200" }, { ...queue, id: id + 1, number: it.queue });
  await put("queue_members", { exchange_id, queue_id: id, extension_id: id, position: 1 });
  await put("staff_queues", { exchange_id, staff_id: id, queue_id: id });
  await put("agent_states", { exchange_id, extension_id: id, status: "ON_BREAK", break_description: marker });
  const group = { exchange_id, name: marker, no_answer_target: "user/1001" };
  await put("ring_groups", { ...group, id, number: "700" }, { ...group, id: id + 1, number: it.group });
  const member = { exchange_id, group_id: id };
  await put("ring_group_members", { ...member, position: 1, extension_id: id });
  await put("ring_group_members", { ...member, position: 2, external_number: "905320001122" });
  const keys = { exchange_id, name: marker, key_targets: { 1: `tts/tr-TR/${marker}` }, welcome_announcement_id: id };
  const menu = { ...keys, timeout_target: "user/1001" };
  await put("menus", { ...menu, id, number: "10" }, { ...menu, id: id + 1, number: it.menu });
  await put("mailboxes", {
    exchange_id,
    extension_id: id,
    greeting_text: marker,
    email: `${marker}@example.com`,
    pin: "4711",
    greeting_announcement_id: id,
    greeting_object_key: `${marker}/greeting`,
  });
  await put("blocked_numbers", { id, exchange_id, number: "905320009988" });
  await put("blocked_numbers", { id: id + 1, exchange_id, number: it.blocked });
  await put("contact_groups", { id, exchange_id, name: marker });
  await put("contacts", {
    id,
    exchange_id,
    name: marker,
    surname: marker,
    phone: "05320007766",
    note1: marker,
    email: marker,
    birthday: "1980-03-21",
    birthday_sms: true,
    company_name: marker,
  });
  await put("contacts", { id: id + 1, exchange_id, name: marker, surname: marker, phone: it.blocked });
  await put("contact_group_members", { exchange_id, group_id: id, contact_id: id });
  const source = { exchange_id, kind: "file", url: `https://example.com/${marker}`, run: it.uuid, held_removals: 1 };
  await put("contact_sources", { ...source, id, name: "hat" }, { ...source, id: id + 1, name: it.trunk });
  const foreign = { exchange_id, source_id: id, foreign_id: "same" };
  const person = { name: marker, surname: marker, phone: "05320006655", foreign_mark: marker };
  await put("contacts", { ...foreign, ...person, id: id + 2 });
  await put("contact_source_faults", { ...foreign, foreign_id: "row 2", mark: marker, why: "no-phone", value: marker });
}

/** Calls that were and one that is up, what was kept of them, and calls and faxes that are to be made. */
async function furnishCalls(put: Put, it: Furnished): Promise<void> {
  const { exchangeId: exchange_id, marker, id, uuid } = it;
  const stamps = { start_stamp: EARLIER, end_stamp: EARLIER, hangup_cause: "NORMAL_CLEARING" };
  const people = { caller_id_number: "05320007766", caller_id_name: marker, destination_number: "1000" };
  const call = {
    exchange_id,
    direction: "inbound",
    ...stamps,
    ...people,
    destination_name: marker,
    queue: "200",
    dialed_user: "1000",
  };
  await put("cdrs", { ...call, id, call_uuid: uuid, answer_stamp: EARLIER, recording: "present" });
  await put("cdrs", { ...call, id: id + 1, call_uuid: it.missedUuid, missed: true, peer: "5320007766" });
  const leg = { position: 0, destination_number: "1000", ip_address: marker, sip_user_agent: marker };
  await put("cdr_legs", { call_uuid: uuid, ...leg, ...stamps });
  await put("call_stories", { call_uuid: uuid, story: JSON.stringify([{ atMs: 1, text: marker }]) });
  const said = JSON.stringify([
    { atMs: 1, direction: "in", peer: marker, text: `INVITE sip:${marker} SIP/2.0\r\n\r\n` },
  ]);
  await put("sip_traces", { id, sip_call_id: `${marker}-${id}`, call_uuid: uuid, messages: said, octets: 10 });
  const place = { kind: "webdav", url: `https://example.com/${marker}`, user_name: marker, secret: marker };
  const trouble = { trouble: "login", detail: marker };
  await put("archives", { id, exchange_id, ...place, trouble, trouble_since: EARLIER });
  await put("recordings", {
    call_uuid: uuid,
    exchange_id,
    object_key: `${marker}/recording`,
    media_type: "audio/wav",
    archive_id: id,
    archive_name: `${marker}/outside`,
    archived_size: 5,
    archived_sha256: marker,
    archived_md5: marker,
    archived_at: EARLIER,
  });
  await put("voicemail_messages", {
    uuid,
    exchange_id,
    extension_id: id,
    caller_id_number: "05320007766",
    caller_id_name: marker,
    start_stamp: EARLIER,
    duration_seconds: 5,
    object_key: `${marker}/message`,
    media_type: "audio/wav",
  });
  const form = { exchange_id, extension: "1000", form_id: id, version: 1, at: EARLIER, direction: "inbound" };
  const filled = { answers: JSON.stringify({ f1: marker }), filled_at: EARLIER, filled_by: marker };
  const about = { number: "05320007766", name: marker, queue: "200" };
  await put("call_forms", { ...form, ...about, ...filled, id, call_uuid: uuid });
  await put("call_forms", { ...form, ...about, id: id + 1, call_uuid: it.missedUuid });
  const written = { note: marker, tags: [marker], disposition: marker, is_open: true, owes_disposition: true };
  const ofCall = { exchange_id, call_uuid: uuid, extension: "1000", queue: "200", peer: "5320007766", at: EARLIER };
  await put("call_notes", { ...ofCall, ...written, changed_at: EARLIER, changed_by: marker });
  await put("missed_callers", { exchange_id, peer: "5320007766", extension: "1000", leased_until: SOON });
  const ticket = { exchange_id, subject: uuid, expires_at: SOON };
  await put("tickets", { ...ticket, ticket_hash: sha256(it.ticket), opens: "recording" });
  await put("tickets", { ...ticket, ticket_hash: sha256(it.faxTicket), opens: "fax" });
  const phone = { extension_id: id, details: { host: marker, port: 5060, transport: "udp" } };
  await put("tickets", { ...ticket, ...phone, ticket_hash: sha256(it.phoneTicket), opens: "phone" });
  const seen = { started_at: EARLIER, last_seen_at: new Date() };
  const facts = {
    direction: "inbound",
    callerNumber: "05320007766",
    callerName: marker,
    destinationNumber: it.external,
  };
  await put("live_calls", { call_uuid: it.liveUuid, exchange_id, node: "elsewhere", facts, ...seen });
  await put("queue_callbacks", {
    id: uuid,
    exchange_id,
    queue_id: id,
    call_uuid: uuid,
    caller: "05320007766",
    caller_name: marker,
    priority: 0,
    joined_at: EARLIER,
    next_try_at: SOON,
  });
  await put("agent_wrap_ups", { exchange_id, call_uuid: uuid, extension: "1000", began_at: EARLIER, seconds: 5 });
  const onBreak = {
    extension: "1000",
    status: "ON_BREAK",
    break: marker,
    began: EARLIER,
    line: id,
    ended: SOON,
    earlier: "1 hour",
  };
  await put("agent_times", { exchange_id, ...onBreak });
  const pass = { queue: "200", wait_seconds: 5, answered: false, talk_seconds: 0 };
  await put("call_passes", { call_id: id, exchange_id, start_stamp: EARLIER, ...pass });
  await put("call_others", { call_id: id, exchange_id, extension: "1001", start_stamp: EARLIER });
  await put("seen_days", { exchange_id, seen: marker, at: EARLIER, told: marker });
  const summed = { of: "direction", at: EARLIER, which: "inbound", calls: 1, answered: 1, missed: 0, talk_seconds: 1 };
  await put("seen_sums", { exchange_id, seen: marker, span: "day", ...summed });
  const heap = { direction: "inbound", at: EARLIER, hour: -1, taken: true, waits: [1], calls: [1] };
  await put("seen_waits", { exchange_id, seen: marker, span: "day", ...heap });
  await put("seen_months", { exchange_id, seen: marker, at: EARLIER, told: marker });
  await put("call_sums_owed", { exchange_id, day: "2020-01-01" });
  await put("wait_sums_owed", { exchange_id, day: "2020-01-01" });
  const score = { exchange_id, call_uuid: uuid, queue: "200", extension: "1000", score: 5, answered_at: EARLIER };
  await put("survey_answers", { id, ...score });
  await put("event_deliveries", {
    delivery: uuid,
    exchange_id,
    event: "ringing",
    call_uuid: uuid,
    body: marker,
    url: marker,
    attempts: 1,
    delivered: false,
    answer: marker,
    first_at: EARLIER,
    last_at: new Date(),
  });
  await put("jobs", { kind: "nothing", payload: { exchangeId: exchange_id, marker }, run_at: SOON });
  await put("call_campaigns", {
    id,
    exchange_id,
    name: marker,
    call_type: "ivr",
    date_begin: "2031-01-01",
    date_end: "2031-01-02",
    webhook_url: `https://example.com/${marker}`,
    targets: { 1: "user/1000" },
    created_at: EARLIER,
  });
  await put("campaign_counts", { campaign_id: id, numbers: 1 });
  await put("campaign_numbers", { id, exchange_id, campaign_id: id, number: "905320007766", phrase: marker });
  const attempt = { id, exchange_id, campaign_id: id, number_id: id, attempt: 1, call_uuid: uuid };
  await put("campaign_attempts", { ...attempt, started_at: EARLIER, target: marker });
  await put("fax_orders", {
    id,
    exchange_id,
    created_at: EARLIER,
    local_station_id: it.external,
    local_station_header: marker,
    remote_station_id: "902120001122",
    object_key: `${marker}/fax.tif`,
    pages: 1,
    next_try_at: SOON,
  });
  await put("fax_records", {
    call_uuid: uuid,
    exchange_id,
    order_id: id,
    direction: "outbound",
    caller_id_number: it.external,
    local_station_header: marker,
    original_destination: "902120001122",
    start_stamp: EARLIER,
    end_stamp: EARLIER,
    success: true,
    object_key: `${marker}/fax.tif`,
    pdf_key: `${marker}/fax.pdf`,
    email: marker,
  });
  await put("fax_records", {
    call_uuid: it.faxUuid,
    exchange_id,
    direction: "inbound",
    caller_id_number: "902120001122",
    original_destination: it.external,
    start_stamp: EARLIER,
    end_stamp: EARLIER,
    pages: 1,
    success: true,
    object_key: `${marker}/fax-in.tif`,
    pdf_key: `${marker}/fax-in.pdf`,
    assigned_to: id,
  });
}
