import { describe, expect, it } from 'vitest';
import {
  createPresent,
  sendChart,
  sendCsv,
  type AnswerServices,
} from '../../../../src/features/reports/answer.ts';
import { newState, type State } from '../../../../src/features/reports/question.ts';
import { reportOf } from '../../../../src/features/reports/report.ts';
import type { Detail, Found, Source } from '../../../../src/features/reports/source.ts';
import { flaw, note } from '../../../../src/features/reports/words.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import { anyAmount } from '../../../support/reports.ts';
import { askNothing, found, later, line, openQuery, reportsOf } from './support.ts';

const ann = { userId: 'U1', teamId: 'T1' };
const nothing = found([], { skipped: 2 });

/** Presents states of a source that answers what a test says; what is kept is written down. */
function startPresent(
  answer: Found | Error,
  { detail, ...changes }: Partial<Source> & { detail?: Detail } = {},
) {
  const kept: State[] = [];
  const source: Source = {
    help: { command: '/charges', summary: '', usages: [], examples: [] },
    name: 'charges',
    needs: () => 'billing',
    by: ['org'],
    authorize: ({ userId }) => Promise.resolve({ userId }),
    orgs: () => Promise.resolve([]),
    usualOrgs: () => [],
    ask: async (question) => {
      if (answer instanceof Error) throw answer;
      return askNothing(question);
    },
    ...(detail && { hasTiers: true }),
    tagValues: () => Promise.reject(new Error('is not asked')),
    ...changes,
  };
  const present = createPresent(source, {
    reports: reportsOf(async ({ bodies, wanted }) => {
      if (answer instanceof Error) throw answer;
      const nobody = () => Promise.reject(new Error('is not asked'));
      return reportOf(bodies, (wanted.kind === 'tiers' && detail) || answer, wanted, nobody);
    }),
    sendFile: () => Promise.reject(new Error('is not asked')),
    allowance: anyAmount(),
    clock: { now: () => later },
    interactions: {
      put: async (_, state) => `kept-${kept.push(state as State)}`,
      get: () => Promise.reject(new Error('is not asked')),
    },
  });
  const show = async (state: Partial<State> = {}, person = ann) => {
    const {
      blocks,
      text,
      notes = [],
    } = await present(person, {
      ...newState('charges', openQuery, later),
      ...state,
    });
    return { text, said: JSON.stringify(blocks), notes };
  };
  return { show, kept };
}

describe('an answer', () => {
  it('of which nothing could be read is not one without figures', async () => {
    const { text, said } = await startPresent(nothing).show();
    expect(text).not.toContain('No charges found');
    expect(said).toContain('⚠ 2 rows of the platform’s answer could not be read');
  });

  it('in detail of which nothing could be read is not one either', async () => {
    const detail = { ...nothing, tiersOf: () => [], caveatsOf: () => [] } satisfies Detail;
    const { show } = startPresent(nothing, { detail });

    const { text, said } = await show({ detailed: true });

    expect(text).toContain('The pricing tiers cannot be read: please try again');
    expect(said).toContain('⚠ 2 rows of the platform’s answer could not be read');
  });

  it('beyond what is kept begins again with the first page', async () => {
    const earliestStart = Date.parse('2026-10-05T00:00:00Z');
    const expired = new PlatformError('bad-request', 'retained for 12 months', { earliestStart });
    const { show, kept } = startPresent(expired);

    await show({ page: 4 });

    expect(kept).toMatchObject([{ page: 1, query: { range: '2026-10-05..2026-10-31' } }]);
  });
});

describe('an answer without figures', () => {
  const single = {
    authorize: () => Promise.resolve({ userId: 'U1', orgsOnly: 'No.' }),
  };

  it('suggests the values of a tag, but not to who may ask for single orgs alone', async () => {
    const tags = '`/charges tags gvc last 3 months`';

    expect((await startPresent(found([])).show()).said).toContain(tags);
    const { said } = await startPresent(found([]), single).show();
    expect(said).toContain('No charges found. Try');
    expect(said).not.toContain('/charges tags');
  });

  it('suggests nothing where there is nothing else to ask for', async () => {
    const query = { ...openQuery, range: 'last 100 months' };
    const { said } = await startPresent(found([]), single).show({ query });
    expect(said).toContain('No charges found."');
  });
});

