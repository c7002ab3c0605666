import { code, quote } from './entry.js';

/** What an overlay may change. */
export const overlayCodes = {
  'overlay/not-found': code<{ folder: string }>({
    severity: 'error',
    message: ({ folder }) => `the overlay folder ${quote(folder)} does not exist`,
    cause: '--overlay or TOOLWRIGHT_OVERLAY names a folder that does not exist.',
    fix: 'Correct the path.',
  }),
  'overlay/unknown-item': code<{ kind: string; item: string }>({
    severity: 'warning',
    message: ({ kind, item }) => `the overlay patches the ${kind} ${quote(item)}, which the pack does not have`,
    cause: 'An overlay file or key does not name an item of the pack.',
    fix: 'Correct the name, or remove the patch.',
  }),
  'overlay/unqualified': code<{ kind: string; item: string; pack: string }>({
    severity: 'warning',
    message: ({ kind, item, pack }) =>
      `the overlay patches the ${kind} ${quote(item)} of this project, not that of ${quote(pack)}`,
    cause: 'In an overlay, a name without a slash means an item of this project, but the server is from another pack.',
    fix: 'Write the qualified name into a combined file, as in `acme/jira/get-issue: { enabled: false }`.',
  }),
  'overlay/unknown-pack': code<{ kind: string; item: string; pack: string }>({
    severity: 'warning',
    message: ({ kind, item, pack }) =>
      `the overlay patches the ${kind} ${quote(item)} of the pack ${quote(pack)}, which is not installed`,
    cause: 'A qualified name in an overlay names a pack that is not installed.',
    fix: 'Correct the name, or remove the patch.',
  }),
  'overlay/refused': code<{ field: string; kind: string }>({
    severity: 'error',
    message: ({ field, kind }) => `an overlay cannot change ${quote(field)} of a ${kind}`,
    cause: 'Overlays change only texts and policy, never the name, input, output or code of a tool.',
    fix: 'Change the definition itself.',
  }),
  'overlay/unknown-option': code<{ option: string; item: string }>({
    severity: 'warning',
    message: ({ option, item }) => `${quote(item)} has no option ${quote(option)}`,
    cause: 'An overlay sets an option that the tool does not declare.',
    fix: 'Correct the name.',
  }),
  'overlay/option-type': code<{ option: string; expected: string; actual: string }>({
    severity: 'error',
    message: ({ option, expected, actual }) => `the option ${quote(option)} must be ${expected}, not ${actual}`,
    cause: 'An overlay sets an option to a value whose type is not the one that the tool declares.',
    fix: 'Write a value of the declared type.',
  }),
} as const;
