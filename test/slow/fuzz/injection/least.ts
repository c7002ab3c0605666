// How many values each part of the fuzz tries at least, without TOOLWRIGHT_FUZZ. PostgreSQL comes on top, where it is.
export const least = { http: 18_000, addresses: 600, sql: 2_500, exec: 1_500, mcp: 1_900 } as const;
