import { PlatformError } from '../errors.ts';
import { toDeployment, workloadOfLinks } from './deployment.ts';
import type { Deployment } from './deployment.ts';
import { DeploymentItem, ItemIdentity, ListPage, Name } from './schema.ts';

/** A list as far as it could be read. */
export interface DeploymentList {
  deployments: Deployment[];
  /** `workload/location` of items that are there but could not be read: present, state unknown. */
  unreadable: string[];
  /** Items whose workload and location cannot be told; with any, the list does not prove that a record is gone. */
  unidentified: number;
}

/**
 * Reads one page into the list and gives the link to the next one. `workload` is the owner of items
 * that do not name theirs.
 * @throws PlatformError `malformed` when it is no page, or does not say clearly whether it is the last
 */
export function readPage(
  answer: unknown,
  workload: string | undefined,
  into: DeploymentList,
): string | undefined {
  const page = ListPage.safeParse(answer);
  if (!page.success) throw new PlatformError('malformed', 'the answer is not a list');
  for (const item of page.data.items ?? []) readItem(item, workload, into);
  return page.data.links?.find((link) => link.rel === 'next')?.href || undefined;
}

/** One bad item must not cost the list: it is put aside and named where it says who it is. */
function readItem(item: unknown, workload: string | undefined, into: DeploymentList): void {
  // Real lists hold the odd `{}`; it stands for nothing, so it casts no doubt on the list.
  if (isBlank(item)) return;
  const identity = ItemIdentity.safeParse(item);
  const links = identity.data?.links;
  const owner = Name.safeParse(workloadOfLinks(links) ?? workload);
  if (!identity.success || !owner.success) {
    into.unidentified += 1;
    return;
  }
  const parsed = DeploymentItem.safeParse(item);
  if (parsed.success) into.deployments.push(toDeployment(owner.data, parsed.data));
  else into.unreadable.push(`${owner.data}/${identity.data.name}`);
}

/** `{}`, but not `[]`, of which nobody can say what it stands for. */
function isBlank(item: unknown): boolean {
  const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
  return isObject && Object.keys(item).length === 0;
}
