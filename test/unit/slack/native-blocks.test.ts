import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { section } from '../../../src/slack/kit/blocks.ts';
import { chart } from '../../../src/slack/kit/charts.ts';
import { dataTable } from '../../../src/slack/kit/tables.ts';
import { mrkdwn } from '../../../src/slack/kit/text.ts';
import { nativeBlocks } from '../../support/native-blocks.ts';

const NATIVE: KnownBlock[] = [
  section(mrkdwn`Charges`),
  dataTable({ caption: 'Charges', columns: ['Org'], rows: [{ cells: ['acme'] }] }),
  chart({
    title: 'Spend',
    type: 'line',
    points: ['1 Nov'],
    series: [{ name: 'acme', values: [1] }],
  }),
];
const [SHOWN, PLAIN, WORDS] = [
  'section data_table data_visualization',
  'section table context',
  '',
];

/** A Slack that takes some kinds of blocks, and lists every message that it was sent, in order. */
function slack(takes: (types: string) => boolean, native = nativeBlocks()) {
  const sent: string[] = [];
  const send = (
    blocks: KnownBlock[] | undefined = NATIVE,
    surface: 'private' | 'home' = 'private',
  ) =>
    native.send(
      surface,
      blocks,
      async (tried = []) => {
        const types = tried.map(({ type }) => type).join(' ');
        sent.push(types);
        return takes(types) ? 'taken' : 'refused';
      },
      (result) => result === 'refused',
    );
  return { sent, send };
}

describe('an answer with a data table and a chart', () => {
  it('arrives as it is where Slack takes it', async () => {
    const { sent, send } = slack(() => true);
    await expect(send()).resolves.toBe('taken');
    expect(sent).toEqual([SHOWN]);
  });

  it('arrives with a table and words where Slack does not, at once the next time', async () => {
    const { sent, send } = slack((types) => types !== SHOWN);
    await send();
    await send();
    expect(sent).toEqual([SHOWN, PLAIN, PLAIN]);
  });

  it('is tried on another surface all the same', async () => {
    const { sent, send } = slack((types) => types !== SHOWN);
    await send();
    await send(NATIVE, 'home');
    expect(sent).toEqual([SHOWN, PLAIN, SHOWN, PLAIN]);
  });

  it('arrives without blocks where these are refused for something else, and native ones are tried again', async () => {
    const { sent, send } = slack((types) => types === WORDS);
    await send();
    await send();
    expect(sent).toEqual([SHOWN, PLAIN, WORDS, SHOWN, PLAIN, WORDS]);
  });
});

it('an answer of other blocks is never sent twice for their sake', async () => {
  const { sent, send } = slack((types) => types === WORDS);
  await send([section(mrkdwn`Charges`)]);
  expect(sent).toEqual(['section', WORDS]);
});
