// The one question that is asked before something is lost: what was filled in, or a call.

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useWords } from "../words/language.tsx";
import { general } from "../words/texts.ts";
import { leaveCallTexts } from "./texts.ts";
import { answerQuestion, useQuestion } from "./unsaved.ts";

/** Stands once in the app. It is drawn when it is asked, and so above whatever is open by then. */
export function LeaveQuestion() {
  const { close, ...form } = useWords(general);
  const call = useWords(leaveCallTexts);
  const question = useQuestion();
  if (!question) return null;
  const words = question.about === "call" ? call : form;
  return (
    <Modal
      opened
      onClose={() => answerQuestion(false)}
      title={words.discardTitle}
      closeButtonProps={{ "aria-label": close }}
    >
      <Stack>
        <Text>{words.discardAbout}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => answerQuestion(true)}>
            {words.discard}
          </Button>
          <Button onClick={() => answerQuestion(false)} data-autofocus>
            {words.keepEditing}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
