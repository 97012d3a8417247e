// Things in the order in which they were put in, taken out from anywhere. A set does the same, but makes itself anew every
// few changes, which is much where each request is one.

export class RowPlace<Thing> {
  before: RowPlace<Thing> | undefined;
  after: RowPlace<Thing> | undefined;
  isTaken = false;
  readonly thing: Thing;

  constructor(thing: Thing) {
    this.thing = thing;
  }
}

export class Row<Thing> {
  #first: RowPlace<Thing> | undefined;
  #last: RowPlace<Thing> | undefined;

  first(): Thing | undefined {
    return this.#first?.thing;
  }

  /** At its end, where it is not in it. */
  append(place: RowPlace<Thing>): void {
    if (place.isTaken) return;
    place.isTaken = true;
    place.before = this.#last;
    if (this.#last) this.#last.after = place;
    else this.#first = place;
    this.#last = place;
  }

  remove(place: RowPlace<Thing>): void {
    if (!place.isTaken) return;
    place.isTaken = false;
    const { before, after } = place;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    place.before = undefined;
    place.after = undefined;
  }
}
