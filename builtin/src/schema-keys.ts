// In: a published schema and a path of keys. Out: what may be written there, in few words; the schemas themselves are made for
// editors and fill a hundred pages.

export interface Schema {
  readonly [keyword: string]: unknown;
}

export interface KeyDescription {
  readonly description?: string;
  readonly type: string;
  readonly values?: readonly (string | number | boolean)[];
  readonly default?: unknown;
  readonly example?: string;
  readonly keys: readonly {
    readonly name: string;
    readonly type: string;
    readonly description?: string;
    readonly required: boolean;
  }[];
}

/**
 * The schema of a key; `*` is any name of the author's choice, or a member of a list.
 *
 * @example findKey(schema, ['parameters', '*', 'enum'])
 */
export function findKey(root: Schema, path: readonly string[]): Schema | undefined {
  let here: Schema | undefined = root;
  for (const step of path) {
    const faces: readonly Schema[] = here === undefined ? [] : facesOf(root, here);
    here = faces.map(face => childOf(face, step)).find(child => child !== undefined);
  }
  return here;
}

export function describeKey(root: Schema, key: Schema): KeyDescription {
  const faces = facesOf(root, key);
  const first = <T>(read: (face: Schema) => T | undefined): T | undefined =>
    faces.map(read).find(one => one !== undefined);
  const description = first(({ description: text }) => asText(text));
  const example = first(({ markdownDescription: text }) => /```yaml\n(.*?)```/s.exec(asText(text) ?? '')?.[1]);
  const values = first(({ enum: list }) => (Array.isArray(list) ? list.filter(isScalar) : undefined));
  return {
    ...(description === undefined ? {} : { description }),
    type: typeOf(faces),
    ...(values === undefined ? {} : { values }),
    ...(Object.hasOwn(key, 'default') ? { default: key['default'] } : {}),
    ...(example === undefined ? {} : { example }),
    keys: keysOf(root, faces),
  };
}

function keysOf(root: Schema, faces: readonly Schema[]): KeyDescription['keys'] {
  const keys = new Map<string, KeyDescription['keys'][number]>();
  for (const face of faces) {
    const required = Array.isArray(face['required']) ? face['required'] : [];
    const any = childOf(face, '*');
    const named: readonly (readonly [string, unknown])[] = [
      ...Object.entries(asSchema(face['properties']) ?? {}),
      ...(any === undefined ? [] : ([['*', any]] as const)),
    ];
    for (const [name, value] of named) {
      const schema = asSchema(value);
      if (schema === undefined || keys.has(name)) continue;
      const below = facesOf(root, schema);
      const description = below.map(one => asText(one['description'])).find(text => text !== undefined);
      keys.set(name, {
        name,
        type: typeOf(below),
        ...(description === undefined ? {} : { description }),
        required: required.includes(name),
      });
    }
  }
  return [...keys.values()];
}

/** A schema and everything that it refers to or chooses from: what is written may be any of them. */
function facesOf(root: Schema, schema: Schema): readonly Schema[] {
  const faces = new Set<Schema>();
  const visit = (value: unknown): void => {
    const one = asSchema(value);
    if (one === undefined || faces.has(one)) return;
    faces.add(one);
    const name = /^#\/definitions\/(.+)$/.exec(asText(one['$ref']) ?? '')?.[1];
    if (name !== undefined) visit(asSchema(root['definitions'])?.[name]);
    for (const keyword of ['then', 'else']) visit(one[keyword]);
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const list = one[keyword];
      if (Array.isArray(list)) list.forEach(visit);
    }
  };
  visit(schema);
  return [...faces];
}

function childOf(schema: Schema, step: string): Schema | undefined {
  const properties = asSchema(schema['properties']);
  if (properties !== undefined && Object.hasOwn(properties, step)) return asSchema(properties[step]);
  return step === '*' ? (asSchema(schema['additionalProperties']) ?? asSchema(schema['items'])) : undefined;
}

/** `string or object`; where nothing is said, anything goes. */
function typeOf(faces: readonly Schema[]): string {
  const type = faces.map(face => face['type']).find(one => one !== undefined);
  const names = (Array.isArray(type) ? type : [type]).filter(one => typeof one === 'string');
  return names.length === 0 ? 'anything' : names.join(' or ');
}

function asSchema(value: unknown): Schema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : undefined;
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
