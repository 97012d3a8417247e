import { expect, test } from "vitest";
import { answeredCall, forksAt, ladder, line, NOTHING_LEFT, requestTo } from "../../test/phones/sip-phones.ts";
import type { Outcome } from "./client.ts";

const told = (outcome: Outcome) =>
  "response" in outcome ? `${outcome.response.status}${/;tag=.*/.exec(toIn(outcome.response))?.[0] ?? ""}` : outcome.is;
const toIn = ({ headers }: { headers: { name: string; value: string }[] }) =>
  headers.find(({ name }) => name === "To")?.value ?? "";

test("an owner that goes hears nothing more; other forks are told to whom it named, and repeats are acknowledged", () => {
  const town = line();
  const bob = forksAt(town);
  const invite = requestTo("INVITE");
  const [owner, heir]: string[][] = [[], []];
  const hear = (said: string[] | undefined) => (outcome: Outcome) => {
    said?.push(told(outcome));
    if (outcome.is !== "success") return;
    const { ack, hop } = answeredCall(invite, outcome.response);
    call.sendAck(ack, hop);
  };
  const call = town.alice.send(invite, town.toBob, hear(owner));
  town.clock.pass(10);
  bob.answers("first");
  town.clock.pass(10);
  call.handOver(hear(heir));
  bob.answers("first");
  bob.answers("second");
  bob.answers("second");
  town.clock.pass(10);
  expect(owner).toEqual(["200;tag=first"]);
  expect(heir).toEqual(["200;tag=second"]);
  expect(ladder(town.network).filter((message) => message === "ACK")).toHaveLength(4);
  town.clock.pass(40_000);
  expect(town.alice.load()).toEqual(NOTHING_LEFT);
});

test("a refusal is the last word: who asked is let go with it, and its repeats are still acknowledged", () => {
  const town = line();
  town.bob.onRequest((incoming) => void incoming.reply(486));
  const heard: string[] = [];
  const call = town.alice.send(
    requestTo("INVITE"),
    town.toBob,
    (outcome) => void heard.push(told(outcome).slice(0, 3)),
  );
  town.clock.pass(1);
  town.network.weather({ loss: 1 });
  town.clock.pass(1);
  town.network.weather({});
  call.handOver(() => expect.unreachable());
  town.clock.pass(2_000);
  expect(heard).toEqual(["486"]);
  expect(ladder(town.network)).toEqual(["INVITE", "486 INVITE", "ACK", "486 INVITE", "ACK"]);
  town.clock.pass(60_000);
  expect(town.alice.load()).toEqual(NOTHING_LEFT);
});

test("a question's answer is heard once, whatever comes afterwards", () => {
  const town = line();
  town.bob.onRequest((incoming) => void incoming.reply(200));
  town.network.weather({ repeat: 1 });
  const heard: string[] = [];
  const asked = town.alice.send(requestTo("OPTIONS"), town.toBob, ({ is }) => void heard.push(is));
  town.clock.pass(1_000);
  asked.handOver(() => expect.unreachable());
  town.clock.pass(60_000);
  expect(heard).toEqual(["success"]);
  expect(town.alice.load()).toEqual(NOTHING_LEFT);
});
