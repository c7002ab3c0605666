// In: the catalogue of codes. Out: docs/diagnostics.md, one section per code.
import type { CodeEntry } from '../codes/entry.js';

const opening = `# Diagnostics

Every code that \`toolwright check\` can report, with its severity, why it happens and what helps. Some codes that are a warning
in a raw \`inputSchema\` are an error in the \`parameters\` shorthand. This page is made from \`schema/codes/\`.
`;

export function printCatalogue(codes: Readonly<Record<string, Omit<CodeEntry<never>, 'message'>>>): string {
  const sections = Object.entries(codes).map(
    ([code, { severity, cause, fix }]) => `## ${code}\n\n*${severity}* - ${cause}\n\n${fix}\n`,
  );
  return [opening, ...sections].join('\n');
}
