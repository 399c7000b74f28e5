import { ADMINS, READERS } from '../../access/policy.ts';
import type { BillingRole } from '../../platform/billing/roles.ts';
import { commandRoute, type ActionRoute } from '../../slack/routing/routes.ts';
import type { Feature } from '../../services.ts';
import { answer, answerPage, readState, type InvoiceServices } from './answers.ts';
import { INVOICES_HELP, parseInvoices, type InvoicesCommand } from './parse.ts';
import { INVOICE_ACTIONS, PAGE_ACTIONS } from './lines.ts';

/** `/invoices`: billed and due amounts, lines, files and e-mails (spec 2.8, 2.10, 4.2). */
export function createInvoicesFeature(services: InvoiceServices): Feature {
  return {
    name: 'invoices',
    commands: [
      commandRoute({
        help: INVOICES_HELP,
        parse: (words) => ({ command: parseInvoices(words) }),
        async run(command, { person }) {
          await services.access.requireRole(person, rolesFor(command.kind));
          return answer(services, person.userId, command);
        },
      }),
    ],
    actions: [
      pageButton(services, PAGE_ACTIONS.previous, -1),
      pageButton(services, PAGE_ACTIONS.next, 1),
      ...INVOICE_ACTIONS.map((kind) => invoiceButton(services, kind)),
    ],
  };
}

function pageButton(services: InvoiceServices, actionId: string, by: 1 | -1): ActionRoute {
  return {
    actionId,
    inPlace: true,
    async run(context) {
      const state = await readState(services, context);
      await services.access.requireRole(context.person, rolesFor(state.kind));
      return answerPage(services, context.person.userId, { ...state, page: state.page + by });
    },
  };
}

/** Its value is the id of the invoice. */
function invoiceButton(
  services: InvoiceServices,
  kind: (typeof INVOICE_ACTIONS)[number],
): ActionRoute {
  return {
    actionId: `invoices.${kind}`,
    async run({ person, value = '' }) {
      await services.access.requireRole(person, rolesFor(kind));
      return answer(services, person.userId, { kind, ref: { id: value } });
    },
  };
}

function rolesFor(kind: InvoicesCommand['kind']): readonly BillingRole[] {
  return kind === 'deliveries' ? ADMINS : READERS;
}
