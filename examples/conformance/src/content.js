// What a tool can answer with.
import { png, wav } from './media.js';

const image = { type: 'image', data: png, mimeType: 'image/png' };

export const simpleText = () => 'This is a simple text response for testing.';

export const imageContent = () => ({ content: [image] });

export const audioContent = () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] });

export const embeddedResource = () => ({
  content: [
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ],
});

export const multipleContentTypes = () => ({
  content: [
    { type: 'text', text: 'Multiple content types test:' },
    image,
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: JSON.stringify({ test: 'data', value: 123 }),
      },
    },
  ],
});

export const errorHandling = () => {
  throw new Error('This tool intentionally returns an error for testing');
};

export const streamingElicitation = () => 'no top-level requests';

export const echo = args => JSON.stringify(args);

export const region = ({ region: where = '<none>' }) => `region=${where}`;

export const template = ({ id }) => ({ id, templateTest: true, data: `Data for ID: ${id}` });
