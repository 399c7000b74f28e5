import type { KnownBlock } from '@slack/types';
import { BigNumber } from 'bignumber.js';
import type { Change } from '../../../../src/changes/change.ts';
import { openingOf, type FormName } from '../../../../src/changes/forms/form.ts';
import type { Given } from '../../../../src/changes/forms/fields.ts';
import { createRequestForms } from '../../../../src/changes/forms/routes.ts';
import { createKinds, type ChangeInput } from '../../../../src/changes/kinds/kinds.ts';
import type { Considered, Requested, RequestService } from '../../../../src/changes/request.ts';
import { Secret } from '../../../../src/lib/secret.ts';
import type { Account } from '../../../../src/platform/billing/account.ts';
import type { Alert } from '../../../../src/platform/billing/alert.ts';
import type { Charges } from '../../../../src/platform/billing/charge-rows.ts';
import type { BillingClient } from '../../../../src/platform/billing/client.ts';
import type { Org } from '../../../../src/platform/billing/orgs.ts';
import type { Recipient } from '../../../../src/platform/billing/recipients.ts';
import type { BillingToken } from '../../../../src/platform/billing/tokens.ts';
import type { BillingUser } from '../../../../src/platform/billing/users.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import type {
  Answer,
  FormContent,
  FormValues,
  Person,
} from '../../../../src/slack/routing/routes.ts';
import { changeOf, REASON } from '../../../support/changes.ts';
import { readBy } from '../../../support/audience.ts';
import { authorizerFor } from '../../../support/authorizer.ts';
import { memoryIdentities } from '../../../support/identities.ts';
import { charges } from '../../features/alert/scenario.ts';

export const ADA = { userId: 'U0ADA', teamId: 'T0ACME' };
export const NOW = Date.UTC(2026, 10, 20, 9);

/** The contents of the platform; `skipped`: rows of every list that cannot be read. */
export interface PlatformData {
  alert?: Partial<Alert> | undefined;
  /** The charges of this month; by default $355, projected to be $465. */
  spend?: Charges | Error | 'silence';
  users?: readonly BillingUser[];
  tokens?: readonly Partial<BillingToken>[];
  recipients?: readonly Recipient[];
  quotas?: readonly Readonly<Record<string, string>>[];
  account?: Partial<Account>;
  /** The orgs, or how many. */
  orgs?: number | readonly Org[];
  skipped?: number;
}

const MEMBER = { teamId: 'T0ACME', deleted: false, bot: false, guest: false, stranger: false };

type FormServices = Parameters<typeof createRequestForms>[0];

/** A bot that has a key for secrets, and that asks for approval. */
const CONFIG: FormServices['config'] = {
  approvals: { required: true, allowSelf: false },
  channels: { approvals: 'C0APPROVE' },
  currency: 'USD',
  secretKey: new Secret('a key'),
};
/** No one has to approve. */
export const AT_ONCE = { ...CONFIG, approvals: { required: false, allowSelf: false } };
/** A bot in which people may approve their own requests. */
export const SELF_APPROVED = { ...CONFIG, approvals: { required: true, allowSelf: true } };
/** There is no SECRET_KEY. */
export const NO_KEY = { ...CONFIG, secretKey: undefined };

export interface FormParts extends FormServices {
  readonly requests: RequestService;
  readonly link: Parameters<typeof createRequestForms>[2];
}

