// libspandsp 2 (LGPL), bound through koffi: only what a fax needs. Loaded in the fax process alone, since a bad pointer ends a process.

import { createRequire } from "node:module";

/** The next version has other structures under the same names, so it is never taken. */
const LIBRARY = "libspandsp.so.2";
const TO_INSTALL = "fax needs libspandsp2: sudo apt-get install -y --no-install-recommends libspandsp2";

type Koffi = typeof import("koffi");

/** Something of the library's, which only the library looks into. */
export type Handle = { readonly opaque: unique symbol };
/** A function of ours that the library calls, until it is given back. */
export type Callback = bigint;

export type TransferStatistics = {
  bit_rate: number;
  error_correcting_mode: number;
  pages_tx: number;
  pages_rx: number;
  pages_in_file: number;
  x_resolution: number;
  /** Points a metre. */
  y_resolution: number;
  width: number;
  length: number;
  image_size: number;
  encoding: number;
  bad_rows: number;
  longest_bad_row_run: number;
  error_correcting_mode_retries: number;
  current_status: number;
};

type Functions = {
  fax_init(state: null, calling: 0 | 1): Handle | null;
  fax_free(fax: Handle): number;
  fax_rx(fax: Handle, samples: Int16Array, count: number): number;
  fax_rx_fillin(fax: Handle, count: number): number;
  fax_tx(fax: Handle, samples: Int16Array, most: number): number;
  fax_set_transmit_on_idle(fax: Handle, on: 0 | 1): void;
  fax_get_t30_state(fax: Handle): Handle;
  t38_terminal_init(state: null, calling: 0 | 1, send: Callback, user: null): Handle | null;
  t38_terminal_free(terminal: Handle): number;
  t38_terminal_send_timeout(terminal: Handle, samples: number): number;
  t38_terminal_get_t30_state(terminal: Handle): Handle;
  t38_terminal_get_t38_core_state(terminal: Handle): Handle;
  t38_core_rx_ifp_packet(core: Handle, packet: Uint8Array, length: number, sequence: number): number;
  t38_set_t38_version(core: Handle, version: number): void;
  t38_set_max_datagram_size(core: Handle, octets: number): void;
  t30_set_tx_ident(t30: Handle, ident: string): number;
  t30_get_rx_ident(t30: Handle): string | null;
  t30_set_tx_file(t30: Handle, file: string, firstPage: number, lastPage: number): void;
  t30_set_rx_file(t30: Handle, file: string, lastPage: number): void;
  t30_set_ecm_capability(t30: Handle, on: 0 | 1): number;
  t30_set_supported_modems(t30: Handle, modems: number): number;
  t30_set_supported_compressions(t30: Handle, compressions: number): number;
  t30_set_supported_resolutions(t30: Handle, resolutions: number): number;
  t30_set_supported_image_sizes(t30: Handle, sizes: number): number;
  t30_set_rx_encoding(t30: Handle, encoding: number): number;
  t30_set_phase_b_handler(t30: Handle, hear: Callback, user: null): void;
  t30_set_phase_d_handler(t30: Handle, hear: Callback, user: null): void;
  t30_set_phase_e_handler(t30: Handle, hear: Callback, user: null): void;
  t30_get_transfer_statistics(t30: Handle, into: Partial<TransferStatistics>): void;
  t30_completion_code_to_str(code: number): string;
  t30_terminate(t30: Handle): void;
};

