// Settings in the address of a database: values that nobody writes for an address, and whole addresses.
import { describe, expect, it } from 'vitest';
import { readAddress } from '../../../../runtime/backends/sql/address.js';
import { scopeOf } from './world.js';

const odd = ` !"#$%&'()*+,/:;<=>?@[\\]^_\`{|}~é%40`;

/** What a driver finds in it. */
function partsOf(url: string, values: Record<string, unknown>): readonly unknown[] {
  const address = readAddress('main', { type: 'postgres', url }, scopeOf('/pack', values));
  if (address.dialect !== 'postgres') throw new Error('another database');
  const { username, password, host, pathname, search } = new URL(address.url);
  return [decodeURIComponent(username), decodeURIComponent(password), host, pathname + search];
}

describe('an address of PostgreSQL', () => {
  it('B2 user and password from settings arrive as they are, whatever signs they have', () => {
    const values = { USER: odd, PASSWORD: odd, HOST: 'db.example:6543' };
    const url = 'postgres://{config.USER}:{config.PASSWORD}@{config.HOST}/shop';
    expect(partsOf(url, values)).toEqual([odd, odd, 'db.example:6543', '/shop']);
    expect(partsOf('postgresql://app:{config.PASSWORD}@{config.HOST}/shop', values)[1]).toBe(odd);
  });

  it('B2 an address that is one setting is taken as it was written', () => {
    const written = `postgres://a%40b:${encodeURIComponent(odd)}@db.example/shop%20x?options=-c%20x`;
    const wanted = ['a@b', odd, 'db.example', '/shop%20x?options=-c%20x'];
    expect(partsOf('{config.DATABASE_URL}', { DATABASE_URL: written })).toEqual(wanted);
    expect(partsOf('{config.DATABASE_URL}', { DATABASE_URL: `${written}\n` })).toEqual(wanted);
    expect(readAddress('main', { type: 'sql', url: '{config.U}' }, scopeOf('/', { U: written }))).toMatchObject({
      url: written,
      password: odd,
    });
  });
});
