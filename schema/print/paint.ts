/** Colours for a terminal: the CLI passes picocolors, everybody else nothing. */
export interface Paint {
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly blue: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
}

const same = (text: string): string => text;

export const noPaint: Paint = { red: same, yellow: same, blue: same, cyan: same, dim: same, bold: same };
