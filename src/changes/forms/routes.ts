import { z } from 'zod';
import { settledWithin } from '../../lib/time.ts';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../lib/errors.ts';
import { revealed } from '../../lib/lookalikes.ts';
import type { Services } from '../../services.ts';
import { figuresRefusal, READ_BY_OTHERS, type AudienceReading } from '../../slack/audience.ts';
import { OUTSIDE } from '../../slack/directory.ts';
import { context, lines, linkButton, section, sign } from '../../slack/kit/blocks.ts';
import { code, mentionChannel, mentionUser, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer, FormContent, FormRoute, Person } from '../../slack/routing/routes.ts';
import type { Change } from '../change.ts';
import { alertForms } from '../kinds/alert.ts';
import { identityForms } from '../kinds/identity.ts';
import { orgForms } from '../kinds/orgs.ts';
import { quotaForms } from '../kinds/quotas.ts';
import { recipientForms } from '../kinds/recipients.ts';
import { tokenForms } from '../kinds/tokens.ts';
import { userForms } from '../kinds/users.ts';
import { accessForms } from './access.ts';
import { detailsButton } from '../messages/messages.ts';
import { lookalikeWarnings, titleOf } from '../messages/plan-view.ts';
import type { Considered, Requested, RequestService } from '../request.ts';
import type { ChangeInput, ChangeKind } from '../kinds/kinds.ts';
import { textField, type FormView, type Given, type RequestForm } from './fields.ts';
import { ASK, type FormName, type Forms, type RequestForms } from './form.ts';

interface FormServices extends Pick<
  Services,
  'access' | 'audience' | 'billing' | 'clock' | 'orgs'
> {
  readonly config: Pick<Config, 'approvals' | 'currency' | 'secretKey'> & {
    readonly channels: Pick<Config['channels'], 'approvals'>;
  };
}

/** The address of a change's card; undefined before it is posted. */
type CardLink = (change: Change) => Promise<string | undefined>;

/** The request modals (design section 5), one for each form. */
export function createRequestForms(
  services: FormServices,
  requests: RequestService,
  linkTo: CardLink,
): RequestForms {
  const { access, config, orgs } = services;
  const secretsOff = config.secretKey === undefined;
  const forms: Forms = {
    ...alertForms(config.currency),
    ...userForms(),
    ...tokenForms(secretsOff),
    ...orgForms(secretsOff),
    ...recipientForms(),
    ...quotaForms(orgs),
    ...identityForms(access),
    ...accessForms(access),
  };
  const routeTo = createRoute(services, requests, linkTo);
  const names = Object.keys(forms) as FormName[];
  const routes = names.map((name) => [name, routeTo(name, forms[name])]);
  return Object.fromEntries(routes) as RequestForms;
}

/**
 * That the card is not posted, or that more than the company read it: it has amounts, addresses and the reason.
 * Undefined otherwise, and when Slack gives no answer.
 */
async function cardLine(services: FormServices): Promise<Mrkdwn | undefined> {
  const { approvals: channel } = services.config.channels;
  const reading = await services.audience.audienceOf(channel);
  if (isClosed(reading)) return noCard(channel);
  if (figuresRefusal(reading) !== 'shared') return undefined;
  return mrkdwn`${sign('wrong')} The card is posted to ${mentionChannel(channel)}: ${READ_BY_OTHERS}.`;
}

function isClosed({ audience, unread }: AudienceReading): boolean {
  const { isArchived, isMember } = audience ?? {};
  return isArchived === true || isMember === false || OUTSIDE.has(unread ?? '');
}

function noCard(channel: string): Mrkdwn {
  return mrkdwn`${sign('wrong')} The card cannot be posted to ${mentionChannel(channel)}, which is archived or without Purser: no reviewer is notified, and the request is found with ${code('/changes')}.`;
}

