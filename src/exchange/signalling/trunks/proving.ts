// Proof that the addresses which a trunk names are SIP servers that it speaks with: each is asked once for a sign of life.

export type ProvingParts = {
  /** Those that are still to be proved. */
  due(): readonly string[];
  /** Whether one there answered, from the very address that was asked. */
  ask(address: string): Promise<boolean>;
  proved(address: string): void;
};

/** Somebody else's server must not be asked without end, nor thousands of them. */
const MOST_AT_ONCE = 16;
const MOST_DOUBLINGS = 6;

/** Returns what is called now and then; whoever does not answer is left alone twice as long each time. */
export function openProving({ due, ask, proved }: ProvingParts): () => Promise<void> {
  let failures = new Map<string, number>();
  let round = 0;
  return async () => {
    round++;
    const wanted = due();
    failures = new Map([...failures].filter(([address]) => wanted.includes(address)));
    const patient = (address: string) => 2 ** Math.min(failures.get(address) ?? 0, MOST_DOUBLINGS);
    const now = wanted.filter((address) => round % patient(address) === 0).slice(0, MOST_AT_ONCE);
    await Promise.all(
      now.map(async (address) => {
        if (await ask(address)) proved(address);
        else failures.set(address, (failures.get(address) ?? 0) + 1);
      }),
    );
  };
}
