// In: a prompt made of `text` or `messages`. Out: a function that gives its messages in the protocol's shape (W78).
import type { PromptMessage } from '../../schema/definitions.js';
import { encodeBytes } from '../call/content.js';
import { type Filling, makeFill } from '../call/fill-text.js';
import type { PackHost } from '../call/ports.js';
import { mimeTypeOf } from '../load/mime-type.js';
import type { Prompt } from '../load/program.js';
import type { Wire } from '../packs/list-entries.js';
import { readPackFile } from './pack-file.js';
import { contentsOfBytes } from './resource-bytes.js';

export type MakeMessages = (filling: Filling) => readonly Wire[];

/** Files are read for each request: they may change while the server runs. */
export function makeMessages(prompt: Prompt, host: PackHost): MakeMessages {
  if (prompt.type === 'text') {
    const fill = makeFill(prompt.text ?? '');
    return filling => [{ role: 'user', content: { type: 'text', text: fill(filling) } }];
  }
  const messages = (prompt.definition.messages ?? []).map(message => {
    const content = makeContent(message, host);
    return (filling: Filling): Wire => ({ role: message.role, content: content(filling) });
  });
  return filling => messages.map(message => message(filling));
}

function makeContent(message: PromptMessage, host: PackHost): (filling: Filling) => Wire {
  if (message.image !== undefined) return () => mediaContent('image', message.image, host);
  if (message.audio !== undefined) return () => mediaContent('audio', message.audio, host);
  if (message.resource !== undefined) return makeResource(message.resource, host);
  if (message.link !== undefined) return makeLink(message.link);
  const fill = makeFill(message.text ?? '');
  return filling => ({ type: 'text', text: fill(filling) });
}

function mediaContent(type: 'image' | 'audio', media: PromptMessage['image'], host: PackHost): Wire {
  const { file, mimeType } = typeof media === 'object' ? media : { file: media ?? '', mimeType: undefined };
  const data = encodeBytes(readPackFile(host, file));
  return { type, data, mimeType: mimeType ?? mimeTypeOf(file) ?? 'application/octet-stream' };
}

function makeResource(resource: NonNullable<PromptMessage['resource']>, host: PackHost): (filling: Filling) => Wire {
  const uri = makeFill(resource.uri);
  const { file, mimeType } = resource;
  if (file !== undefined) {
    const type = mimeType ?? mimeTypeOf(file);
    return filling => ({
      type: 'resource',
      resource: contentsOfBytes(uri(filling), readPackFile(host, file), type, 'text/plain'),
    });
  }
  const text = makeFill(resource.text ?? '');
  return filling => ({
    type: 'resource',
    resource: { uri: uri(filling), ...(mimeType === undefined ? {} : { mimeType }), text: text(filling) },
  });
}

function makeLink(link: NonNullable<PromptMessage['link']>): (filling: Filling) => Wire {
  const uri = makeFill(link.uri);
  const name = makeFill(link.name);
  const description = link.description === undefined ? undefined : makeFill(link.description);
  return filling => ({
    type: 'resource_link',
    uri: uri(filling),
    name: name(filling),
    ...(link.title === undefined ? {} : { title: link.title }),
    ...(description === undefined ? {} : { description: description(filling) }),
    ...(link.mimeType === undefined ? {} : { mimeType: link.mimeType }),
  });
}
