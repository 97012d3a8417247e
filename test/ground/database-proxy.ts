// A network of our own in front of PostgreSQL, which can freeze, be cut, lose a peer without a word, and lose the answer of
// a commit.

import { existsSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { DatabaseAnswers } from "./database-answers.ts";
import { whenOver } from "./when-over.ts";

export type DatabaseProxy = {
  port: number;
  /** Nothing passes any more, and nothing is lost: what is said meanwhile arrives at the thaw. */
  freeze(): void;
  thaw(): void;
  /** Every connection ends at once, as when a server is killed. */
  cut(): void;
  /** Asked after each write that is committed: whether its connection ends instead of telling so. Undefined: never. */
  lose(isLost: (() => boolean) | undefined): void;
  /** How many connections there have been. */
  accepted(): number;
};

/** In front of the server whose socket lies in this folder. */
export async function databaseProxy(folder: string): Promise<DatabaseProxy> {
  const path = join(folder, ".s.PGSQL.5432");
  if (!existsSync(path)) throw new Error(`no database server listens in ${folder}`);
  const pairs = new Set<[Socket, Socket]>();
  let isFrozen = false;
  let accepted = 0;
  let isLost: (() => boolean) | undefined;
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ path, allowHalfOpen: true });
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    accepted += 1;
    const answers = new DatabaseAnswers();
    near.on("data", (bytes) => far.write(bytes));
    far.on("data", (bytes: Buffer) => {
      const { pass, lost } = answers.read(bytes, () => isLost?.() ?? false);
      if (pass.length > 0) near.write(pass);
      if (lost) for (const socket of pair) socket.destroy();
    });
    for (const [from, to] of [pair, [far, near]] as const) {
      from.on("end", () => to.end());
      from.on("error", () => to.destroy());
      from.on("close", () => pairs.delete(pair));
    }
    if (isFrozen) for (const socket of pair) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
  };
  whenOver(() => {
    cut();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port, // it listens on a port
    cut,
    lose: (how) => {
      isLost = how;
    },
    accepted: () => accepted,
    freeze() {
      isFrozen = true;
      for (const pair of pairs) for (const socket of pair) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const pair of pairs) for (const socket of pair) socket.resume();
    },
  };
}
