// One field of a form while it is defined: its kind, its words and its limits.

import {
  ActionIcon,
  Checkbox,
  Group,
  NumberInput,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from "@mantine/core";
import {
  type DefinitionProblem,
  type FieldKind,
  fieldKinds,
  LONGEST_ANSWER,
  LONGEST_HELP,
  LONGEST_LABEL,
  MOST_CHOICES,
  type WantedField,
} from "../../../src/forms/definition.ts";
import { definitionProblemInWords, kindWords } from "../../../src/words/form-words.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

type Props = {
  at: number;
  isLast: boolean;
  field: WantedField;
  problem: DefinitionProblem | undefined;
  change(field: WantedField): void;
  move(by: -1 | 1): void;
  remove: (() => void) | undefined;
};

export function FieldEditor({ at, isLast, field, problem, change, move, remove }: Props) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const title = words.field(at + 1);
  const ofChoices = problem?.why === "no-choices" || problem?.why === "same-choice";
  const ofLimits = problem?.why === "limits-reversed" || problem?.why === "limit-too-far";
  const error = problem && definitionProblemInWords(problem, language);
  return (
    <Paper withBorder p="sm" component="fieldset" aria-label={title} m={0}>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" fw={600}>
            {title}
          </Text>
          <Group gap={2} wrap="nowrap">
            <Small icon="up" label={words.moveUp(at + 1)} act={at > 0 ? () => move(-1) : undefined} />
            <Small icon="down" label={words.moveDown(at + 1)} act={isLast ? undefined : () => move(1)} />
            <Small icon="trash" label={words.removeField(at + 1)} act={remove} />
          </Group>
        </Group>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
          <Select
            label={words.kind}
            data={fieldKinds.map((kind) => ({ value: kind, label: kindWords[kind][language] }))}
            value={field.is}
            allowDeselect={false}
            // Limits of one kind mean something else for another.
            onChange={(is) => change({ ...field, is: is as FieldKind, least: null, most: null })}
          />
          <TextInput
            label={words.label}
            required
            maxLength={LONGEST_LABEL}
            value={field.label}
            error={ofChoices || ofLimits ? undefined : error}
            onChange={(event) => change({ ...field, label: event.currentTarget.value })}
          />
        </SimpleGrid>
        <TextInput
          label={words.help}
          maxLength={LONGEST_HELP}
          value={field.help}
          onChange={(event) => change({ ...field, help: event.currentTarget.value })}
        />
        {(field.is === "one-of" || field.is === "several-of") && (
          <TagsInput
            label={words.choices}
            description={words.choicesAbout}
            splitChars={[]}
            maxTags={MOST_CHOICES}
            value={[...field.choices]}
            error={ofChoices ? error : undefined}
            onChange={(choices) => change({ ...field, choices })}
          />
        )}
        <Limits field={field} change={change} error={ofLimits ? error : undefined} />
        <Checkbox
          label={words.required}
          checked={field.required}
          onChange={(event) => change({ ...field, required: event.currentTarget.checked })}
        />
      </Stack>
    </Paper>
  );
}

type LimitProps = Pick<Props, "field" | "change"> & { error: string | undefined };

function Limits({ field, change, error }: LimitProps) {
  const words = useWords(texts);
  const count = (
    name: "least" | "most",
    label: string,
    more: { min?: number; max?: number; allowDecimal?: boolean },
  ) => (
    <NumberInput
      {...more}
      label={label}
      hideControls
      value={field[name] ?? ""}
      error={error}
      onChange={(next) => change({ ...field, [name]: typeof next === "number" ? next : null })}
    />
  );
  const day = (name: "earliest" | "latest") => (
    <TextInput
      type="date"
      label={words[name]}
      value={field[name] ?? ""}
      error={error}
      onChange={(event) => change({ ...field, [name]: event.currentTarget.value || null })}
    />
  );
  if (field.is === "short-text" || field.is === "long-text")
    return count("most", words.longest, { min: 1, max: LONGEST_ANSWER[field.is], allowDecimal: false });
  if (field.is !== "number" && field.is !== "several-of" && field.is !== "date") return null;
  const bounds = field.is === "several-of" ? { min: 1, max: MOST_CHOICES, allowDecimal: false } : {};
  return (
    <SimpleGrid cols={2} spacing="xs">
      {field.is === "date" ? day("earliest") : count("least", words.least, bounds)}
      {field.is === "date" ? day("latest") : count("most", words.most, bounds)}
    </SimpleGrid>
  );
}

function Small({ icon, label, act }: { icon: IconName; label: string; act: (() => void) | undefined }) {
  return (
    <ActionIcon variant="subtle" disabled={!act} onClick={act} aria-label={label} title={label}>
      <Icon name={icon} />
    </ActionIcon>
  );
}
