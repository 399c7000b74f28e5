import { z } from 'zod';
import { settledWithin } from '../../lib/time.ts';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../lib/errors.ts';
import { revealed } from '../../lib/text.ts';
import type { Services } from '../../services.ts';
import { context, lines, linkButton, section, SIGN, topText } from '../../slack/kit/blocks.ts';
import {
  checkboxes,
  dateInput,
  emailInput,
  numberInput,
  select,
  textInput,
} from '../../slack/kit/inputs.ts';
import { code, mentionChannel, mentionUser, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type {
  Answer,
  FormContent,
  FormRoute,
  FormValues,
  Person,
} from '../../slack/routing/routes.ts';
import type { Change } from '../change.ts';
import { alertForms } from '../kinds/alert/form.ts';
import { identityForms } from '../kinds/identity/form.ts';
import { orgForms } from '../kinds/orgs/form.ts';
import { quotaForms } from '../kinds/quotas/form.ts';
import { recipientForms } from '../kinds/recipients/form.ts';
import { tokenForms } from '../kinds/tokens/form.ts';
import { userForms } from '../kinds/users/form.ts';
import { accessForms } from './access.ts';
import { detailsButton } from '../messages/messages.ts';
import { titleOf } from '../messages/plan-view.ts';
import { textIn, type FieldRead } from './fields.ts';
import type { Requested, RequestService } from '../request.ts';
import type { ChangeInput, ChangeKind } from '../kinds/kinds.ts';
import type {
  FormField,
  FormName,
  Forms,
  FormView,
  Given,
  RequestForm,
  RequestForms,
} from './form.ts';

interface FormServices extends Pick<Services, 'access' | 'billing' | 'clock' | 'orgs'> {
  readonly config: Pick<Config, 'approvals' | 'currency' | 'secretKeys'>;
}

/** The address of a change's card; undefined before it is posted. */
type CardLink = (change: Change) => Promise<string | undefined>;

/** The request modals (design section 5), one for each form. */
export function createRequestForms(
  services: FormServices,
  requests: RequestService,
  linkTo: CardLink,
): RequestForms {
  const { access, config, clock, orgs } = services;
  const secretsOff = config.secretKeys.length === 0;
  const forms: Forms = {
    ...alertForms(config.currency, clock),
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

function createRoute(
  { billing, clock, config }: FormServices,
  requests: RequestService,
  linkTo: CardLink,
) {
  /** A member without the right may not see the current state either. */
  async function filled(
    person: Person,
    { name, form, given }: { name: FormName; form: RequestForm; given: Given },
    subjects: string[],
  ): Promise<FormContent> {
    await requests.authorize(person, kindOf(name), subjects, form.isOwn);
    const view = await form.fill(billing(), given, person);
    return contentOf(form.title, view, config.approvals.required || form.isAlwaysReviewed === true);
  }

  /** The input with values that are read only now; the right is checked first, since they are shown. */
  async function completed(
    person: Person,
    form: RequestForm,
    input: ChangeInput,
    memory: Given,
  ): Promise<ChangeInput> {
    if (form.complete === undefined) return input;
    await requests.authorize(person, input.kind, [], form.isOwn);
    return form.complete(billing(), input, memory, person);
  }

  async function ask(person: Person, input: ChangeInput, reason: string): Promise<Answer> {
    const requested = await requests.request(person, input, reason);
    // The request is filed: a missing link is no error.
    const card = await linkTo(requested.change).catch(() => undefined);
    return requestedAnswer(requested, person.userId, card);
  }

  return (name: FormName, form: RequestForm): FormRoute => ({
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
      const memory = textsIn(state);
      const read = form.read(values, memory, clock.now(), person);
      if ('refusal' in read) return { answer: () => Promise.reject(new Refusal(read.refusal)) };
      const reason = reasonIn(values);
      if ('errors' in read || 'error' in reason) {
        return { errors: { ...('errors' in read ? read.errors : {}), ...errorOf(reason) } };
      }
      const complete = () => completed(person, form, read.input, memory);
      const answer = async () => ask(person, await complete(), reason.value);
      if (form.conflictField === undefined) return { answer };
      const refusal = await refusalInTime(async () => requests.preview(person, await complete()));
      if (refusal === undefined) return { answer };
      const { message } = refusal;
      const { conflictField: field } = form;
      const below = typeof field === 'string' ? field : field(message);
      return { errors: { [below]: message }, refusal };
    },
    // The error about one's own user is shown once, below the field, when the form is sent.
    ...refilling(form, (person, given) => filled(person, { name, form, given }, [])),
  });
}

function refilling(
  { tells }: RequestForm,
  filled: (person: Person, given: Given) => Promise<FormContent>,
): Pick<FormRoute, 'fields' | 'refill'> {
  if (tells === undefined) return {};
  return {
    fields: [tells.field],
    async refill({ person, values }) {
      const chosen = values[tells.field];
      return filled(person, typeof chosen === 'string' ? { [tells.given]: chosen } : {});
    },
  };
}

/** Slack waits three seconds for a form; this leaves time for the rest. Milliseconds. */
const PREVIEW_MS = 1_400;

/**
 * The refusal, while the form is still open to correct it. Other errors, and a check that takes longer, are ignored:
 * the request itself checks again.
 */
async function refusalInTime(check: () => Promise<unknown>): Promise<Refusal | undefined> {
  let refusal: Refusal | undefined;
  const checked = check().catch((error: unknown) => {
    if (error instanceof Refusal) refusal = error;
  });
  await settledWithin(checked, PREVIEW_MS);
  return refusal;
}

/** A person may not change their own user, and learns so before the form is filled in. */
function subjectsOf(kind: ChangeKind, { email }: Given): string[] {
  return kind.startsWith('user.') && email !== undefined ? [email] : [];
}

const ASK = 'changes.ask.';
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
 * @param card the address of the change's card, once posted
 */
function requestedAnswer(requested: Requested, userId: string, card: string | undefined): Answer {
  const { change } = requested;
  const text = mrkdwn`${beginning(requested, userId)} ${standing(change)}`;
  const link = card === undefined ? undefined : linkButton('Open the card', card);
  const buttons = [link ?? detailsButton(change.id)];
  return { text: topText(text), blocks: [section(text)], buttons };
}

const UNDER_WAY = new Mrkdwn(SIGN.underWay);

function beginning({ kind, change }: Requested, userId: string): Mrkdwn {
  if (kind === 'requested') return mrkdwn`${UNDER_WAY} Requested: ${titleOf(change)}.`;
  const { requester } = change;
  const by = requester.userId === userId ? mrkdwn`you` : mentionUser(requester.userId);
  return mrkdwn`${UNDER_WAY} This was requested already by ${by}: ${titleOf(change)}.`;
}

function standing({ id, state, channel }: Change): Mrkdwn {
  const where = mrkdwn`in ${mentionChannel(channel)} as ${code(id)}`;
  return state === 'pending'
    ? mrkdwn`It waits for approval ${where}.`
    : mrkdwn`It is being carried out, ${where}.`;
}

const ENDS = {
  approved: {
    submit: 'Request',
    note: 'Nothing is changed before a second person has approved it.',
  },
  atOnce: {
    submit: 'Change now',
    note: 'Approvals are off: this is carried out as soon as you submit.',
  },
} as const;

/** A request form as blocks. Pure. @param approvalsRequired a second person approves it */
function contentOf(title: string, view: FormView, approvalsRequired: boolean): FormContent {
  const { submit, note } = approvalsRequired ? ENDS.approved : ENDS.atOnce;
  const { notes, consequences, fields, memory } = view;
  return {
    title,
    submit,
    blocks: [
      ...(notes.length === 0 ? [] : [lines(notes.map((text) => mrkdwn`${revealed(text)}`))]),
      ...[...fields, REASON].map(blockOf),
      context(...[...consequences, note].map((text) => mrkdwn`${text}`)),
    ],
    state: JSON.stringify(memory),
  };
}

/** A field of every form (design section 5). */
const REASON = {
  id: 'changes-reason',
  type: 'text',
  label: 'Reason',
  hint: 'Shown to the approvers.',
  maxLength: 300,
} as const;
const SHORTEST_REASON = 10;

function reasonIn(values: FormValues): FieldRead<string> {
  const read = textIn(values, REASON.id, { max: REASON.maxLength });
  const isShort = 'value' in read && read.value.length < SHORTEST_REASON;
  return isShort ? { id: REASON.id, error: SHORT_REASON } : read;
}

const SHORT_REASON = `Write why you need this, in at least ${SHORTEST_REASON} characters.`;

function errorOf(read: FieldRead<string>): Record<string, string> {
  return 'error' in read ? { [read.id]: read.error } : {};
}

const TICKED = 'yes';

function blockOf(field: FormField): FormContent['blocks'][number] {
  switch (field.type) {
    case 'number':
      return numberInput({ ...field, decimals: true });
    case 'text':
      return textInput(field);
    case 'email':
      return emailInput(field);
    case 'date':
      return dateInput(field);
    case 'flag': {
      const { id, label, hint, text, initial } = field;
      return checkboxes({
        id,
        label,
        optional: true,
        options: [{ text, value: TICKED }],
        initial: initial ? [TICKED] : [],
        ...(hint !== undefined && { hint }),
      });
    }
    case 'boxes':
      return checkboxes(field);
    case 'choice':
      return select(field);
  }
}

const Texts = z.record(z.string(), z.unknown());

/** Texts by name from a button's value or a form's state; invalid data counts as empty. */
function textsIn(text: string | undefined): Given {
  try {
    const parsed = Texts.safeParse(JSON.parse(text ?? '')).data ?? {};
    const texts = Object.entries(parsed).filter((entry) => typeof entry[1] === 'string');
    return Object.fromEntries(texts) as Given;
  } catch {
    return {};
  }
}
