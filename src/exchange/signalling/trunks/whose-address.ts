// Which addresses are a trunk's: of those that its settings name, the ones that the operator has approved or at which a SIP
// server has answered it. An exchange that is alone on its server needs neither: there is nobody to take them from.

import { liesIn, type Network, networkOf, octetsOf } from "../../../addresses.ts";
import type { TrunkApproval, TrunkSetup } from "../../../store/trunk-state.ts";

/** What is known of a trunk's own at this moment. */
export type TrunkGround = {
  setup: TrunkSetup;
  /** Where its servers are. */
  servers: readonly string[];
  /** Where one has answered. */
  proved: readonly string[];
  approvals: readonly TrunkApproval[];
  isAlone: boolean;
};

export type OwnAddresses = {
  servers: readonly string[];
  /** Networks that a carrier may have, and those that only the operator gives, being so wide. */
  narrow: readonly string[];
  wide: readonly string[];
  /** Servers and networks that its voice may go to before any has come from there. */
  media: readonly string[];
  /** What the settings name and nobody has shown to be the carrier's. */
  waiting: readonly string[];
  mediaWaiting: readonly string[];
};

/** Wider than this is no one carrier's: only the operator gives it. */
const NARROW_BITS: Record<number, number> = { 4: 24, 16: 48 };

export function ownAddresses(ground: TrunkGround): OwnAddresses {
  const { setup, servers } = ground;
  const named = readNetworks(setup.sourceAddresses);
  const own = named.filter(({ network }) => isOwnNetwork(ground, network));
  const namedMedia = readNetworks(setup.mediaNetworks);
  const ownMedia = namedMedia.filter(({ network }) => isOwnMedia(ground, network));
  const ofServers = speaksFromItsServers(setup) ? servers : [];
  const ownServers = ofServers.filter((address) => isOwnServer(ground, address));
  const lacking = ofServers.filter((address) => !ownServers.includes(address));
  return {
    servers: ownServers,
    narrow: own.flatMap(({ text, network }) => (isNarrow(network) ? text : [])),
    wide: own.flatMap(({ text, network }) => (isNarrow(network) ? [] : text)),
    media: [...servers.filter((address) => isOwnServer(ground, address)), ...ownMedia.map(({ text }) => text)],
    waiting: [...named.filter((it) => !own.includes(it)).map(({ text }) => text), ...lacking],
    mediaWaiting: namedMedia.filter((it) => !ownMedia.includes(it)).map(({ text }) => text),
  };
}

function readNetworks(texts: readonly string[]): { text: string; network: Network }[] {
  return texts.flatMap((text) => {
    const network = networkOf(text);
    return network ? [{ text, network }] : [];
  });
}

/** A trunk that registers, or that names no networks, may call from the very servers we call. */
function speaksFromItsServers({ registers, sourceAddresses }: TrunkSetup): boolean {
  return registers || sourceAddresses.length === 0;
}

/** Whom a trunk asks for a sign of life, to show that they are SIP servers: its servers, and each address that it names alone. */
export function addressesToProve({ setup, servers, proved, approvals, isAlone }: TrunkGround): string[] {
  if (isAlone) return [];
  const ground = { setup, servers, proved, approvals, isAlone };
  const single = setup.sourceAddresses.flatMap((text) => {
    const network = networkOf(text);
    const isSingle = network && network.bits === network.octets.length * 8 && !isOwnNetwork(ground, network);
    return isSingle ? (text.split("/")[0] ?? []) : [];
  });
  const asked = servers.filter((address) => !isOwnServer(ground, address));
  return [...new Set([...asked, ...single])].filter((address) => !proved.includes(address));
}

/** The name by which the operator approves of a trunk's servers. */
function approvedHost({ outboundProxy, host }: Pick<TrunkSetup, "outboundProxy" | "host">): string {
  return (outboundProxy || host).toLowerCase();
}

function isNarrow({ octets, bits }: Network): boolean {
  return bits >= (NARROW_BITS[octets.length] ?? 0);
}

function isOwnServer({ setup, proved, approvals, isAlone }: TrunkGround, address: string): boolean {
  if (isAlone || proved.includes(address)) return true;
  return approvals.some(({ host }) => host === approvedHost(setup));
}

/** Of an address that is the trunk's. */
export function isApprovedAt({ setup, servers, approvals }: TrunkGround, address: string): boolean {
  const octets = octetsOf(address) ?? [];
  return approvals.some(({ host, network }) => {
    const approved = network === null ? undefined : networkOf(network);
    return approved ? liesIn(octets, approved) : host === approvedHost(setup) && servers.includes(address);
  });
}

function isOwnNetwork({ proved, approvals, isAlone }: TrunkGround, network: Network): boolean {
  if (isAlone || approvals.some((approval) => covers(approval, network))) return true;
  return isNarrow(network) && proved.some((address) => liesIn(octetsOf(address) ?? [], network));
}

/** Voice that goes there by its word could go to anybody: it counts by what a place of calls counts by, or by approval of its own. */
function isOwnMedia(ground: TrunkGround, network: Network): boolean {
  return isOwnNetwork(ground, network) || ground.approvals.some(({ media }) => isWithin(network, media));
}

const covers = ({ network }: TrunkApproval, wanted: Network): boolean => isWithin(wanted, network);

function isWithin(wanted: Network, text: string | null): boolean {
  const approved = text === null ? undefined : networkOf(text);
  return approved !== undefined && approved.bits <= wanted.bits && liesIn(wanted.octets, approved);
}
