// Buttons that know whether this person may, ask before they delete, and show a secret once.

import {
  ActionIcon,
  Alert,
  Button,
  type ButtonProps,
  Code,
  CopyButton,
  Group,
  Stack,
  Text,
  Tooltip,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import type { OperationName } from "../ask/ask.ts";
import { useWhyNot } from "../ask/session.tsx";
import { useWords } from "../words/language.tsx";
import { general } from "../words/texts.ts";
import { Dialog } from "./dialog.tsx";
import { Icon, type IconName } from "./icon.tsx";

type DoProps = ButtonProps & {
  does: OperationName;
  act: () => void;
  children: ReactNode;
  type?: "button" | "submit";
  /** It opens a form, which who cannot see it is told beforehand. */
  "aria-haspopup"?: "dialog";
};

/** Grey, with the reason, for whoever may not ask for this operation. */
export function DoButton({ does, act, children, ...rest }: DoProps) {
  const whyNot = useWhyNot(does);
  return (
    <Tooltip label={whyNot} disabled={whyNot === undefined} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...rest}
        onClick={whyNot ? undefined : act}
        aria-disabled={whyNot !== undefined}
        data-disabled={whyNot ? true : undefined}
      >
        {children}
      </Button>
    </Tooltip>
  );
}

/** The same as a small icon in a row. */
export function DoIcon({
  does,
  act,
  icon,
  label,
  color,
}: {
  does: OperationName;
  act: () => void;
  icon: IconName;
  label: string;
  color?: string;
}) {
  const whyNot = useWhyNot(does);
  return (
    <Tooltip label={whyNot ?? label}>
      <ActionIcon
        variant="subtle"
        color={color}
        onClick={whyNot ? undefined : act}
        aria-disabled={whyNot !== undefined}
        data-disabled={whyNot ? true : undefined}
        aria-label={label}
      >
        <Icon name={icon} />
      </ActionIcon>
    </Tooltip>
  );
}

type DeleteProps = { does: OperationName; what: string; act: () => Promise<unknown> };

/** Asks before it is done: what is deleted does not come back. */
export function DeleteIcon(props: DeleteProps) {
  const words = useWords(general);
  return (
    <AskedFirst {...props}>
      {(open) => (
        <DoIcon does={props.does} act={open} icon="trash" label={`${words.remove}: ${props.what}`} color="red" />
      )}
    </AskedFirst>
  );
}

/** The same with its word, for the foot of a form. */
export function DeleteButton({ label, ...props }: DeleteProps & { label: string }) {
  return (
    <AskedFirst {...props}>
      {(open) => (
        <DoButton does={props.does} act={open} variant="subtle" color="red.8" leftSection={<Icon name="trash" />}>
          {label}
        </DoButton>
      )}
    </AskedFirst>
  );
}

function AskedFirst({ what, act, children }: Omit<DeleteProps, "does"> & { children(open: () => void): ReactNode }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const words = useWords(general);
  return (
    <>
      {children(open)}
      <Dialog opened={isOpen} close={close} title={words.sureTitle}>
        <Stack>
          <Text>
            {words.remove}: <strong>{what}</strong>
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {words.cancel}
            </Button>
            <Button color="red.8" onClick={() => void act().then(close)}>
              {words.remove}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}

/** Something that is shown only once: a password, a key. */
export function ShownOnce({
  facts,
  close,
  title,
}: {
  title: string;
  facts: [label: string, value: string][];
  close(): void;
}) {
  const words = useWords(general);
  return (
    <Dialog opened close={close} title={title} size="lg">
      <Stack>
        <Alert color="yellow" icon={<Icon name="key" />}>
          {words.shownOnce}
        </Alert>
        <Facts facts={facts} />
        <Button onClick={close}>{words.close}</Button>
      </Stack>
    </Dialog>
  );
}

/** What is typed into another program, each with a button that copies it. */
export function Facts({ facts }: { facts: [label: string, value: string][] }) {
  return facts.map(([label, value]) => (
    <Group key={label} justify="space-between" wrap="nowrap">
      <Stack gap={2} miw={0}>
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        <Code fz="sm" data-testid={`once-${label}`} style={{ overflowWrap: "anywhere" }}>
          {value}
        </Code>
      </Stack>
      <Copy label={label} value={value} />
    </Group>
  ));
}

function Copy({ label, value }: { label: string; value: string }) {
  const words = useWords(general);
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant="light"
          color={copied ? "teal" : "brand"}
          onClick={copy}
          aria-label={`${copied ? words.copied : words.copy}: ${label}`}
          style={{ flexShrink: 0 }}
        >
          {copied ? words.copied : words.copy}
        </Button>
      )}
    </CopyButton>
  );
}
