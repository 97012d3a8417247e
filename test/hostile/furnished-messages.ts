// The messages of a furnished exchange: accounts, titles, carriers, what was sent and came in, consents.

import { EARLIER, type Furnished, type Put, SOON, sha256 } from "./handles.ts";

export async function furnishMessages(put: Put, it: Furnished): Promise<void> {
  await furnishAccounts(put, it);
  await furnishSent(put, it);
  await furnishHeard(put, it);
  await furnishImports(put, it);
}

async function furnishAccounts(put: Put, it: Furnished): Promise<void> {
  const { exchangeId: exchange_id, marker, id } = it;
  await put("sms_accounts", {
    id,
    exchange_id,
    username: it.username,
    password_hash: sha256(it.smsPassword),
    credits: 1_000,
    reserved: 10,
    allowed_addresses: ["127.0.0.0/8"],
    push_url: `https://example.com/${marker}`,
    banned_words: [marker],
    consent_push_url: `https://example.com/${marker}`,
  });
  await put("sms_credit_moves", { id, exchange_id, account_id: id, at: EARLIER, credits: 1_000, why: "bought" });
  const title = { exchange_id, iys_code: it.brandCode, iys_brand_code: it.brandCode, opt_out_number: "4609" };
  await put("sms_titles", { ...title, id, name: "BASLIK" }, { ...title, id: id + 1, name: it.title });
  const carrier = { exchange_id, kind: "sandbox", host: marker, system_id: marker, password: marker };
  await put("sms_carriers", { ...carrier, id, name: "tasiyici" }, { ...carrier, id: id + 1, name: it.carrier });
  await put("sms_ready_texts", { id, exchange_id, name: marker, text: marker });
  await put("sms_tariffs", { exchange_id, prefix: "49", multiplier: 4 });
  await put("special_day_settings", { exchange_id, account_id: id, title_id: id, birthday_message: marker });
  await put("special_days_planned", { exchange_id, contact_id: id, occasion: "birthday", day: "2031-03-21" });
}

async function furnishSent(put: Put, it: Furnished): Promise<void> {
  const { exchangeId: exchange_id, marker, id } = it;
  const campaign = { exchange_id, account_id: id, title_id: id, valid_minutes: 60, created_at: EARLIER };
  const later = { custom_id: it.customId, state: "scheduled", send_at: SOON, expires_at: SOON };
  await put("sms_campaigns", { ...campaign, id, ...later });
  await put("sms_campaigns", { ...campaign, id: id + 1, state: "started", send_at: EARLIER, expires_at: SOON });
  const message = { exchange_id, account_id: id, title_id: id, text: marker, coding: 0, size: 1, credits: 5 };
  await put("sms_messages", {
    ...message,
    id,
    campaign_id: id,
    dest: "905320007766",
    state: "held",
    custom_id: marker,
  });
  await put("sms_messages", {
    ...message,
    id: id + 1,
    campaign_id: id + 1,
    dest: "905320007766",
    state: "accepted",
    carrier_id: id,
    sent_on: "2026-01-01",
    sent_at: EARLIER,
    parts_open: 1,
  });
  await put("sms_parts", { message_id: id + 1, carrier_id: id, part: 1, carrier_reference: marker });
  await put("sms_claims", { carrier_id: id, id, message_ids: [id] });
  await put("sms_stray_receipts", {
    id,
    carrier_id: id,
    carrier_references: [marker],
    source_addr: marker,
    state: "DELIVERED",
    received_at: new Date(),
  });
  await put("sms_owed_pushes", { id, account_id: id, message_id: id });
}

async function furnishHeard(put: Put, it: Furnished): Promise<void> {
  const { exchangeId: exchange_id, marker, id } = it;
  const addresses = { source_addr: "905320007766", destination_addr: "4609" };
  await put("sms_inbound", {
    id,
    exchange_id,
    created_at: EARLIER,
    received_at: EARLIER,
    network: marker,
    ...addresses,
    keyword: marker,
    content: marker,
    once_key: "once",
  });
  const part = { carrier_id: id, ...addresses, reference: 1, part: 1, parts: 2, content: marker };
  await put("sms_inbound_parts", { ...part, received_at: new Date() });
  const listed = { exchange_id, source: marker, created_at: EARLIER };
  await put("sms_blacklist", { ...listed, phone: "905320009988" }, { ...listed, phone: it.blocked });
  const consent = { exchange_id, type: "MESAJ", recipient_type: "BIREYSEL", status: "ONAY", consented_at: EARLIER };
  const recorded = { brand_code: it.brandCode, recipient: "905320007766", source: marker, recorded_at: EARLIER };
  await put("consents", { ...consent, ...recorded });
  await put("consent_campaigns", { id, exchange_id, title_id: id, source: "api", created_at: EARLIER });
  const record = { id, title_id: id, campaign_id: id, source: marker, recipient: marker, created_at: EARLIER };
  await put("consent_records", { ...consent, ...record, error: marker });
}

async function furnishImports(put: Put, { exchangeId: exchange_id, marker, id }: Furnished): Promise<void> {
  const file = { exchange_id, file_name: marker, object_key: `${marker}/import`, heading: [marker], fields: ["phone"] };
  const taken = { ...file, kind: "contacts", begun_by: marker, created_at: EARLIER };
  await put("imports", { ...taken, id }, { ...taken, id: id + 1, state: "waiting" });
  await put("imports", { ...taken, id: id + 2, state: "failed", ended_at: EARLIER, rows_done: 1, bad: 1 });
  await put("import_faults", {
    exchange_id,
    import_id: id + 2,
    row: 2,
    why: "bad-phone",
    value: marker,
    cells: [marker],
  });
}
