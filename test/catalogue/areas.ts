import type { Area } from './entry.ts';
import { accessAdmission, accessOrgs, accessRoles } from './areas/changes-core-access.ts';
import { changeConflicts } from './areas/changes-core-conflicts.ts';
import {
  changeCardsPending,
  changeCardsSucceeded,
  changeEndsByKind,
} from './areas/changes-core-kinds.ts';
import { changeDoubts, changeFailures, changeSuccesses } from './areas/changes-core-outcomes.ts';
import { changeDecisionRefusals, changeRequestRefusals } from './areas/changes-core-refusals.ts';
import { changeRevealRefusals } from './areas/changes-core-reveals.ts';
import { changeSecrets, changeSecretsGivenUp } from './areas/changes-core-secrets.ts';
import { changeReminders, changeStates, changeEndsReported } from './areas/changes-core-states.ts';
import { changeAsked } from './areas/changes-feature-asked.ts';
import { askAccess } from './areas/changes-access.ts';
import { alertForms } from './areas/changes-feature-forms-alert.ts';
import { identity } from './areas/changes-identity.ts';
import { orgForm, quotaForm } from './areas/changes-feature-forms-org-quota.ts';
import { recipientForms } from './areas/changes-feature-forms-recipients.ts';
import { tokenForms } from './areas/changes-feature-forms-tokens.ts';
import { userForms } from './areas/changes-feature-forms-users.ts';
import { changesHome } from './areas/changes-feature-home.ts';
import { changesList, changesRefusals } from './areas/changes-feature-list.ts';
import { reveal } from './areas/changes-feature-reveal.ts';
import { decisions, reviewForms, reviewRefusals } from './areas/changes-feature-review.ts';
import { auditFile, changesShow } from './areas/changes-feature-show.ts';
import { doctor } from './areas/doctor.ts';
import { doctorBilling } from './areas/doctor-billing.ts';
import { doctorOwn } from './areas/doctor-own.ts';
import { doctorPlatform } from './areas/doctor-platform.ts';
import { doctorSlack } from './areas/doctor-slack.ts';
import { commandHelp, purserHelp, purserRefusals } from './areas/help.ts';
import { homeTab } from './areas/home.ts';
import { whoami } from './areas/whoami.ts';
import { alertAtHome, alertRefusals, alertShown } from './areas/money-alert.ts';
import { billingAccount } from './areas/money-billing.ts';
import {
  billingOrgs,
  billingQuotas,
  billingRecipients,
  billingRefusals,
  billingTokens,
  billingUsers,
} from './areas/money-billing-lists.ts';
import { invoiceCompared } from './areas/money-invoices-compared.ts';
import { invoicesList, invoicesPending } from './areas/money-invoices-lists.ts';
import { invoiceDeliveries, invoicePay, invoicePdf } from './areas/money-invoices-pay.ts';
import { invoicesRefusals } from './areas/money-invoices-refusals.ts';
import { invoiceShown } from './areas/money-invoices-show.ts';
import { platformRefusals, platformUnasked, unusableAnswers } from './areas/money-platform.ts';
import { savedQuestions } from './areas/money-saved.ts';
import { digests } from './areas/money-reports.ts';
import { moneyOutages } from './areas/money-outages.ts';
import { failedDeliveries, stops, tokensReported } from './areas/money-reports-admins.ts';
import { alertNotices } from './areas/money-reports-alert.ts';
import { invoiceCards } from './areas/money-reports-invoices.ts';
import { charges, chargesChange } from './areas/reports-charges.ts';
import { chargesCaveats, chargesShort } from './areas/reports-charges-caveats.ts';
import { chargesOfOrgs } from './areas/reports-single-orgs.ts';
import { customize, customizeErrors } from './areas/reports-customize.ts';
import { chargesDetail } from './areas/reports-detail.ts';
import { files } from './areas/reports-files.ts';
import { chargesItems, tags } from './areas/reports-lists.ts';
import { questionsUnasked } from './areas/reports-platform.ts';
import { reportRefusals } from './areas/reports-refusals.ts';
import { usage, usageGaps } from './areas/reports-usage.ts';
import { deploymentsStatus } from './areas/deployments-status.ts';
import { deploymentsOverview } from './areas/deployments-overview.ts';
import { deploymentsDetails } from './areas/deployments-details.ts';
import { deploymentsRuns } from './areas/deployments-runs.ts';
import { changesMeet } from './areas/changes-meets.ts';
import { deploymentsWatch, deploymentsWatches } from './areas/deployments-watches.ts';
import { deploymentsWays } from './areas/deployments-ways.ts';
import { deploymentsMutes } from './areas/deployments-mutes.ts';
import { deploymentsCards } from './areas/deployments-cards.ts';
import { deploymentsRefusals } from './areas/deployments-refusals.ts';
import { deploymentsHome } from './areas/deployments-home.ts';
import { slackEdgeAnswers } from './areas/slack-edge-answers.ts';
import { slackEdgeWindows } from './areas/slack-edge-windows.ts';
import { slackEdgeForms } from './areas/slack-edge-forms.ts';
import { slackEdgeFiles } from './areas/slack-edge-files.ts';
import { slackEdgeBoundary } from './areas/slack-edge-boundary.ts';
import { slackEdgeHome } from './areas/slack-edge-home.ts';
import { outages, outagesOver } from './areas/outages.ts';
import { calls, firstPolls, reportsAndLeaving, rolloutEnds } from './areas/watch-calls.ts';
import { rolloutCards } from './areas/watch-cards.ts';
import { rolloutCauses } from './areas/watch-causes.ts';
import { gvcGroups, jobs, locationGroups } from './areas/watch-groups.ts';
import { slackRefusals } from './areas/watch-refusals.ts';
import { changesForgotten } from './areas/changes-core-forgotten.ts';
import { storeOutages } from './areas/store-outage.ts';
import { workloadAddresses } from './areas/workload-addresses.ts';
import { workloadCheckForm } from './areas/workload-check.ts';
import { workloadCheckFields, workloadCheckOptions } from './areas/workload-check-findings.ts';
import { workloadCheckManifests } from './areas/workload-check-manifests.ts';
import { workloadCheckTags } from './areas/workload-check-tags.ts';
import { workloadCheckUnreadable } from './areas/workload-check-unreadable.ts';
import { workloadEnv, workloadTags } from './areas/workload-lookups.ts';
import { workloadPlan } from './areas/workload-plan.ts';
import { workloadProbe, workloadProbeRefusals } from './areas/workload-probe.ts';
import { workloadHelp, workloadRefusals } from './areas/workload-refusals.ts';

