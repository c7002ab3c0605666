// Requests beside the document that they were made from. In: an OpenAPI 3.0 document as it is, the validator of somebody else, and what a service
// received. Out: what is wrong with a request. Nothing here uses the importer: paths, queries and forms are read by libraries of others.
import { createRequire } from 'node:module';
import { join } from 'node:path';

export interface Received {
  readonly method: string;
  /** Path and query as they arrived. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

export interface Judge {
  /** What is wrong with a request for an operation; and what it holds, as texts. */
  judge(place: string, received: Received): Promise<Verdict>;
}

export interface Verdict {
  readonly problems: readonly string[];
  readonly held: Held;
}

export interface Held {
  /** Every scalar, as text; those of parameters that have one value only are left out. */
  readonly leaves: readonly string[];
  readonly hasBody: boolean;
}

type Json = Readonly<Record<string, unknown>>;
type Tree = { readonly [name: string]: unknown };

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly style?: string;
  readonly explode?: boolean;
  readonly required?: boolean;
  readonly schema: Json;
}

interface Validator {
  validateRequest(
    request: object,
  ): { readonly errors: readonly { readonly message: string; readonly path?: string }[] } | undefined;
}

/** `modules`: where the libraries are installed. */
export function openJudge(written: Json, modules: string, base: string): Judge {
  const document = joinNull(written) as Json;
  const require = createRequire(join(modules, 'judge.cjs'));
  const { default: RequestValidator } = require('openapi-request-validator') as {
    default: new (options: object) => Validator;
  };
  const qs = require('qs') as { parse(text: string, options: object): Tree };
  const parse = (text: string): Tree =>
    qs.parse(text, {
      depth: 40,
      arrayLimit: 1000,
      parameterLimit: 10_000,
      allowPrototypes: true,
      strictNullHandling: true,
    });

  function follow(value: unknown): Json {
    let here = value as Json;
    while (typeof here['$ref'] === 'string')
      here = here['$ref']
        .slice(2)
        .split('/')
        .reduce<unknown>((at, key) => (at as Json)[key.replaceAll('~1', '/')], document) as Json;
    return here;
  }

  /** Of the components: those that a value refers to. */
  function closure(value: unknown, found: Record<string, unknown> = {}): Json {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      if (Object.hasOwn(found, name)) continue;
      found[name] = ((document['components'] as Json)['schemas'] as Json)[name];
      closure(found[name], found);
    }
    return found;
  }

  return {
    async judge(place, received) {
      const [method = '', path = ''] = place.split(' ');
      const item = (document['paths'] as Json)[path] as Json;
      const operation = item[method.toLowerCase()] as Json;
      const parameters = [
        ...((item['parameters'] as unknown[]) ?? []),
        ...((operation['parameters'] as unknown[]) ?? []),
      ].map(one => follow(one) as unknown as Parameter);
      const requestBody = operation['requestBody'] === undefined ? undefined : follow(operation['requestBody']);
      const problems: string[] = [];
      if (received.method !== method) problems.push(`the method is ${received.method}`);
      const [pathname = '', search = ''] = received.target.split(/\?(.*)/s);
      const params = matchPath(base + path, pathname);
      if (params === undefined)
        return { problems: [`${pathname} is not ${path}`], held: { leaves: [], hasBody: false } };
      const query = readQuery(search, parameters);
      const type = received.headers['content-type']?.split(';')[0];
      const { body, leaves: ofBody } = await readBody(received, type);
      const headers = Object.fromEntries(
        parameters
          .filter(one => one.in === 'header')
          .flatMap(({ name }) => {
            const value = received.headers[name.toLowerCase()];
            return value === undefined ? [] : [[name.toLowerCase(), value]];
          }),
      );
      // Texts of parameters and forms have no types, so that `7` is a number and a string; values of JSON have theirs.
      const isText = type !== 'application/json' && !type?.endsWith('+json');
      const options = { componentSchemas: closure([parameters, requestBody ?? {}]), additionalQueryProperties: false };
      const ajvOptions = { coerceTypes: 'array', useDefaults: false, unicodeRegExp: false };
      const texts = JSON.parse(JSON.stringify(parameters).replaceAll('"oneOf":', '"anyOf":')) as unknown[];
      const ofParameters = new RequestValidator({ ...options, parameters: texts, ajvOptions });
      const found = [...(ofParameters.validateRequest({ params, query, headers, body: {} })?.errors ?? [])];
      // Without any parameter of the query, and for bodies that are not parsed, the validator looks at nothing.
      const declared = new Set(parameters.filter(one => one.in === 'query').map(({ name }) => name));
      for (const name of Object.keys(query)) if (!declared.has(name)) problems.push(`nobody declares ${name}`);
      const hasBody = received.body.length > 0;
      const types = Object.keys((requestBody?.['content'] ?? {}) as Json);
      if (hasBody && !types.some(one => one === type || one === '*/*')) problems.push(`the body is ${type}`);
      const isBytes = hasBody && isText && typeof body === 'string';
      if (requestBody !== undefined && !isBytes && body !== null) {
        const ofBodies = new RequestValidator({
          ...options,
          parameters: [],
          requestBody,
          ajvOptions: isText ? ajvOptions : { ...ajvOptions, coerceTypes: false },
        });
        found.push(
          ...(ofBodies.validateRequest({ headers: { 'content-type': received.headers['content-type'] }, body })
            ?.errors ?? []),
        );
      } else if (requestBody === undefined && hasBody) problems.push('there is a body');
      problems.push(...found.map(({ path: at = '', message }) => `${at} ${message}`));
      const fixed = parameters.filter(
        ({ required, schema }) => required === true && (schema['enum'] as unknown[])?.length === 1,
      );
      const given = { ...params, ...query, ...headers } as Record<string, unknown>;
      for (const { name } of fixed) delete given[name];
      return { problems, held: { leaves: [...leavesOf(given), ...ofBody], hasBody } };
    },
  };

  function readQuery(search: string, parameters: readonly Parameter[]): Tree {
    const parsed: Record<string, unknown> = { ...parse(search) };
    for (const { name, in: where, explode, schema } of parameters) {
      if (where !== 'query' || explode !== false || follow(schema)['type'] !== 'array') continue;
      const raw = search.split('&').find(pair => decodeURIComponent(pair.split('=')[0] ?? '') === name);
      if (raw !== undefined)
        parsed[name] = raw
          .slice(raw.indexOf('=') + 1)
          .split(',')
          .map(decodeURIComponent);
    }
    return parsed;
  }

  async function readBody(
    { body, headers }: Received,
    type: string | undefined,
  ): Promise<{ readonly body: unknown; readonly leaves: readonly string[] }> {
    if (body.length === 0) return { body: undefined, leaves: [] };
    if (type === 'application/x-www-form-urlencoded') {
      const form = parse(body.toString());
      return { body: form, leaves: leavesOf(form) };
    }
    if (type === 'multipart/form-data') {
      const form = await new Response(new Uint8Array(body), {
        headers: { 'content-type': headers['content-type'] ?? '' },
      }).formData();
      const fields: Record<string, unknown> = {};
      const leaves: string[] = [];
      for (const [name, value] of form) {
        // Objects are JSON in a form of parts.
        fields[name] = typeof value !== 'string' ? 'bytes' : value.startsWith('{') ? JSON.parse(value) : value;
        if (typeof value === 'string') leaves.push(...leavesOf(fields[name]));
        else {
          leaves.push(Buffer.from(await value.arrayBuffer()).toString('base64'));
          if (value.name !== 'file') leaves.push(value.name);
        }
      }
      return { body: fields, leaves };
    }
    if (type?.endsWith('json') === true) {
      const value: unknown = JSON.parse(body.toString());
      return { body: value, leaves: leavesOf(value) };
    }
    const isText = type?.startsWith('text/') === true;
    return { body: body.toString(), leaves: [isText ? body.toString() : body.toString('base64')] };
  }
}

/** The validator refuses `nullable` without a type, which documents write all the same: null is one more alternative. */
function joinNull(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(joinNull);
  const made = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, joinNull(one)]));
  // It also refuses a value that is listed twice.
  if (Array.isArray(made['enum'])) made['enum'] = [...new Set(made['enum'])];
  if (made['nullable'] !== true || made['type'] !== undefined) return made;
  const { nullable: _, ...rest } = made;
  return { anyOf: [rest, { type: 'string', nullable: true, enum: [null] }] };
}

function matchPath(template: string, pathname: string): Tree | undefined {
  const names: string[] = [];
  const pattern = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    names.push(name);
    // Of `{base}...{head}` the first dots count.
    return '([^/?#]+?)';
  });
  const found = new RegExp(`^${pattern}$`).exec(pathname);
  return found === null
    ? undefined
    : Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]));
}

/** Every scalar of a value, as text; without null, which neither queries nor forms can say. */
export function leavesOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  return typeof value === 'object' ? Object.values(value).flatMap(leavesOf) : [String(value)];
}
