// How much tests try at random: enough to notice what breaks in every run, more where somebody asks for it.

/** TOOLWRIGHT_FUZZ=20 tries twenty times as much as usual. */
export function amount(usual: number): number {
  return Math.ceil(usual * Number(process.env['TOOLWRIGHT_FUZZ'] ?? 1));
}

/** FUZZ_SEED=7 tries something else. */
export function seedOr(usual: number): number {
  return Number(process.env['FUZZ_SEED'] ?? usual);
}
