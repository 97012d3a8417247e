import { describe, expect, test } from "vitest";
import { formFor } from "../../src/exchange/features/forms/forms.ts";
import { blankField } from "../../src/forms/definition.ts";
import { updateExchange } from "../../src/store/exchanges.ts";
import { createForm, updateForm } from "../../src/store/forms.ts";
import { updateQueue } from "../../src/store/queues.ts";
import { updateRingGroup } from "../../src/store/ring-groups.ts";
import { townWith } from "../town/town.ts";
import type { TownPhone } from "../town/town-phone.ts";

type Town = Awaited<ReturnType<typeof townWith>>;

const desks = { "1000": {}, "1001": {}, "1002": {}, "1003": {} };
const FAR = "905321234567";
const OWN = "08505320000";
const places = {
  queues: { "200": { members: ["1001"] }, "201": { members: ["1002"] } },
  groups: { "700": { strategy: "simultaneous", members: [{ extension: "1003" }] } },
};

/** Forms by these names, each in its first version. */
async function formsIn(town: Town, ...names: string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const name of names) {
    const wanted = { exchangeId: town.exchangeId, name, active: true, fields: [{ ...blankField, label: "Konu" }] };
    ids.push(Number(await createForm(town.db, wanted)));
  }
  return ids;
}

const furnished = async (target: string) => {
  const town = await townWith({ desks, target, ...places });
  const { exchangeId, db } = town;
  const ids = await formsIn(town, "Kuyruk", "Grup", "Gelen", "Giden");
  await updateQueue(db, { exchangeId, number: "200", changes: { form: "Kuyruk" } });
  await updateRingGroup(db, { exchangeId, number: "700", changes: { form: "Grup" } });
  await updateExchange(db, exchangeId, { inbound_form: "Gelen", outbound_form: "Giden" });
  await town.settled();
  const [ofQueue = 0, ofGroup = 0, inbound = 0, outbound = 0] = ids;
  return { town, ofQueue, ofGroup, inbound, outbound };
};

async function talks(town: Town, { far, agent }: { far: TownPhone; agent: TownPhone }): Promise<void> {
  await far.calls(OWN);
  await agent.answers();
  await town.talksWith(far, agent);
}

/** Extension and form of everybody who owes one, call by call. */
const owed = (town: Town) =>
  town.diary.records.map(({ facts }) => (facts.forms ?? []).map(({ extension, formId }) => [extension, formId]));

describe("the most specific form wins", () => {
  test.each([
    ["queue/200", "1001", "ofQueue"],
    ["queue/201", "1002", "inbound"],
    ["group/700", "1003", "ofGroup"],
    ["user/1000", "1000", "inbound"],
  ] as const)("a call to %s that %s takes gets that of %s", async (target, number, form) => {
    const { town, ...ids } = await furnished(target);
    const [far, agent] = [town.phone(FAR), town.phone(number)];
    await talks(town, { far, agent });
    const [form1] = town.board.live.all()[0]?.facts.forms ?? [];
    expect(form1, "from the moment of answer").toMatchObject({ extension: number, direction: "inbound", version: 1 });
    expect(form1).toMatchObject({ number: "05321234567", queue: target.startsWith("user") ? null : target.slice(-3) });
    await far.hangsUp();
    await town.isQuiet();
    expect(owed(town)).toEqual([[[number, ids[form]]]]);
  });

  test("nobody owes a form of a call that he did not take, or that has none", async () => {
    const { town } = await furnished("queue/200");
    const [far, agent] = [town.phone(FAR), town.phone("1001")];
    await far.calls(OWN);
    await agent.rings();
    await far.hangsUp();
    await town.isQuiet();
    const [ann, bob] = [town.phone("1000"), town.phone("1002")];
    await ann.calls("1002");
    await bob.answers();
    await town.talksWith(ann, bob);
    await ann.hangsUp();
    await town.isQuiet();
    expect(owed(town)).toEqual([[], []]);
  });

  test("who calls a queue from inside is its customer, and only the agent owes the form", async () => {
    const { town, ofQueue } = await furnished("queue/200");
    const [ann, agent] = [town.phone("1000"), town.phone("1001")];
    await ann.calls("200");
    await agent.answers();
    await town.talksWith(ann, agent);
    await ann.hangsUp();
    await town.isQuiet();
    expect(owed(town)).toEqual([[["1001", ofQueue]]]);
  });

  test("who calls out owes that of outbound calls, once somebody has answered", async () => {
    const { town, outbound } = await furnished("queue/200");
    const [far, ann] = [town.phone(FAR), town.phone("1000")];
    await ann.calls("05321234567");
    await far.rings();
    expect(town.board.live.all()[0]?.facts.forms).toBeUndefined();
    await far.answers();
    await town.talksWith(ann, far);
    await ann.hangsUp();
    await town.isQuiet();
    expect(owed(town)).toEqual([[["1000", outbound]]]);
    expect(town.diary.records[0]?.facts.forms).toMatchObject([{ direction: "outbound", number: "05321234567" }]);
  });
});

