// What FreeSWITCH 1.11 took for the same work on one core of a like machine, measured interleaved with ours by CPU time.

export const freeswitch: Readonly<Record<string, string>> = {
  "bridged-call-of-1-s-at-20": "20 ms",
  "bridged-call-of-1-s-at-220": "cannot: 49/s a core",
  "bridged-call-of-1-s-at-440": "cannot: 49/s a core",
  "bridged-call-at-20": "20 ms",
  "bridged-call-at-50": "20 ms",
  "voice-call-second-of-300": "3.9-4.9 ms",
  "voice-call-second-of-900": "cannot: 206-259 a core",
  "voice-delay-p50-of-300": "12 ms",
  "memory-a-call-of-300": "0.74 MB",
  "recorded-call-of-1-s-at-20-a-second": "40 ms",
  "recorded-call-second-of-50-calls": "13-16 ms",
  "transcoding-g722-to-g711": "10-11 ms",
  "transcoding-opus-to-g711": "31 ms",
  "idle-cpu": "0.75 %",
  "idle-memory": "39 MB",
  restart: "1.2 s",
  "registration-digest": "335/s",
};
