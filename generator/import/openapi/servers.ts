// In: the addresses of an API, and what its operations need. Out: backends, by the name that operations have for theirs, and settings.

import type { BackendDefinition } from '../../../schema/definitions.js';
import { ItemNames, kebabName } from '../item-names.js';
import { literalText } from '../literal-text.js';
import type { Api, ApiOperation, ApiServer } from './api.js';
import { settingName } from './names.js';
import { cleanText, firstSentence } from './schema-text.js';
import type { Config, Proof, Security } from './security.js';

export interface Backends {
  /** The name of the backend of an operation. */
  nameFor(operation: ApiOperation): string;
  /** Those that were asked for. */
  readonly definitions: Readonly<Record<string, BackendDefinition>>;
  readonly config: Config;
}

interface Group {
  readonly server: ApiServer | undefined;
  readonly proof: Proof;
  count: number;
  name: string;
}

interface Address {
  readonly url: string;
  readonly config: Config;
}

export interface BackendsOptions {
  readonly name: string;
  readonly documentUrl: string | undefined;
  readonly security: Security;
}

/** One for each address and way to prove who asks: secrets go only where they are needed. */
export function openBackends(api: Api, { name, documentUrl, security }: BackendsOptions): Backends {
  const groups = new Map<string, Group>();
  const groupOf = (operation: ApiOperation): Group => {
    const [server] = operation.servers;
    const { proof } = security.of(operation);
    const key = JSON.stringify([server?.url, server?.variables, proof.auth, proof.headers]);
    let group = groups.get(key);
    if (group === undefined) {
      group = { server, proof, count: 0, name: '' };
      groups.set(key, group);
    }
    return group;
  };
  // Of all operations, so that names do not depend on what is imported.
  for (const operation of api.operations) groupOf(operation).count += 1;
  nameGroups([...groups.values()], name);
  const keyOf = nameVariables([...groups.values()], name);
  const definitions: Record<string, BackendDefinition> = {};
  const config: Record<string, Readonly<Record<string, unknown>>> = {};
  return {
    definitions,
    config,
    nameFor(operation) {
      const group = groupOf(operation);
      if (!Object.hasOwn(definitions, group.name)) define(group);
      return group.name;
    },
  };

  function define({ server, proof, name: backend }: Group): void {
    const address = addressOf(server);
    const { auth, headers } = proof;
    definitions[backend] = {
      type: 'http',
      url: address.url,
      ...(auth === undefined ? {} : { auth }),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
    };
    Object.assign(config, address.config, proof.config);
  }

  function addressOf(server: ApiServer | undefined): Address {
    const { url, usual, config: variables } = fillVariables(server?.url ?? '/', server);
    const [whole, example] = isWhole.test(usual) ? [url, usual] : [absolute(url), absolute(usual)];
    if (isAddress(example)) return { url: whole, config: variables };
    const key = settingName(name, 'url');
    const path = url.startsWith('/') ? url.replace(/\/+$/, '') : '';
    const said = `Address of ${firstSentence(cleanText(api.title), 80)}, such as https://api.example.com`;
    return {
      url: `{config.${key}}${path}`,
      config: { [key]: { type: 'string', description: said }, ...(path === '' ? {} : variables) },
    };
  }

  /** Relative addresses are below that of the document. */
  function absolute(url: string): string {
    if (documentUrl === undefined || !isWhole.test(documentUrl) || !URL.canParse(documentUrl)) return url;
    if (url.startsWith('/')) return new URL(documentUrl).origin + url.replace(/\/+$/, '');
    return new URL(url, documentUrl).href.replaceAll('%7B', '{').replaceAll('%7D', '}').replace(/\/+$/, '');
  }

  /** `usual`: with the values that variables usually have; where there is none, one that may be a part of a host, a port or a path. */
  function fillVariables(written: string, server: ApiServer | undefined): Address & { readonly usual: string } {
    const found: Record<string, Readonly<Record<string, unknown>>> = {};
    let url = '';
    let example = '';
    let end = 0;
    for (const { 0: tag, 1: variable = '', index } of written.matchAll(/\{([^{}]+)\}/g)) {
      const before = written.slice(end, index);
      end = index + tag.length;
      const { default: usual, enum: allowed = [], description } = server?.variables[variable] ?? {};
      example += before + (usual ?? '1');
      // What is empty, or cannot be anything else, needs no setting.
      if (usual !== undefined && (usual === '' || (allowed.length === 1 && allowed[0] === usual))) {
        url += literalText(before + usual);
        continue;
      }
      const key = keyOf(server, variable);
      const about = firstSentence(cleanText(description), 200);
      found[key] = {
        type: 'string',
        description: about === '' ? `${variable} in the address of ${firstSentence(cleanText(api.title), 80)}` : about,
        ...(usual === undefined ? {} : { default: usual }),
        ...(allowed.length > 0 && (usual === undefined || allowed.includes(usual))
          ? { enum: [...new Set(allowed)] }
          : {}),
      };
      url += `${literalText(before)}{config.${key}}`;
    }
    const rest = written.slice(end);
    return { url: url + literalText(rest), usual: example + rest, config: found };
  }
}

const isWhole = /^https?:\/\//i;

function isAddress(text: string): boolean {
  if (!isWhole.test(text) || !URL.canParse(text)) return false;
  const { username, password, hash } = new URL(text);
  return username === '' && password === '' && hash === '';
}

/** Out: the setting of a variable. One that has other values in another address is another one. */
function nameVariables(
  groups: readonly Group[],
  name: string,
): (server: ApiServer | undefined, variable: string) => string {
  const names = new ItemNames();
  const known = new Map<string, string>();
  const idOf = (server: ApiServer | undefined, variable: string): string => {
    const { default: usual, enum: allowed } = server?.variables[variable] ?? {};
    return JSON.stringify([settingName(name, variable), usual, allowed]);
  };
  for (const { server } of groups) {
    for (const variable of Object.keys(server?.variables ?? {})) {
      const id = idOf(server, variable);
      if (!known.has(id)) known.set(id, settingName(names.give(`${name}-${kebabName(variable) ?? ''}`)));
    }
  }
  return (server, variable) => known.get(idOf(server, variable)) ?? settingName(name, variable);
}

/** The one that most operations have is called like the API. */
function nameGroups(groups: readonly Group[], name: string): void {
  const [main] = [...groups].sort((a, b) => b.count - a.count);
  if (main === undefined) return;
  main.name = name;
  const names = new ItemNames();
  names.give(name);
  for (const group of groups) {
    if (group === main) continue;
    const words = [name];
    if (group.server?.url !== main.server?.url) words.push(wordsOfUrl(group.server?.url ?? '', main.server?.url ?? ''));
    const isSame =
      JSON.stringify([group.proof.auth, group.proof.headers]) === JSON.stringify([main.proof.auth, main.proof.headers]);
    if (!isSame) words.push(group.proof.schemes.length === 0 ? 'public' : group.proof.schemes.join(' '));
    group.name = names.give(kebabName(words.join(' ')) ?? name);
  }
}

/** What an address has that another one does not. */
function wordsOfUrl(url: string, other: string): string {
  const words = (text: string): readonly string[] =>
    text
      .replace(/^https?:\/\//i, '')
      .split(/[^A-Za-z0-9]+/)
      .filter(Boolean);
  const known = new Set(words(other));
  const own = words(url).filter(word => !known.has(word));
  return (own.length === 0 ? words(url) : own).slice(0, 3).join(' ');
}
