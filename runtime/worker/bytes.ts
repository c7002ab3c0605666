// What our own code uses of Node's Buffer, where there is none. Put in place of the global when the runtime of workers is bundled.

type Encoding = 'utf8' | 'base64' | 'base64url' | 'latin1' | 'hex';

export class Buffer extends Uint8Array<ArrayBuffer> {
  static override from(value: unknown, second?: unknown, third?: unknown): Buffer {
    if (typeof value === 'string') return wrap(decode(value, (second as Encoding | undefined) ?? 'utf8'));
    if (value instanceof ArrayBuffer)
      return new Buffer(value, second as number | undefined, third as number | undefined);
    return wrap(Uint8Array.from(value as Iterable<number>));
  }

  static override of(...bytes: number[]): Buffer {
    return wrap(Uint8Array.from(bytes));
  }

  static alloc(size: number): Buffer {
    return new Buffer(new ArrayBuffer(size));
  }

  static concat(parts: readonly Uint8Array[]): Buffer {
    const all = Buffer.alloc(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  static byteLength(text: string): number {
    return new TextEncoder().encode(text).length;
  }

  override subarray(start?: number, end?: number): Buffer {
    return wrap(super.subarray(start, end));
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, at) => byte === other[at]);
  }

  override toString(encoding: Encoding = 'utf8'): string {
    if (encoding === 'utf8') return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this);
    if (encoding === 'hex') return Array.from(this, byte => byte.toString(16).padStart(2, '0')).join('');
    const text = toLatin1(this);
    if (encoding === 'latin1') return text;
    const base64 = btoa(text);
    return encoding === 'base64' ? base64 : base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  }
}

function wrap({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer {
  return new Buffer(buffer, byteOffset, byteLength);
}

function decode(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> {
  switch (encoding) {
    case 'utf8':
      return new TextEncoder().encode(text);
    case 'latin1':
      return Uint8Array.from(text, character => character.charCodeAt(0));
    case 'hex':
      return Uint8Array.from(text.match(/../g) ?? [], pair => Number.parseInt(pair, 16));
    case 'base64':
    case 'base64url': {
      // As Node reads it: what is not base64 is left out, and so is the end.
      const plain = text
        .replaceAll('-', '+')
        .replaceAll('_', '/')
        .replace(/=.*$/s, '')
        .replace(/[^A-Za-z0-9+/]/g, '');
      return decode(atob(plain.length % 4 === 1 ? plain.slice(0, -1) : plain), 'latin1');
    }
    default:
      return encoding satisfies never;
  }
}

function toLatin1(bytes: Uint8Array): string {
  let text = '';
  // Not all at once: a call has only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x2000) text += String.fromCharCode(...bytes.subarray(at, at + 0x2000));
  return text;
}
