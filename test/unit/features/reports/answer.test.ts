import { describe, expect, it } from 'vitest';
import {
  createPresent,
  sendCsv,
  type AnswerServices,
} from '../../../../src/features/reports/answer.ts';
import { newState, type State } from '../../../../src/features/reports/question.ts';
import { reportOf } from '../../../../src/features/reports/report.ts';
import type { Detail, Found, Source } from '../../../../src/features/reports/source.ts';
import { flaw, note } from '../../../../src/features/reports/words.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import { controlsOf, spoken } from '../../../support/answer.ts';
import { anyAmount } from '../../../support/reports.ts';
import { askNothing, found, later, line, openQuery, reportsOf } from './support.ts';

const ann = { userId: 'U1', teamId: 'T1' };
const nothing = found([], { skipped: 2 });

/** Presents states of a source with the answers of a test. */
function startPresent(
  answer: Found | Error,
  { detail, ...changes }: Partial<Source> & { detail?: Detail } = {},
) {
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
      return reportOf(bodies, (wanted.kind === 'tiers' && detail) || answer, wanted);
    }),
    sendFile: () => Promise.reject(new Error('is not asked')),
    allowance: anyAmount(),
    clock: { now: () => later },
  });
  const show = async (state: Partial<State> = {}, page = 1) => {
    const answered = await present(ann, { ...newState(openQuery, later), ...state }, page);
    const { blocks, notes = [] } = answered;
    return { ...answered, text: spoken(answered), said: JSON.stringify(blocks), notes };
  };
  return { show };
}

describe('an answer', () => {
  it('of which nothing could be read is not one without figures', async () => {
    const { text, said } = await startPresent(nothing).show();
    expect(text).not.toContain('No charges found');
    expect(said).toContain('*Nothing could be read*');
  });

  it('in detail of which nothing could be read is not one either', async () => {
    const detail = { ...nothing, tiersOf: () => [], caveatsOf: () => [] } satisfies Detail;
    const { show } = startPresent(nothing, { detail });

    const { text, said } = await show({ detailed: true });

    expect(text).toContain('The pricing tiers cannot be read: please try again');
    expect(said).toContain('⚠ Incomplete: 2 rows of the platform’s answer could not be read');
  });

  it('beyond the retained data begins again with the first page', async () => {
    const earliestStart = Date.parse('2026-10-05T00:00:00Z');
    const expired = new PlatformError('bad-request', 'retained for 12 months', { earliestStart });
    const { asked, controls } = await startPresent(expired).show({}, 4);

    expect(asked).toMatchObject({
      page: 1,
      question: { query: { range: '2026-10-05..2026-10-31' } },
    });
    expect(controls).toMatchObject([{ action_id: 'charges.from' }]);
  });
});

describe('the controls of an answer', () => {
  const answer = found([line('acme', '1')]);
  const shownBy = async (state: Partial<State>, changes: Partial<Source> = {}) => {
    const detail: Detail = { ...answer, tiersOf: () => [], caveatsOf: () => [] };
    const { show } = startPresent(answer, { detail, canSave: true, ...changes });
    return show(state);
  };

  it('are a select with the grouping, and a menu', async () => {
    const { controls = [], menu, asked } = await shownBy({});

    expect(controls).toMatchObject([
      {
        action_id: 'charges.group',
        placeholder: { text: 'Group by' },
        initial_option: { text: { text: 'By Org' }, value: 'org' },
      },
    ]);
    expect(controlsOf({ controls })[0]?.options?.map(({ text }) => text.text)).toEqual([
      'By Org',
      'By GVC',
      'By Workload',
      'By Metric',
    ]);
    expect(menu?.map(({ text }) => text)).toEqual(['Tiers', 'CSV', 'Customize', 'Schedule']);
    expect(asked).toMatchObject({ route: 'charges.report', page: 1 });
  });

  it('offer any other grouping that the answer has', async () => {
    const { controls = [] } = await shownBy({ query: { ...openQuery, by: ['gvc', 'location'] } });
    expect(controlsOf({ controls })[0]?.options?.[0]?.text.text).toBe('By GVC, Location');
    expect(controls).toMatchObject([{ initial_option: { value: 'same' } }]);
  });

  it('of pricing tiers choose a line, and lead back', async () => {
    const { controls, menu } = await shownBy({ detailed: true });
    expect(controls).toMatchObject([{ placeholder: { text: 'Tiers of …' } }]);
    expect(menu?.map(({ text }) => text)).toEqual(['Totals', 'CSV', 'Customize', 'Schedule']);
  });

  it('schedule nothing for a member without a billing role', async () => {
    const authorize = () => Promise.resolve({ userId: 'U1', orgsOnly: 'No.' });
    const { menu } = await shownBy({}, { authorize });
    expect(menu?.map(({ text }) => text)).toEqual(['Tiers', 'CSV', 'Customize']);
  });

  it('of nothing are those that ask another question', async () => {
    const { show } = startPresent(found([]), { canSave: true });
    const { controls = [] } = await show();
    expect(controlsOf({ controls }).map(({ text }) => text?.text)).toEqual([
      'Customize',
      'Schedule',
    ]);
  });
});

