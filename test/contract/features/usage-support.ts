import { Refusal } from '../../../src/lib/errors.ts';
import type { OrgCharges } from '../../../src/platform/billing/charges.ts';
import type { Answer, FormContent, FormValues, Person } from '../../../src/slack/routing/routes.ts';
import { controlOf, tableOf, visitorOf } from '../../support/answer.ts';
import { keptHere } from '../../support/kept.ts';
import { createReportsHere } from '../../support/reports.ts';
import { startMetering, startUsageClient } from '../platform/consumption/support.ts';
import { bearer } from '../platform/support.ts';

export const ORGS = ['acme', 'globex', 'initech'];
export const ANN: Person = { userId: 'U-ANN', teamId: 'T-1' };

interface Settings {
  /** Orgs whose key the platform refuses. */
  readonly locked?: readonly string[];
  readonly isOff?: true;
  /** The chargeable items, where billing is on. */
  readonly catalogue?: Pick<OrgCharges, 'chargeableItems' | 'knownItems'> | undefined;
}

const CLICK = { person: ANN, channelId: 'C1' };

/** `/usage` on a stand-in at 2026-10-15T12:00Z, without Slack: questions and their answers. */
export async function startUsage({ locked = [], isOff, catalogue }: Settings = {}) {
  const metering = await startMetering();
  const { platform } = metering;
  const usage = startUsageClient(platform.usageUrl, {
    credentialOf: (org) => bearer(locked.includes(org) ? 'wrong' : platform.tokens[org]),
    now: () => platform.clock.now(),
  });
  const strangers = new Set<string>();
  const kept = keptHere();
  const { usage: feature, files } = createReportsHere({
    usage: () => {
      if (isOff) throw new Refusal('/usage is off.');
      return usage;
    },
    ...(catalogue && { config: { billing: {} }, billing: () => ({ charges: catalogue }) }),
    orgs: { known: ORGS, fallback: undefined },
    access: {
      readableOrgs: (_: unknown, orgs: readonly string[]) => Promise.resolve(orgs),
      requireOrgAccess: ({ userId }: Person) =>
        strangers.has(userId) ? Promise.reject(new Refusal('Not for you.')) : Promise.resolve(),
    },
    clock: platform.clock,
    kept,
  });
  const { type: ask, press, choose, step, turn } = visitorOf(feature, ANN, kept);
  const form = feature.forms[0]!;
  return {
    ...metering,
    files,
    ask,
    press,
    choose,
    step,
    turn,
    lockOut: ({ userId }: Person) => strangers.add(userId),
    /** The form at each time that it is shown. */
    async open(answer: Answer): Promise<FormContent[]> {
      const shown: FormContent[] = [];
      const { value } = controlOf(answer, 'Customize');
      const answerId = await kept.answers.put(ANN.userId, answer);
      const show = (content: FormContent) => Promise.resolve(void shown.push(content));
      await form.fill(Object.assign({ value, answerId }, CLICK), show);
      return shown;
    },
    async submit({ state }: FormContent, values: FormValues): Promise<Answer> {
      const verdict = await form.submit({ person: ANN, values, state });
      const answer = 'errors' in verdict ? undefined : await verdict.answer();
      if (answer === undefined) throw new Error(`no answer: ${JSON.stringify(verdict)}`);
      return answer;
    },
  };
}

/** The rows of the table, by the titles of its columns. */
export function rowsOf(answer: Answer): Record<string, string>[] {
  const [titles = [], ...lines] = tableOf(answer);
  return lines.map((line) =>
    Object.fromEntries(titles.map((title, at) => [title, line[at] ?? ''])),
  );
}
