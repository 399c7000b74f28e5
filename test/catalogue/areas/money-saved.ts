import { UsageError } from '../../../src/lib/errors.ts';
import { parseQuery, type ReportQuery } from '../../../src/reporting/query.ts';
import { resolveRange } from '../../../src/reporting/range.ts';
import { reportOfSlot } from '../../../src/reporting/schedule.ts';
import { splitWords } from '../../../src/lib/words.ts';
import {
  CHARGES_HELP,
  createReportGrammar,
  USAGE_HELP,
} from '../../../src/features/reports/grammar.ts';
import { makeSaved, type Saved } from '../../../src/features/reports/saved.ts';
import {
  channelsFor,
  createSavedRoutes,
  readScheduleForm,
  scheduleForm,
  SCHEDULE_FIELDS,
} from '../../../src/features/reports/saved-routes.ts';
import {
  askedAnswer,
  byPost,
  endedPost,
  foreignWarning,
  heldPost,
  judgedPost,
  NO_UNIT,
  NOT_CONFIRMED,
  otherCurrency,
  releasedPost,
  savedListAnswer,
  savedPost,
  scheduledAnswer,
  stoppedForOwner,
  unansweredPost,
  unwatchedAnswer,
} from '../../../src/features/reports/saved-view.ts';
import { savedOf } from '../../../src/features/reports/saved-make.ts';
import type { AudienceReading } from '../../../src/slack/audience.ts';
import type { Source } from '../../../src/features/reports/source.ts';
import type { FormValues } from '../../../src/slack/routing/routes.ts';
import { COMPANY } from '../../support/audience.ts';
import { servicesOf } from '../../support/reports.ts';
import { answer, modal, NOW, post, refusal, type Area } from '../entry.ts';
import { amount, CURRENCY } from './money-data.ts';
import { startReports, type World } from './reports-bot.ts';
import { meter, METERS } from './reports-data.ts';

const VIEW = { currency: CURRENCY, everyMs: 900_000, now: NOW, command: '/charges' };

function wordsOf(line: string) {
  const split = splitWords(line);
  if ('problem' in split) throw new UsageError(split.problem);
  return split.words;
}

/** A saved question of Ada's: by default the charges of yesterday by workload, every day at nine. */
function saved(changes: Partial<Saved> = {}, line = 'yesterday by workload'): Saved {
  return {
    source: 'charges',
    query: parseQuery(wordsOf(line)),
    channel: 'C0BILLING',
    by: { userId: 'U0ADA', teamId: 'T0ACME' },
    trigger: { kind: 'answer', every: 'daily', at: '09:00', zone: 'Europe/London' },
    ...changes,
  };
}

const budget = saved({ trigger: { kind: 'over', amount: '800' } }, 'this month where gvc=shop');
const cores = saved(
  { source: 'usage', trigger: { kind: 'over', amount: '13000', unit: 'core-hours' } },
  'this month of cpu',
);
const monthly = saved({
  trigger: { kind: 'answer', every: 'monthly', at: '00:30', zone: 'Etc/UTC' },
});
const weekly = saved(
  { trigger: { kind: 'answer', every: 'weekly', at: '08:30', zone: 'America/New_York' } },
  'last week by org',
);

/** The answer to a question, as the page that is posted. */
async function reportOf(line: string, world: World = {}) {
  const posted = { isShort: true, ...world.posted };
  const { blocks } = await startReports({ ...world, posted }).type(line);
  return { blocks };
}

/** The sum of a question beside its amount; of cores in core-hours. */
async function judged(
  how: Parameters<typeof judgedPost>[0],
  question: Saved,
  [line, value, warnings = [], estimate]: [string, number, string[]?, string?],
  world: World = {},
) {
  const { trigger, query } = question;
  if (trigger.kind !== 'over') throw new Error('it has no amount');
  const { blocks } = await reportOf(line, { ...world, posted: { withoutEstimate: true } });
  return judgedPost(
    how,
    { number: '3', saved: question },
    {
      threshold: trigger,
      range: resolveRange(query.range, NOW),
      value: amount(value),
      unit: trigger.unit === undefined ? undefined : 'core-seconds',
      size: amount(trigger.unit === undefined ? 1 : 3_600),
      estimate,
      blocks: blocks.slice(0, 1),
      warnings,
    },
    CURRENCY,
  );
}

