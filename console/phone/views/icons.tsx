// The phone's pictures, drawn here: letters of a picture font are missing on too many machines.

import type { JSX } from "preact";

const paths = {
  call: "M6.6 3.5 9 3l2 4.7-1.9 1.5a12 12 0 0 0 5.7 5.7l1.5-1.9L21 15l-.5 2.4A3 3 0 0 1 17.4 20 14.5 14.5 0 0 1 4 6.6a3 3 0 0 1 2.6-3.1Z",
  hangUp: "M3 14.5c5-5 13-5 18 0l-2.6 2.6-3.8-1.6v-2.3a11 11 0 0 0-5.2 0v2.3l-3.8 1.6Z",
  mute: "M9 9V6a3 3 0 0 1 6 0v5M5 11a7 7 0 0 0 11 5.7M19 11a7 7 0 0 1-.6 2.8M12 18v3M4 4l16 16",
  microphone: "M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3ZM5 11a7 7 0 0 0 14 0M12 18v3",
  hold: "M9 5v14M15 5v14",
  resume: "M7 5l11 7-11 7Z",
  keypad: "M6 6h.01M12 6h.01M18 6h.01M6 12h.01M12 12h.01M18 12h.01M6 18h.01M12 18h.01M18 18h.01",
  transfer: "M4 12h15M13 6l6 6-6 6",
  add: "M12 5v14M5 12h14",
  swap: "M7 4v14M3.5 7.5 7 4l3.5 3.5M17 20V6M13.5 16.5 17 20l3.5-3.5",
  erase: "M9 6h11v12H9l-6-6ZM12 10l4 4M16 10l-4 4",
  history: "M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4M12 8v4l3 2",
  contacts:
    "M9 11a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 9 11ZM3 19a6 6 0 0 1 12 0M16 5a3.2 3.2 0 0 1 0 6M18 19a6 6 0 0 0-2.5-5",
  settings: "M5 7h8M17 7h2M15 5v4M5 17h2M11 17h8M9 15v4",
  outgoing: "M7 17 17 7M9 7h8v8",
  incoming: "M17 7 7 17M15 17H7V9",
  missed: "M4 7l8 7 8-7M20 7v5M20 7h-5",
  forms: "M6 3h12v18H6ZM9 8h6M9 12h6M9 16h3",
  back: "M15 5l-7 7 7 7",
  check: "M5 12l5 5 9-10",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 22 }: { name: IconName; size?: number }): JSX.Element {
  const isDots = name === "keypad";
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      stroke-width={isDots ? 3.2 : 1.8}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
