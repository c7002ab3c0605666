// In: the configuration that a pack knows, and values that are there. Out: a value for each variable that has one; on a terminal the
// person is asked for the rest.
import { readConfig } from '../runtime/context/config.js';
import type { ConfigEntry } from '../schema/definitions.js';
import { visible } from '../schema/print/visible.js';
import { UsageError } from './usage-error.js';

type Values = Readonly<Record<string, string>>;

export async function askConfig(
  config: Readonly<Record<string, ConfigEntry>>,
  { given, known, mayAsk }: { readonly given: Values; readonly known: Values; readonly mayAsk: boolean },
): Promise<{ readonly values: Values; readonly unset: readonly string[] }> {
  const values: Record<string, string> = {};
  const unset: string[] = [];
  const isTerminal = mayAsk && process.stdin.isTTY === true && process.stderr.isTTY === true;
  for (const [name, entry] of Object.entries(config)) {
    if (Object.hasOwn(given, name)) continue;
    const before = Object.hasOwn(known, name) ? known[name] : undefined;
    const value = before ?? (isTerminal ? await ask(name, entry) : undefined);
    if (value !== undefined && value !== '') values[name] = value;
    else if (entry.default === undefined) unset.push(name);
  }
  return { values, unset };
}

/** Why a server that got these values would not start; undefined where it would. Nothing typed is nothing set. */
export function valueProblem(
  config: Readonly<Record<string, ConfigEntry>>,
  values: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));
  const { diagnostics } = readConfig(config, given);
  return diagnostics.find(({ severity }) => severity === 'error')?.message;
}

/** Empty where the person has none. */
async function ask(name: string, entry: ConfigEntry): Promise<string | undefined> {
  const { description, secret, default: initial } = entry;
  const { isCancel, password, text } = await import('@clack/prompts');
  // stdout is for data.
  const output = process.stderr;
  const message = visible(description === undefined ? name : `${name}: ${description}`);
  const validate = (typed: string | undefined): string | undefined =>
    valueProblem({ [name]: entry }, { [name]: typed });
  const answer = secret
    ? await password({ message, output, validate })
    : await text({
        message,
        output,
        validate,
        defaultValue: '',
        ...(initial === undefined ? {} : { placeholder: String(initial) }),
      });
  if (isCancel(answer)) throw new UsageError('cancelled, nothing was changed');
  return answer;
}
