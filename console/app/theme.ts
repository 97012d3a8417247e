// Colours and shapes: a component library as it comes, with enough contrast for everybody to read it.

import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  parseThemeColor,
} from "@mantine/core";

const brand: MantineColorsTuple = [
  ...(["#eef2ff", "#dfe6fd", "#bccbf8", "#97aef3", "#7795ee"] as const),
  ...(["#6385ec", "#4c6fe0", "#3b5bdb", "#3150c2", "#2544a6"] as const),
];

/** A trace of blue, as the surfaces have it. */
const dark: MantineColorsTuple = [
  ...(["#c9cdd6", "#b4bac5", "#8e95a3", "#636b7a", "#454c5a"] as const),
  ...(["#333945", "#262b34", "#1d2027", "#181b21", "#111318"] as const),
];

export const theme = createTheme({
  primaryColor: "brand",
  primaryShade: 7,
  autoContrast: true,
  luminanceThreshold: 0.36,
  colors: { brand, dark },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily: 'Inter, "Segoe UI", system-ui, -apple-system, "Helvetica Neue", Arial, sans-serif',
  headings: { fontWeight: "650" },
  components: {
    // The page's own head is the only one that is a place to go to.
    Drawer: { defaultProps: { attributes: { header: { role: "presentation" } } } },
    Modal: { defaultProps: { attributes: { header: { role: "presentation" } } } },
    Badge: { defaultProps: { variant: "light" }, styles: { root: { textTransform: "none", fontWeight: 600 } } },
  },
  // The library's light variants put a pale colour on its own shadow; a darker one can be read by everybody.
  variantColorResolver: (input) => {
    const resolved = defaultVariantColorsResolver(input);
    const { color } = parseThemeColor({ color: input.color ?? input.theme.primaryColor, theme: input.theme });
    if (input.variant !== "light" && input.variant !== "subtle" && input.variant !== "outline") return resolved;
    if (!(color in input.theme.colors)) return resolved;
    const dark = `color-mix(in srgb, var(--mantine-color-${color}-9) 62%, black)`;
    return { ...resolved, color: `light-dark(${dark}, var(--mantine-color-${color}-2))` };
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#565d66",
    "--mantine-color-body": "#f7f8fb",
    "--mantine-color-placeholder": "#666d76",
    "--mantine-color-error": "#c92a2a",
    "--santral-surface": "#ffffff",
    "--santral-line": "#e3e7ee",
  },
  dark: {
    "--mantine-color-dimmed": "#adb3bd",
    "--mantine-color-body": "#15171c",
    "--mantine-color-placeholder": "#9aa1ac",
    "--mantine-color-error": "#ff8787",
    "--santral-surface": "#1d2027",
    "--santral-line": "#2f343e",
  },
});
