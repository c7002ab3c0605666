// In: a schema document. Out: a full validator for any schema inside it. The only place of this room that loads ajv.
import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import type { Path } from '../document.js';
import { type Dialect, effectiveDialect } from './dialect.js';
import { isSchemaObject, type JsonSchemaObject, own } from './keywords.js';
import { indexRefs, printPointer, type RefIndex } from './refs.js';
import { isSoonMatched } from './regex-steps.js';
import { countRules } from './value-cost.js';
import { listNodes } from './walk.js';

export interface Validator {
  /** What is wrong with a value by the schema at `at`; throws where ajv cannot make a validator of it. */
  validate(value: unknown, at: Path): readonly ErrorObject[];
}

export interface ValidatorOptions {
  readonly fillDefaults: boolean;
}

interface Compiler {
  readonly opts: { unevaluated?: boolean };
  addSchema(schema: object, key: string): unknown;
  compile(schema: object | boolean): ValidateFunction;
}

const rootKey = 'root-of-toolwright';

/** Beyond these limits a schema was made to keep a validator busy; the largest of real servers have hundreds. */
const mostSchemas = 10_000;
const mostRules = 2_000_000;

/** Loads ajv (some 70 ms the first time) and prepares it for one document; nothing is compiled before it is needed. */
export async function loadValidator(root: unknown, { fillDefaults }: ValidatorOptions): Promise<Validator> {
  const { fullFormats } = await import('ajv-formats/dist/formats.js');
  const dialect = effectiveDialect(root);
  const isTooLarge = listNodes(root, dialect).nodes.length > mostSchemas;
  let refs: RefIndex | undefined;
  // A fresh instance for each document, so that equal $ids of two tools never meet.
  const compiler = await loadCompiler(dialect, {
    strict: false,
    validateSchema: false,
    meta: false,
    logger: false,
    allErrors: true,
    verbose: true,
    // Else `{}` would have the properties `constructor` and `toString`.
    ownProperties: true,
    useDefaults: fillDefaults,
    formats: fullFormats,
    code: { regExp: makeRegex },
    // A large definition that is inlined wherever it is referred to fills the memory.
    inlineRefs: false,
  });
  const text = String(JSON.stringify(root));
  // ajv 8.20 throws on `{anyOf: [{type: string, properties}, {}], patternProperties}` while it keeps track of evaluated
  // properties; only the unevaluated keywords need that. Its classes overwrite the option, so it is set afterwards.
  if (!text.includes('"unevaluated')) compiler.opts.unevaluated = false;
  // Where nothing refers, an inner schema is compiled without the document around it, at a fraction of the cost.
  const refers = /"\$(?:ref|dynamicRef|recursiveRef)"/.test(text);
  if (refers && isSchemaObject(root)) compiler.addSchema(root, rootKey);
  const compiled = new Map<string, ValidateFunction>();
  return {
    validate: (value, at) => {
      if (isTooLarge) throw new Error(`it holds more than ${mostSchemas} schemas`);
      refs ??= indexRefs(isSchemaObject(root) ? root : {});
      if (countRules(schemaAt(root, at), value, { dialect, refs }) > mostRules)
        throw new Error('a value would take too many steps: its references multiply');
      const pointer = printPointer(at);
      const known = compiled.get(pointer);
      const validate = known ?? compiler.compile(refers ? { $ref: `${rootKey}${pointer}` } : schemaAt(root, at));
      if (known === undefined) compiled.set(pointer, validate);
      // ajv's own keyword makes it answer with a promise, which would pass for a valid value.
      if (Object.hasOwn(validate, '$async')) throw new Error('"$async" is not a JSON Schema keyword');
      // Filling in defaults changes the value, which belongs to the caller.
      return validate(structuredClone(value)) === true ? [] : (validate.errors ?? []);
    },
  };
}

function schemaAt(root: unknown, path: Path): JsonSchemaObject | boolean {
  let at = root;
  for (const key of path) {
    if (Array.isArray(at)) at = at[Number(key)];
    else at = isSchemaObject(at) ? own(at, String(key)) : undefined;
  }
  if (isSchemaObject(at) || typeof at === 'boolean') return at;
  throw new Error(`there is no schema at ${printPointer(path)}`);
}

/** Patterns for ajv. It calls the function itself, never code made of it, so that the name under `code` is not used. */
const makeRegex = Object.assign(
  (pattern: string, flags: string) => {
    const regex = new RegExp(pattern, flags);
    return {
      test: (text: string): boolean => {
        if (isSoonMatched(pattern, text)) return regex.test(text);
        throw new Error(`the pattern ${JSON.stringify(pattern)} takes too long on one of the texts`);
      },
      toString: () => String(regex),
    };
  },
  { code: 'new RegExp' },
);

async function loadCompiler(dialect: Dialect, options: Options): Promise<Compiler> {
  const { makeAjv } = await import('./ajv.js');
  return makeAjv(dialect, options);
}
