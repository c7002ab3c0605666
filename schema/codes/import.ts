import { code, quote } from './entry.js';

/** What an import of an API or of another server finds: in the source, and in the pack that it goes into. */
export const importCodes = {
  'import/left-out': code<{ place: string; reason: string }>({
    severity: 'warning',
    message: ({ place, reason }) => `${quote(place)} is left out: ${reason}`,
    cause: 'The operation cannot become a tool, or would be one that no model can use.',
    fix: 'Write this tool by hand, or change the document.',
  }),
};
