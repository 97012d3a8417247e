// A second hand for durations that run.

import { useEffect, useState } from "react";

export function useNow(aheadMs = 0): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1_000);
    return () => window.clearInterval(timer);
  }, []);
  return now + aheadMs;
}
