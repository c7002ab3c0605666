// Diagnostics for the programs of code hosts. In: diagnostics. Out: commands of GitHub's runner, or a SARIF log.
import { type Code, codes } from '../codes.js';
import type { Diagnostic, Severity, Site } from '../diagnostics.js';
import { visible, visibleJson } from './visible.js';

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

/** One command per diagnostic: the runner shows it beside the line. */
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

// Diagnostics as a SARIF 2.1.0 log, for code scanning and editors. Section numbers are those of the OASIS standard.

const levels: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };

export function printSarif(diagnostics: readonly Diagnostic[]): string {
  const used = [...new Set(diagnostics.map(({ code }) => code))].sort((a, b) => (a < b ? -1 : 1));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'toolwright', rules: used.map(toRule) } },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map(diagnostic => toResult(diagnostic, used.indexOf(diagnostic.code))),
      },
    ],
  };
  return `${visibleJson(log)}\n`;
}

function toRule(code: Code): object {
  const { severity, cause, fix } = codes[code];
  return {
    id: code,
    shortDescription: toMessage(cause),
    help: toMessage(`${cause}\n${fix}`),
    defaultConfiguration: { level: levels[severity] },
  };
}

function toResult(diagnostic: Diagnostic, ruleIndex: number): object {
  const { code, severity, message, hint, related = [] } = diagnostic;
  return {
    ruleId: code,
    ruleIndex,
    level: levels[severity],
    message: toMessage(hint === undefined ? message : `${message}\nhint: ${hint}`),
    locations: [{ physicalLocation: toLocation(diagnostic) }],
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map((one, id) => ({
            id,
            physicalLocation: toLocation(one),
            message: toMessage(one.message),
          })),
        }),
  };
}

/** Single braces are placeholders for arguments (3.11.5), and [text](1) is a link (3.11.6): neither is ever meant. */
function toMessage(text: string): { readonly text: string } {
  return { text: text.replace(/[{}]/g, '$&$&').replaceAll('](', '] (') };
}

function toLocation({ file, line, column, endLine, endColumn }: Site): object {
  return {
    artifactLocation: { uri: toUri(file), uriBaseId: '%SRCROOT%' },
    region: { startLine: line, startColumn: column, endLine, endColumn },
  };
}

/** A relative reference (RFC 3986): also a colon in the first segment is encoded, or it would be a scheme. */
function toUri(file: string): string {
  return file
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}
