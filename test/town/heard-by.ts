/** Lets whoever wants to hear in, and out again when what is returned is called. */
export function heardBy<Hear>(all: Set<Hear>): (hear: Hear) => () => void {
  return (hear) => {
    all.add(hear);
    return () => void all.delete(hear);
  };
}
