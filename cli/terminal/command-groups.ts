/** How `toolwright --help` groups the commands: in the order in which people need them. */
export const commandGroups: readonly (readonly [heading: string, names: readonly string[]])[] = [
  ['Write a pack:', ['init', 'add', 'rename', 'remove', 'generate']],
  ['Check it and try it out:', ['check', 'typecheck', 'test', 'call', 'dev']],
  ['Serve and share it:', ['start', 'build', 'install', 'uninstall', 'docs', 'lock']],
  ['Look around:', ['list', 'inspect', 'explain', 'schema', 'doctor']],
  ['More:', ['completion', 'help']],
];

/** The heading of a command, and its place among all; what is in no group, such as hidden commands, comes last. */
export function placeOf(name: string): { readonly heading: string; readonly order: number } {
  const at = commandGroups.findIndex(([, names]) => names.includes(name));
  const [heading = '', names = []] = commandGroups[at] ?? [];
  return { heading, order: at < 0 ? Number.MAX_SAFE_INTEGER : at * 100 + names.indexOf(name) };
}
