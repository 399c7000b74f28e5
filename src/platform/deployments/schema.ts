import { z } from 'zod';

/**
 * Only the members that the bot reads; all others are dropped, `status.internal` among them
 * (spec 2.12: its shape is outside the contract and must not be read).
 *
 * What decides about a state is checked here: an item with `ready: "yes"` is a bad item, not a
 * deployment that is not ready. Labels and counts may be anything; `toDeployment` takes those that
 * have the right type. There is no transform and no fallback in here, because a list of 10,000
 * items is checked in a fraction of the time without them.
 */
const flag = z.boolean().nullish();
const label = z.unknown().optional();

/** A resource version: `11`, `11.0` or `"11"`; absent, empty and 0 all mean "not set yet". */
const versionNumber = z
  .union([z.number().int().min(0), z.string().regex(/^\s*(?:\d{1,15}(?:\.0+)?\s*)?$/)])
  .nullish();

const container = z.object({
  image: label,
  ready: label,
  message: label,
  resources: label,
  restarts: label,
});

const deploymentVersion = z.object({
  workload: versionNumber,
  gvc: label,
  created: label,
  ready: flag,
  message: label,
  zone: label,
  desiredScale: label,
  containers: z.record(z.string(), container.nullable()).nullish(),
});

const jobExecution = z.object({
  name: label,
  replica: label,
  status: label,
  workloadVersion: label,
  startTime: label,
  completionTime: label,
  conditions: label,
  containers: label,
  message: label,
});

const status = z.object({
  endpoint: label,
  remote: label,
  ready: flag,
  deploying: flag,
  message: label,
  lastProcessedVersion: versionNumber,
  expectedDeploymentVersion: versionNumber,
  desiredScale: label,
  versions: z.array(deploymentVersion.nullable()).nullish(),
  jobExecutions: z.array(jobExecution.nullable()).nullish(),
});

/**
 * Of a workload or a location. They are joined by slashes in what is kept and in the keys of
 * messages, where a part with a leading `@` is ours, and keys are listed with blanks in between: a
 * name that looks like any of these would be taken for another one.
 */
const NAME = /^[^/@\s][^/\s]*$/;

/** Whether it can be the name of a workload or a location; who an item is, is read on its own, so that a broken status does not make its record look gone. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value);
}

export const DeploymentItem = z.object({
  name: z.string().regex(NAME),
  lastModified: label,
  status: status.nullish(),
  links: label,
});
export type DeploymentItem = z.infer<typeof DeploymentItem>;
export type VersionItem = z.infer<typeof deploymentVersion>;
export type ContainerItem = z.infer<typeof container>;
export type JobItem = z.infer<typeof jobExecution>;

/** Links of a page are read strictly where it counts: one that is overlooked would make the rest of the list look gone. */
const pageLink = z.union([
  z.object({ rel: z.literal('next'), href: z.string().nullish() }),
  z
    .unknown()
    .refine((other) => (other as { rel?: unknown } | null | undefined)?.rel !== 'next')
    .transform(() => ({ rel: '', href: '' })),
]);

/** Empty members are often left out, so what says that it is a list needs no items. */
export const ListPage = z
  .object({
    kind: label,
    items: z.array(z.unknown()).nullish(),
    links: z.array(pageLink).nullish(),
  })
  .refine(({ kind, items }) => items !== undefined || kind === 'list');
export type ListPage = z.infer<typeof ListPage>;
