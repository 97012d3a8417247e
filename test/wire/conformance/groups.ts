// Groups of contacts.

import { expect } from "vitest";
import type { World } from "../../town/exchange-world.ts";
import { jsonType, type Row } from "./row.ts";

const NUMBER = /^\d+$/;

export function groupRows({ ours }: World): Row[] {
  const id = ours.groupId;
  return [
    {
      what: "groups are listed",
      ask: "GET /contact_groups",
      shows: (groups: unknown[]) => expect(groups[0]).toEqual({ id, name: "Müşteriler" }),
    },
    {
      what: "a group is created",
      ask: "POST /contact_groups",
      headers: jsonType,
      body: JSON.stringify({ key: ours.key, name: "Bayiler" }),
      text: NUMBER,
    },
    { what: "a group without a name", ask: "POST /contact_groups", status: 400, text: "name can't be blank" },
    { what: "a group is renamed", ask: `PATCH /contact_groups/${id}?name=M%C3%BC%C5%9Fteri`, text: "OK" },
    {
      what: "a group is renamed to nothing",
      ask: `PATCH /contact_groups/${id}`,
      status: 400,
      text: "name can't be blank",
    },
    {
      what: "an unknown group is renamed",
      ask: "PATCH /contact_groups/20212?name=x",
      status: 400,
      text: "cannot find group with id: 20212",
    },
    {
      what: "a group with an impossible id",
      ask: "PATCH /contact_groups/abc?name=x",
      status: 400,
      text: "cannot find group with id: abc",
    },
    {
      what: "an id beyond every number",
      ask: "DELETE /contact_groups/99999999999999999999",
      status: 400,
      text: "cannot find group with id: 99999999999999999999",
    },
    {
      what: "an unknown group is deleted",
      ask: "DELETE /contact_groups/20212",
      status: 400,
      text: "cannot find group with id: 20212",
    },
  ];
}
