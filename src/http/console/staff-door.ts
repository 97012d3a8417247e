// Who asks without a browser's session: HTTP Basic with a staff member's e-mail address and password, and not too often.
// An account with a second factor has no code to give here, and so is not let in this way; nor one that should have one.

import type { FastifyRequest } from "fastify";
import type { SignedIn } from "../../store/staff-sign-in.ts";
import { type RefusedAnswer, refuse } from "../door/answer.ts";
import type { ClientAddress } from "../door/client-address.ts";
import { openSignIns, type SignInsParts } from "./sign-ins.ts";

export type StaffDoorParts = SignInsParts & { clientAddress: ClientAddress };

export type StaffDoor = (request: FastifyRequest) => Promise<SignedIn | RefusedAnswer>;

export function openStaffDoor({ clientAddress, ...parts }: StaffDoorParts): StaffDoor {
  const trySignIn = openSignIns(parts, "staffDoor");
  return async (request) => {
    const given = credentialsOf(request.headers.authorization);
    if (!given) return refuse({ refused: "http", status: 401 });
    const address = clientAddress(request.socket.remoteAddress, request.headers["x-forwarded-for"]);
    const staff = await trySignIn({ ...given, isProgram: true }, address);
    if (!("refused" in staff)) return staff;
    if (staff.refused !== "too-many") return refuse({ refused: "http", status: 401 });
    return refuse({ refused: "too-many", seconds: staff.seconds });
  };
}

function credentialsOf(header: string | undefined): { email: string; password: string } | undefined {
  const encoded = /^basic ([A-Za-z0-9+/=]{1,1000})$/i.exec(header ?? "")?.[1];
  const text = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 1 ? undefined : { email: text.slice(0, colon), password: text.slice(colon + 1) };
}
