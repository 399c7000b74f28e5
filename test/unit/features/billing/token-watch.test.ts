import { describe, expect, it } from 'vitest';

import { ownToken, tokenContent, tokenNews } from '../../../../src/features/billing/token-watch.ts';
import type { BillingToken } from '../../../../src/platform/billing/tokens.ts';
import { DAY, NOW, token } from './scenario.ts';

/** Checks one token again and again; gives the news of each check. */
function watched() {
  let memory = {};
  return (changes: Partial<BillingToken> = {}, now = NOW) => {
    const look = tokenNews(memory, [token(changes)], now);
    memory = JSON.parse(JSON.stringify(look.memory)) as object;
    return look.news.map(({ finding }) => finding);
  };
}

describe('a token that expires', () => {
  it('is reported about 14, 3 and 1 days before, once each, and no more when it has expired', () => {
    const look = watched();
    const expiresAt = NOW + 20 * DAY;
    const on = (days: number) => look({ expiresAt, lastUsedAt: NOW }, expiresAt - days * DAY);

    expect([15, 14.01].map(on)).toEqual([[], []]);
    expect([14, 13, 3.01].map(on)).toEqual([['14'], [], []]);
    expect([3, 2, 1.01].map(on)).toEqual([['3'], [], []]);
    expect([1, 0.5, 0, -1].map(on)).toEqual([['1'], [], [], []]);
  });

  it('is reported by the nearest step alone, where the first check comes late', () => {
    const look = watched();
    expect(look({ expiresAt: NOW + 2 * DAY })).toEqual(['3']);
    expect(look({ expiresAt: NOW + 2 * DAY })).toEqual([]);
  });

  it('never is not reported of', () => {
    expect(watched()({ expiresAt: undefined })).toEqual([]);
  });
});

describe('a token that no one uses', () => {
  it('is reported after 60 days, at the first check too, and again once it was used in between', () => {
    const look = watched();
    const used = { lastUsedAt: NOW - 60 * DAY };

    expect(look(used, NOW - 1)).toEqual([]);
    expect(look(used)).toEqual(['unused']);
    expect(look(used, NOW + DAY)).toEqual([]);
    expect(look({ lastUsedAt: NOW }, NOW + DAY)).toEqual([]);
    expect(look({ lastUsedAt: NOW }, NOW + 60 * DAY)).toEqual(['unused']);
  });

  it('counts from its creation, where it never was used', () => {
    const never = { lastUsedAt: undefined };

    expect(watched()({ ...never, created: NOW - 60 * DAY })).toEqual(['unused']);
    expect(watched()({ ...never, created: NOW - 59 * DAY })).toEqual([]);
    expect(watched()({ ...never, created: undefined })).toEqual([]);
  });

  it('and soon expires is reported about with both', () => {
    const both = { lastUsedAt: NOW - 90 * DAY, expiresAt: NOW + 14 * DAY };
    expect(watched()(both)).toEqual(['14', 'unused']);
  });
});

describe('the message about tokens', () => {
  it('is counts alone: neither names nor ids, which are behind a button', () => {
    const findings = ['1', '14', 'unused'] as const;
    const news = findings.map((finding, index) => ({ id: `tok-secret-${index}`, finding }));
    const all = JSON.stringify(tokenContent(news));

    expect(all).not.toContain('tok-secret');
    expect(all).toContain('"value":"/billing tokens"');
    expect(all).toContain('"action_id":"notices.stop"');
  });

  it('knows its own token by the id in its secret, or as the only one', () => {
    const tokens = [token({ id: '0f1e2d3c-4b5a' }), token({ id: 'another-one' })];
    expect(ownToken(tokens, 'svc-bsat-0f1e2d3c-4b5a-s3cret')).toBe('0f1e2d3c-4b5a');
    expect(ownToken(tokens, 'svc-bsat-s3cret')).toBeUndefined();
    expect(ownToken(tokens.slice(1), 'svc-bsat-s3cret')).toBe('another-one');
  });
});
