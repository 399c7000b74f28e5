import { expect, onTestFinished, test, vi } from 'vitest';
import { PlatformError } from '../../../src/platform/errors.ts';
import { pathOf, resolveOnOrigin, startDeadline } from '../../../src/platform/http.ts';
import * as fc from '../../support/fast-check.ts';
import { isReadOrRefused } from './deployments/items.ts';

const BASE = new URL('https://api.example/v1/');

test('whatever a name holds, it stays one segment below the base address', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (name) => {
      fc.pre(name !== '.' && name !== '..');
      const url = resolveOnOrigin(BASE, pathOf('org', name, 'gvc'));

      const [, v1, org, segment, gvc, ...rest] = url.pathname.split('/');
      expect([v1, org, gvc, rest]).toEqual(['v1', 'org', 'gvc', []]);
      expect(decodeURIComponent(segment ?? '')).toBe(name);
      expect(url.search + url.hash).toBe('');
    }),
  );
});

test('whatever a link says, it leads to the origin of the base or is refused', () => {
  const link = fc.oneof(
    fc.webUrl(),
    fc.string(),
    fc
      .array(fc.constantFrom('/', '\\', '//', '@', ':', '?', '#', '..', 'https:', 'evil.example'))
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(link, (text) => {
      return isReadOrRefused(() => {
        const { protocol, host } = resolveOnOrigin(BASE, text);
        expect(protocol + host).toBe('https:api.example');
      });
    }),
    { numRuns: 2_000 },
  );
});

test('another scheme or port is another origin', () => {
  for (const link of ['http://api.example/v1/org', 'https://api.example:8443/v1/org']) {
    expect(() => resolveOnOrigin(BASE, link)).toThrow(PlatformError);
  }
});

test('the time runs out to the millisecond', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { signal } = startDeadline(30_000);

  vi.advanceTimersByTime(29_999);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.reason).toMatchObject({ reason: 'timeout', retryable: false });
});
