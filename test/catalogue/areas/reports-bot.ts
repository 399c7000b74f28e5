import { denied, READERS } from '../../../src/access/policy.ts';
import type { ReportInput, Wanted } from '../../../src/features/reports/report.ts';
import { ReportFailed, type Reports } from '../../../src/lib/threads.ts';
import { rfc3339, stepsOf } from '../../../src/reporting/range.ts';
import { UsageError } from '../../../src/lib/errors.ts';
import { splitWords } from '../../../src/lib/words.ts';
import type {
  AccountChargeQuery,
  ChargesClient,
  OrgCharges,
} from '../../../src/platform/billing/charges.ts';
import type { Aggregation, ChargeableItem } from '../../../src/platform/billing/charge-rows.ts';
import {
  checkChargeQuery,
  checkTagValuesQuery,
  checkUsageQuery,
  explainQuery,
  type ConsumptionQuery,
  type TagValuesQuery,
} from '../../../src/platform/consumption/query.ts';
import { PlatformError, reasonOfStatus } from '../../../src/platform/errors.ts';
import type { Answer, FormContent, FormValues } from '../../../src/slack/routing/routes.ts';
import type { Upload } from '../../../src/slack/files.ts';
import { keptHere } from '../../support/kept.ts';
import { createReportsHere, reportsHere } from '../../support/reports.ts';
import { chargesBody, tiersBody, usageBody } from '../../support/platform-bodies.ts';
import { answer, NOW, type Entry } from '../entry.ts';
import { answerOf, charged, ITEMS, METERS, passes, priced, type Meter } from './reports-data.ts';
import { typeWords } from '../../support/command.ts';

/** `/charges` and `/usage` before an account of fixed data. */

/** Differences from the usual account. */
export interface World {
  readonly nowMs?: number;
  readonly meters?: readonly Meter[];
  /** Charges that are written down, in the span that is asked for and the one before it. */
  readonly charges?: Parameters<typeof charged>[1];
  readonly before?: Parameters<typeof charged>[1] | 'down';
  readonly items?: readonly ChargeableItem[] | 'down';
  readonly orgs?: readonly string[] | 'down';
  /** Things that could not be read, in every answer. */
  readonly skipped?: number;
  /** How old every answer is, ms. */
  readonly age?: number;
  /** The values of tags, where they are not those of the meters. */
  readonly values?: Readonly<Record<string, readonly string[]>> | 'down';
  /** The person may not query the account, and single orgs are open (ORG_CHARGES). */
  readonly orgForm?: 'acme by default' | 'no default' | 'key refused';
  /** Orgs whose usage no one gets, and why. */
  readonly failing?: Readonly<Record<string, PlatformError>>;
  /** Why the answer of the platform is not shown. */
  readonly unmade?: ReportFailed['reason'];
  /** Totals are made for a channel that gets them by itself. */
  readonly posted?: Pick<Extract<Wanted, { kind: 'totals' }>, 'isShort' | 'withoutEstimate'>;
  /** Slack omits the address of a file. */
  readonly fileAddress?: string;
}

export const DOWN = new PlatformError('unavailable', 'upstream connect error', { status: 503 });
const ADA = { userId: 'U0ADA', teamId: 'T0ACME' };
/** Hours, days and weeks are kept for 12 whole months. */
const KEPT_SINCE = Date.parse('2025-11-01T00:00:00Z');

/** Refuses in the platform's words, as the client takes them. */
function refused(status: number, sentence: string, sent: unknown, body = sentence): PlatformError {
  const { reason = reasonOfStatus(status), ...facts } = explainQuery({
    status,
    sentence,
    body,
    sent,
    path: '/',
    nowMs: NOW,
  });
  return new PlatformError(reason, sentence, { status, ...facts });
}

function postedReports(reports: Reports, posted: World['posted']): Reports {
  return {
    ...reports,
    run({ job, ...ask }) {
      const { bodies, wanted } = job as ReportInput;
      return reports.run({ ...ask, job: { bodies, wanted: { ...wanted, ...posted } } });
    },
  };
}

function checkAsPlatform(query: ConsumptionQuery): void {
  for (const filter of query.consumptionQueries.flatMap((one) =>
    Object.values(one.filterBy ?? {}),
  )) {
    if (!/^\/.*\/$/s.test(filter)) continue;
    try {
      RegExp(filter.slice(1, -1));
    } catch {
      throw refused(500, `invalid regular expression ${filter}: missing closing )`, query);
    }
  }
  if (query.timeStep === 'month' || Date.parse(query.startTime) >= KEPT_SINCE) return;
  const sentence = `consumption data at timeStep=${query.timeStep} is retained for 12 months`;
  const details = { earliestStartTime: new Date(KEPT_SINCE).toISOString() };
  throw refused(400, sentence, query, JSON.stringify({ sentence, details }));
}

