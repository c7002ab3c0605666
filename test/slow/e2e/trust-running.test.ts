// W61: packs that try to run code while somebody only looks at them.
import { running } from './trust-attempts.js';
import { tryAll } from './trust-looking.js';

tryAll(running);
