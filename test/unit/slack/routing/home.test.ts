import { EventEmitter, once } from 'node:events';
import type { HomeView } from '@slack/types';
import { expect, it } from 'vitest';
import { createLogger } from '../../../../src/lib/logger.ts';
import { section } from '../../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import { createHome } from '../../../../src/slack/routing/home.ts';
import { nativeBlocks } from '../../../support/native-blocks.ts';

/** The home tab with one part that is read once for each text, and the published views. */
function openHome(texts: readonly Promise<string>[]) {
  const left = [...texts];
  const published: string[] = [];
  const publish = ({ view }: { view: HomeView }) => {
    published.push(JSON.stringify(view.blocks));
    return Promise.resolve({ ok: true });
  };
  const home = createHome(
    {
      slack: { views: { publish } } as never,
      authorize: () => Promise.resolve(),
      principal: () => Promise.resolve({}),
      scrub: (text) => text,
      native: nativeBlocks(),
      clock: { now: () => 0 },
      explain: () => undefined,
      stopping: new AbortController().signal,
      logger: createLogger({ level: 'silent', secrets: [] }),
    },
    [
      {
        title: 'Sums',
        rank: 1,
        fill: async () => [section(mrkdwn`${(await left.shift()) ?? 'asked too often'}`)],
      },
    ],
  );
  return { home, published };
}

it('the home tab of a person whose organization has several workspaces is one, although a visit and a click name different ones', async () => {
  const slow = new EventEmitter();
  const old = once(slow, 'read').then(() => 'the old sum');
  const { home, published } = openHome([old, Promise.resolve('the new sum')]);

  const visit = home.show({ userId: 'U0ADA', teamId: 'T0ACME' });
  await home.refresh({ userId: 'U0ADA', teamId: 'T0SALES' });
  slow.emit('read');
  await visit;

  expect(published.at(-1)).toContain('the new sum');
  expect(published.join('\n')).not.toContain('the old sum');
});