function chargesOf(world: World): ChargesClient {
  const { skipped = 0 } = world;
  const metersOf = () => world.meters ?? METERS;
  const read = <T>(value: T) => ({ value, readAt: (world.nowMs ?? NOW) - (world.age ?? 0) });
  const ofOrgs = ({ orgs }: AccountChargeQuery) =>
    metersOf().filter(({ tags }) => orgs?.includes(tags['org'] ?? '') ?? true);
  const check = (query: AccountChargeQuery): void => {
    checkChargeQuery(query, query.orgs);
    checkAsPlatform(query);
  };
  let asked: string | undefined;
  return {
    account: unasked,
    accountBody: async (query, { detailed = false }) => {
      check(query);
      if (detailed) {
        const billingPeriods = monthsOf(query).map((month) => ({
          ratePlan: 'standard-2026',
          results: [answerOf(ofOrgs(query), { ...query, ...month }, priced)],
        }));
        return read({ body: tiersBody(billingPeriods, skipped), ...aggregationOf(world, query) });
      }
      asked ??= query.startTime;
      const isBefore = query.startTime < asked;
      const written = isBefore ? world.before : world.charges;
      if (written === 'down') throw DOWN;
      const value = written ? charged(query, written) : answerOf(ofOrgs(query), query, priced);
      const body = chargesBody({ ...value, skipped: isBefore ? 0 : skipped });
      return read({ body, ...aggregationOf(world, query) });
    },
    tagValues: async (query) => read(valuesOf(world, metersOf(), query)),
    chargeableItems: async () => {
      if (world.items === 'down') throw DOWN;
      return read({ items: world.items ?? ITEMS, skipped });
    },
    knownItems: async () =>
      world.items === 'down' ? undefined : { items: world.items ?? ITEMS, skipped },
    org: unasked,
    orgBody: unasked,
  };
}

/** As the client of the platform reports it. */
function aggregationOf(
  { items, skipped = 0 }: World,
  { consumptionQueries }: ConsumptionQuery,
): Aggregation {
  const aggregateBy = consumptionQueries.flatMap((one) => one.aggregateBy);
  const catalogue = items === 'down' ? undefined : { items: items ?? ITEMS, skipped };
  return { aggregateBy, catalogue, mayBeTooLow: items === 'down' || skipped > 0 };
}

const NO_ROLE =
  'You need the role billing_admin or billing_viewer for this. Ask a billing_admin of the account.';

/** Single orgs, each with its own key. */
function orgChargesOf({ orgForm }: World, charges: ChargesClient): OrgCharges {
  const check = () => {
    if (orgForm === 'key refused')
      throw new PlatformError('unauthorized', 'unauthorized', { status: 401 });
  };
  return {
    ...charges,
    async orgBody(org, query, options) {
      check();
      return charges.accountBody({ ...query, orgs: [org] }, options);
    },
  };
}

/** The parts of a range that lie in one month each, which are its billing periods. */
function monthsOf({ startTime, endTime }: ConsumptionQuery) {
  const range = { startMs: Date.parse(startTime), endMs: Date.parse(endTime) };
  return stepsOf(range, 'month')
    .filter(({ startMs }) => startMs < NOW)
    .map(({ startMs, endMs }) => ({ startTime: rfc3339(startMs), endTime: rfc3339(endMs) }));
}

const unasked = (): Promise<never> => Promise.reject(new Error('it is not asked for'));

function valuesOf(world: World, meters: readonly Meter[], query: TagValuesQuery) {
  checkTagValuesQuery(query);
  if (world.values === 'down') throw DOWN;
  const found = meters.filter(({ tags }) => passes(tags, query.filterBy));
  const values = world.values?.[query.tag] ?? found.map(({ tags }) => tags[query.tag] ?? '');
  return { values: [...new Set(values)], skipped: world.skipped ?? 0 };
}

