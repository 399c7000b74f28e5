import {
  copied,
  either,
  error,
  found,
  note,
  spoken,
  warning,
  type Finding,
  type Nearest,
} from './finding.ts';
import {
  isStated,
  isTemplate,
  membersOf,
  textOf,
  within,
  type ManifestNode,
} from './manifest/node.ts';
import { OPTIONS, RETRY_CONDITIONS, valueFindings } from './options.ts';

/**
 * Findings about the runtime options of a workload (spec 2.13), and about related fields.
 * @param prefix of the brand
 */
export function optionFindings(
  workload: ManifestNode,
  prefix: string,
  nearest: Nearest,
): readonly Finding[] {
  const type = textOf(within(workload, 'spec', 'type'))?.trim();
  const context = { override: `${prefix}/timeoutSecondsOverride`, type, nearest };
  const values = OPTIONS.flatMap(({ path, value }) => {
    const node = within(workload, ...path);
    return node === undefined ? [] : valueFindings(node, value, context);
  });
  return [
    ...values,
    ...GROUPS.flatMap((group) => groupFindings(within(workload, ...group), group)),
    ...standstill(workload),
    ...longGrace(workload, prefix),
    ...NOTES.flatMap((rule) => noteFindings(workload, rule, prefix)),
    ...retryDefault(workload),
  ];
}

const GROUPS: readonly (readonly string[])[] = [
  ...new Map(
    OPTIONS.flatMap(({ path }) =>
      path.slice(0, -1).map((_, index) => path.slice(0, index + 1)),
    ).map((group) => [group.join('.'), group]),
  ).values(),
];

function namesIn(group: readonly string[]): readonly string[] {
  const names = OPTIONS.filter(({ path }) => group.every((name, index) => path[index] === name));
  return [...new Set(names.flatMap(({ path }) => path[group.length] ?? []))];
}

function groupFindings(
  node: ManifestNode | undefined,
  group: readonly string[],
): readonly Finding[] {
  if (!isStated(node) || node.kind === 'map' || isTemplate(node)) return [];
  const names = namesIn(group);
  const fix = `write ${names.length === 1 ? only(names, node) : either(names.map(copied))} below it`;
  return [found(node, error(`is ${spoken(node)}, but takes options with values`, fix))];
}

/** `multiZone: true` means its only option. */
function only([name = '']: readonly string[], node: ManifestNode): string {
  const isSwitch = node.kind === 'value' && typeof node.value === 'boolean';
  return copied(isSwitch ? `${name}: ${node.text}` : name);
}

/** No surge and no unavailable replica: the rollout cannot start. */
function standstill(workload: ManifestNode): readonly Finding[] {
  const rollout = within(workload, 'spec', 'rolloutOptions');
  const surge = within(rollout, 'maxSurgeReplicas');
  const unavailable = within(rollout, 'maxUnavailableReplicas');
  if (surge === undefined || !isZero(surge) || !isZero(unavailable)) return [];
  return [
    found(
      surge,
      error(
        'is 0, as `maxUnavailableReplicas` is: no replica may be added and none may be away, so nothing can roll out',
        'write `1` or more for one of them',
      ),
    ),
  ];
}

function isZero(node: ManifestNode | undefined): boolean {
  return node?.kind === 'value' && node.value !== null && /^0+(\.0*)?%?$/.test(node.text.trim());
}

const USUAL_GRACE_SECONDS = 900;
const RELAXED_GRACE_SECONDS = 3_600;

/** The limit is from public sources only; the platform may have changed it. */
function longGrace(workload: ManifestNode, prefix: string): readonly Finding[] {
  const node = within(workload, 'spec', 'rolloutOptions', 'terminationGracePeriodSeconds');
  const tag = `${prefix}/relaxGracePeriodMax`;
  const relaxing = within(workload, 'tags', tag);
  const isRelaxed =
    isTemplate(relaxing) || /^(true|yes|on|1)$/i.test(textOf(relaxing)?.trim() ?? '');
  const max = isRelaxed ? RELAXED_GRACE_SECONDS : USUAL_GRACE_SECONDS;
  if (node?.kind !== 'value' || !(Number(node.text) > max)) return [];
  const instead =
    relaxing === undefined
      ? `add the tag ${copied(tag)}`
      : `set the tag ${copied(tag)} in line ${relaxing.line} to ${copied('"true"')}`;
  const longer = `, or ${instead} for up to ${RELAXED_GRACE_SECONDS} seconds`;
  const what = `is ${spoken(node)}, and public sources allow up to ${max} seconds`;
  return [
    found(node, warning(what, `write ${copied(`${max}`)} or less${isRelaxed ? '' : longer}`)),
  ];
}

interface NoteRule {
  readonly path: readonly string[];
  readonly when: string | boolean;
  says(prefix: string): string;
}

const NOTES: readonly NoteRule[] = [
  {
    path: ['spec', 'rolloutOptions', 'maxUnavailableReplicas'],
    when: '100%',
    says: () => 'lets all replicas be away at once: for a while none may serve',
  },
  {
    path: ['spec', 'rolloutOptions', 'scalingPolicy'],
    when: 'Parallel',
    says: () =>
      'creates and destroys replicas together when scaling; it does not change the batches of an update',
  },
  {
    path: ['spec', 'defaultOptions', 'suspend'],
    when: true,
    says: () => 'stops serving immediately, the same as a minimum and maximum scale of 0',
  },
  {
    path: ['spec', 'defaultOptions', 'multiZone', 'enabled'],
    when: true,
    says: () =>
      'is not supported by every location; with a dedicated load balancer, enable multi-zone in the GVC’s load balancer settings, too',
  },
  {
    path: ['spec', 'defaultOptions', 'debug'],
    when: true,
    says: (prefix) =>
      `makes answers to requests with the header ${copied(`x-${prefix}-debug: true`)} name the location and the replica; it takes effect after the workload redeploys`,
  },
];

function noteFindings(workload: ManifestNode, rule: NoteRule, prefix: string): readonly Finding[] {
  const node = within(workload, ...rule.path);
  const holds = node?.kind === 'value' && node.value === rule.when;
  return holds ? [found(node, note(rule.says(prefix)))] : [];
}

/** Setting `attempts` without `retryOn` silently means the default conditions. */
function retryDefault(workload: ManifestNode): readonly Finding[] {
  const policy = within(workload, 'spec', 'requestRetryPolicy');
  const attempts = within(policy, 'attempts');
  const isWithout = !isStated(within(policy, 'retryOn')) && membersOf(policy).length > 0;
  if (!isStated(attempts) || !isWithout || isZero(attempts)) return [];
  const conditions = RETRY_CONDITIONS.map(copied).join(', ');
  const what = `is how often a request is tried again, and the default of ${copied('retryOn')} says after what: ${conditions}`;
  return [found(attempts, note(what))];
}
