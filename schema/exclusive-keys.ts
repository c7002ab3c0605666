// Keys of which a definition may have one only: `check` refuses two, and editors and the reference say so.

/** Definition -> groups of keys. That one of a group is there at all is said by the schemas. */
export const exclusiveKeys: Readonly<Record<string, readonly (readonly string[])[]>> = {
  tool: [
    ['parameters', 'inputSchema'],
    ['output', 'outputSchema'],
  ],
  prompt: [['text', 'messages', 'handler']],
  message: [['text', 'image', 'audio', 'resource', 'link']],
  resource: [
    ['uri', 'uriTemplate'],
    ['file', 'text', 'handler'],
  ],
};
