// The field of the keypad: a number that is called, or a name whose people are offered below it.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { PersonShown } from "../exchange-client.ts";
import { isName } from "../lines.ts";
import { Icon } from "./icons.tsx";
import { useShown } from "./shown.ts";

const SEARCH_MS = 200;
const MOST_OFFERED = 6;
const LIST = "offered-people";

type Offered = { search: string; people: PersonShown[] };

/** People for what stands in the field; those of something else that was typed before are not offered. */
function useOffered(typed: string): PersonShown[] {
  const { phone } = useShown();
  const [offered, offer] = useState<Offered>({ search: "", people: [] });
  const search = typed.trim();
  useEffect(() => {
    if (search.length < 2) return undefined;
    let isWanted = true;
    const later = setTimeout(
      () => void phone.desk.people(search).then((people) => isWanted && offer({ search, people })),
      SEARCH_MS,
    );
    return () => {
      isWanted = false;
      clearTimeout(later);
    };
  }, [search, phone]);
  return search.length >= 2 && offered.search === search ? offered.people.slice(0, MOST_OFFERED) : [];
}

/** `call` calls what was typed; a person who was chosen is called instead. */
export function NumberField({ call }: { call(): void }): JSX.Element {
  const { phone, state, words } = useShown();
  const { typed } = state;
  const field = useRef<HTMLInputElement>(null);
  const people = useOffered(typed);
  const [at, move] = useState<{ typed: string; index: number }>();
  // A name can only mean one of those found; a number means itself unless somebody is chosen.
  const index = at?.typed === typed ? at.index : isName(typed) ? 0 : -1;
  const chosen = people[index];
  const type = (text: string) => phone.store.change({ typed: text });
  const choose = ({ number, name }: PersonShown) => {
    if (state.link !== "registered") return;
    void phone.telephone()?.dial(number, { name });
    type("");
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") return chosen ? choose(chosen) : call();
    if (event.key === "Escape") return type("");
    if (step === undefined || people.length === 0) return undefined;
    event.preventDefault();
    return move({ typed, index: Math.min(people.length - 1, Math.max(isName(typed) ? 0 : -1, index + step)) });
  };
  useKeysForField(field);
  return (
    <div class="field">
      <div class="number">
        <input
          ref={field}
          type="text"
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          maxLength={64}
          value={typed}
          placeholder={words.number}
          aria-label={words.number}
          aria-autocomplete="list"
          aria-expanded={people.length > 0}
          aria-controls={LIST}
          aria-activedescendant={chosen ? optionOf(index) : undefined}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={press}
        />
        {typed !== "" && (
          <button type="button" class="plain" aria-label={words.erase} onClick={() => type(typed.slice(0, -1))}>
            <Icon name="erase" />
          </button>
        )}
      </div>
      <OfferedList people={people} chosen={index} choose={choose} />
    </div>
  );
}

const optionOf = (index: number) => `${LIST}-${index}`;

type OfferedProps = { people: PersonShown[]; chosen: number; choose(person: PersonShown): void };

function OfferedList({ people, chosen, choose }: OfferedProps): JSX.Element {
  const { words } = useShown();
  return (
    <div class="offered" id={LIST} role="listbox" aria-label={words.contacts} hidden={people.length === 0}>
      {people.map((person, index) => (
        // The field keeps the keyboard: what is pressed there chooses here.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
        // biome-ignore lint/a11y/useFocusableInteractive: named by the field as its active descendant
        <div
          key={`${person.kind} ${person.number}`}
          id={optionOf(index)}
          role="option"
          aria-selected={index === chosen}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(person)}
        >
          <span>{person.name || person.number}</span>
          <small>{person.number}</small>
        </div>
      ))}
    </div>
  );
}

/** Whoever types without having clicked anything means the number. */
function useKeysForField(field: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const typing = ({ target, key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const isMeant = target === document.body && !ctrlKey && !metaKey && !altKey;
      if (isMeant && /^[\d*#+]$|^\p{L}$|^Enter$/u.test(key)) field.current?.focus();
    };
    document.addEventListener("keydown", typing);
    return () => document.removeEventListener("keydown", typing);
  }, [field]);
}
