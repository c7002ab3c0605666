// In: JSON that a command printed. Out: the records in it, in the form that tools return.
type Plain = Readonly<Record<string, unknown>>;

export function recordsOf(list: unknown): readonly Plain[] {
  if (!Array.isArray(list)) return [];
  return list.filter((one): one is Plain => typeof one === 'object' && one !== null && !Array.isArray(one));
}

/** What became of each file; one that stays as it is says nothing. */
export function printOperations(list: unknown) {
  return recordsOf(list)
    .filter(({ op }) => op !== 'keep')
    .map(({ op, path }) => ({ op: String(op), path: String(path) }));
}

/** More of them help nobody at once. */
const mostDiagnostics = 100;

const severities = ['error', 'warning', 'info'] as const;

export function printDiagnostics(list: unknown, most = mostDiagnostics) {
  return recordsOf(list)
    .slice(0, most)
    .map(({ code, severity, message, file, line, column, hint }) => ({
      code: String(code),
      severity: severities.find(one => one === severity) ?? 'info',
      message: String(message),
      file: String(file),
      line: Number(line),
      column: Number(column),
      ...(typeof hint === 'string' ? { hint } : {}),
    }));
}
