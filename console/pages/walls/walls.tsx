// Boards for screens on the wall: what each shows, and its link, which is shown once and can be renewed and taken back.

import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ShownName } from "../../../src/nouns/field.ts";
import { reachOf } from "../../../src/nouns/role.ts";
import { wallBoard, wallTiles } from "../../../src/nouns/wall-board.ts";
import type { Reply } from "../../ask/ask.ts";
import { useSession } from "../../ask/session.tsx";
import { useStamps } from "../../ask/stamps.ts";
import { useRemoving, useSaving } from "../../ask/use-action.ts";
import { useDo, useNamed } from "../../ask/use-ask.ts";
import { DoIcon, ShownOnce } from "../../ui/buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import type { Draft, Field } from "../../ui/field.ts";
import { ListPage } from "../../ui/list-page.tsx";
import { blankOf, setIn } from "../../ui/noun-form.ts";
import { useNoun } from "../../ui/use-noun.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { texts } from "./texts.ts";

type Board = Reply<"walls.list">[number];

export function Walls() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const fields = useBoardFields();
  return (
    <ListPage<Board>
      title={words.title}
      about={words.about}
      icon="wall"
      empty={words.none}
      rows={useNamed("walls.list", {})}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      fields={fields}
      columns={[
        { title: fields.name.label, show: ({ name }) => name },
        { title: words.queues, show: ({ queues }) => (queues.length === 0 ? words.all : queues.join(", ")) },
        { title: words.tiles, show: ({ tiles }) => tiles.map((tile) => wallTiles[tile][language]).join(", ") },
        {
          title: words.link,
          show: ({ linkedAt }) => (linkedAt === null ? words.noLink : words.linked(dateTime(linkedAt))),
        },
      ]}
      make={{
        ...useSaving("walls.create", (draft: Draft) => ({
          name: String(draft.name),
          changes: setIn(wallBoard, draft),
        })),
        title: words.add,
        blank: { ...blankOf(wallBoard), language },
      }}
      change={useSaving("walls.update", ({ id }: Board, changes: Draft) => ({ id, changes }))}
      drop={useRemoving("walls.delete", ({ id }: Board) => ({ id }))}
      more={(board) => <LinkButtons board={board} />}
    />
  );
}

/** Who does not see every queue says which. */
function useBoardFields(): Record<ShownName<typeof wallBoard>, Field> {
  const { ownQueues } = useWords(texts);
  const fields = useNoun(wallBoard);
  const seesAll = reachOf(useSession()) === "everything";
  return seesAll ? fields : { ...fields, queues: { ...fields.queues, label: ownQueues, required: true } };
}

function LinkButtons({ board: { id, name, linkedAt } }: { board: Board }) {
  const words = useWords(texts);
  const link = useDo("walls.link");
  const unlink = useDo("walls.unlink", words.dropped);
  const [url, show] = useState<string>();
  const [asks, ask] = useState<"renew" | "takeBack">();
  const make = async () => {
    const made = await link({ id });
    if (made) show(new URL(made.path, made.base ?? location.origin).href);
  };
  return (
    <>
      <DoIcon
        does="walls.link"
        icon="key"
        label={linkedAt === null ? words.makeLink(name) : words.renewLink(name)}
        act={() => (linkedAt === null ? void make() : ask("renew"))}
      />
      {linkedAt !== null && (
        <DoIcon does="walls.unlink" icon="block" color="red" label={words.dropLink(name)} act={() => ask("takeBack")} />
      )}
      {asks && (
        <Sure
          title={asks === "renew" ? words.renewLink(name) : words.dropLink(name)}
          does={words[asks]}
          act={() => void (asks === "renew" ? make() : unlink({ id }))}
          close={() => ask(undefined)}
        />
      )}
      {url !== undefined && (
        <ShownOnce title={words.linkTitle(name)} facts={[[words.link, url]]} close={() => show(undefined)} />
      )}
    </>
  );
}

/** Asked first: whoever stands before a lit screen sees it go. */
function Sure({ title, does, act, close }: { title: string; does: string; act(): void; close(): void }) {
  const words = useWords(texts);
  const { cancel } = useWords(general);
  return (
    <Dialog opened close={close} title={title}>
      <Stack>
        <Text>{words.renewAbout}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {cancel}
          </Button>
          <Button
            color="red.8"
            onClick={() => {
              close();
              act();
            }}
          >
            {does}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
