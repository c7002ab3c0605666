// The types of validators.gen.cjs, which schema/source/make.ts writes.
import type { ErrorObject } from 'ajv';

/** Says whether a value keeps to the language; `errors` holds what is wrong after a call that returned false. */
export interface Validator {
  (data: unknown): boolean;
  errors?: ErrorObject[] | null;
}

export const pack: Validator;
export const server: Validator;
export const tool: Validator;
export const prompt: Validator;
export const resource: Validator;
export const overlay: Validator;