/** Everything that Purser says, in the order of the page. */
export const AREAS: readonly Area[] = [
  rolloutCards,
  rolloutEnds,
  calls,
  reportsAndLeaving,
  rolloutCauses,
  gvcGroups,
  locationGroups,
  jobs,
  firstPolls,
  outages,
  outagesOver,
  slackRefusals,
  storeOutages,
  deploymentsStatus,
  deploymentsOverview,
  deploymentsDetails,
  deploymentsRuns,
  deploymentsWays,
  deploymentsWatch,
  deploymentsWatches,
  deploymentsMutes,
  deploymentsCards,
  deploymentsRefusals,
  deploymentsHome,
  slackEdgeAnswers,
  slackEdgeWindows,
  slackEdgeForms,
  slackEdgeFiles,
  slackEdgeBoundary,
  slackEdgeHome,
  workloadHelp,
  workloadAddresses,
  workloadEnv,
  workloadTags,
  workloadPlan,
  workloadProbe,
  workloadProbeRefusals,
  workloadCheckForm,
  workloadCheckManifests,
  workloadCheckFields,
  workloadCheckOptions,
  workloadCheckTags,
  workloadCheckUnreadable,
  workloadRefusals,
  doctor,
  doctorSlack,
  doctorPlatform,
  doctorBilling,
  doctorOwn,
  purserHelp,
  commandHelp,
  purserRefusals,
  whoami,
  accessAdmission,
  accessRoles,
  accessOrgs,
  homeTab,
  alertForms,
  userForms,
  tokenForms,
  orgForm,
  quotaForm,
  recipientForms,
  changeAsked,
  reviewForms,
  reviewRefusals,
  decisions,
  reveal,
  changesList,
  changesShow,
  changesRefusals,
  auditFile,
  changesHome,
  changeCardsPending,
  changesMeet,
  changeCardsSucceeded,
  changeStates,
  changeEndsReported,
  changeReminders,
  ...changeEndsByKind,
  changeSuccesses,
  changeFailures,
  changesForgotten,
  changeDoubts,
  changeSecrets,
  changeSecretsGivenUp,
  changeConflicts,
  changeRequestRefusals,
  identity,
  askAccess,
  changeDecisionRefusals,
  changeRevealRefusals,
  charges,
  chargesChange,
  chargesCaveats,
  chargesShort,
  chargesOfOrgs,
  chargesDetail,
  chargesItems,
  usage,
  usageGaps,
  tags,
  customize,
  customizeErrors,
  files,
  reportRefusals,
  questionsUnasked,
  invoicesList,
  invoicesPending,
  invoiceShown,
  invoiceCompared,
  invoicePdf,
  invoicePay,
  invoiceDeliveries,
  invoicesRefusals,
  alertShown,
  alertRefusals,
  alertAtHome,
  billingAccount,
  billingOrgs,
  billingUsers,
  billingTokens,
  billingRecipients,
  billingQuotas,
  billingRefusals,
  platformRefusals,
  platformUnasked,
  unusableAnswers,
  savedQuestions,
  digests,
  alertNotices,
  invoiceCards,
  failedDeliveries,
  tokensReported,
  moneyOutages,
  stops,
];
