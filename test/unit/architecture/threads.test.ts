import { expect, it } from 'vitest';
import { packagesFrom, readBot } from '../../architecture/source.ts';

// The thread keeps every module that it loads for as long as it lives, out of the memory for reports (ADR 18).
it('the thread of the reports loads no client of any API', () => {
  const loaded = packagesFrom('report-thread.ts', readBot());

  expect(loaded).not.toContain('undici');
  expect(loaded).not.toContain('bullmq');
  expect(loaded).not.toContain('ioredis');
  expect(loaded).not.toContain('@slack/bolt');
  expect(loaded).toContain('yaml');
});

it('the thread that answers Slack parses no manifests', () => {
  const loaded = packagesFrom('app.ts', readBot());

  expect(loaded).toContain('undici');
  expect(loaded).not.toContain('yaml');
});
