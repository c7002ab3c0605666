export const mine = 'written by hand';
