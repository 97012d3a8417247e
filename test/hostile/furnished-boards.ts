// What a furnished exchange has of alarms and boards on the wall.

import { EARLIER, type Furnished, type Put, sha256 } from "./handles.ts";

export async function furnishBoards(
  put: Put,
  { exchangeId: exchange_id, marker, id, wallToken }: Furnished,
): Promise<void> {
  const alarm = {
    exchange_id,
    queue_name: marker,
    threshold: 20,
    value: 30,
    worst: 40,
    told: [`${marker}@example.com`],
  };
  await put(
    "queue_alarms",
    { ...alarm, id, queue: "200", about: "longest-wait", began_at: EARLIER },
    { ...alarm, id: id + 1, queue: "200", about: "waiting", began_at: EARLIER, ended_at: EARLIER },
  );
  const board = { exchange_id, queues: ["200"], token_made_at: EARLIER };
  await put(
    "wall_boards",
    { ...board, id, name: "Pano", token_hash: sha256(wallToken) },
    { ...board, id: id + 1, name: marker, token_hash: sha256(`${wallToken}, another`) },
  );
  const plan = { exchange_id, staff_id: id, addresses: [`${marker}@example.com`], next_day: EARLIER };
  await put("report_plans", { ...plan, id, name: "Rapor" }, { ...plan, id: id + 1, name: marker });
  const mail = { exchange_id, plan_id: id, day: EARLIER, address: `${marker}@example.com`, owed_at: EARLIER };
  await put("report_mails", { ...mail, id }, { ...mail, id: id + 1, day: "2026-01-01", sent_at: EARLIER });
}
