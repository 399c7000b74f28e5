import { z } from 'zod';

/**
 * Only the members that the bot reads; all others are dropped, `status.internal` among them
 * (spec 2.12: its shape is outside the contract and must not be read).
 *
 * Labels fall back to nothing when they have the wrong type. What decides about a state does not:
 * an item with `ready: "yes"` is a bad item, not a deployment that is not ready.
 */
const label = z
  .string()
  .nullish()
  .catch(undefined)
  .transform((text) => text ?? '');
const optionalLabel = z
  .string()
  .nullish()
  .catch(undefined)
  .transform((text) => text || undefined);
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

/** A resource version: `11`, `11.0` or `"11"`; absent and 0 both mean "not set yet" and give 0. */
const versionNumber = z
  .union([
    z.number(),
    z
      .string()
      .trim()
      .regex(/^\d+(\.0+)?$/)
      .transform(Number),
  ])
  .nullish()
  .transform((value) => value ?? 0)
  .pipe(z.number().int().min(0));

/** A count that may be absent; absent is not zero (design section 4: `idle` needs a stated 0). */
const count = z
  .number()
  .min(0)
  .nullish()
  .catch(undefined)
  .transform((value) => value ?? undefined);

const time = z
  .string()
  .nullish()
  .catch(undefined)
  .transform((text) => {
    const ms = Date.parse(text ?? '');
    return Number.isNaN(ms) ? undefined : ms;
  });

const restarts = z.object({
  count,
  exitCode: z.number().nullish().catch(undefined),
  reason: label,
  lastRestartTime: time,
});

const container = z.object({
  image: label,
  ready: flag.catch(false),
  message: label,
  resources: z
    .object({ replicas: count, replicasReady: count, cpu: count, memory: count })
    .partial()
    .nullish()
    .catch(undefined),
  restarts: restarts.nullish().catch(undefined),
});

const deploymentVersion = z.object({
  workload: versionNumber,
  gvc: versionNumber.catch(0),
  created: time,
  ready: flag,
  message: label,
  zone: optionalLabel,
  desiredScale: count,
  containers: z.record(z.string(), container).nullish(),
});

const jobExecution = z.object({
  name: label,
  replica: optionalLabel,
  status: label,
  workloadVersion: versionNumber.catch(0),
  startTime: time,
  completionTime: time,
  message: label,
});

const status = z.object({
  endpoint: optionalLabel,
  ready: flag,
  deploying: flag,
  message: label,
  lastProcessedVersion: versionNumber,
  expectedDeploymentVersion: versionNumber,
  desiredScale: count,
  versions: z.array(deploymentVersion).nullish(),
  jobExecutions: z.array(jobExecution).nullish(),
});

const link = z.object({ rel: label, href: label });
const links = z
  .array(link.catch({ rel: '', href: '' }))
  .nullish()
  .catch(undefined);

export const DeploymentItem = z.object({
  name: z.string().min(1),
  status: status.nullish(),
  links,
});
export type DeploymentItem = z.infer<typeof DeploymentItem>;

/** Who an item is, read on its own so that a broken status does not make its record look gone. */
export const ItemIdentity = z.object({ name: z.string().min(1), links });

/** Links of a page are read strictly where it counts: one that is overlooked would make the rest of the list look gone. */
const pageLink = z.union([
  z.object({ rel: z.literal('next'), href: z.string().nullish() }),
  z
    .unknown()
    .refine((other) => (other as { rel?: unknown } | null | undefined)?.rel !== 'next')
    .transform(() => ({ rel: '', href: '' })),
]);

export const ListPage = z.object({
  items: z.array(z.unknown()),
  links: z.array(pageLink).nullish(),
});
