// Settings that are one of a few words, or any.

import type { Unreadable } from "./config-addresses.ts";

export function yesOrNo(text: string): boolean | Unreadable {
  if (["true", "yes", "on", "1"].includes(text.toLowerCase())) return true;
  if (["false", "no", "off", "0"].includes(text.toLowerCase())) return false;
  return { unreadable: "true or false" };
}

export function autoOnOff(text: string): "auto" | "on" | "off" | Unreadable {
  if (text === "auto") return text;
  const said = yesOrNo(text);
  if (typeof said === "boolean") return said ? "on" : "off";
  return { unreadable: "auto, on or off" };
}

export function webMedia(text: string): "threads" | "process" | Unreadable {
  return text === "threads" || text === "process" ? text : { unreadable: "threads or process" };
}

export function optional(text: string): string | undefined {
  return text === "" ? undefined : text;
}

export function logLevel(text: string): string | Unreadable {
  const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];
  return levels.includes(text) ? text : { unreadable: "trace, debug, info, warn, error or silent" };
}
