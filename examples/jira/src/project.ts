export type Status = 'open' | 'in-progress' | 'done';

export interface Issue {
  readonly key: string;
  readonly summary: string;
  readonly status: Status;
  readonly assignee: string | null;
  readonly labels: readonly string[];
  readonly comments: readonly string[];
}

export const projects = [{ key: 'SHOP', name: 'Web shop' }] as const;

const none = { assignee: null, labels: [], comments: [] } as const;

export const issues: readonly Issue[] = [
  { ...none, key: 'SHOP-1', summary: 'Login fails with an empty password', status: 'open', labels: ['login'] },
  { ...none, key: 'SHOP-2', summary: 'Invoices have no date', status: 'in-progress', assignee: 'ada' },
  { ...none, key: 'SHOP-3', summary: 'Old pictures are served over HTTP', status: 'done', labels: ['security'] },
];
