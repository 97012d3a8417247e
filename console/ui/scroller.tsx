// What may be larger than its place is scrolled by keyboard, too. It is no place to go to by itself: that is what it stands in.

import { Box, type BoxProps } from "@mantine/core";
import type { ReactNode } from "react";

export function Scroller({ label, ...box }: BoxProps & { label: string; children: ReactNode }) {
  return <Box role="group" aria-label={label} tabIndex={0} {...box} />;
}