function createRoute(services: FormServices, requests: RequestService, linkTo: CardLink) {
  const { audience, billing, clock, config } = services;
  /** A member without the right may not see the current state either. */
  async function filled(
    person: Person,
    { name, form, given }: { name: FormName; form: RequestForm<ChangeInput>; given: Given },
    subjects: string[],
  ): Promise<FormContent> {
    await requests.authorize(person, kindOf(name), subjects, form.isOwn);
    const [view, card] = await Promise.all([
      form.open({ platform: billing(), given, now: clock.now(), person }),
      cardLine(services),
    ]);
    return contentOf(form.title, view, { ...endOf(form, config.approvals), card }, given['reason']);
  }

  /** With what only Slack and the platform say about the person. */
  async function consider(
    person: Person,
    form: RequestForm<ChangeInput>,
    input: ChangeInput,
  ): Promise<Considered> {
    return requests.consider(person, (await form.complete?.(input, person)) ?? input);
  }

  async function ask(considered: Considered, reason: string): Promise<Answer> {
    const requested = await requests.request(considered, reason);
    // The request is filed: a missing link is no error.
    const card = await linkTo(requested.change).catch(() => undefined);
    const isPosted =
      card !== undefined || !isClosed(await audience.audienceOf(requested.change.channel));
    return requestedAnswer(requested, considered.person.userId, { card, isPosted });
  }

  return (name: FormName, form: RequestForm<ChangeInput>): FormRoute => ({
    actionId: `${ASK}${name}`,
    callbackId: `${ASKED}${name}`,
    title: form.title,
    // It can be on top of a window that was refused.
    ...(form.isAlwaysReviewed && { clears: true }),
    async fill({ person, value }, show) {
      const given = textsIn(value);
      await show(await filled(person, { name, form, given }, subjectsOf(kindOf(name), given)));
    },
    async submit({ person, values, state }) {
      const submitted = { values, memory: textsIn(state), now: clock.now(), person };
      const read = form.read(submitted);
      if ('refusal' in read) return { answer: () => Promise.reject(new Refusal(read.refusal)) };
      const reason = REASON.read(submitted);
      if ('errors' in read || 'error' in reason) {
        const below = 'error' in reason ? { [REASON.id]: reason.error } : {};
        return { errors: { ...('errors' in read ? read.errors : {}), ...below } };
      }
      // The form keeps its text until the person may go on.
      const limit = await requests.limit(person);
      if (limit !== undefined) return { errors: { [REASON.id]: limit } };
      const { conflictField: field } = form;
      if (field === undefined) {
        return { answer: async () => ask(await consider(person, form, read.input), reason.value) };
      }
      const considered = consider(person, form, read.input);
      const refusal = await refusalInTime(considered);
      if (refusal === undefined) return { answer: async () => ask(await considered, reason.value) };
      return { errors: { [field]: refusal.message }, refusal };
    },
    // The error about one's own user is shown once, below the field, when the form is sent.
    ...refilling(form, (person, given) => filled(person, { name, form, given }, [])),
  });
}

function refilling(
  { refills }: Pick<RequestForm<ChangeInput>, 'refills'>,
  filled: (person: Person, given: Given) => Promise<FormContent>,
): Pick<FormRoute, 'fields' | 'refill'> {
  if (refills === undefined) return {};
  return {
    fields: [refills.field],
    async refill({ person, values }) {
      const chosen = values[refills.field];
      return filled(person, typeof chosen === 'string' ? { [refills.given]: chosen } : {});
    },
  };
}

/** Slack waits three seconds for a form; this leaves time for the rest. Milliseconds. */
const PREVIEW_MS = 1_400;

/** The refusal, while the form is still open to correct it; any other error is part of the answer. */
async function refusalInTime(considered: Promise<unknown>): Promise<Refusal | undefined> {
  let refusal: Refusal | undefined;
  const settled = considered.catch((error: unknown) => {
    if (error instanceof Refusal) refusal = error;
  });
  await settledWithin(settled, PREVIEW_MS);
  return refusal;
}

/** A person may not change their own user, and learns so before the form is filled in. */
function subjectsOf(kind: ChangeKind, { email }: Given): string[] {
  return kind.startsWith('user.') && email !== undefined ? [email] : [];
}

const ASKED = 'changes.asked.';

