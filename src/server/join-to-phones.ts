// What phones do reaches the calls, and what becomes of calls and agents reaches the lamps of phones.

import type { CallDesk } from "../exchange/call-desk.ts";
import { lampCalls } from "../exchange/calls/lamp-calls.ts";
import { storedFor } from "../exchange/features/agents/agent-status.ts";
import type { OfficeLamp } from "../exchange/office-switch.ts";
import type { AgentTold } from "../exchange/signalling/presence/packages.ts";
import { isBrowser } from "../exchange/signalling/registrar/binding.ts";
import type { Switchboard } from "../exchange/signalling/switchboard.ts";
import type { WebGateway } from "../media/webrtc/gateway.ts";
import { OFFICE_CODE } from "../nouns/choices.ts";

/** Calls and lamps by what phones do, and the other way round. */
export function joinToPhones(
  switchboard: Switchboard,
  { desk, web, lamp }: { desk: CallDesk; web: WebGateway; lamp: OfficeLamp },
): void {
  const { receive, screen, presence, registrar } = switchboard;
  receive("INVITE", desk.invite);
  screen(desk.screen);
  presence.provide({
    calls: (exchangeId, watched) =>
      watched === OFFICE_CODE ? lamp.calls(exchangeId) : lampCalls(desk.live, exchangeId, watched),
  });
  desk.live.watch(({ call, extensions }) => {
    for (const extension of extensions) presence.changed(call.facts.exchangeId, extension, "dialog");
  });
  registrar.onChange(({ exchangeId, extension }) => {
    desk.queues.moved(exchangeId, [extension]);
    if (registrar.contactsOf(exchangeId, extension).some(isBrowser)) web.warm();
  });
  tellAgents(switchboard, desk);
}

/** An agent's own phone shows what he is, whoever made him that: he himself at his desk, the board, a code, missed calls. */
function tellAgents({ presence }: Switchboard, { queues }: CallDesk): void {
  const told = new Map<string, string>();
  const now = (exchangeId: number, extension: string): AgentTold | undefined => {
    const agent = queues.open(exchangeId)?.roster.get(extension);
    return agent && { status: storedFor(agent.status), breakDescription: agent.description, dnd: agent.dnd };
  };
  presence.provide({
    agent(exchangeId, extension) {
      if (!queues.open(exchangeId)) void openFloor(exchangeId, extension);
      return now(exchangeId, extension);
    },
  });
  // Whoever is offered calls changes all the time, and his phone knows of those anyhow.
  queues.onChange((change) => {
    if (!("agent" in change)) return;
    const { exchangeId, agent } = change;
    const news = JSON.stringify(now(exchangeId, agent));
    if (told.get(`${exchangeId} ${agent}`) === news) return;
    told.set(`${exchangeId} ${agent}`, news);
    presence.changed(exchangeId, agent, "x-santral-agent");
  });

  /** Nobody has been there since the start. */
  async function openFloor(exchangeId: number, extension: string): Promise<void> {
    const hall = await queues.hall(exchangeId).catch(() => undefined); // asked for again with the next subscription
    if (hall) presence.changed(exchangeId, extension, "x-santral-agent");
  }
}