const UNPRICED = [...METERS.slice(0, 3), meter('replicas', 3_600)];
const SHOP = '/charges this month by workload where gvc=shop';
const rolling = saved({ trigger: { kind: 'over', amount: '800' } }, 'last 7 days where gvc=shop');
const sydney = saved(
  { trigger: { kind: 'answer', every: 'monthly', at: '09:00', zone: 'Australia/Sydney' } },
  'last month',
);

/** The form of a question, new or saved, with the mistakes of a person who filled it in. */
function form(question: Saved, isNew: boolean, filled?: FormValues) {
  const query: ReportQuery = {
    ...question.query,
    by: question.query.by,
    step: question.query.step,
  };
  const { source, trigger } = question;
  const shown = scheduleForm({
    source,
    query,
    trigger: isNew ? undefined : trigger,
    usualTime: '09:00',
    channels: channelsFor('C0OPS', isNew ? undefined : 'C0BILLING', 'C0FINANCE'),
    currency: CURRENCY,
    state: '',
  });
  const read =
    filled && readScheduleForm(filled, { query, currency: CURRENCY, trigger: undefined });
  return read !== undefined && 'errors' in read ? { ...shown, errors: read.errors } : shown;
}

/** Refusals of what a person wants to save, by a workspace and a platform with these answers. */
function unsavable(
  id: string,
  when: string,
  world: {
    isIn?: boolean;
    isUsage?: true;
    isZoneless?: true;
    /** PERSON_LIMIT. */
    personLimit?: number;
    /** Slack's answer about the channel's readers. */
    reading?: AudienceReading;
    /** Where it is typed. */
    here?: string;
  },
) {
  const source = {
    name: world.isUsage ? 'usage' : 'charges',
    authorize: async () => ({ userId: 'U0ADA' }),
    usualOrgs: () => [],
  } as unknown as Source;
  const services = servicesOf({
    access: { requireRole: async () => undefined },
    audience: {
      audienceOf: async () =>
        world.reading ?? { audience: { ...COMPANY, isMember: world.isIn ?? true } },
    },
    clock: { now: () => NOW },
    config: { digest: { time: { hour: 9, minute: 0 } }, personLimit: world.personLimit ?? 0 },
    keys: { savedQuestions: 'saved-questions' },
    redis: {
      hget: async () => '100',
      hgetall: async () =>
        Object.fromEntries(
          Array.from({ length: 100 }, (_, at) => [
            `${at}`,
            JSON.stringify({ ...saved(), madeAt: 0 }),
          ]),
        ),
    },
    slack: {
      users: { info: () => Promise.reject(new Error('ratelimited')) },
      conversations: { open: async () => ({ channel: { id: 'D0ADA' } }) },
    },
  });
  const person = { userId: 'U0ADA', teamId: 'T0ACME' };
  return refusal(id, when, async () => {
    const query = parseQuery([]);
    const trigger = world.isZoneless ? { every: 'daily' as const } : { over: '5' };
    const wanted = { query, trigger, channel: undefined };
    const question = await savedOf(
      source,
      services,
      { person, here: world.here ?? 'C0BILLING' },
      wanted,
    );
    await makeSaved(services, question);
  });
}

const mistake = (id: string, when: string, line: string, of = CHARGES_HELP) =>
  refusal(
    id,
    when,
    () => {
      const currency = of === CHARGES_HELP ? CURRENCY : undefined;
      const name = of === CHARGES_HELP ? 'charges' : 'usage';
      createReportGrammar(name, currency).parse(wordsOf(`watch ${line}`));
      throw new Error('it was read');
    },
    of,
  );

