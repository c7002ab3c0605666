export const hash = 'edited';
