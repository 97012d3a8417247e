// User-Agent and Server: what the other side calls itself. For people and logs; nothing is decided by it.

import { headerOf, type Message } from "../message/message.ts";

export const productOf = (message: Message): string | undefined =>
  headerOf(message, message.is === "request" ? "User-Agent" : "Server") ??
  headerOf(message, message.is === "request" ? "Server" : "User-Agent");
