// Whether whoever asks takes an answer that is packed.

import type { FastifyRequest } from "fastify";

export function takesPacked({ headers }: Pick<FastifyRequest, "headers">): boolean {
  return /\bgzip\b/.test(String(headers["accept-encoding"] ?? ""));
}