/** The forms with a platform and a request service of their own, and the calls to that service. */
export function formHarness(platformData: PlatformData = {}, parts: Partial<FormParts> = {}) {
  const orders: ChangeInput[] = [];
  const reasons: string[] = [];
  const heard: string[] = [];
  const requests: RequestService = {
    async authorize({ userId }, kind) {
      heard.push(`admit ${userId} ${kind}`);
    },
    /** From a fresh read, as the real one, and without a check for conflicts. */
    async consider(person, input) {
      heard.push('consider');
      const kind = kindOf(input);
      const state = await kind.read(platformOf(platformData, heard), input);
      return { ...consideredBy(person, input), input: kind.resolve(state, input) };
    },
    limit: async () => undefined,
    async request({ input }, reason): Promise<Requested> {
      orders.push(input);
      reasons.push(reason);
      heard.push('request');
      return { kind: 'requested', change: changeOf() };
    },
  };
  const routes = createRequestForms(
    {
      access: authorizerFor({
        member: async () => ({ ...MEMBER, email: 'ada@acme.example' }),
        users: platformOf(platformData),
      }),
      billing: () => platformOf(platformData, heard),
      orgs: { known: ['acme', 'globex'], fallback: 'acme' },
      clock: { now: () => NOW },
      config: CONFIG,
      audience: readBy(),
      ...parts,
    },
    parts.requests ?? requests,
    parts.link ?? (async () => undefined),
  );

  async function open(name: FormName, given?: Given): Promise<FormContent> {
    const { form, value } = openingOf(routes, name, given);
    return openWith(form.actionId, value);
  }

  /** By the value of a button. */
  async function openWith(actionId: string, value: string | undefined): Promise<FormContent> {
    const form = Object.values(routes).find((route) => route.actionId === actionId);
    let shown: FormContent | undefined;
    await form?.fill({ person: ADA, channelId: 'C0OPS', value }, async (content) => {
      shown = content;
    });
    if (shown === undefined) throw new Error('no form was shown');
    return shown;
  }

  /** The errors of the fields, by their labels; without errors the private answer. */
  async function submit(name: FormName, form: FormContent, said: Said = {}) {
    const values = { ...untouched(form), ...valuesOf(form, said) };
    const verdict = await routes[name].submit({ person: ADA, values, state: form.state });
    if ('answer' in verdict) return { answer: await verdict.answer() };
    const labels = Object.entries(verdict.errors).map(([id, error]) => [labelOf(form, id), error]);
    return { errors: Object.fromEntries(labels) as Record<string, string> };
  }

  async function order(
    name: FormName,
    given?: Given,
    said?: Said,
  ): Promise<ChangeInput | undefined> {
    const { errors = {} } = await submit(name, await open(name, given), said);
    if (Object.keys(errors).length > 0) throw new Error(JSON.stringify(errors));
    return orders.at(-1);
  }

  return { routes, orders, reasons, heard, open, openWith, submit, order };
}

const kindOf = createKinds('USD', memoryIdentities());

export function consideredBy(person: Person, input: ChangeInput): Considered {
  const who = { userId: person.userId, email: 'ada@acme.example', roles: ['billing_admin'] };
  return { person, who, kind: kindOf(input), input, plan: changeOf().plan };
}

/** The entries, by label. */
type Said = Readonly<Record<string, string | readonly string[]>>;

/** The platform that forms and kinds read, which is asked for nothing that was remembered. */
export function platformOf(platformData: PlatformData, heard: string[] = []): BillingClient {
  const { alert, account, spend = SPENT } = platformData;
  const { users = [], tokens = [], recipients = [], quotas = [], orgs = 0 } = platformData;
  const fresh =
    <T>(what: string, value: T) =>
    async (...args: unknown[]) => {
      heard.push(what);
      if (JSON.stringify(args.at(-1)) !== '{"fresh":true}') throw new Error('not read afresh');
      return { value, readAt: NOW };
    };
  const list = (what: string, items: readonly unknown[]) =>
    fresh(what, { items, skipped: platformData.skipped ?? 0 });
  const platform = {
    getAlert: fresh('alert', alert && { amount: new BigNumber(400), enabled: true, ...alert }),
    listUsers: list('users', users),
    getUser: (email: string, how: object) =>
      fresh(
        'user',
        users.find((one) => one.email === email),
      )(how),
    listTokens: list(
      'tokens',
      tokens.map((token) => ({ ...TOKEN, ...token })),
    ),
    listRecipients: list('recipients', recipients),
    listQuotas: list(
      'quotas',
      quotas.map((quota) => new Map(Object.entries(quota))),
    ),
    listOrgs: list('orgs', typeof orgs === 'number' ? manyOrgs(orgs) : orgs),
    getAccount: fresh('account', { ...ACCOUNT, ...account }),
    charges: {
      async account() {
        heard.push('charges');
        if (spend instanceof Error) throw spend;
        if (spend === 'silence') return new Promise(() => undefined);
        return { value: spend, readAt: NOW };
      },
    },
  };
  return platform as unknown as BillingClient;
}

const manyOrgs = (length: number) =>
  Array.from({ length }, (_, index) => ({ name: `org-${index}`, accountId: 'account-1' }));

