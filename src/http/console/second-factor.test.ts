import { expect, test } from "vitest";
import { consoleTown, PASSWORD } from "../../../test/town/console-town.ts";
import { realClock } from "../../clock.ts";
import { updateExchange } from "../../store/exchanges.ts";
import { beginSession } from "../../store/staff-sessions.ts";
import { totpCode } from "../../store/totp.ts";

const { db, ours, theirs, visitor, member } = await consoleTown();

const codeOf = (secret: string, later = 0) => totpCode(secret, Math.floor(Date.now() / 30_000) + later);

test("who lacks a second factor that is required sets one up, and is given nothing before", async () => {
  const [boss, worker] = [await member("administrator"), await member("standard")];
  await boss.ask("settings.update", { changes: { second_factor: "administrators" } });
  expect(await boss.refused("extensions.list", {})).toMatchObject({ status: 403, refused: "second-factor-first" });
  expect(await boss.refused("settings.update", { changes: { second_factor: "none" } })).toMatchObject({
    refused: "second-factor-first",
  });
  expect((await boss.get("/console/calls.csv")).status).toBe(401);
  expect((await boss.get("/console/pop?link=x")).status).toBe(401);
  expect(await boss.ask("session.show", {})).toMatchObject({ owesFactor: true });
  expect(await worker.ask("extensions.list", {})).toHaveLength(3);
  const { secret } = await boss.ask("totp.begin", {});
  await boss.ask("totp.confirm", { secret, code: codeOf(secret), password: PASSWORD });
  expect(await boss.ask("session.show", {})).toMatchObject({ owesFactor: false });
  expect(await boss.ask("extensions.list", {})).toHaveLength(3);

  await boss.ask("settings.update", { changes: { second_factor: "everybody" } });
  expect(await worker.refused("extensions.list", {})).toMatchObject({ refused: "second-factor-first" });
  // Whom another administrator helps out of a lost phone begins anew.
  const other = await member("administrator");
  expect(await other.refused("staff.resetTotp", { id: boss.id })).toMatchObject({ refused: "second-factor-first" });
  await updateExchange(db, ours.id, { second_factor: "none" });
  await other.ask("staff.resetTotp", { id: boss.id });
  await updateExchange(db, ours.id, { second_factor: "administrators" });
  expect(await boss.refused("extensions.list", {})).toMatchObject({ refused: "second-factor-first" });
  await updateExchange(db, ours.id, { second_factor: "none" });
});

test("whoever comes by the exchange's provider has been asked there, and another exchange asks for itself", async () => {
  await updateExchange(db, ours.id, { second_factor: "everybody" });
  const boss = await member("administrator");
  const session = { staffId: boss.id, nowMs: realClock.wall(), address: "127.0.0.1", browser: "test" };
  const { token } = await beginSession(db, { ...session, door: "oidc" });
  const byProvider = visitor(`santral_session=${token}`);
  expect(await byProvider.ask("extensions.list", {})).toHaveLength(3);
  const neighbour = await member("administrator", theirs.id);
  expect(await neighbour.ask("session.show", {})).toMatchObject({ owesFactor: false });
  await updateExchange(db, ours.id, { second_factor: "none" });
});
