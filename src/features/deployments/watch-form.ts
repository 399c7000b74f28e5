import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { Refusal, UsageError } from '../../lib/errors.ts';
import { nameOf, readTarget } from '../../platform/deployments/target.ts';
import type { Services } from '../../services.ts';
import { isDirect, openDirect } from '../../slack/directory.ts';
import { type Choice, select, textInput } from '../../slack/kit/inputs.ts';
import type {
  Answer,
  CommandContext,
  FormContent,
  FormRoute,
  FormSubmission,
  FormValues,
  FormVerdict,
  Person,
} from '../../slack/routing/routes.ts';
import { WATCH_FORM_ACTION } from '../tasks.ts';
import type { DeploymentsCommand } from './parse.ts';
import { gvcNames, type NameServices, workloadNames } from '../watched.ts';

type FormServices = NameServices & Pick<Services, 'access' | 'orgs' | 'slack' | 'config'>;

const FIELDS = {
  org: 'watch.org',
  gvc: 'watch.gvc',
  workload: 'watch.workload',
  other: 'watch.other',
  channel: 'watch.channel',
};

/** In place of a channel: the person's messages with Purser. */
const OWN = 'own';

/** `opened`: the channel of the button; absent on Home. */
const State = z.object({ org: z.string(), opened: z.string().optional() });

type Run = (command: DeploymentsCommand, context: CommandContext) => Promise<Answer>;

/** "Watch a GVC...": makes the watch that `/deployments watch` makes. @param run the command */
export function createWatchForm(services: FormServices, run: Run): FormRoute {
  return {
    actionId: WATCH_FORM_ACTION,
    callbackId: 'deployments.watch-made',
    title: 'Watch a GVC',
    async fill({ person, channelId }, show) {
      await show(await formFor(services, person, { opened: channelId }));
    },
    fields: [FIELDS.org, FIELDS.gvc],
    async refill({ person, fieldId, values, state }) {
      const { opened, org: before } = State.parse(JSON.parse(state));
      const org = valueOf(values, FIELDS.org) ?? before;
      // A GVC of another org is not kept.
      const gvc = fieldId === FIELDS.org ? undefined : valueOf(values, FIELDS.gvc);
      return formFor(services, person, { opened, org, gvc });
    },
    submit: (submission) => judged(services, submission, run),
  };
}

/**
 * Without fields that offer no choice. A field that depends on another is numbered, so that Slack keeps no old value.
 * @throws Refusal for a person without the right to read an org
 */
async function formFor(
  services: FormServices,
  person: Person,
  { opened, gvc, ...chosen }: Partial<Record<'org' | 'gvc' | 'opened', string | undefined>>,
): Promise<FormContent> {
  const { access, config, orgs } = services;
  await access.requireOrgAccess(person);
  const readable = await access.readableOrgs(person, orgs.known);
  const wanted = chosen.org ?? orgs.fallback;
  const org = readable.find((one) => one === wanted) ?? readable[0];
  if (org === undefined) throw new Refusal('No org is open to you: ask a billing_admin.');
  const gvcs = await gvcNames(services, org);
  const workloads = gvc === undefined ? [] : await workloadNames(services, org, gvc);
  const isKnown = gvcs.length > 0;
  const ofOrg = select({
    id: FIELDS.org,
    label: 'Org',
    options: asChoices(readable),
    initial: org,
    refills: true,
  });
  const ofGvc = select({
    id: `${FIELDS.gvc}#${readable.indexOf(org) + 1}`,
    label: 'GVC',
    options: asChoices(gvcs),
    optional: true,
    initial: gvc ?? '',
    refills: true,
  });
  const ofWorkload = select({
    id: `${FIELDS.workload}#${gvcs.indexOf(gvc ?? '') + 1}`,
    label: 'Workload',
    options: asChoices(workloads),
    optional: true,
    placeholder: 'All workloads',
  });
  const other = textInput({
    id: FIELDS.other,
    label: isKnown ? 'Another GVC or workload' : 'GVC or workload',
    placeholder: 'shop or shop/cart',
    optional: isKnown,
    maxLength: 260,
  });
  const isInChannel = opened !== undefined && !isDirect(opened);
  return {
    title: 'Watch a GVC',
    submit: 'Watch',
    state: JSON.stringify({ org, opened }),
    blocks: [
      ...(readable.length > 1 ? [ofOrg] : []),
      ...(isKnown ? [ofGvc] : []),
      ...(workloads.length > 0 ? [ofWorkload] : []),
      other,
      ...(isInChannel ? [] : [channelField(config.channels.notify)]),
    ],
  };
}

function channelField(notify: string): KnownBlock {
  return select({
    id: FIELDS.channel,
    label: 'Post to',
    options: [
      { text: 'The channel for rollouts', value: notify },
      { text: 'My messages with Purser', value: OWN },
    ],
    initial: notify,
  });
}

function asChoices(names: readonly string[]): Choice[] {
  return names.map((name) => ({ text: name, value: name }));
}

/** Of a field that may be numbered. */
function valueOf(values: FormValues, field: string): string | undefined {
  const found = Object.entries(values).find(([id]) => id.replace(/#\d+$/, '') === field);
  const value = found?.[1];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function judged(
  { slack }: FormServices,
  { person, values, state }: FormSubmission,
  run: Run,
): FormVerdict {
  const wrong = (sentence: string): FormVerdict => ({ errors: { [FIELDS.other]: sentence } });
  const { opened, org: before } = State.parse(JSON.parse(state));
  const [gvc, workload] = [FIELDS.gvc, FIELDS.workload].map((field) => valueOf(values, field));
  const name = valueOf(values, FIELDS.other) ?? (gvc && nameOf({ gvc, workload }));
  if (name === undefined) return wrong('Choose a GVC, or type its name.');
  try {
    const target = readTarget(name);
    if (target.location !== undefined) {
      return wrong('A watch is of a GVC or a workload, not of a location.');
    }
    const org = valueOf(values, FIELDS.org) ?? before;
    const chosen = valueOf(values, FIELDS.channel);
    const own = () => openDirect(slack, person.userId);
    const answer = async (): Promise<Answer> => {
      const channelId = opened ?? (await own());
      const channel = chosen === OWN ? await own() : chosen;
      const words = { target, org, channel, only: undefined, quiet: false, notify: undefined };
      return run({ kind: 'watch', ...words }, { person, channelId });
    };
    return { answer };
  } catch (error) {
    if (error instanceof UsageError) return wrong(error.message);
    throw error;
  }
}
