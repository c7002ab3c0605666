// Keys of which a definition may have one only: `check` refuses two, and editors and the reference say so.

/** Definition -> groups of keys. That one of a group is there at all is said by the schemas. */
export const exclusiveKeys: Readonly<Record<string, readonly (readonly string[])[]>> = {
  tool: [
    ['parameters', 'inputSchema'],
    ['output', 'outputSchema'],
    ['handler', 'http', 'sql', 'exec', 'mcp'],
  ],
  prompt: [['text', 'messages', 'handler', 'mcp']],
  message: [['text', 'image', 'audio', 'resource', 'link']],
  resource: [
    ['uri', 'uriTemplate'],
    ['file', 'text', 'handler', 'http', 'sql', 'mcp'],
  ],
  backendAuth: [['bearer', 'basic', 'header', 'query', 'clientCredentials', 'caller']],
  mcpBackend: [['command', 'url']],
  httpCall: [
    ['path', 'url'],
    ['body', 'form', 'multipart', 'file'],
  ],
  httpFile: [['text', 'base64', 'resource']],
  paginate: [['cursor', 'link', 'page', 'offset']],
};
