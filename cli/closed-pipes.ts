// Output that somebody stopped reading.

/** `toolwright check | head` closes the pipe early: that is not an error of ours. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', error => {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    });
  }
}
