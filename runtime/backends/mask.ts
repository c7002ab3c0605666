/** Stands for a secret in what is shown without being done. */
export const mask = '***';