describe('an answer without figures', () => {
  const single = {
    authorize: () => Promise.resolve({ userId: 'U1', orgsOnly: 'No.' }),
  };

  it('suggests the values of a tag, but not to a member limited to single orgs', async () => {
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
          'ℹ 2 chargeable items are named `memory`: they look the same, so this is all of them together.',
        ]);
      }
    },
  );
});

describe('the warnings and the notes of an answer', () => {
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

  it('name the orgs that are missing where nothing is found in the others', async () => {
    const { text } = await startPresent(found([], { missing: ['globex'] })).show();

    expect(text).toBe(
      'Charges by org · October 2026 (UTC) · without globex · No charges found in the other orgs',
    );
  });

  it('are there where nothing is found, too', async () => {
    const caveats = [note(mrkdwn`A note.`), flaw(mrkdwn`A flaw.`)];

    const { said, notes } = await startPresent(found([], { caveats })).show();

    expect(said).toContain('⚠ A flaw.');
    expect(notes).toEqual(['ℹ A note.']);
  });
});

const unasked = () => Promise.reject(new Error('is not asked'));

/** A button below an answer by day. */
async function press(answer: Found) {
  const source: Source = {
    help: { command: '/charges', summary: '', usages: [], examples: [] },
    name: 'charges',
    needs: () => 'billing',
    by: ['org'],
    authorize: unasked,
    orgs: unasked,
    usualOrgs: () => [],
    ask: askNothing,
    tagValues: unasked,
  };
  const state = newState({ ...openQuery, step: 'day' }, later);
  const services: AnswerServices = {
    sendFile: async ({ comment, title }) => {
      sent.push(`${title}: ${comment}`);
      return undefined;
    },
    reports: reportsOf(async ({ bodies, wanted }) => reportOf(bodies, answer, wanted)),
    allowance: anyAmount(),
    clock: { now: () => later },
  };
  const sent: string[] = [];
  return { ...(await sendCsv(source, services, { userId: 'U1' }, state)), sent };
}

/** The text of the answer to a click, and its small print. */
async function saidOf(answer: Found) {
  const answered = await press(answer);
  const small = answered.blocks.flatMap((block) =>
    block.type === 'context' ? block.elements.map((one) => 'text' in one && one.text) : [],
  );
  return [spoken(answered).split('\n')[0], ...small];
}

describe('a file', () => {
  const acme = line('acme', '5', { days: { 1: '5' } });
  const lines = [acme, line('globex', '3', { days: { 2: '3' } })];
  const where = 'in `charges-2026-10-per-day.csv`, in your messages with Purser.';
  const low = flaw(mrkdwn`The sums may be too low.`);

  it('has what is missing from it in its own comment', async () => {
    const { sent } = await press(found(lines, { skipped: 3, missing: ['initech'] }));
    const gap = '⚠ Incomplete: without initech; 3 rows of the platform’s answer could not be read.';
    expect(sent.join().split('\n')).toEqual([
      'Charges by org per day (CSV): Charges by org per day, October 2026 (/charges 2026-10 step day)',
      gap,
    ]);
  });

  it('of everything says so', async () => {
    const whole = { caveats: [note(mrkdwn`Rates can differ.`)] };
    expect(await saidOf(found(lines, whole))).toEqual([`All 2 rows are ${where}`]);
    expect(await saidOf(found([acme], whole))).toEqual([`The only row is ${where}`]);
  });

  it('that lacks something, or may lack it, names the gap, and does not claim to be complete', async () => {
    const caveats = [note(mrkdwn`Rates can differ.`), low];
    expect(await saidOf(found(lines, { caveats }))).toEqual([
      `2 rows are ${where}`,
      '⚠ The sums may be too low.',
    ]);
    expect(await saidOf(found([acme], { skipped: 3 }))).toEqual([
      `1 row is ${where}`,
      '⚠ Incomplete: 3 rows of the platform’s answer could not be read.',
    ]);
  });
});