const signatures: Record<keyof Functions, string> = {
  fax_init: "void *fax_init(void *, int)",
  fax_free: "int fax_free(void *)",
  fax_rx: "int fax_rx(void *, const int16_t *, int)",
  fax_rx_fillin: "int fax_rx_fillin(void *, int)",
  fax_tx: "int fax_tx(void *, _Out_ int16_t *, int)",
  fax_set_transmit_on_idle: "void fax_set_transmit_on_idle(void *, int)",
  fax_get_t30_state: "void *fax_get_t30_state(void *)",
  t38_terminal_init: "void *t38_terminal_init(void *, int, SendIfp *, void *)",
  t38_terminal_free: "int t38_terminal_free(void *)",
  t38_terminal_send_timeout: "int t38_terminal_send_timeout(void *, int)",
  t38_terminal_get_t30_state: "void *t38_terminal_get_t30_state(void *)",
  t38_terminal_get_t38_core_state: "void *t38_terminal_get_t38_core_state(void *)",
  t38_core_rx_ifp_packet: "int t38_core_rx_ifp_packet(void *, const uint8_t *, int, uint16_t)",
  t38_set_t38_version: "void t38_set_t38_version(void *, int)",
  t38_set_max_datagram_size: "void t38_set_max_datagram_size(void *, int)",
  t30_set_tx_ident: "int t30_set_tx_ident(void *, const char *)",
  t30_get_rx_ident: "const char *t30_get_rx_ident(void *)",
  t30_set_tx_file: "void t30_set_tx_file(void *, const char *, int, int)",
  t30_set_rx_file: "void t30_set_rx_file(void *, const char *, int)",
  t30_set_ecm_capability: "int t30_set_ecm_capability(void *, int)",
  t30_set_supported_modems: "int t30_set_supported_modems(void *, int)",
  t30_set_supported_compressions: "int t30_set_supported_compressions(void *, int)",
  t30_set_supported_resolutions: "int t30_set_supported_resolutions(void *, int)",
  t30_set_supported_image_sizes: "int t30_set_supported_image_sizes(void *, int)",
  t30_set_rx_encoding: "int t30_set_rx_encoding(void *, int)",
  t30_set_phase_b_handler: "void t30_set_phase_b_handler(void *, Phase *, void *)",
  t30_set_phase_d_handler: "void t30_set_phase_d_handler(void *, Phase *, void *)",
  t30_set_phase_e_handler: "void t30_set_phase_e_handler(void *, PhaseE *, void *)",
  t30_get_transfer_statistics: "void t30_get_transfer_statistics(void *, _Out_ TransferStatistics *)",
  t30_completion_code_to_str: "const char *t30_completion_code_to_str(int)",
  t30_terminate: "void t30_terminate(void *)",
};

export type Spandsp = Functions & {
  /** The library calls back on this very thread, inside the functions above. */
  onPhase(hear: (result: number) => void): Callback;
  onEnd(hear: (code: number) => void): Callback;
  onIfp(send: (ifp: Uint8Array, times: number) => void): Callback;
  giveBack(callback: Callback): void;
};

/** Its types have names, which can be given once. */
let loaded: Spandsp | undefined;

export function loadSpandsp(): Spandsp | { missing: string } {
  try {
    loaded ??= bind(createRequire(import.meta.url)("koffi") as Koffi);
    return loaded;
  } catch {
    return { missing: TO_INSTALL };
  }
}

function bind(koffi: Koffi): Spandsp {
  const library = koffi.load(LIBRARY);
  const whole = (name: keyof TransferStatistics) => [name, "int"] as const;
  koffi.struct("TransferStatistics", Object.fromEntries(statisticsInOrder.map(whole)));
  const phase = koffi.pointer(koffi.proto("int Phase(void *, void *, int)"));
  const end = koffi.pointer(koffi.proto("void PhaseE(void *, void *, int)"));
  const ifp = koffi.pointer(koffi.proto("int SendIfp(void *, void *, const uint8_t *, int, int)"));
  const functions = Object.entries(signatures).map(([name, signature]) => [name, library.func(signature)]);
  return {
    ...(Object.fromEntries(functions) as Functions), // built from the very keys of its type
    onPhase: (hear) =>
      koffi.register((_t30: unknown, _user: unknown, result: number) => {
        hear(result);
        return 0;
      }, phase),
    onEnd: (hear) => koffi.register((_t30: unknown, _user: unknown, code: number) => hear(code), end),
    onIfp: (send) =>
      koffi.register((...[, , at, length, times]: [unknown, unknown, unknown, number, number]) => {
        send(Uint8Array.from(koffi.decode(at, "uint8_t", length) as Iterable<number>), times);
        return 0;
      }, ifp),
    giveBack: (callback) => koffi.unregister(callback),
  };
}

/** As they stand in the C structure. */
const statisticsInOrder: (keyof TransferStatistics)[] = [
  "bit_rate",
  "error_correcting_mode",
  "pages_tx",
  "pages_rx",
  "pages_in_file",
  "x_resolution",
  "y_resolution",
  "width",
  "length",
  "image_size",
  "encoding",
  "bad_rows",
  "longest_bad_row_run",
  "error_correcting_mode_retries",
  "current_status",
];
