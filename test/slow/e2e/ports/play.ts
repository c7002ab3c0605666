// The same calls to two servers, told in a form that can be compared.
import type { Answers, AnyClient, Target, Way } from '../../../harness/interop-clients.js';

export interface Call {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

export interface Played {
  readonly call: string;
  /** `refused` for an error of any kind: what an error says is each server's own. */
  readonly answer: unknown;
}

export interface PlayOptions {
  readonly answers?: Answers | undefined;
  readonly normalize?: (text: string) => string;
  /** Asked until it is so: a server may get something of its own ready after the handshake. */
  readonly isReady?: (client: AnyClient) => Promise<boolean>;
}

export async function play(
  way: Way,
  target: Target,
  calls: readonly Call[],
  { answers, normalize = text => text, isReady = async () => true }: PlayOptions = {},
): Promise<readonly Played[]> {
  const client = await way.connect(target, answers);
  try {
    for (let tries = 0; !(await isReady(client)); tries++) {
      if (tries === 200) throw new Error('the server did not get ready');
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    const played: Played[] = [];
    for (const { tool, args = {} } of calls) {
      const call = `${tool} ${JSON.stringify(args)}`;
      played.push({ call, answer: await answerOf(client, tool, args, normalize) });
    }
    return played;
  } finally {
    await client.close();
  }
}

async function answerOf(
  client: AnyClient,
  name: string,
  args: Readonly<Record<string, unknown>>,
  normalize: (text: string) => string,
): Promise<unknown> {
  try {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
    if (isError === true) return 'refused';
    return JSON.parse(normalize(JSON.stringify({ content, structuredContent })));
  } catch {
    return 'refused';
  }
}