/** The kind of change that a button or a form requests; undefined for any other id. Pure. */
export function kindAskedBy(id: string): ChangeKind | undefined {
  const prefix = [ASK, ASKED].find((one) => id.startsWith(one));
  return prefix === undefined ? undefined : kindOf(id.slice(prefix.length) as FormName);
}

/** Creating and replacing an alert, or adding a user and changing its roles, need the same right: either kind will do. */
function kindOf(name: FormName): ChangeKind {
  if (name === 'access.ask') return 'user.roles';
  return name === 'alert.set' || name === 'alert.off' ? 'alert.replace' : name;
}

/**
 * The requester's answer. Pure.
 * @param userId the requester
 * @param about.card the address of the change's card, once posted
 * @param about.isPosted it is posted, or will be
 */
function requestedAnswer(
  requested: Requested,
  userId: string,
  { card, isPosted }: { card: string | undefined; isPosted: boolean },
): Answer {
  const { change } = requested;
  const text = mrkdwn`${beginning(requested, userId)} ${standing(change, isPosted)}`;
  const link = card === undefined ? undefined : linkButton('Open the card', card);
  const buttons = [link ?? detailsButton(change.id)];
  return {
    blocks: [section(text), ...(isPosted ? [] : [context(noCard(change.channel))])],
    buttons,
  };
}

const UNDER_WAY = sign('underWay');

function beginning({ kind, change }: Requested, userId: string): Mrkdwn {
  const title = [`${titleOf(change)}.`, ...lookalikeWarnings(change)].join(' ');
  if (kind === 'requested') return mrkdwn`${UNDER_WAY} Requested: ${title}`;
  const { requester } = change;
  const by = requester.userId === userId ? mrkdwn`you` : mentionUser(requester.userId);
  return mrkdwn`${UNDER_WAY} This was requested already by ${by}: ${title}`;
}

function standing({ id, state, channel }: Change, isPosted: boolean): Mrkdwn {
  const where = isPosted
    ? mrkdwn`in ${mentionChannel(channel)} as ${code(id)}`
    : mrkdwn`as ${code(id)}`;
  return state === 'pending'
    ? mrkdwn`It waits for approval ${where}.`
    : mrkdwn`It is being carried out, ${where}.`;
}

function endOf(
  { isAlwaysReviewed }: Pick<RequestForm<ChangeInput>, 'isAlwaysReviewed'>,
  { required, allowSelf }: FormServices['config']['approvals'],
) {
  if (!required && !isAlwaysReviewed) {
    const note = 'Approvals are off: this is carried out as soon as you submit.';
    return { submit: 'Change now', note };
  }
  const isOwn = allowSelf && !isAlwaysReviewed;
  const before = isOwn ? 'it is approved' : 'a second person has approved it';
  return { submit: 'Request', note: `Nothing is changed before ${before}.` };
}

function contentOf(
  title: string,
  view: FormView,
  { submit, note, card }: ReturnType<typeof endOf> & { card: Mrkdwn | undefined },
  reason: string | undefined,
): FormContent {
  const { notes = [], consequences, fields, memory = {} } = view;
  return {
    title,
    submit,
    blocks: [
      ...(notes.length === 0 ? [] : [lines(notes.map((text) => mrkdwn`${revealed(text)}`))]),
      ...fields,
      REASON.block(reason),
      context(...[...consequences, note].map((text) => mrkdwn`${text}`), ...(card ? [card] : [])),
    ],
    state: JSON.stringify(memory),
  };
}

/** A field of every form (design section 5). Any text will do: four Chinese characters say a lot. */
const REASON = textField({
  id: 'changes-reason',
  label: 'Reason',
  hint: 'Shown on the card.',
  missing: 'Write why you need this.',
  max: 300,
});

const Texts = z.record(z.string(), z.unknown());

/** Texts by name from a button's value or a form's state; invalid data counts as empty. */
export function textsIn(text: string | undefined): Given {
  try {
    const parsed = Texts.safeParse(JSON.parse(text ?? '')).data ?? {};
    const texts = Object.entries(parsed).filter((entry) => typeof entry[1] === 'string');
    return Object.fromEntries(texts) as Given;
  } catch {
    return {};
  }
}
