// What boards and lamps show of the calling half, and who calls for attention by it.

import type { Clock } from "../clock.ts";
import type { CallDesk } from "../exchange/call-desk.ts";
import { openAlarmDesk } from "../exchange/features/alarms/alarm-desk.ts";
import type { OfficeLamp } from "../exchange/office-switch.ts";
import { Panel } from "../exchange/panel.ts";
import type { SettingsBook } from "../exchange/plan/settings.ts";
import type { Switchboard } from "../exchange/signalling/switchboard.ts";
import type { Log } from "../log.ts";
import type { Database } from "../store/db.ts";

export type BoardsNeeds = {
  db: Database;
  clock: Clock;
  log: Log;
  switchboard: Switchboard;
  desk: CallDesk;
  settings: SettingsBook;
  lamp: OfficeLamp;
};

export type Boards = { panel: Panel; close(): Promise<void> };

export async function openBoards({ db, clock, log, switchboard, desk, settings, lamp }: BoardsNeeds): Promise<Boards> {
  const { live, queues } = desk;
  const alarms = await openAlarmDesk({ db, clock, log, hall: (exchangeId) => queues.hall(exchangeId) });
  const panel = new Panel({ clock, settings, live, queues, alarms, registrar: switchboard.registrar });
  return {
    panel,
    async close() {
      panel.close();
      lamp.close();
      await alarms.close();
    },
  };
}
