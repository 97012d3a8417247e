// Places of those who watch something live, for as long as they do: in all, of one exchange and of one account or board,
// so that nobody's windows take the places of others.

export type ViewerPlaces = { all: number; ofExchange: number; ofOne: number };

/** `id`: of the account that watches, or of the board that is shown. */
export type Viewer = { exchangeId: number; id: number };

/** How the place is left again; undefined when there is none. */
export type Viewers = (viewer: Viewer) => (() => void) | undefined;

export function openViewers({ all, ofExchange, ofOne }: ViewerPlaces): Viewers {
  const here = new Set<Viewer>();
  return ({ exchangeId, id }) => {
    const exchange = [...here].filter((it) => it.exchangeId === exchangeId);
    const own = exchange.filter((it) => it.id === id);
    if (here.size >= all || exchange.length >= ofExchange || own.length >= ofOne) return undefined;
    const viewer = { exchangeId, id };
    here.add(viewer);
    return () => void here.delete(viewer);
  };
}
