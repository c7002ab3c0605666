// In: what a new pack would be. Out: what the person at the terminal makes of it; without a terminal, just that.
import { packageNameProblem } from '../../generator/author/init-settings.js';
import { packageOfPack } from '../../schema/names.js';
import { UsageError } from '../terminal/usage-error.js';

export interface Answers {
  readonly name: string;
  readonly description: string;
  readonly language: 'ts' | 'js';
  readonly transport: 'stdio' | 'http';
}

/** `known`: what need not be asked. */
export async function askInit(defaults: Answers, known: Partial<Answers>): Promise<Answers> {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return defaults;
  const { isCancel, select, text } = await import('@clack/prompts');
  const output = process.stderr;
  const toName = (typed: string): string => packageOfPack(typed.trim().replace(/^@/, ''));
  const name =
    known.name === undefined
      ? toName(
          expect(
            await text({
              message: 'Package name',
              initialValue: defaults.name,
              validate: typed => packageNameProblem(toName(typed ?? '')),
              output,
            }),
          ),
        )
      : defaults.name;
  const description =
    known.description ??
    expect(
      await text({
        message: 'What is it for?',
        placeholder: defaults.description,
        defaultValue: defaults.description,
        output,
      }),
    );
  const language =
    known.language ??
    expect(
      await select({
        message: 'Language for handlers',
        initialValue: defaults.language,
        options: [
          { value: 'ts', label: 'TypeScript' },
          { value: 'js', label: 'JavaScript' },
        ],
        output,
      }),
    );
  const transport =
    known.transport ??
    expect(
      await select({
        message: 'How clients reach the server',
        initialValue: defaults.transport,
        options: [
          { value: 'stdio', label: 'stdio', hint: 'they start it; most do' },
          { value: 'http', label: 'HTTP' },
        ],
        output,
      }),
    );
  return { name, description, language, transport };

  function expect<T>(answer: T): Exclude<T, symbol> {
    if (isCancel(answer)) throw new UsageError('cancelled, nothing was written');
    return answer as Exclude<T, symbol>;
  }
}

/** Yes is what most want; without a terminal nobody wants anything. */
export async function askInstall(command: string): Promise<boolean> {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return false;
  const { confirm } = await import('@clack/prompts');
  // A cancelled question is no reason to lose what is written.
  return (await confirm({ message: `Install dependencies now (${command})?`, output: process.stderr })) === true;
}
