import type { Change, ChangeKind, Order } from '../../../changes/change.ts';
import type { Platform } from '../../../changes/kinds/kind.ts';
import type { Desk } from '../../../changes/request.ts';
import type { Clock } from '../../../lib/clock.ts';
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
    ...alertForms(deps.currency),
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
  async function filled(person: Person, given: Given): Promise<FormContent> {
    await deps.desk.admit(person, kind);
    return contentOf(form.title, await form.fill(deps.platform(), given), deps.approvalsRequired);
  }

  return {
    actionId: `changes.ask.${name}`,
    callbackId: `changes.asked.${name}`,
    title: form.title,
    async fill({ person, value }, show) {
      await show(await filled(person, textsIn(value)));
    },
    submit({ person, values, state }) {
      const read = form.read(values, textsIn(state), deps.clock.now());
      return 'errors' in read ? read : { answer: () => ask(deps, person, form, read.order) };
    },
    ...refilling(form, filled),
  };
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

async function ask(
  { desk, platform, link }: RequestDeps,
  person: Person,
  form: RequestForm,
  read: Order,
): Promise<Answer> {
  let order = read;
  if (form.complete !== undefined) {
    await desk.admit(person, read.kind);
    order = await form.complete(platform(), read);
  }
  const requested = await desk.request(person, order);
  // It is filed by now: a card that cannot be found takes nothing from that.
  const card = await link(requested.change).catch(() => undefined);
  return requestedAnswer(requested, person.userId, card);
}

/** Who may ask for a new alert may replace one, so either stands for both. */
function kindOf(name: FormName): ChangeKind {
  return name === 'alert.set' || name === 'alert.off' ? 'alert.replace' : name;
}