const SPENT = charges({ org: 'acme', total: 310, projected: 420 }, { org: 'globex', total: 45 });
/** The platform omits what this month has cost. */
export const UNSAID = new PlatformError('timeout', 'no answer');
const TOKEN: Partial<BillingToken> = {
  id: 'token-1',
  name: 'ci',
  description: '',
  roles: ['billing_viewer'],
  createdBy: 'ada@acme.example',
};
const ACCOUNT: Partial<Account> = {
  id: 'account-1',
  accountId: 'cus_1',
  fullName: 'Acme',
  email: 'billing@acme.example',
  address: [],
};

export const user = (email: string, ...roles: BillingUser['roles']): BillingUser => ({
  email,
  roles,
});

/** A field as far as tests look at it. */
export interface FieldBlock {
  readonly block_id: string;
  readonly label: { readonly text: string };
  readonly optional?: boolean;
  /** A choice is reported at once. */
  readonly dispatch_action?: boolean;
  readonly hint?: { readonly text: string };
  readonly element: {
    readonly type: string;
    readonly initial_value?: string;
    readonly initial_date?: string;
    readonly initial_option?: FieldOption;
    readonly initial_options?: readonly FieldOption[];
    readonly options?: readonly FieldOption[];
    readonly option_groups?: readonly { readonly options: readonly FieldOption[] }[];
  };
}

interface FieldOption {
  readonly text: { readonly text: string };
  readonly description?: { readonly text: string };
  readonly value: string;
}

export function fieldsOf({ blocks }: { blocks: readonly KnownBlock[] }): FieldBlock[] {
  const sent = JSON.parse(JSON.stringify(blocks)) as { type: string }[];
  return sent.filter(({ type }) => type === 'input') as unknown as FieldBlock[];
}

export function fieldOf(form: FormContent, label: string): FieldBlock {
  const found = fieldsOf(form).find((field) => field.label.text === label);
  if (found === undefined) throw new Error(`there is no field ${label}`);
  return found;
}

/** The fields of its own: every form has a reason. */
export function labelsOf(form: FormContent): string[] {
  return fieldsOf(form).flatMap(({ label: { text } }) => (text === 'Reason' ? [] : [text]));
}

export function optionsOf({ element }: FieldBlock): FieldOption[] {
  return [...(element.options ?? element.option_groups?.flatMap(({ options }) => options) ?? [])];
}

/** The initial value of a field, as people see it. */
export function startOf(form: FormContent, label: string): string | string[] | undefined {
  const { element } = fieldOf(form, label);
  const several = element.initial_options?.map(({ text }) => text.text);
  const single = element.initial_value ?? element.initial_date;
  return several ?? element.initial_option?.text.text ?? single;
}

/** All that can be read in a form or an answer. */
export function wordsOf({ blocks }: Pick<Answer, 'blocks'>): string {
  return JSON.stringify(blocks);
}

function labelOf(form: FormContent, id: string): string {
  return fieldsOf(form).find((field) => field.block_id === id)?.label.text ?? `no field ${id}`;
}

/** The values of a form in which only the reason is filled in. */
function untouched(form: FormContent): FormValues {
  return Object.fromEntries(
    fieldsOf(form).map(({ block_id: id, element }) => {
      const several = element.initial_options?.map(({ value }) => value);
      const empty = element.type === 'checkboxes' ? [] : undefined;
      const written = id === 'changes-reason' ? REASON : undefined;
      const single = element.initial_value ?? element.initial_date;
      return [id, several ?? element.initial_option?.value ?? single ?? written ?? empty];
    }),
  );
}

/** The entries, by field; an option is chosen by its text. */
function valuesOf(form: FormContent, said: Said): FormValues {
  return Object.fromEntries(
    Object.entries(said).map(([label, filled]) => {
      const field = fieldOf(form, label);
      const options = optionsOf(field);
      const value = (text: string) =>
        options.find((option) => option.text.text === text)?.value ?? text;
      const values = typeof filled === 'string' ? value(filled) : filled.map(value);
      return [field.block_id, values];
    }),
  );
}

/** A change that is there already. */
export function known(overrides: Partial<Change>): Requested {
  return { kind: 'same', change: changeOf(overrides) };
}
