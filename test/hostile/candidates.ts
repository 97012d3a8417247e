// A neighbour's handles, put where an operation might take them: by the name of the field.

import type { Candidates } from "./from-schema.ts";
import { EARLIER, type Furnished } from "./handles.ts";

/** The first of each is one that both exchanges have, so that whatever stands beside it is looked at, too. */
export function candidatesFrom(theirs: Furnished): Candidates {
  const { id, uuid, extension, queue, group, menu, external } = theirs;
  const targets = [
    ...[`user/${extension}`, `queue/${queue}`, `group/${group}`, `ivr/${menu}`, `voicemail/${extension}`],
    ...[`announcement/${id}`, "user/1000", "hangup/busy"],
  ];
  const numbers = ["1000", "200", "700", "10", "905320009988", extension, queue, group, menu, external, theirs.blocked];
  const keys = [..."0123456789", "star", "square"].map((key) => [`digit_target_${key}`, targets]);
  return {
    ...Object.fromEntries(keys),
    "*": [id, uuid],
    "*id": [id, id + 1, String(id), uuid],
    "*_id": [id, id + 1, String(id), uuid],
    "*Id": [id, String(id)],
    sound: [id],
    "*_ids": [id],
    "*announcement_to_caller": [id],
    "*uuid": [uuid, theirs.missedUuid, theirs.liveUuid],
    delivery: [uuid],
    number: numbers,
    "*_number": numbers,
    queue: ["200", queue],
    extension: ["1000", extension],
    members: [extension, "1000", external],
    user_list: [extension, "1000"],
    user: [extension],
    agent: [extension],
    name: ["hat", "kural", "BASLIK", theirs.trunk, theirs.rule, theirs.title],
    trunk: ["hat", theirs.trunk],
    email: [theirs.email],
    username: [theirs.username],
    custom_id: [theirs.customId],
    title: ["BASLIK", theirs.title],
    source_addr: ["BASLIK", theirs.title],
    header: ["BASLIK", theirs.title],
    target: targets,
    "*_target": targets,
    noKey: targets,
    otherKey: targets,
    keys: targets,
    key_targets: targets,
    forward_always: targets,
    forward_busy: targets,
    forward_no_answer: targets,
    forward_unreachable: targets,
    "*caller_id": [external],
    callerId: [external],
    cli: [external],
    from: ["2020-01-01T00:00:00Z", external],
    local_station_id: [external],
    remote_station_id: ["902120001122"],
    to: ["902120001122"],
    phone: [theirs.blocked, "05320007766"],
    phones: [theirs.blocked, "05320007766"],
    dest: ["", theirs.blocked],
    caller: ["05320007766"],
    destination: ["05320007766", extension],
    recipients: ["05320007766"],
    "*brand_code": [String(theirs.brandCode)],
    brandCode: [String(theirs.brandCode)],
    iysCode: [theirs.brandCode],
    iysBrandCode: [theirs.brandCode],
    about: ["", "GEHEIM"],
    search: ["", "GEHEIM"],
    before: ["2032-01-01T00:00:00Z"],
    page: [1],
    limit: [100],
    offset: [0],
    status: ["", "off", "on"],
    numbers: ["905320007766"],
    phrase: [`#${id}`],
    date: [EARLIER.toISOString().slice(0, 19)],
    birthday: ["1980-03-21"],
    weddingday: ["2005-06-07"],
    dateBegin: ["2031-01-01"],
    dateEnd: ["2031-01-02"],
    kind: ["ivr"],
    ticket: [theirs.uuid],
    greater_than: [0],
    start_stamp_from: ["2020-01-01 00:00:00"],
    webhook: [""],
  };
}

/** One's own, as the operations of a noun know it: what exists, or what is still free for those that make something. */
export function ownCandidates(us: Furnished, operation: string): () => Candidates {
  const [noun = "", verb = ""] = operation.split(".");
  const numbers: Record<string, string> = { queues: "200", groups: "700", menus: "10", numbers: us.external };
  const names: Record<string, string> = { trunks: us.trunk, rules: us.rule };
  let made = 0;
  return () => {
    made++;
    const free = { number: [String(90_850_500 + made), String(908_505_550_000 + us.id + made)] };
    const fresh = { ...free, name: [`yeni ${made}`], email: [`yeni-${us.id}-${made}@example.com`] };
    const existing = { number: [numbers[noun] ?? "1000"], name: [names[noun] ?? `ad ${made}`] };
    const valid = {
      queue_number: ["200"],
      destination: ["05320007766"],
      members: ["1000"],
      time_zone: ["Europe/Istanbul"],
      status: [""],
    };
    return { ...candidatesFrom(us), ...valid, ...(/create/i.test(verb) ? fresh : existing) };
  };
}

/** What must not be seen of a neighbour: his marker, and whatever only he has. Only what was just sent may be said back. */
export function secretsIn(reply: string, theirs: Furnished, sent: string): string[] {
  const { marker, id, uuid, missedUuid, liveUuid, extension, queue, group, menu, external } = theirs;
  const handles = [
    ...[id, id + 1, theirs.exchangeId, uuid, missedUuid, liveUuid, extension, queue, group, menu, external],
    ...[theirs.secondExternal, theirs.trunk, theirs.rule, theirs.email, theirs.username, theirs.title],
    ...[theirs.customId, theirs.carrier, theirs.blocked, theirs.brandCode],
  ].map(String);
  const unsaid = handles.filter((handle) => !sent.includes(handle));
  const isMarked = reply.includes(marker) && !sent.includes(marker);
  return [...unsaid.filter((handle) => wordOf(handle).test(reply)), ...(isMarked ? [marker] : [])];
}

/** By itself: digits stand in many a uuid and many a longer number. */
function wordOf(secret: string): RegExp {
  const literal = secret.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<!\\w)${literal}(?!\\w)`);
}
