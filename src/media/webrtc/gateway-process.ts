// The gateway's own process: keeps the browsers' connections, and does what the exchange asks of it.

import { realClock } from "../../clock.ts";
import { freePorts } from "./free-ports.ts";
import type {
  FromGateway,
  GatewayAnswers,
  GatewayRefusal,
  GatewayRequest,
  GatewaySettings,
  ToGateway,
} from "./messages.ts";
import { Peer } from "./peer.ts";

/** So often another port is tried, when a program that is not ours has taken one. */
const MOST_TRIES = 8;

/** How often each browser is looked at, whether anything came from it. */
const LOOK_MS = 500;

const settings = JSON.parse(process.argv[2] ?? "{}") as GatewaySettings; // written by `gateway.ts`, nobody else
const ports = freePorts(settings.ports);
const peers = new Map<string, { peer: Peer; port: number }>();

const obey: { [Do in GatewayRequest["do"]]: (request: GatewayRequest & { do: Do }) => Promise<GatewayAnswers[Do]> } = {
  answer: ({ peer, enginePort, offer, codecs }) => inPeer(peer, enginePort, (one) => one.answer(offer, codecs)),
  offer: ({ peer, enginePort, codecs }) => inPeer(peer, enginePort, (one) => one.offer(codecs)),
  async understand({ peer, answer }) {
    const found = peers.get(peer);
    return found ? found.peer.understand(answer) : { refused: "failed", why: "no such peer" };
  },
  async close({ peer }) {
    await closePeer(peer);
    return "closed";
  },
  count: async () => ({ peers: peers.size }),
};

/** A new peer whose port turns out to be taken is tried on another one; a peer that is up has only itself. */
async function inPeer<Result>(
  id: string,
  enginePort: number,
  work: (peer: Peer) => Promise<Result>,
): Promise<Result | GatewayRefusal> {
  const known = peers.get(id);
  if (known) return work(known.peer);
  if (peers.size >= settings.mostPeers) return { refused: "full" };
  let why = "no port is free";
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const port = ports.take();
    if (port === undefined) break;
    const peer = new Peer({
      settings,
      port,
      enginePort,
      lost: (why) => tell({ is: "lost", peer: id, why }),
      quiet: (on) => tell({ is: "quiet", peer: id, on }),
    });
    peers.set(id, { peer, port });
    try {
      const result = await work(peer);
      if (!isRefusal(result)) return result;
      await closePeer(id);
      return result;
    } catch (error) {
      why = textOf(error);
      // Closed meanwhile: nobody wants it any more.
      if (peers.get(id)?.peer !== peer) break;
      await closePeer(id);
    }
  }
  return { refused: "failed", why };
}

async function closePeer(id: string): Promise<void> {
  const found = peers.get(id);
  if (!found) return;
  peers.delete(id);
  await found.peer.close();
  ports.giveBack(found.port);
}

async function serve({ number, request }: ToGateway): Promise<void> {
  // Each kind of request meets its own row; the compiler cannot see that the two belong together.
  const act = obey[request.do] as (request: GatewayRequest) => Promise<GatewayAnswers[GatewayRequest["do"]]>;
  const value = await act(request).catch((error: unknown) => ({ refused: "failed" as const, why: textOf(error) }));
  tell({ is: "answer", number, value });
}

function tell(message: FromGateway): void {
  if (process.connected) process.send?.(message);
}

function isRefusal(value: unknown): boolean {
  return typeof value === "object" && value !== null && "refused" in value;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function lookAround(): void {
  for (const { peer } of peers.values()) peer.look();
  realClock.after(LOOK_MS, lookAround);
}

lookAround();
process.on("message", (message: ToGateway) => void serve(message));
process.on("disconnect", () => process.exit(0));
// It leaves when the exchange does: a terminal's Ctrl-C reaches both, and calls must be ended in order.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
// What breaks in one browser's connection must not cost the others their call.
for (const fault of ["uncaughtException", "unhandledRejection"] as const)
  process.on(fault, (error: unknown) =>
    tell({ is: "fault", text: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
