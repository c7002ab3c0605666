// B2. In: `sql` of an item. Out: what runs it: the statement with its values bound.
import type { SqlCall } from '../../../schema/definitions.js';
import type { OpenSqlBackend } from '../sql/open-sql.js';
import type { FilledWork } from './item-work.js';

export function sqlWork({ text, result }: SqlCall, isRead: boolean, backend: OpenSqlBackend): FilledWork {
  const options = { result, isRead };
  return {
    run: ({ args }, call) => backend.run(call, text, args, options),
    preview: ({ args }) => backend.preview(text, args, options),
  };
}