/** The two commands, as a person types, clicks and fills in. */
export function startReports(world: World = {}) {
  const { nowMs = NOW, orgs = ['acme', 'globex', 'initech'] } = world;
  const kept = keptHere();
  const files: Upload[] = [];
  const ofOrg = (org: string): readonly Meter[] => {
    const error = world.failing?.[org];
    if (error !== undefined) throw error;
    return (world.meters ?? METERS).filter(({ tags }) => tags['org'] === org);
  };
  const read = <T>(value: T) => ({ value, readAt: nowMs - (world.age ?? 0) });
  const charges = chargesOf(world);
  const known = orgs === 'down' ? [] : orgs;
  const { charges: chargesFeature, usage } = createReportsHere({
    kept,
    clock: { now: () => nowMs },
    reports: world.unmade
      ? { run: () => Promise.reject(new ReportFailed(world.unmade ?? 'busy')) }
      : postedReports(reportsHere(), world.posted),
    sendFile: async (file: Upload) => {
      files.push(file);
      return (
        world.fileAddress ?? `https://acme.slack.com/files/U0ADA/F0${files.length}/${file.filename}`
      );
    },
    billing: () => ({
      charges,
      listOrgs: async () => {
        if (orgs === 'down') throw DOWN;
        const items = orgs.map((name) => ({ name, accountId: 'acct-1', created: undefined }));
        return read({ items, skipped: 0 });
      },
    }),
    usage: () => ({
      queryBody: async (org: string, query: ConsumptionQuery) => {
        checkUsageQuery(query);
        checkAsPlatform(query);
        const value = answerOf(ofOrg(org), query, (tags, value, project) => ({
          tags,
          value,
          projectedValue: project(value),
        }));
        return read({ body: usageBody({ ...value, skipped: world.skipped ?? 0 }) });
      },
      tagValues: async (org: string, query: TagValuesQuery) =>
        read(valuesOf(world, ofOrg(org), query)),
    }),
    config: { billing: {} },
    access: {
      roleRefusal: () => Promise.resolve(world.orgForm && denied('role', NO_ROLE, READERS)),
      readableOrgs: (_: unknown, orgs: readonly string[]) => Promise.resolve(orgs),
      requireOrgAccess: () => Promise.resolve(),
    },
    orgCharges: world.orgForm && orgChargesOf(world, charges),
    orgs: { known, fallback: world.orgForm === 'no default' ? undefined : 'acme' },
  });
  const features = [chargesFeature, usage];

  /** The answer to a whole line, as it is typed. */
  async function type(line: string): Promise<Answer> {
    const [command = '', ...rest] = line.split(' ');
    const split = splitWords(rest.join(' '));
    if ('problem' in split) throw new UsageError(split.problem);
    const route = features
      .flatMap(({ commands = [] }) => commands)
      .find(({ help }) => help.command === command);
    if (route === undefined) throw new Error(`${command} is no command`);
    return typeWords(route, split.words, { person: ADA, channelId: 'C0BILLING' });
  }

  const clicked = async (shown: Answer, value: string | undefined) => {
    const answerId = await kept.answers.put(ADA.userId, shown);
    return { person: ADA, channelId: 'C0BILLING', value, answerId };
  };

  /** Another page of an answer. */
  async function turn(shown: Answer, page: number): Promise<Answer> {
    const route = features
      .flatMap(({ questions = [] }) => questions)
      .find(({ name }) => name === shown.asked?.route);
    if (route === undefined) throw new Error('the answer has no pages');
    return route.ask(await clicked(shown, String(page)), shown.asked?.question, page);
  }

  /** The answer to a click on a button, or to a choice in a menu of an answer. */
  async function press(shown: Answer, label: string): Promise<Answer> {
    const { action, value } = elementOf(shown, label);
    const route = features
      .flatMap(({ actions = [] }) => actions)
      .find(({ actionId }) => actionId === action);
    const next = await route?.run(await clicked(shown, value));
    if (next === undefined) throw new Error(`${label} answers nothing`);
    return next;
  }

  /** The form behind a button: at once, and filled in. */
  async function open(shown: Answer, label = 'Customize'): Promise<FormContent[]> {
    const { action, value } = elementOf(shown, label);
    const forms: FormContent[] = [];
    await formRoute(action).fill(await clicked(shown, value), async (form) => {
      forms.push(form);
    });
    return forms;
  }

  async function submit({ title, state }: FormContent, values: FormValues) {
    const action = `${title.split(' ').at(-1)}.customize`;
    return formRoute(action).submit({ person: ADA, values, state });
  }

  function formRoute(action: string) {
    const form = features.flatMap(({ forms }) => forms).find(({ actionId }) => actionId === action);
    if (form === undefined) throw new Error(`${action} opens no form`);
    return form;
  }

  return { type, press, turn, open, submit, files, kept };
}

interface Sent {
  readonly action_id?: string | undefined;
  readonly value?: string | undefined;
  readonly label: string;
}

/** The action and value of a button or an option of a menu. */
function elementOf({ controls = [], buttons = [], menu = [] }: Answer, label: string) {
  const below = [...controls, ...buttons].flatMap((one): Sent[] => {
    if (one.type === 'button') return [{ ...one, label: one.text.text }];
    if (one.type !== 'static_select') return [];
    const { action_id, options = [] } = one;
    return options.map(({ value, text }) => ({ action_id, value, label: text.text }));
  });
  const sent = [
    ...below,
    ...menu.map(({ text, action }) => ({ action_id: action, value: undefined, label: text })),
  ];
  const found = sent.find((one) => one.label.includes(label));
  if (found === undefined) throw new Error(`there is no ${label}`);
  return { action: found.action_id ?? '', value: found.value };
}

/** Differences of an entry: the account, and the clicks after the command. */
interface Reported {
  readonly world?: World;
  readonly press?: readonly string[];
  /** Turned to in the end. */
  readonly page?: number;
}

/** An answer to a line that a person types, and to the clicks after it. */
export function typed(id: string, when: string, line: string, reported: Reported = {}): Entry {
  return answer(id, when, async () => {
    const { type, press, turn } = startReports(reported.world);
    let shown = await type(line);
    for (const label of reported.press ?? []) shown = await press(shown, label);
    return reported.page === undefined ? shown : turn(shown, reported.page);
  });
}