describe("a call that goes on to others", () => {
  test("transferred to a colleague, both owe the form of the queue it came by", async () => {
    const { town, ofQueue } = await furnished("queue/200");
    const [far, agent, carl] = [town.phone(FAR), town.phone("1001"), town.phone("1002")];
    await talks(town, { far, agent });
    const { uuid } = town.board.live.all()[0]!.facts;
    expect(await town.exchange.transfer(town.exchangeId, uuid, "1002")).toBe("done");
    await carl.answers();
    await town.talksWith(far, carl);
    await far.hangsUp();
    await town.isQuiet();
    expect(owed(town)).toEqual([
      [
        ["1001", ofQueue],
        ["1002", ofQueue],
      ],
    ]);
  });

  test("transferred to a group with a form of its own, the second owes that one", async () => {
    const { town, ofQueue, ofGroup } = await furnished("queue/200");
    const [far, agent, dora] = [town.phone(FAR), town.phone("1001"), town.phone("1003")];
    await talks(town, { far, agent });
    agent.leg().ask("REFER", { headers: [{ name: "Refer-To", value: "<sip:700@town.example>" }] });
    await dora.answers();
    await town.talksWith(far, dora);
    await far.hangsUp();
    await town.isQuiet();
    expect(owed(town)).toEqual([
      [
        ["1001", ofQueue],
        ["1003", ofGroup],
      ],
    ]);
  });
});

test("a form that is switched off is not asked for, and the next version is once it is there", async () => {
  const { town, ofQueue, inbound } = await furnished("queue/200");
  const { exchangeId, db } = town;
  const [far, agent] = [town.phone(FAR), town.phone("1001")];
  await updateForm(db, { exchangeId, id: ofQueue, active: false });
  await town.settled();
  await talks(town, { far, agent });
  await far.hangsUp();
  await town.isQuiet();
  await updateForm(db, { exchangeId, id: ofQueue, active: true, fields: [{ ...blankField, label: "Başka" }] });
  await town.settled();
  await far.calls(OWN);
  await town.until("the agent rings again", () => agent.seen.filter((it) => it === "is rung").length === 2);
  await agent.answers();
  await town.talksWith(far, agent);
  await far.hangsUp();
  await town.isQuiet();
  expect(owed(town)).toEqual([[["1001", inbound]], [["1001", ofQueue]]]);
});

test("without a place and a direction that have one there is none", () => {
  const ref = { id: 1, version: 1 };
  const chosen = { places: new Map([["200", ref]]), inbound: { id: 2, version: 3 } };
  expect(formFor(chosen, { queue: "200", direction: "internal" })).toBe(ref);
  expect(formFor(chosen, { queue: "201", direction: "inbound" })).toBe(chosen.inbound);
  expect(formFor(chosen, { direction: "outbound" })).toBeUndefined();
  expect(formFor(chosen, { direction: "internal" })).toBeUndefined();
});
