// W61: packs that try to read files of others, or keep the reader busy while somebody only looks at them.
import { reading } from './trust-attempts.js';
import { tryAll } from './trust-looking.js';

tryAll(reading);
