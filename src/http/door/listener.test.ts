import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { silentLog } from "../../log.ts";
import { openFastify } from "./listener.ts";

test("who has connected and asked for nothing, as browsers do in advance, does not keep a server from closing", async () => {
  const app = openFastify(silentLog);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo; // it listens
  const arrives = once(app.server, "connection");
  const silent = connect(port, "127.0.0.1");
  await arrives;
  const half = connect(port, "127.0.0.1");
  half.write("GET /nowhere HTTP/1.1\r\nHost: x\r\nX-Half");
  await once(app.server, "connection");
  const [first, second] = [once(silent, "close"), once(half, "close")];
  for (const socket of [silent, half]) socket.resume().on("error", () => undefined);
  await app.close();
  await Promise.all([first, second]);
  expect([silent.destroyed, half.destroyed]).toEqual([true, true]);
});
