import { expect, test } from "vitest";
import type { Stop } from "./parts.ts";
import { openStopRequests } from "./stop-requests.ts";

function asked() {
  const heard: string[] = [];
  const requests = openStopRequests({ onCut: () => heard.push("cut"), onNow: () => heard.push("now") });
  const stop = async (): Promise<Stop | undefined> => Promise.race([requests.asked, Promise.resolve(undefined)]);
  return { ...requests, heard, stop };
}

test("SIGTERM hands over, a second signal cuts, a third ends it where it stands", async () => {
  const { signal, heard, stop } = asked();
  expect(await stop()).toBeUndefined();
  signal("SIGTERM");
  expect(await stop()).toEqual({ calls: "handOver" });
  expect(heard).toEqual([]);
  signal("SIGTERM");
  expect(heard).toEqual(["cut"]);
  signal("SIGTERM");
  expect(heard).toEqual(["cut", "now"]);
});

test("Ctrl-C and the end of a terminal are for good, and a second one does not wait", async () => {
  for (const signal of ["SIGINT", "SIGHUP"] as const) {
    const requests = asked();
    requests.signal(signal);
    expect(await requests.stop()).toEqual({ calls: "cut" });
    requests.signal("SIGINT");
    expect(requests.heard).toEqual(["now"]);
  }
});

test("a signal that the terminal sends to us and to the supervisor counts once, whoever is first", async () => {
  const { signal, heard, stop } = asked();
  signal("SIGINT");
  signal("SIGINT", 1);
  expect(await stop()).toEqual({ calls: "cut" });
  expect(heard).toEqual([]);
  signal("SIGINT", 2);
  signal("SIGINT");
  expect(heard).toEqual(["now"]);
});

test("a supervisor that alone was sent a signal tells us", async () => {
  const { signal, stop } = asked();
  signal("SIGTERM", 1);
  expect(await stop()).toEqual({ calls: "handOver" });
});

test("a command asks for a drain, and a signal or another command cuts it short", async () => {
  const bySignal = asked();
  bySignal.ask({ calls: "drain" });
  expect(await bySignal.stop()).toEqual({ calls: "drain" });
  bySignal.ask({ calls: "drain" });
  expect(bySignal.heard).toEqual([]);
  bySignal.signal("SIGTERM");
  expect(bySignal.heard).toEqual(["cut"]);

  const byCommand = asked();
  byCommand.ask({ calls: "drain" });
  byCommand.ask({ calls: "cut" });
  byCommand.ask({ calls: "cut" });
  expect(byCommand.heard).toEqual(["cut"]);
});
