// In: the configuration that a pack knows, and the values it has. Out: what the person at the terminal gives for the rest.
import { readConfig } from '../../runtime/call/context/config.js';
import type { ConfigEntry } from '../../schema/definitions.js';
import { visible } from '../../schema/print/visible.js';
import { UsageError } from '../terminal/usage-error.js';

export type Values = Readonly<Record<string, string>>;

/** What was answered; nothing where nobody can be asked. */
export async function askConfig(config: Readonly<Record<string, ConfigEntry>>, known: Values): Promise<Values> {
  const values: Record<string, string> = {};
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return values;
  for (const [name, entry] of Object.entries(config)) {
    if (Object.hasOwn(known, name) || Object.hasOwn(known, `${name}_FILE`)) continue;
    const value = await ask(name, entry);
    if (value !== undefined && value !== '') values[name] = value;
  }
  return values;
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
        ...(initial === undefined ? {} : { placeholder: Array.isArray(initial) ? initial.join(',') : String(initial) }),
      });
  if (isCancel(answer)) throw new UsageError('cancelled, nothing was changed');
  return answer;
}
