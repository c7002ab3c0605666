// Keeps defaults out of alternatives. ajv fills none in below anyOf, oneOf, not and if, since the value may turn out to
// be of another form, but it forgets about that behind a $ref: there the defaults of one form end up in values of another,
// which then refuses them.
import type { Ajv, CodeKeywordDefinition, KeywordCxt, SchemaObjCxt } from 'ajv';
import type * as Compilation from 'ajv/dist/compile/index.js';
import type { SchemaEnv } from 'ajv/dist/compile/index.js';

/** Changes the rule of `$ref` in one instance of ajv: from alternatives it leads to a twin compiled without defaults. */
export function keepAlternativesPlain<Core extends Pick<Ajv, 'RULES'>>(
  ajv: Core,
  { SchemaEnv, compileSchema }: Pick<typeof Compilation, 'SchemaEnv' | 'compileSchema'>,
): Core {
  const rule = ajv.RULES.all['$ref'];
  if (typeof rule !== 'object') throw new Error('ajv has no rule of $ref');
  const definition = rule.definition as CodeKeywordDefinition;
  const print = definition.code;
  const twins = new WeakMap<SchemaEnv, SchemaEnv>();

  definition.code = (context: KeywordCxt, ruleType) => {
    const it = context.it as { -readonly [K in keyof SchemaObjCxt]: SchemaObjCxt[K] };
    const { opts, schemaEnv } = it;
    if (it.compositeRule !== true || opts.useDefaults !== true) return print(context, ruleType);
    const { root } = schemaEnv;
    const { schema, schemaId, baseId, localRefs } = root;
    const twin = twins.get(root) ?? Object.assign(new SchemaEnv({ schema }), { schemaId, baseId, localRefs });
    twins.set(root, twin);
    // Everything that is compiled from here on belongs to the twin, which refers only to itself.
    const { refs } = it.self;
    const registered = refs[baseId];
    opts.useDefaults = false;
    it.schemaEnv = Object.assign(new SchemaEnv(schemaEnv), schemaEnv, { root: twin });
    refs[baseId] = twin;
    try {
      // The only reference that does not compile what it leads to: ajv takes it for the function that it stands in.
      if (/^#\/?$/.test(context.schema) && twin.validate === undefined) compileSchema.call(it.self, twin);
      print(context, ruleType);
    } finally {
      refs[baseId] = registered;
      it.schemaEnv = schemaEnv;
      opts.useDefaults = true;
    }
  };
  return ajv;
}
