// What is shown in the place of a page that could not be drawn: why, and a button. The rest of the console goes on.

import { Alert, Button, Stack, Text, Title } from "@mantine/core";
import { Component, type ReactNode, useEffect } from "react";
import { useWords } from "../words/language.tsx";
import { general } from "../words/texts.ts";
import { PageGone, reloadWhenFree } from "./fetch-page.ts";
import { boundaryTexts } from "./texts.ts";

type State = { fault: unknown };

/** `of`: what it stands around; another one is tried afresh. */
export class Boundary extends Component<{ of: string; children: ReactNode }, State & { of: string }> {
  override state = { fault: undefined as unknown, of: this.props.of };

  static getDerivedStateFromError(fault: unknown): State {
    return { fault: fault ?? new Error("nothing was said") };
  }

  static getDerivedStateFromProps({ of }: { of: string }, state: State & { of: string }) {
    return of === state.of ? null : { of, fault: undefined };
  }

  override render(): ReactNode {
    const { fault } = this.state;
    if (fault === undefined) return this.props.children;
    return <Broken fault={fault} again={() => this.setState({ fault: undefined })} />;
  }
}

/** A script that is gone is not asked for again by this page: only the next one has it. */
function Broken({ fault, again }: { fault: unknown; again(): void }) {
  const words = useWords(boundaryTexts);
  const { tryAgain } = useWords(general);
  const isGone = fault instanceof PageGone;
  useEffect(() => (fault instanceof PageGone ? reloadWhenFree(fault) : undefined), [fault]);
  // It stands where the page would, with its heading.
  const heading = (
    <Title order={1} fz="inherit" lh="inherit">
      {words.broken}
    </Title>
  );
  return (
    <Alert color="red" title={heading} role="alert" maw={560} m="md">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{isGone ? words.gone : words.faulty}</Text>
        <Button size="xs" variant="light" color="red" onClick={isGone ? () => location.reload() : again}>
          {isGone ? words.reload : tryAgain}
        </Button>
      </Stack>
    </Alert>
  );
}
