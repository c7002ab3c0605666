// In: the url of a backend, with its placeholders, and the configuration. Out: which database it is and where; never for messages, since it
// may have a password.
import { isAbsolute, resolve } from 'node:path';
import { type FillValues, makeFillText } from '../../../schema/backend/fill.js';
import type { SqlDialect } from '../../../schema/backend/sql-text.js';
import { parseText, placeholdersOf } from '../../../schema/backend/text.js';
import type { SqlBackendDefinition } from '../../../schema/definitions.js';
import { decodePercent } from '../../../schema/percent.js';
import { ToolError } from '../../call/tool-error.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { BackendScope } from '../ports.js';

export type Address =
  | { readonly dialect: 'postgres'; readonly url: string; readonly password: string }
  | { readonly dialect: 'sqlite'; readonly file: string; readonly shownFile: string };

export function readAddress(name: string, { type, url }: SqlBackendDefinition, scope: BackendScope): Address {
  const text = fillUrl(name, url, scope).trim();
  const scheme = /^([a-z]+):/i.exec(text)?.[1]?.toLowerCase() ?? '';
  const dialect: SqlDialect | undefined =
    scheme === 'sqlite' || scheme === 'file' ? 'sqlite' : /^postgres(ql)?$/.test(scheme) ? 'postgres' : undefined;
  if (dialect === undefined || (type !== 'sql' && type !== dialect)) throw wrongUrl(name, type);
  return dialect === 'postgres' ? readPostgres(name, type, text) : readSqlite(name, type, text, scope.folder);
}

/** As in `requires` of a tool. */
function fillUrl(name: string, url: string, { settings }: BackendScope): string {
  const { values } = settings;
  const missing = placeholdersOf(parseText(url).parts)
    .map(placeholder => placeholder.name)
    .filter(key => !Object.hasOwn(values, key) || values[key] === '' || values[key] === undefined);
  if (missing.length > 0)
    throw new ToolError(`${name} needs configuration that is not set: ${missing.join(', ')}`, {
      code: 'CONFIG_MISSING',
      status: 503,
      suggestedFix: `Set ${missing.join(' and ')} in the server's environment and start it again (toolwright dev, call and test also read the pack's .env; start needs --env-file).`,
      meta: { missing },
    });
  const fill = (text: string, config: FillValues['config']): string =>
    String(makeFillText(text)({ args: {}, config }) ?? '');
  // User and password are settings that nobody writes for an address; all else is a part of one.
  const [, before = ''] = /^(postgres(?:ql)?:\/\/[^/@]*@)/i.exec(url) ?? [];
  return fill(before, encodedValues(values)) + fill(url.slice(before.length), values);
}

function encodedValues(values: FillValues['config']): FillValues['config'] {
  const texts = Object.entries(values).filter(([, value]) => typeof value !== 'object');
  return Object.fromEntries(
    texts.map(([key, value]) => [key, encodeURIComponent(Buffer.from(String(value)).toString())]),
  );
}

function readPostgres(name: string, type: string, url: string): Address {
  if (!URL.canParse(url)) throw wrongUrl(name, type);
  return { dialect: 'postgres', url, password: decodePercent(new URL(url).password) };
}

/** `sqlite:data/x.db` is below the pack; `sqlite:/x.db`, `sqlite:///x.db` and `sqlite:C:\x.db` are absolute. */
function readSqlite(name: string, type: string, text: string, folder: string): Address {
  const shownFile = text.slice(text.indexOf(':') + 1).replace(/^\/\/(?=\/)/, '');
  if (shownFile === ':memory:') return { dialect: 'sqlite', file: shownFile, shownFile };
  if (shownFile === '' || shownFile.startsWith('//') || shownFile.includes('\0')) throw wrongUrl(name, type);
  return { dialect: 'sqlite', file: isAbsolute(shownFile) ? shownFile : resolve(folder, shownFile), shownFile };
}

function wrongUrl(name: string, type: SqlBackendDefinition['type'] | string): UpstreamFailure {
  const forms = {
    postgres: 'postgres://user:password@host:5432/database',
    sqlite: 'sqlite:data/file.db',
  };
  const wanted =
    type === 'postgres' ? forms.postgres : type === 'sqlite' ? forms.sqlite : Object.values(forms).join(' or ');
  return new UpstreamFailure(
    'UPSTREAM_UNREACHABLE',
    `The url of ${name} is not the address of a database of its type`,
    {
      retryable: false,
      suggestedFix: `Write it as ${wanted}.`,
    },
  );
}
