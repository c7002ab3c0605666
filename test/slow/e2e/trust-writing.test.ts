// W61: packs that try to write where they must not while somebody only looks at them.
import { writing } from './trust-attempts.js';
import { tryAll } from './trust-looking.js';

tryAll(writing);
