// Diagnostics as annotations of a GitHub Actions run: one workflow command a line.
import type { Diagnostic, Severity } from '../diagnostics.js';
import { visible } from './visible.js';

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

export function printGithub(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(diagnostic => `${printCommand(diagnostic)}\n`).join('');
}

function printCommand({ severity, file, line, column, endLine, endColumn, code, message, hint }: Diagnostic): string {
  const properties: readonly (readonly [string, string | number])[] = [
    ['file', file],
    ['line', line],
    // GitHub refuses columns of annotations that span several lines.
    ...(line === endLine ? [['col', column] as const] : []),
    ['endLine', endLine],
    ...(line === endLine ? [['endColumn', endColumn] as const] : []),
    ['title', code],
  ];
  const list = properties.map(([name, value]) => `${name}=${escapeProperty(String(value))}`).join(',');
  const text = hint === undefined ? visible(message) : `${visible(message)}\nhint: ${visible(hint)}`;
  return `::${commands[severity]} ${list}::${escapeData(text)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(visible(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
