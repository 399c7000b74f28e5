import { ADMINS, READERS } from '../../access/policy.ts';
import type { BillingRole } from '../../platform/billing/roles.ts';
import { questionIn, readQuestion } from '../../slack/replies/shelf.ts';
import { commandRoute, type ActionRoute } from '../../slack/routing/routes.ts';
import type { Feature } from '../../services.ts';
import {
  answer,
  answerPage,
  INVOICES_ROUTE,
  InvoicesQuestion,
  type InvoiceServices,
  ShowQuestion,
} from './answers.ts';
import { INVOICES_HELP, parseInvoices, type InvoicesCommand } from './parse.ts';
import { INVOICE_ACTIONS, type InvoiceAction } from './lines.ts';

/** `/invoices`: billed and due amounts, lines, files and e-mails (spec 2.8, 2.10, 4.2). */
export function createInvoicesFeature(services: InvoiceServices): Feature {
  const { access } = services;
  return {
    name: 'invoices',
    commands: [
      commandRoute({
        help: INVOICES_HELP,
        parse: (words) => ({ command: parseInvoices(words) }),
        async run(command, { person }) {
          await access.requireRole(person, rolesFor(command.kind));
          return answer(services, person.userId, command);
        },
      }),
    ],
    actions: INVOICE_ACTIONS.map((kind) => invoiceAction(services, kind)),
    questions: [
      {
        name: INVOICES_ROUTE,
        async ask({ person }, asked, page) {
          const question = readQuestion(InvoicesQuestion, asked);
          await access.requireRole(person, rolesFor(question.kind));
          return answerPage(services, question, page);
        },
      },
    ],
  };
}

/** The value of a button is the id of its invoice; in the menu of an answer it is that of the answer. */
function invoiceAction(services: InvoiceServices, kind: InvoiceAction): ActionRoute {
  return {
    actionId: `invoices.${kind}`,
    async run(context) {
      const { person, value } = context;
      await services.access.requireRole(person, rolesFor(kind));
      const id = value ?? (await questionIn(services.kept, context, ShowQuestion)).id;
      return answer(services, person.userId, { kind, ref: { id } });
    },
  };
}

function rolesFor(kind: InvoicesCommand['kind']): readonly BillingRole[] {
  return kind === 'deliveries' ? ADMINS : READERS;
}
