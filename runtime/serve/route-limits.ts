// What a route of the author's own may take, in Node and in workers: the size of the body it reads, and the time until it has an answer.

export interface CountedBody {
  readonly body: ReadableStream<Uint8Array> | null;
  isOver(): boolean;
}

/** A body without a length may be longer than it should be, too. */
export function countBody(body: ReadableStream<Uint8Array> | null, limit: number): CountedBody {
  let size = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > limit) controller.error(new Error(`the body has more than ${limit} bytes`));
      else controller.enqueue(chunk);
    },
  });
  return { body: body?.pipeThrough(count) ?? null, isOver: () => size > limit };
}

/** `late`: there was no answer in time. What comes after all is cancelled, not read. */
export async function answerWithin(
  ms: number,
  answering: Promise<Response | undefined>,
): Promise<Response | undefined | 'late'> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'late'>(resolve => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  try {
    const answer = await Promise.race([answering, late]);
    if (answer === 'late') answering.then(unread => unread?.body?.cancel()).catch(() => undefined);
    return answer;
  } finally {
    clearTimeout(timer);
  }
}

/** For the operator. */
export function lateText(method: string | undefined, path: string | undefined, ms: number): string {
  return `the route for ${method} ${path} gave no answer within ${ms / 1000} seconds`;
}
