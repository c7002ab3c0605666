/** The version of this package, as package.json has it (a test holds them together): what generated files say of who made them. */
export const version = '0.1.0';