describe('an answer by item', () => {
  const item = {
    id: 'i1',
    name: 'memory',
    description: '',
    consumptionTags: {},
    unit: 'u',
    type: undefined,
  };
  const items = [item, { ...item, id: 'i2' }, { ...item, id: 'i3', name: 'cpu' }];
  const knownItems = () => Promise.resolve({ items, skipped: 0 });
  const answer = found([line('acme', '1')]);
  const detail: Detail = { ...answer, tiersOf: () => [], caveatsOf: () => [] };
  const { show } = startPresent(answer, { knownItems, detail });

  it.each([[['i2']], [['memory']], [['cpu', 'Memory']]])(
    'of %j says that other items have the same name, also in detail',
    async (asked) => {
      const query = { ...openQuery, items: asked };
      for (const detailed of [false, true]) {
        expect((await show({ query, detailed })).notes).toEqual([
          'ℹ 2 chargeable items are named `memory`: they cannot be told apart, so this is all of them together.',
        ]);
      }
    },
  );
});

describe('what is wrong with an answer, and what explains it', () => {
  it('are its small print and its notes', async () => {
    const caveats = [note(mrkdwn`A note.`), flaw(mrkdwn`A flaw.`)];
    const detail: Detail = {
      ...found([line('acme', '1')]),
      tiersOf: () => [],
      caveatsOf: () => caveats,
    };
    const { show } = startPresent(found([line('acme', '1')], { caveats }), { detail });

    for (const detailed of [false, true]) {
      const { said, notes } = await show({ detailed });
      expect(said).toContain('⚠ A flaw.');
      expect(said).not.toContain('A note.');
      expect(notes).toEqual(['ℹ A note.']);
    }
  });

  it('are there where nothing is found, too', async () => {
    const caveats = [note(mrkdwn`A note.`), flaw(mrkdwn`A flaw.`)];

    const { said, notes } = await startPresent(found([], { caveats })).show();

    expect(said).toContain('⚠ A flaw.');
    expect(notes).toEqual(['ℹ A note.']);
  });
});

const nobody = () => Promise.reject(new Error('is not asked'));

/** A button below an answer by day. */
function press(send: typeof sendCsv, answer: Found) {
  const source: Source = {
    help: { command: '/charges', summary: '', usages: [], examples: [] },
    name: 'charges',
    needs: () => 'billing',
    by: ['org'],
    authorize: nobody,
    orgs: nobody,
    usualOrgs: () => [],
    ask: askNothing,
    tagValues: nobody,
  };
  const state = newState('charges', { ...openQuery, step: 'day' }, later);
  const services: AnswerServices = {
    sendFile: () => Promise.resolve(undefined),
    reports: reportsOf(({ bodies, wanted }) =>
      reportOf(bodies, answer, wanted, async () => new Uint8Array()),
    ),
    interactions: { put: nobody, get: nobody },
    allowance: anyAmount(),
    clock: { now: () => later },
  };
  return send(source, services, { userId: 'U1' }, state);
}

/** What the answer to a click says, and its small print. */
async function saidOf(send: typeof sendCsv, answer: Found) {
  const { text, blocks } = await press(send, answer);
  const small = blocks.flatMap((block) =>
    block.type === 'context' ? block.elements.map((one) => 'text' in one && one.text) : [],
  );
  return [text, ...small];
}

it('a chart of which there is nothing to draw says what bars cannot show, and asks for no step that is there', async () => {
  const credits = found([line('acme', '-5', { days: { 1: '-5' } })]);
  await expect(press(sendChart, credits)).rejects.toThrow(
    'There is nothing to draw: no step is above 0.',
  );
});

describe('a file', () => {
  const acme = line('acme', '5', { days: { 1: '5' } });
  const lines = [acme, line('globex', '3', { days: { 2: '3' } })];
  const where = 'in `charges-2026-10.csv`, in your messages with Purser.';
  const low = flaw(mrkdwn`The sums may be too low.`);

  it('of everything says so', async () => {
    const whole = { caveats: [note(mrkdwn`Rates can differ.`)] };
    expect(await saidOf(sendCsv, found(lines, whole))).toEqual([`All 2 rows are ${where}`]);
    expect(await saidOf(sendCsv, found([acme], whole))).toEqual([`The only row is ${where}`]);
  });

  it('that lacks something, or may lack it, says what, and does not say that it is all', async () => {
    const caveats = [note(mrkdwn`Rates can differ.`), low];
    expect(await saidOf(sendCsv, found(lines, { caveats }))).toEqual([
      `2 rows are ${where}`,
      '⚠ The sums may be too low.',
    ]);
    expect(await saidOf(sendCsv, found([acme], { skipped: 3 }))).toEqual([
      `1 row is ${where}`,
      '⚠ 3 rows of the platform’s answer could not be read: the totals are too low.',
    ]);
  });

  it('with a chart says what it lacks, too', async () => {
    expect(await saidOf(sendChart, found(lines, { caveats: [low] }))).toEqual([
      'The chart is in `charges-2026-10.png`, in your messages with Purser.',
      '⚠ The sums may be too low.',
    ]);
    expect(await saidOf(sendChart, found(lines))).toHaveLength(1);
  });
});