export const savedQuestions: Area = {
  id: 'saved-questions',
  title: 'Saved questions',
  entries: [
    answer(
      'saved-asked',
      'A person watches a question in a channel: a click is still needed.',
      () => askedAnswer(saved(), { ...VIEW, guests: 0 }),
    ),
    answer('saved-asked-guests', 'The same, where guests read.', () =>
      askedAnswer(saved(), { ...VIEW, guests: 2 }),
    ),
    answer('saved-asked-guests-unknown', 'The same, in a channel with many members.', () =>
      askedAnswer(saved(), { ...VIEW, guests: 'unknown' }),
    ),
    answer('saved-asked-over', 'The same, with an amount.', () =>
      askedAnswer(budget, { ...VIEW, guests: 0 }),
    ),
    answer('saved-scheduled', 'Schedule was clicked, and agreed to.', () =>
      scheduledAnswer({ number: '3', saved: saved() }, { ...VIEW, done: 'Scheduled' }),
    ),
    answer(
      'saved-scheduled-direct',
      'The same in the messages of one person, without a question.',
      () =>
        scheduledAnswer(
          { number: '3', saved: { ...budget, channel: 'D0ADA' } },
          { ...VIEW, done: 'Scheduled' },
        ),
    ),
    answer('saved-changed', 'A saved question was changed in its form.', () =>
      scheduledAnswer({ number: '3', saved: weekly }, { ...VIEW, done: 'Changed' }),
    ),
    answer('saved-scheduled-waits', 'It is of a month that ends later in UTC than there.', () =>
      scheduledAnswer({ number: '3', saved: sydney }, { ...VIEW, done: 'Scheduled' }),
    ),
    answer('saved-scheduled-rolling', 'A budget of the last 7 days is made.', () =>
      scheduledAnswer({ number: '3', saved: rolling }, { ...VIEW, done: 'Scheduled' }),
    ),
    answer('saved-changed-due', 'The answer of today had not come, and its time has passed.', () =>
      scheduledAnswer(
        { number: '3', saved: saved(), day: '2026-11-20' },
        { ...VIEW, done: 'Changed' },
      ),
    ),
    answer('saved-resumed', 'Resume was clicked.', () =>
      scheduledAnswer({ number: '3', saved: saved() }, { ...VIEW, done: 'Resumed' }),
    ),
    modal('saved-form', 'Schedule below an answer was clicked.', () => form(saved(), true)),
    modal('saved-form-usage', 'The same below an answer about usage.', () => form(cores, true)),
    modal('saved-form-change', 'Change of a budget was clicked.', () => form(budget, false)),
    modal('saved-form-monthly', 'Change of a monthly answer was clicked.', () =>
      form(monthly, false),
    ),
    modal('saved-form-wrong', 'Neither the time nor the amount can be read.', () =>
      form(saved(), true, {
        [SCHEDULE_FIELDS.every]: 'daily',
        [SCHEDULE_FIELDS.at]: 'noon',
        [SCHEDULE_FIELDS.over]: 'a lot',
      }),
    ),
    modal('saved-form-empty', 'The amount is missing.', () =>
      form(saved(), true, { [SCHEDULE_FIELDS.every]: 'never' }),
    ),
    modal('saved-form-both', 'How often and an amount are both there.', () =>
      form(saved(), true, {
        [SCHEDULE_FIELDS.every]: 'daily',
        [SCHEDULE_FIELDS.at]: '09:00',
        [SCHEDULE_FIELDS.over]: '500',
      }),
    ),
    unsavable('saved-not-there', 'Purser is not in the channel.', { isIn: false }),
    unsavable('saved-shared', 'Another company reads the channel.', {
      reading: { audience: { ...COMPANY, isShared: true } },
    }),
    unsavable('saved-unread', 'Slack does not answer who reads the channel.', {
      reading: { unread: 'no answer' },
    }),
    unsavable('saved-scopeless', 'A scope is missing.', { reading: { unread: 'missing_scope' } }),
    unsavable('saved-archived', 'The channel is archived.', {
      reading: { audience: { ...COMPANY, isArchived: true } },
    }),
    unsavable('saved-other-direct', 'It is typed in a conversation of two people.', {
      here: 'D0OTHERS',
    }),
    unsavable('saved-no-zone', 'Slack omits the time zone.', { isZoneless: true }),
    unsavable('saved-full', 'There are as many as there may be.', {}),
    unsavable('saved-full-own', 'One person has as many as one may.', { personLimit: 30 }),
    unsavable('saved-metrics', 'An amount of usage is of no metric.', { isUsage: true }),
    refusal(
      'saved-after-list',
      'Something follows "watches".',
      () => startReports().type('/charges watches all'),
      CHARGES_HELP,
    ),
    answer('saved-list', 'The schedules of a channel, and the stopped notifications.', () =>
      savedListAnswer(
        [
          { number: '1', saved: saved() },
          { number: '3', saved: budget },
          { number: '4', saved: cores },
          { number: '12', saved: weekly },
          { number: '13', saved: monthly },
          { number: '14', saved: sydney, endedAt: NOW - 86_400_000 },
          { number: '15', saved: saved(), heldSince: NOW - 86_400_000 },
          { number: '16', saved: saved({ channel: 'D0ADA' }) },
        ],
        [
          { topic: 'digest', by: 'U0BEN', at: NOW - 86_400_000 },
          { topic: 'alert', by: 'U0BEN', at: NOW - 86_400_000 },
        ],
        VIEW,
      ),
    ),
    answer('saved-list-none', 'The list is empty.', () => savedListAnswer([], [], VIEW)),
    answer('saved-list-many', 'There are more than one message can hold.', () =>
      savedListAnswer(
        Array.from({ length: 34 }, (_, at) => ({ number: `${at + 1}`, saved: saved() })),
        [],
        VIEW,
      ),
    ),
    answer('saved-stopped', 'One is ended.', () => unwatchedAnswer('3', budget, VIEW)),
    answer('saved-unknown', 'There is not one of that number.', () =>
      unwatchedAnswer('9', undefined, VIEW),
    ),
    post('saved-post', 'It is nine in London: the answer is posted.', async () =>
      savedPost(
        { number: '1', saved: saved({}, 'yesterday by gvc') },
        await reportOf('/charges yesterday by gvc'),
      ),
    ),
    post('saved-crossed', 'The charges of a GVC are over their budget.', () =>
      judged('crossed', budget, [SHOP, 828.06, [], 'about $1,160 by 30 November']),
    ),
    post('saved-crossed-flawed', 'The same, and a part could not be read.', () =>
      judged('crossed', budget, [SHOP, 828.06], { skipped: 2 }),
    ),
    post('saved-crossed-foreign', 'A part is in another currency.', () => {
      const euros = { measure: { kind: 'money', currency: 'EUR' }, value: '90.5' } as const;
      return judged('crossed', budget, [SHOP, 828.06, [foreignWarning(euros)]]);
    }),
    post('saved-post-unpriced', 'Some of the reported usage has no price.', async () =>
      savedPost(
        { number: '1', saved: saved({}, 'last month by metric') },
        await reportOf('/charges last month by metric', { meters: UNPRICED }),
      ),
    ),
    post('saved-crossed-usage', 'The usage is over an amount.', () =>
      judged('crossed', cores, ['/usage this month of cpu', 13_478]),
    ),
    post('saved-unclear', 'A part could not be read for an hour, and the rest is below.', () =>
      judged('unclear', budget, [SHOP, 400], { skipped: 2 }),
    ),
    post('saved-clear', 'Then every part can be read again.', () =>
      judged('clear', budget, [SHOP, 400]),
    ),
    post('saved-post-waited', 'A month ended later in UTC than in Sydney.', async () =>
      savedPost({ number: '1', saved: sydney }, await reportOf('/charges last month'), {
        at: Date.parse('2026-10-31T22:00:00Z'),
        ...reportOfSlot('last month', { day: '2026-11-01', at: 0 }),
      }),
    ),
    post('saved-unanswered', 'A question could not be answered for an hour.', () =>
      unansweredPost(
        { number: '3', saved: budget },
        'There is no org "initech" here: there are acme and globex.',
      ),
    ),
    post('saved-unanswered-unit', 'The unit of its metric is unknown.', () =>
      unansweredPost({ number: '3', saved: cores }, NO_UNIT),
    ),
    post('saved-unanswered-currency', 'Its charges are in another currency.', () =>
      unansweredPost({ number: '3', saved: budget }, otherCurrency(CURRENCY)),
    ),
    post('saved-unanswered-identity', 'Its owner has a new Slack account.', () =>
      unansweredPost({ number: '3', saved: budget }, NOT_CONFIRMED),
    ),
    post('saved-ended', 'Its owner lost the role.', () =>
      endedPost({ number: '3', saved: budget }, NOW),
    ),
    post('saved-ended-usage', 'The same, of a question of /usage.', () =>
      endedPost({ number: '3', saved: cores }, NOW),
    ),
    refusal('saved-not-paused', 'Resume was clicked twice.', async () => {
      const { actions } = createSavedRoutes(
        { name: 'charges', help: CHARGES_HELP } as unknown as Source,
        servicesOf({
          config: {},
          keys: { savedQuestions: 'saved-questions' },
          redis: { hmget: async () => [JSON.stringify({ ...saved(), madeAt: 0 }), '{"told":[]}'] },
        }),
      );
      const person = { userId: 'U0ADA', teamId: 'T0ACME' };
      const resume = actions.find(({ actionId }) => actionId === 'charges.resume');
      await resume?.run({ person, channelId: 'C0BILLING', value: '3' });
    }),
    post('saved-stopped-by', 'A person stopped it.', () =>
      byPost('stopped', { number: '3', saved: budget }, 'U0BEN'),
    ),
    post('saved-stopped-owner', 'Its owner reads who stopped it.', () =>
      stoppedForOwner({ number: '3', saved: budget }, 'U0BEN'),
    ),
    post('saved-held', 'Its channel was shared with another company.', () =>
      heldPost({ number: '3', saved: budget }),
    ),
    post('saved-held-over', 'The channel is the company’s own again.', () =>
      releasedPost({ number: '3', saved: budget }, NOW - 5_400_000, NOW),
    ),
    post('saved-resumed-by', 'A person resumed it.', () =>
      byPost('resumed', { number: '3', saved: budget }, 'U0BEN'),
    ),
    mistake('saved-no-cadence', 'It says neither how often nor which amount.', 'by workload'),
    mistake('saved-twice', 'It says twice how often.', 'daily weekly'),
    mistake('saved-at-twice', 'It has two times.', 'daily at 09:00 at 10:00'),
    mistake('saved-over-twice', 'It names two amounts.', 'over 5 over 6'),
    mistake('saved-in-twice', 'It names two channels.', 'daily in <#C0BILLING|b> in <#C0OPS|o>'),
    mistake('saved-at', 'The time is not one.', 'daily at noon'),
    mistake('saved-over', 'The amount is missing.', 'over'),
    mistake('saved-over-readings', 'The amount has a point before three digits.', 'over 1.500'),
    mistake('saved-over-words', 'The amount is not one.', 'over budget'),
    mistake('saved-over-foreign', 'The amount is in another currency.', 'over 500 EUR'),
    mistake(
      'saved-over-usage',
      'The amount of a quantity has a currency.',
      'of cpu over $5',
      USAGE_HELP,
    ),
    refusal(
      'saved-mistyped',
      'The word is mistyped.',
      () => startReports().type('/charges wacth'),
      CHARGES_HELP,
    ),
    refusal(
      'saved-without-watch',
      'A schedule is typed without "watch".',
      () => startReports().type('/charges yesterday daily'),
      CHARGES_HELP,
    ),
    refusal(
      'saved-number',
      'The number of the schedule to end is missing.',
      () => startReports().type('/charges unwatch'),
      CHARGES_HELP,
    ),
    refusal(
      'saved-not-a-number',
      'A word is typed in place of the number of the schedule to end.',
      () => startReports().type('/charges unwatch shop'),
      CHARGES_HELP,
    ),
  ],
};
