// What a browser fetches of the console by itself, by the routes that the console mounts.

import fastify from "fastify";
import { realClock } from "../../src/clock.ts";
import { type ConsoleParts, mountConsole } from "../../src/http/console/console.ts";
import { silentLog } from "../../src/log.ts";

/** Before anybody is signed in: the pages themselves, the help, and the way to a provider and back. */
const FOR_EVERYBODY = /^\/console(\/\*?|\/help.*|\/sso\/.*)?$/;

export async function fileRoutes(): Promise<string[]> {
  const app = fastify();
  const routes: string[] = [];
  app.addHook("onRoute", ({ method, url }) => void ([method].flat().includes("GET") && routes.push(url)));
  await mountConsole(app, {
    ...{ from: [], pages: undefined, running: undefined, system: {}, faxes: undefined, publicUrl: undefined },
    ...{ services: { clock: realClock, log: silentLog }, clientAddress: () => "", requestMs: 1_000 },
  } as unknown as ConsoleParts); // nobody asks it anything
  return routes.filter((url) => url.startsWith("/console") && !FOR_EVERYBODY.test(url));
}
