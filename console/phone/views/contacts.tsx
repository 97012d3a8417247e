// Colleagues and contacts, found as one types; one click calls.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PersonShown } from "../exchange-client.ts";
import type { Words } from "../texts.ts";
import { useShown } from "./shown.ts";

const SEARCH_MS = 200;

export function ContactsView(): JSX.Element {
  const { phone, words } = useShown();
  return (
    <section class="view">
      <h1>{words.contacts}</h1>
      <People choose={({ number, name }) => void phone.telephone()?.dial(number, { name })} />
    </section>
  );
}

type PeopleProps = {
  choose(person: PersonShown): void;
  /** Where the field stands already. */
  search?: string;
};

export function People({ choose, search: given }: PeopleProps): JSX.Element {
  const { phone, words } = useShown();
  const [typed, type] = useState("");
  const [people, show] = useState<PersonShown[] | undefined>();
  const search = given ?? typed;
  useEffect(() => {
    let isWanted = true;
    const later = setTimeout(() => void phone.desk.people(search).then((found) => isWanted && show(found)), SEARCH_MS);
    return () => {
      isWanted = false;
      clearTimeout(later);
    };
  }, [search, phone]);
  return (
    <>
      {given === undefined && (
        <input
          class="search"
          type="search"
          value={typed}
          placeholder={words.search}
          aria-label={words.search}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
      )}
      {people === undefined && <div class="list loading" aria-busy="true" />}
      {people?.length === 0 && <p class="empty">{words.noPeople}</p>}
      {people && people.length > 0 && (
        <ul class="list">
          {people.map((person) => (
            <li key={`${person.kind} ${person.number}`}>
              <button type="button" onClick={() => choose(person)}>
                <span class="initials" aria-hidden="true">
                  {initials(person.name || person.number)}
                </span>
                <span class="who">
                  {person.name || person.number}
                  <small>{person.number}</small>
                </span>
                {person.state && <span class="dot" data-state={person.state} title={words[stateWords[person.state]]} />}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const stateWords: Record<NonNullable<PersonShown["state"]>, keyof Words> = {
  talking: "talking",
  registered: "available",
  unregistered: "away",
};

export function initials(name: string): string {
  const words = name.split(/[\s-]+/).filter((word) => word !== "");
  if (/^[\d+]/.test(name)) return name.slice(-2);
  return words
    .slice(0, 2)
    .map((word) => [...word][0] ?? "")
    .join("")
    .toLocaleUpperCase("tr-TR");
}
