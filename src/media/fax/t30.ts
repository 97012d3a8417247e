// One fax from hello to goodbye (ITU-T T.30), as the library runs it, over sound or over T.38 packets.

import type { FaxEvent, FaxOptions, FaxRate } from "./fax-engine.ts";
import type { Callback, Handle, Spandsp, TransferStatistics } from "./spandsp.ts";

/** What T.30 says at its end; pages as the machine counted them. */
export type T30End = {
  code: number;
  text: string;
  pages: number;
  rate: number;
  ecm: boolean;
  remoteStationId: string | undefined;
  resolution: number | undefined;
  badRows: number;
};

export type T30Hears = { event(event: FaxEvent): void; end(end: T30End): void };

/** The library counts time in samples: it stands still unless it is driven. */
export type SoundMachine = {
  take(samples: Int16Array): void;
  /** What should have come is lost. */
  takeNothing(samples: number): void;
  /** Fills the frame with what is to be sent now. */
  give(samples: Int16Array): void;
  terminate(): void;
  close(): void;
};

export type DataMachine = {
  take(ifp: Uint8Array, sequence: number): void;
  /** So many samples' time has passed. */
  pass(samples: number): void;
  terminate(): void;
  close(): void;
};

export type FaxWork = Pick<FaxOptions, "role" | "fromPage" | "stationId" | "ecm" | "fastest"> & { tiff: string };

// Bits of `t30_set_supported_…`, and the library's number for G4.
const V27TER = 1;
const V29 = 2;
const V17 = 4;
const COMPRESSIONS = 2 | 4 | 8;
const RESOLUTIONS = 0x1 | 0x2 | 0x4 | 0x1_0000 | 0x2_0000 | 0x4_0000;
const IMAGE_SIZES = 0x1 | 0x2 | 0x4 | 0x1_0000 | 0x2_0000 | 0x4_0000 | 0x8_0000 | 0x10_0000;
const STORE_AS_G4 = 3;
const LONGEST_IDENT = 20;
const METRES_AN_INCH = 0.0254;

const modems: Record<FaxRate, number> = { 14400: V17 | V29 | V27TER, 9600: V29 | V27TER, 4800: V27TER };

export function openSoundMachine(library: Spandsp, work: FaxWork, hears: T30Hears): SoundMachine {
  const fax = library.fax_init(null, work.role === "send" ? 1 : 0);
  if (!fax) throw new Error("no fax machine could be made");
  library.fax_set_transmit_on_idle(fax, 1);
  const t30 = library.fax_get_t30_state(fax);
  const callbacks = set(library, t30, work, hears);
  return {
    take: (samples) => void library.fax_rx(fax, samples, samples.length),
    takeNothing: (samples) => void library.fax_rx_fillin(fax, samples),
    give(samples) {
      const made = library.fax_tx(fax, samples, samples.length);
      samples.fill(0, made);
    },
    terminate: () => library.t30_terminate(t30),
    close() {
      library.fax_free(fax);
      for (const callback of callbacks) library.giveBack(callback);
    },
  };
}

export function openDataMachine(
  library: Spandsp,
  work: FaxWork & { maxDatagram: number },
  hears: T30Hears & { send(ifp: Uint8Array, times: number): void },
): DataMachine {
  const onIfp = library.onIfp(hears.send);
  const terminal = library.t38_terminal_init(null, work.role === "send" ? 1 : 0, onIfp, null);
  if (!terminal) throw new Error("no fax machine could be made");
  const core = library.t38_terminal_get_t38_core_state(terminal);
  library.t38_set_t38_version(core, 0);
  library.t38_set_max_datagram_size(core, work.maxDatagram);
  const t30 = library.t38_terminal_get_t30_state(terminal);
  const callbacks = [onIfp, ...set(library, t30, work, hears)];
  return {
    take: (ifp, sequence) => void library.t38_core_rx_ifp_packet(core, ifp, ifp.length, sequence),
    pass: (samples) => void library.t38_terminal_send_timeout(terminal, samples),
    terminate: () => library.t30_terminate(t30),
    close() {
      library.t38_terminal_free(terminal);
      for (const callback of callbacks) library.giveBack(callback);
    },
  };
}

function set(library: Spandsp, t30: Handle, work: FaxWork, hears: T30Hears): Callback[] {
  const { role, tiff, fromPage = 1, stationId, ecm = true, fastest = 14400 } = work;
  library.t30_set_tx_ident(t30, stationId.slice(0, LONGEST_IDENT));
  library.t30_set_ecm_capability(t30, ecm ? 1 : 0);
  library.t30_set_supported_modems(t30, modems[fastest]);
  library.t30_set_supported_compressions(t30, COMPRESSIONS);
  library.t30_set_supported_resolutions(t30, RESOLUTIONS);
  library.t30_set_supported_image_sizes(t30, IMAGE_SIZES);
  library.t30_set_rx_encoding(t30, STORE_AS_G4);
  if (role === "send") library.t30_set_tx_file(t30, tiff, fromPage - 1, -1);
  else library.t30_set_rx_file(t30, tiff, -1);
  return listen(library, t30, role, hears);
}

function listen(library: Spandsp, t30: Handle, role: FaxWork["role"], hears: T30Hears): Callback[] {
  const facts = () => factsOf(library, t30, role);
  let confirmed = 0;
  const met = library.onPhase(() => {
    const { remoteStationId, rate, ecm } = facts();
    hears.event({ is: "met", remoteStationId, rate, ecm });
  });
  const paged = library.onPhase(() => {
    const { pages, total } = facts();
    if (pages <= confirmed) return;
    confirmed = pages;
    hears.event({ is: "page", confirmed, total });
  });
  const ended = library.onEnd((code) => {
    const { total: _, ...end } = facts();
    hears.end({ ...end, code, text: library.t30_completion_code_to_str(code) });
  });
  library.t30_set_phase_b_handler(t30, met, null);
  library.t30_set_phase_d_handler(t30, paged, null);
  library.t30_set_phase_e_handler(t30, ended, null);
  return [met, paged, ended];
}

function factsOf(library: Spandsp, t30: Handle, role: FaxWork["role"]) {
  const filled: Partial<TransferStatistics> = {};
  library.t30_get_transfer_statistics(t30, filled);
  const counted = filled as TransferStatistics; // the library fills every field
  return {
    pages: role === "send" ? counted.pages_tx : counted.pages_rx,
    total: role === "send" ? counted.pages_in_file : undefined,
    rate: counted.bit_rate,
    ecm: counted.error_correcting_mode !== 0,
    remoteStationId: library.t30_get_rx_ident(t30) || undefined,
    resolution: counted.y_resolution > 0 ? Math.round(counted.y_resolution * METRES_AN_INCH) : undefined,
    badRows: counted.bad_rows,
  };
}
