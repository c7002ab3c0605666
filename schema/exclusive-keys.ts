// Keys of which a definition may have one only: `check` refuses two, and editors and the reference say so.

/** Definition -> groups of keys. That one of a group is there at all is said by the schemas. */
export const exclusiveKeys = {
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
} as const satisfies Readonly<Record<string, readonly (readonly string[])[]>>;
