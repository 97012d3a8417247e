// Which benches there are, in the order in which `npm run bench` runs them; the other files here are what they share.

export type Bench = {
  name: string;
  /** What it is given in the short form, and with --long. */
  words: string[];
  long?: string[];
  /** Programs it cannot do without, and those without which it has no yardstick. */
  needs: string[];
  betterWith?: string[];
  limitSeconds: number;
};

const RATES = ["rates=20,220,440"];

export const benches: readonly Bench[] = [
  { name: "calls", words: [...RATES, "plain", "concurrent=300,900"], needs: ["sipp", "gcc"], limitSeconds: 420 },
  { name: "everyday", words: [], needs: ["sipp"], limitSeconds: 600 },
  { name: "idle", words: [], needs: [], limitSeconds: 300 },
  { name: "recording", words: [], needs: ["sipp", "gcc"], limitSeconds: 900 },
  { name: "transcoding", words: [], needs: ["gcc"], limitSeconds: 600 },
  { name: "media-relay", words: ["300,900", "6"], needs: ["gcc"], betterWith: ["rtpengine"], limitSeconds: 180 },
  { name: "start", words: [], needs: [], limitSeconds: 300 },
  { name: "sip-parse", words: ["1"], needs: [], limitSeconds: 60 },
  { name: "sip-uas", words: ["2000", "4000"], needs: ["sipp"], limitSeconds: 180 },
  { name: "sip-relay", words: ["500", "1000"], needs: ["sipp"], limitSeconds: 180 },
  { name: "sip-trace", words: [], needs: [], limitSeconds: 120 },
  { name: "sip-registrar", words: [], needs: ["sipp"], betterWith: ["kamailio"], limitSeconds: 300 },
  { name: "registrations", words: [], needs: [], limitSeconds: 180 },
  { name: "sip-idle", words: [], needs: [], limitSeconds: 300 },
  { name: "cdr-writer", words: [], needs: [], limitSeconds: 120 },
  { name: "jobs", words: [], needs: [], limitSeconds: 180 },
  { name: "walls", words: ["3"], needs: [], limitSeconds: 240 },
  { name: "http", words: ["3", "200000"], long: ["8", "1000000"], needs: ["wrk"], limitSeconds: 600 },
  { name: "doors", words: [], needs: [], limitSeconds: 300 },
  { name: "sms", words: [], needs: [], limitSeconds: 300 },
  { name: "campaign", words: ["100000"], needs: ["curl"], limitSeconds: 180 },
  { name: "queue", words: [], needs: [], limitSeconds: 180 },
  { name: "pacing", words: ["4"], needs: [], limitSeconds: 1_800 },
  { name: "webrtc", words: [], needs: [], betterWith: ["rtpengine"], limitSeconds: 600 },
  { name: "webphone", words: ["5"], needs: ["chromium"], limitSeconds: 240 },
  { name: "console", words: [], needs: ["chromium"], limitSeconds: 120 },
  { name: "pages", words: ["5000", "2000"], needs: ["chromium"], limitSeconds: 300 },
  { name: "fax", words: ["20", "5"], long: ["50", "20"], needs: [], limitSeconds: 600 },
  { name: "growth-start", words: [], long: ["1000000"], needs: [], limitSeconds: 900 },
  { name: "growth-calls", words: [], long: ["10,100,500,2000"], needs: ["gcc"], limitSeconds: 600 },
  { name: "growth-records", words: [], long: ["1000000", "10000000"], needs: [], limitSeconds: 3_600 },
  { name: "report-pages", words: ["1000000"], long: ["10000000"], needs: [], limitSeconds: 3_600 },
  { name: "growth-phones", words: [], long: ["100000"], needs: [], limitSeconds: 900 },
];
