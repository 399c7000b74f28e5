import { describe, expect, test } from 'vitest';

import { createExplain } from '../../../src/platform/billing/explain.ts';
import type { Caller } from '../../../src/platform/billing/explain.ts';

const UUID = '5f0c9d3e-8a41-4b7e-9c26-d1a7e3b0f482';
const ADMIN = { kind: 'account', accountId: UUID, roles: ['billing_admin'] } as const;
const READER = { ...ADMIN, roles: ['billing_admin', 'billing_viewer'] } as const;

function explain(caller: Caller, status: number, sentence: string) {
  return createExplain(caller)({
    status,
    sentence,
    body: JSON.stringify({ code: status, error: sentence }),
  });
}

describe('the hint of a refusal', () => {
  test.each<[Caller, RegExp]>([
    [ADMIN, /the role billing_admin.*5 minutes/],
    [READER, /a role \(billing_admin or billing_viewer\).*5 minutes/],
    [{ kind: 'user' }, /user token.*5 minutes/],
    [{ kind: 'org', org: 'acme' }, /org acme.*readMetrics \(readUsage does not do\).*5 minutes/],
    [{ ...ADMIN, accountId: 'cus_Main' }, /"cus_Main" is no UUID.*GET \/account/],
  ])('as a 401 of %j names the likely cause', (caller, hint) => {
    expect(explain(caller, 401, 'unauthorized').hint).toMatch(hint);
  });

  test('a 403 is the token of a workload that is elsewhere', () => {
    expect(explain({ kind: 'org', org: 'acme' }, 403, 'forbidden').hint).toMatch(
      /workload.*only inside of that workload/,
    );
  });

  test('other refusals have none', () => {
    expect(explain(ADMIN, 409, 'alert already exists')).toEqual({});
  });
});

describe('a 500', () => {
  test.each([
    'startTime and endTime must be aligned with an hour boundary',
    'invalid timeStep: minute',
    'the given metering query groups by org, but consumption query 0 does not aggregate by org',
    'alert does not exist',
    'no alert is set for this account',
  ])('that says "%s" is the caller’s mistake', (sentence) => {
    expect(explain(READER, 500, sentence).reason).toBe('bad-request');
  });

  test.each(['internal error', 'the database is away', 'unexpected alerting failure'])(
    'that says "%s" stays the server’s',
    (sentence) => {
      expect(explain(READER, 500, sentence).reason).toBeUndefined();
    },
  );
});
