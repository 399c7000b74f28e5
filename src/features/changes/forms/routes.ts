import type { Change, ChangeKind, Order } from '../../../changes/change.ts';
import type { Platform } from '../../../changes/kinds/kind.ts';
import type { Desk } from '../../../changes/request.ts';
import type { Clock } from '../../../lib/clock.ts';
import { settledWithin } from '../../../lib/patience.ts';
import { Refusal } from '../../../lib/refusal.ts';
import type { Answer, FormContent, FormRoute, Person } from '../../../slack/routes.ts';
import type { Orgs } from '../../deployments/place.ts';
import { alertForms } from './alert-forms.ts';
import { requestedAnswer } from './answer.ts';
import { contentOf, textsIn } from './content.ts';
import type { FormName, Forms, Given, RequestForm } from './form.ts';
import type { RequestRoutes } from './openings.ts';
import { orgForms } from './org-form.ts';
import { quotaForms } from './quota-form.ts';
import { recipientForms } from './recipient-forms.ts';
import { tokenForms } from './token-forms.ts';
import { userForms } from './user-forms.ts';

export interface RequestDeps {
  readonly desk: Desk;
  /** @throws Refusal when billing is not configured */
  readonly platform: () => Platform;
  /** APPROVALS is not `off`. */
  readonly approvalsRequired: boolean;
  /** There is no SECRET_KEY. */
  readonly secretsOff: boolean;
  /** Of the amounts, such as `USD`. */
  readonly currency: string;
  readonly orgs: Orgs;
  /** The address of a change's card; undefined as long as nobody knows it. */
  readonly link: (change: Change) => Promise<string | undefined>;
  readonly clock: Clock;
}

/** The modals in which changes are asked for (design section 5), one for each thing to ask for. */
export function createRequestRoutes(deps: RequestDeps): RequestRoutes {
  const forms: Forms = {
    ...alertForms(deps.currency, deps.clock),
    ...userForms(),
    ...tokenForms(deps.secretsOff),
    ...orgForms(deps.secretsOff),
    ...recipientForms(),
    ...quotaForms(deps.orgs),
  };
  const names = Object.keys(forms) as FormName[];
  const routes = names.map((name) => [name, routeOf(deps, name, forms[name])]);
  return Object.fromEntries(routes) as RequestRoutes;
}

function routeOf(deps: RequestDeps, name: FormName, form: RequestForm): FormRoute {
  const kind = kindOf(name);

  /** Who may not ask is not shown what is there either. */
  async function filled(person: Person, given: Given, subjects: string[]): Promise<FormContent> {
    await deps.desk.admit(person, kind, subjects);
    return contentOf(form.title, await form.fill(deps.platform(), given), deps.approvalsRequired);
  }

  return {
    actionId: `${ASK}${name}`,
    callbackId: `${ASKED}${name}`,
    title: form.title,
    async fill({ person, value }, show) {
      const given = textsIn(value);
      await show(await filled(person, given, subjectsOf(kind, given)));
    },
    async submit({ person, values, state }) {
      const memory = textsIn(state);
      const read = form.read(values, memory, deps.clock.now());
      if ('errors' in read) return read;
      if ('refusal' in read) return { answer: () => Promise.reject(new Refusal(read.refusal)) };
      const complete = () => completed(deps, person, form, read.order, memory);
      const answer = async () => ask(deps, person, await complete());
      if (form.conflictField === undefined) return { answer };
      const refusal = await refusalInTime(async () => deps.desk.preview(person, await complete()));
      if (refusal === undefined) return { answer };
      return { errors: { [form.conflictField]: refusal.message }, refusal };
    },
    ...refilling(form, filled),
  };
}

function refilling(
  { tells }: RequestForm,
  filled: (person: Person, given: Given, subjects: string[]) => Promise<FormContent>,
): Pick<FormRoute, 'fields' | 'refill'> {
  if (tells === undefined) return {};
  return {
    fields: [tells.field],
    async refill({ person, values }) {
      const chosen = values[tells.field];
      const given = typeof chosen === 'string' ? { [tells.given]: chosen } : {};
      // Who chooses the own user hears it once, below the field, when the form is sent.
      return filled(person, given, []);
    },
  };
}

/** Slack waits three seconds for a form, and a part of them is gone. Milliseconds. */
const PREVIEW_MS = 1_400;

/**
 * Why something would be refused, while its form is still there to put it right. What fails otherwise, or
 * takes longer, is no reason: asking for it looks again, and says so.
 */
async function refusalInTime(look: () => Promise<unknown>): Promise<Refusal | undefined> {
  let refusal: Refusal | undefined;
  const looked = look().catch((error: unknown) => {
    if (error instanceof Refusal) refusal = error;
  });
  await settledWithin(looked, PREVIEW_MS);
  return refusal;
}

async function ask({ desk, link }: RequestDeps, person: Person, order: Order): Promise<Answer> {
  const requested = await desk.request(person, order);
  // It is filed by now: a card that cannot be found takes nothing from that.
  const card = await link(requested.change).catch(() => undefined);
  return requestedAnswer(requested, person.userId, card);
}

/** The order with what is read for it only now; who may not ask is not told them. */
async function completed(
  { desk, platform }: RequestDeps,
  person: Person,
  form: RequestForm,
  read: Order,
  memory: Given,
): Promise<Order> {
  if (form.complete === undefined) return read;
  await desk.admit(person, read.kind);
  return form.complete(platform(), read, memory);
}

/** Whose own user it is may not ask, and need not fill in a form to hear it. */
function subjectsOf(kind: ChangeKind, { email }: Given): string[] {
  return kind.startsWith('user.') && email !== undefined ? [email] : [];
}

/** Before the name of a form: of the buttons that open it, and of the form itself. */
const ASK = 'changes.ask.';
const ASKED = 'changes.asked.';

/** The kind of change that somebody asks for by a button or a form; undefined for any other id. Pure. */
export function kindAskedBy(id: string): ChangeKind | undefined {
  const prefix = [ASK, ASKED].find((one) => id.startsWith(one));
  return prefix === undefined ? undefined : kindOf(id.slice(prefix.length) as FormName);
}

/** Who may ask for a new alert may replace one, so either stands for both. */
function kindOf(name: FormName): ChangeKind {
  return name === 'alert.set' || name === 'alert.off' ? 'alert.replace' : name;
}
