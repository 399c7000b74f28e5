import { expect, test } from 'vitest';
import { startPlatform } from './support.ts';

test.each([
  ['/billing/account/%E0%A4%A', 'billing', ['code', 'error']],
  ['/usage/org/%E0%A4%A/query', 'usage', ['code', 'error']],
  [
    '/org/%E0%A4%A/gvc/shop/workload/-deployment',
    'deployments',
    ['code', 'details', 'id', 'message', 'status'],
  ],
])(
  'a path that cannot be decoded, %s, is a 400 in the shape of %s',
  async (path, _api, members) => {
    const { platform } = await startPlatform();

    const response = await fetch(`${platform.url}${path}`);
    const body = (await response.json()) as Record<string, unknown>;

    expect(response.status).toBe(400);
    expect(Object.keys(body).toSorted()).toEqual(members);
  },
);
