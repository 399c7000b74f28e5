import { MONEY_TASKS } from '../../src/features/help/money-tasks.ts';
import { PLACES } from '../../src/features/help/tasks.ts';
import type { Place, Task } from '../../src/features/help/task.ts';
import { WORK_TASKS } from '../../src/features/help/work-tasks.ts';

/** What a task is found by, beside what it says of itself. */
const searchWords = (file: string, tasks: readonly (Task | Place)[]) =>
  tasks.flatMap(({ words }) =>
    words === undefined
      ? []
      : { file: `features/help/${file}`, text: words, why: 'words by which /purser help finds it' },
  );

/** Texts that look as if people read them, and why the catalogue does not show them. */
export const UNSAID: readonly {
  /** Below `src`. */
  readonly file: string;
  /** A part of the text; absent: all texts of the file. */
  readonly text?: string;
  readonly why: string;
}[] = [
  ...searchWords(
    'money-tasks.ts',
    MONEY_TASKS.flatMap(({ tasks }) => tasks),
  ),
  ...searchWords(
    'work-tasks.ts',
    WORK_TASKS.flatMap(({ tasks }) => tasks),
  ),
  ...searchWords('tasks.ts', PLACES),
  { file: 'features/help/find.ts', why: 'words that a search leaves out, and one that it splits' },
  {
    file: 'features/doctor/platform-token-judge.ts',
    text: 'set it to the `id`',
    why: 'shown with other marks for its backticks: doctor-billing-account-id',
  },
  {
    file: 'features/workload/remarks-view.ts',
    text: 'object storage',
    why: 'a key by which a remark is found',
  },
  {
    file: 'platform/workload/manifest/words.ts',
    text: 'Missing closing',
    why: 'how an error of the YAML parser begins',
  },
  {
    file: 'platform/workload/manifest/read.ts',
    text: 'cannot be read as YAML or JSON',
    why: 'a net for defects of the YAML parser: no text is known that gets there',
  },
  {
    file: 'platform/workload/tags.ts',
    text: 'For values up to 600 use',
    why: 'shown with its path as code: workload-tags-timeout-seconds-override',
  },
  {
    file: 'slack/http-receiver.ts',
    text: 'malformed body',
    why: 'an answer to a request over HTTP that is not Slack’s',
  },
  { file: 'slack/response-url.ts', text: 'application/json', why: 'a header of HTTP' },
  { file: 'slack/sender.ts', why: 'why a call of Slack failed, as the log has it' },
  {
    file: 'features/alert/spend.ts',
    text: 'reached at',
    why: 'a kind of pace',
  },
  {
    file: 'features/alert/spend.ts',
    text: 'not this month',
    why: 'a kind of pace',
  },
  {
    file: 'features/alert/view.ts',
    text: 'reached at',
    why: 'a kind of pace',
  },
  {
    file: 'features/alert/view.ts',
    text: 'not this month',
    why: 'a kind of pace',
  },
  {
    file: 'platform/billing/calls.ts',
    text: 'record or none',
    why: 'a key of what is remembered',
  },
  {
    file: 'platform/billing/account.ts',
    text: 'an account',
    why: 'an answer that is not what was asked for is told by its reason alone: platform-malformed',
  },
  {
    file: 'platform/billing/calls.ts',
    text: 'a list that comes to an end',
    why: 'an answer that is not what was asked for is told by its reason alone: platform-malformed',
  },
  {
    file: 'platform/billing/charge-rows.ts',
    text: 'the answer has no detailed results',
    why: 'an answer that is not what was asked for is told by its reason alone: platform-malformed',
  },
  {
    file: 'platform/billing/invoices.ts',
    text: 'the invoice that was asked for',
    why: 'an answer that is not what was asked for is told by its reason alone: platform-malformed',
  },
  {
    file: 'platform/billing/listing.ts',
    text: 'a list that says where it goes on',
    why: 'an answer that is not what was asked for is told by its reason alone: platform-malformed',
  },
  {
    file: 'platform/billing/orgs.ts',
    text: 'the org that was asked for',
    why: 'an answer that is not what was asked for is told by its reason alone: platform-malformed',
  },
  {
    file: 'platform/billing/orgs.ts',
    text: 'an org with a key that can be read',
    why: 'an answer that is not what was asked for is told by its reason alone: platform-malformed',
  },
  {
    file: 'platform/billing/quotas.ts',
    text: 'a quota increase request',
    why: 'an answer that is not what was asked for is told by its reason alone: platform-malformed',
  },
  {
    file: 'platform/billing/recipients.ts',
    text: 'an invoice e-mail recipient',
    why: 'an answer that is not what was asked for is told by its reason alone: platform-malformed',
  },
  {
    file: 'platform/billing/tokens.ts',
    text: 'a token with its secret',
    why: 'an answer that is not what was asked for is told by its reason alone: platform-malformed',
  },
  {
    file: 'platform/billing/users.ts',
    text: 'the billing user that was asked for',
    why: 'an answer that is not what was asked for is told by its reason alone: platform-malformed',
  },
  {
    file: 'platform/download.ts',
    text: 'the answer is not of the type',
    why: 'an answer that is not what was asked for is told by its reason alone: platform-malformed',
  },
  {
    file: 'platform/deadline.ts',
    why: 'a failure of the connection is told by its reason alone: platform-timeout, platform-unreachable',
  },
  {
    file: 'platform/failure.ts',
    text: 'the platform fell silent',
    why: 'a failure of the connection is told by its reason alone: platform-timeout, platform-unreachable',
  },
  {
    file: 'platform/failure.ts',
    text: 'the connection to the platform failed',
    why: 'a failure of the connection is told by its reason alone: platform-timeout, platform-unreachable',
  },
  {
    file: 'platform/billing/alert.ts',
    text: 'amount must be',
    why: 'shown with a capital letter: platform-unasked-amount',
  },
  {
    file: 'platform/billing/invoices.ts',
    text: 'start must be',
    why: 'shown with a capital letter: platform-unasked-backward',
  },
  {
    file: 'platform/billing/orgs.ts',
    text: 'an org needs',
    why: 'shown with a capital letter: platform-unasked-org-name',
  },
  {
    file: 'platform/billing/orgs.ts',
    text: 'an org created',
    why: 'shown with a capital letter: platform-unasked-org-invitees',
  },
  {
    file: 'platform/billing/quotas.ts',
    text: 'an increase needs',
    why: 'shown with a capital letter: platform-unasked-quota-name',
  },
  {
    file: 'platform/billing/roles.ts',
    text: 'roles must be',
    why: 'shown with a capital letter: platform-unasked-roles',
  },
  {
    file: 'platform/billing/tokens.ts',
    text: 'a token needs',
    why: 'shown with a capital letter: platform-unasked-token-name',
  },
  {
    file: 'platform/bare-http.ts',
    text: 'that is no address',
    why: 'shown with a capital letter: platform-unasked-web-address',
  },
  {
    file: 'platform/failure.ts',
    text: 'the credential cannot be sent',
    why: 'shown with a capital letter: platform-key-unsendable',
  },
  {
    file: 'platform/billing/explain.ts',
    text: 'the account id is the UUID',
    why: 'shown with other marks around “id”: platform-key-401-strange-id',
  },
  {
    file: 'platform/bare-http.ts',
    text: 'a call without a credential',
    why: 'only a defect of the code brings it about: the headers are fixed there',
  },
  { file: 'figures/chart-steps.ts', text: 'Jan Feb Mar', why: 'split into the names of months' },
  { file: 'figures/draw-style.ts', why: 'names of fonts' },
  { file: 'figures/money.ts', text: 'BIF CLP', why: 'split into codes of currencies' },
  { file: 'figures/money.ts', text: 'BHD IQD', why: 'split into codes of currencies' },
  { file: 'figures/money.ts', text: 'CLF UYW', why: 'split into codes of currencies' },
  { file: 'platform/consumption/explain.ts', why: 'patterns for what the platform says' },
  {
    file: 'platform/consumption/check-query.ts',
    text: 'name at least one org',
    why: 'shown with a capital letter: question-unasked-no-orgs',
  },
  {
    file: 'platform/consumption/check-query.ts',
    text: 'a tag must be named',
    why: 'shown with a capital letter: question-unasked-no-tag',
  },
  {
    file: 'platform/consumption/check-query.ts',
    text: 'at least one consumption query is needed',
    why: 'shown with a capital letter: question-unasked-nothing',
  },
  {
    file: 'platform/consumption/check-query.ts',
    text: 'the query groups by',
    why: 'shown with a capital letter: question-unasked-no-group',
  },
  {
    file: 'platform/consumption/result.ts',
    why: 'of an answer that cannot be read, whose words are in the log alone',
  },
  {
    file: 'platform/consumption/tag-values.ts',
    why: 'of an answer that cannot be read, whose words are in the log alone',
  },
  {
    file: 'platform/deployments/client.ts',
    text: 'the answer is not a deployment',
    why: 'of an answer that cannot be read, whose words are in the log alone',
  },
  {
    file: 'platform/deployments/page-text.ts',
    why: 'stands for the items of a page while it is read',
  },
  {
    file: 'rollouts/engine/explain.ts',
    text: 'replica replicas',
    why: 'split into words of the platform’s messages',
  },
  {
    file: 'rollouts/engine/classify.ts',
    text: 'Status details are stale',
    why: 'how a message of the platform begins',
  },
  { file: 'changes/call.ts', text: 'not done', why: 'a kind of what settling finds' },
  { file: 'changes/carry-out.ts', text: 'not done', why: 'a kind of what settling finds' },
  { file: 'changes/clear-away.ts', text: 'not done', why: 'a kind of what settling finds' },
  { file: 'changes/kinds/alert.ts', text: 'not done', why: 'a kind of what settling finds' },
  { file: 'changes/kinds/orgs.ts', text: 'not done', why: 'a kind of what settling finds' },
  { file: 'changes/kinds/recipients.ts', text: 'not done', why: 'a kind of what settling finds' },
  { file: 'changes/kinds/tokens.ts', text: 'not done', why: 'a kind of what settling finds' },
  { file: 'changes/kinds/users.ts', text: 'not done', why: 'a kind of what settling finds' },
  { file: 'changes/settle.ts', text: 'not done', why: 'a kind of what settling finds' },
  { file: 'changes/clear-away.ts', text: 'secret lost', why: 'a kind of what settling finds' },
  { file: 'changes/kinds/orgs.ts', text: 'secret lost', why: 'a kind of what settling finds' },
  { file: 'changes/kinds/tokens.ts', text: 'secret lost', why: 'a kind of what settling finds' },
  { file: 'changes/read-back.ts', text: 'secret lost', why: 'a kind of what settling finds' },
  { file: 'changes/settle.ts', text: 'secret lost', why: 'a kind of what settling finds' },
];
