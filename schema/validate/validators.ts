// The validators that say what is wrong with a form, loaded when the first mistake is found: they are most of our code.
import { createRequire } from 'node:module';

type Validators = typeof import('../validators.gen.cjs');

const require = createRequire(import.meta.url);
let loaded: Validators | undefined;

export function validators(): Validators {
  loaded ??= require('../validators.gen.cjs') as Validators;
  return loaded;
}
