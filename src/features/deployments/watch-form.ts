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
  Person,
} from '../../slack/routing/routes.ts';
import { WATCH_FORM_ACTION } from '../tasks.ts';
import type { DeploymentsCommand } from './parse.ts';
import { gvcNames, type NameServices, workloadNames } from './watched.ts';

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

interface Chosen {
  readonly org?: string | undefined;
  readonly gvc?: string | undefined;
  readonly opened?: string | undefined;
}

/** "Watch a GVC...": makes the watch that `/deployments watch` makes. @param run the command */
export function createWatchForm(
  services: FormServices,
  run: (command: DeploymentsCommand, context: CommandContext) => Promise<Answer>,
): FormRoute {
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

/** @throws Refusal for a person without the right to read an org */
async function formFor(
  services: FormServices,
  person: Person,
  { opened, gvc, ...chosen }: Chosen,
): Promise<FormContent> {
  const { access, orgs } = services;
  await access.requireOrgAccess(person);
  const readable = await access.readableOrgs(person, orgs.known);
  const wanted = chosen.org ?? orgs.fallback;
  const org = readable.find((one) => one === wanted) ?? readable[0];
  if (org === undefined) throw new Refusal('No org is open to you: ask a billing_admin.');
  const gvcs = await gvcNames(services, org);
  const state: z.infer<typeof State> = { org, ...(opened !== undefined && { opened }) };
  return {
    title: 'Watch a GVC',
    submit: 'Watch',
    state: JSON.stringify(state),
    blocks: fieldsFor({
      org,
      orgs: readable,
      gvc,
      gvcs,
      workloads: gvc === undefined ? [] : await workloadNames(services, org, gvc),
      channels: channelsFor(services, opened),
    }),
  };
}

interface Offered {
  readonly org: string;
  readonly orgs: readonly string[];
  readonly gvc: string | undefined;
  readonly gvcs: readonly string[];
  readonly workloads: readonly string[];
  readonly channels: readonly Choice[];
}

/** Without those that offer no choice. A field that depends on another is numbered, so that Slack keeps no old value. */
function fieldsFor({ org, orgs, gvc, gvcs, workloads, channels }: Offered): KnownBlock[] {
  const optional = true;
  const ofOrg = { id: FIELDS.org, label: 'Org', initial: org, refills: true } as const;
  const gvcId = `${FIELDS.gvc}#${orgs.indexOf(org) + 1}`;
  const ofGvc = {
    id: gvcId,
    label: 'GVC',
    optional,
    refills: true,
    ...(gvc && { initial: gvc }),
  } as const;
  const workloadId = `${FIELDS.workload}#${gvcs.indexOf(gvc ?? '') + 1}`;
  const ofWorkload = { id: workloadId, label: 'Workload', optional, placeholder: 'All workloads' };
  const ofChannel = {
    id: FIELDS.channel,
    label: 'Post to',
    ...(channels[0] && { initial: channels[0].value }),
  };
  const other = textInput({
    id: FIELDS.other,
    label: gvcs.length > 0 ? 'Another GVC or workload' : 'GVC or workload',
    placeholder: 'shop or shop/cart',
    optional: gvcs.length > 0,
    maxLength: 260,
  });
  return [
    ...(orgs.length > 1 ? [select({ ...ofOrg, options: asChoices(orgs) })] : []),
    ...(gvcs.length > 0 ? [select({ ...ofGvc, options: asChoices(gvcs) })] : []),
    ...(workloads.length > 0 ? [select({ ...ofWorkload, options: asChoices(workloads) })] : []),
    other,
    ...(channels.length > 1 ? [select({ ...ofChannel, options: channels })] : []),
  ];
}

/** The channel of the button; on Home and in direct messages there is a choice. */
function channelsFor({ config }: FormServices, opened: string | undefined): readonly Choice[] {
  if (opened !== undefined && !isDirect(opened)) return [];
  return [
    { text: 'The channel for rollouts', value: config.channels.notify },
    { text: 'My messages with Purser', value: OWN },
  ];
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
  run: (command: DeploymentsCommand, context: CommandContext) => Promise<Answer>,
): ReturnType<FormRoute['submit']> {
  const { opened, org: before } = State.parse(JSON.parse(state));
  const [gvc, workload] = [FIELDS.gvc, FIELDS.workload].map((field) => valueOf(values, field));
  const name = valueOf(values, FIELDS.other) ?? (gvc && nameOf({ gvc, workload }));
  if (name === undefined) return { errors: { [FIELDS.other]: 'Choose a GVC, or type its name.' } };
  try {
    const target = readTarget(name);
    if (target.location !== undefined) {
      return {
        errors: { [FIELDS.other]: 'A watch is of a GVC or a workload, not of a location.' },
      };
    }
    const org = valueOf(values, FIELDS.org) ?? before;
    const words = { only: undefined, quiet: false, notify: undefined };
    const chosen = valueOf(values, FIELDS.channel);
    const answer = async (): Promise<Answer> => {
      const own = () => openDirect(slack, person.userId);
      const channelId = opened ?? (await own());
      const channel = chosen === OWN ? await own() : chosen;
      return run({ kind: 'watch', target, org, channel, ...words }, { person, channelId });
    };
    return { answer };
  } catch (error) {
    if (error instanceof UsageError) return { errors: { [FIELDS.other]: error.message } };
    throw error;
  }
}
