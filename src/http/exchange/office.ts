// Whether the office is open, and the switch by which a program opens or closes it by hand.

import { Type } from "typebox";
import { isOpenIn, localTime } from "../../exchange/plan/hours.ts";
import { officeSwitch } from "../../nouns/choices.ts";
import { readOffice, switchOffice } from "../../store/office.ts";
import { json, OK } from "../door/answer.ts";
import { endpoint } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { oneOf } from "../parameters/schema.ts";

const group = "Office hours";
const positions = Object.keys(officeSwitch) as (keyof typeof officeSwitch)[];
const notOne = { refused: "not-one-of", field: "switch", choices: positions } as const;

export const showOffice = endpoint({
  group,
  methods: ["GET"],
  paths: ["/office"],
  summary: "Whether the office is open",
  description: "`open` is what hours and switch say together; holidays and hours of single numbers are not in it.",
  parameters: Type.Object({}),
  guards: [key, limit("default"), body, schema],
  reply: "json",
  example: { switch: "hours", open: true, hours: ["1 08:00-12:00", "1 13:00-18:00"] },
  async handle(_, { db, exchangeId, clock }) {
    const office = (await readOffice(db, exchangeId))!; // the exchange whose key was just looked up
    const byHours = isOpenIn(office.hours, localTime(clock.wall(), office.timeZone));
    const open = office.switch === "hours" ? byHours : office.switch === "open";
    return json({ switch: office.switch, open, hours: office.hours });
  },
});

export const turnOffice = endpoint({
  group,
  methods: ["POST", "PUT", "PATCH"],
  paths: ["/office"],
  summary: "Open or close the office by hand",
  description: "`hours` goes by the office hours again. The switch goes before hours and holidays of every number.",
  parameters: Type.Object({ switch: oneOf(positions, { missing: () => notOne, wrong: () => notOne }) }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "OK",
  refusals: [notOne],
  async handle({ switch: to }, { db, exchangeId }) {
    await switchOffice(db, exchangeId, to);
    return OK;
  },
});
