// How each refusal of a call operation sounds on the exchange API. Add a refusal and this file stops compiling.

import type { Refusal } from "../../exchange/calls/refusal.ts";
import { echo, type RefusedAnswer, refuse } from "../door/answer.ts";

type Said = readonly [status: number, text: string];

const words: { [R in Refusal["refused"]]: (refusal: Extract<Refusal, { refused: R }>) => Said } = {
  "missing-extension": () => [400, "missing extension"],
  "extension-not-found": ({ extension }) => [400, `extension ${echo(extension)} not found`],
  "extension-not-reachable": () => [400, "NO_USER_RESPONSE"],
  "do-not-disturb": () => [400, "USER_BUSY"],
  "invalid-source": ({ source }) => [400, `invalid source: ${echo(source)}`],
  "invalid-destination": ({ destination }) => [400, `invalid destination: ${echo(destination)}`],
  "destination-barred": ({ destination }) => [400, `destination barred: ${echo(destination)}`],
  "caller-id-not-owned": ({ callerId }) => [400, `invalid caller_id: ${echo(callerId)}`],
  "announcement-not-found": ({ id }) => [400, `cannot find announcement with id: ${id}`],
  "queue-not-found": ({ queue }) => [404, `Queue_number value null or none ${echo(queue)}`],
  "no-such-call": () => [400, "No such channel!"],
  "not-now": () => [400, "No such channel!"],
  "no-trunk": () => [400, "NO_ROUTE_DESTINATION"],
  "no-free-channel": () => [400, "NORMAL_CIRCUIT_CONGESTION"],
  "call-failed": ({ cause }) => [400, cause],
  overloaded: () => [503, "too many calls at once, try again in a second"],
  closing: () => [503, "the exchange is stopping"],
};

export function refused(refusal: Refusal): RefusedAnswer {
  // The words are chosen by the very field their parameter narrows on.
  const say = words[refusal.refused] as (refusal: Refusal) => Said;
  return refuse(...say(refusal));
}
