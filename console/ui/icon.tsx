// The icons of the console: lines of one width on a field of 24 by 24, hidden from screen readers.

const paths = {
  qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2M20 14v2M14 20h2M18 18h2v2M7 7h.01M17 7h.01M7 17h.01",
  brand: "M6.5 6.5a8 8 0 0 0 0 11M17.500 6.500a8 8 0 0 1 0 11M12 10.500v3M10.500 12h3",
  board: "M4 5h7v6H4zM13 5h7v10h-7zM4 13h7v6H4zM13 17h7v2h-7z",
  bell: "M6 17h12l-1.500-3v-4a4.500 4.500 0 0 0-9 0v4zM10.500 20h3",
  wall: "M3 5h18v11H3zM9 20h6M12 16v4",
  call: "M6 4h3l1.500 4.500L8.500 10a11 11 0 0 0 5.500 5.500l1.500-2L20 15v3a2 2 0 0 1-2.200 2A15 15 0 0 1 4 6.200 2 2 0 0 1 6 4z",
  headset: "M5 15v-3a7 7 0 0 1 14 0v3M5 14h3v5H6a1 1 0 0 1-1-1zM19 14h-3v5h2a1 1 0 0 0 1-1zM19 18c0 2-2 3-5 3",
  voicemail:
    "M7 15a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM17 15a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM7 15h10",
  phone: "M5 3h14v18H5zM8 6h8v4H8zM8.500 14h.01M12 14h.01M15.500 14h.01M8.500 17h.01M12 17h.01M15.500 17h.01",
  people:
    "M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3.500 19c0-3 2.500-5 5.500-5s5.500 2 5.500 5M16 11a2.500 2.500 0 0 0 0-5M17 14c2.200.4 3.500 2.200 3.500 5",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 20c0-3.500 3-6 7-6s7 2.500 7 6",
  queue: "M4 7h10M4 12h10M4 17h10M18 7v10M15.500 14.500 18 17l2.500-2.500",
  group: "M12 5a2 2 0 1 0 0 .01M6 17a2 2 0 1 0 0 .01M18 17a2 2 0 1 0 0 .01M12 7v4M12 11l-5 4M12 11l5 4",
  menu: "M12 3v5M5 21v-5h14v5M12 8v8M9 3h6v5H9z",
  number: "M5 9h15M4 15h15M10 4 8 20M16 4l-2 16",
  server: "M4 5h16v6H4zM4 13h16v6H4zM7.500 8h.01M7.500 16h.01",
  trunk: "M3 12h5M16 12h5M8 8h8v8H8zM11 8V5M13 19v-3",
  sound: "M4 10v4h3l5 4V6l-5 4zM15.500 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11",
  block: "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM6.500 6.500l11 11",
  book: "M6 4h12v16H6zM6 8H4M6 12H4M6 16H4M12 11a2 2 0 1 0 0-.01M9 16c0-1.500 1.300-2.500 3-2.500s3 1 3 2.500",
  message: "M4 5h16v11H9l-5 4z",
  inbox: "M4 13l2.500-8h11L20 13v6H4zM4 13h5l1 2h4l1-2h5",
  chart: "M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6",
  coins:
    "M9 11a5 2.500 0 1 0 0-5 5 2.500 0 0 0 0 5zM4 8.500v6C4 16 6 17 9 17M14 8.500V10M15 18a5 2.500 0 1 0 0-5 5 2.500 0 0 0 0 5zM10 15.500v3c0 1.400 2.200 2.500 5 2.500s5-1.100 5-2.500v-3",
  clock: "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 8v4l3 2",
  settings:
    "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600l2.200 2.200M16.200 16.200l2.200 2.200M5.600 18.400l2.200-2.200M16.200 7.800l2.200-2.200",
  key: "M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 12h8v3M17 12v2",
  form: "M5 3h14v18H5zM8 8h.01M11 8h5M8 12h.01M11 12h5M8 16h.01M11 16h5",
  audit: "M6 3h9l4 4v14H6zM15 3v4h4M9 12h6M9 16h6",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v2M12 19v2M3 12h2M19 12h2M5.600 5.600 7 7M17 17l1.400 1.400M5.600 18.400 7 17M17 7l1.400-1.400",
  moon: "M20 14a8 8 0 0 1-10-10 8 8 0 1 0 10 10z",
  leave: "M14 4h5v16h-5M4 12h10M10 8l4 4-4 4",
  plus: "M12 5v14M5 12h14",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.500 4.500",
  refresh: "M20 5v5h-5M4 19v-5h5M19 10a7.500 7.500 0 0 0-13-3M5 14a7.500 7.500 0 0 0 13 3",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  play: "M7 5l12 7-12 7z",
  pause: "M8 5v14M16 5v14",
  download: "M12 4v11M7 11l5 5 5-5M4 20h16",
  upload: "M12 16V4M7 9l5-5 5 5M4 20h16",
  in: "M18 6 7 17M7 9v8h8",
  out: "M6 18 17 7M9 7h8v8",
  inside: "M4 9h14l-3-3M20 15H6l3 3",
  hangup: "M3 13c5-5 13-5 18 0l-2.500 3-3.500-1.500V12c-2-.7-4-.7-6 0v2.500L5.500 16z",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  help: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.500 9.500a2.500 2.500 0 1 1 3.500 2.300c-.7.4-1 .8-1 1.700M12 16.500h.01",
  check: "M5 12l5 5L19 7",
  record: "M12 18a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM12 13.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3z",
  stop: "M7 7h10v10H7z",
  left: "M19 12H5M11 6l-6 6 6 6",
  right: "M5 12h14M13 6l6 6-6 6",
  minus: "M5 12h14",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
} satisfies Record<string, string>;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
