// From how many recovery codes on somebody is told to make new ones.

export const FEW_CODES = 2;
