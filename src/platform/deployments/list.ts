import { PlatformError } from '../errors.ts';
import { toDeployment, workloadOfLinks } from './deployment.ts';
import type { Deployment } from './deployment.ts';
import { printOf } from './print.ts';
import { DeploymentItem, isName, ListPage } from './schema.ts';

/** A list as far as it could be read. */
export interface DeploymentList extends Unread {
  deployments: Deployment[];
}

/** The same list, with its items told apart and checked; they are read when asked for. */
export interface SeenList extends Unread {
  seen: SeenDeployment[];
}

/** One item of a list whose identity is known. */
export interface SeenDeployment {
  workload: string;
  location: string;
  /** Equal for two items of one record whose state and causes are the same (see `printOf`); '' = unknown. */
  print: string;
  read(): Deployment;
}

interface Unread {
  /** `workload/location` of items that are there but could not be read: present, state unknown. */
  unreadable: string[];
  /** Items whose workload and location cannot be told; with any, the list does not prove that a record is gone. */
  unidentified: number;
}

type Members = Readonly<Record<string, unknown>>;

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
  const seen: SeenList = { seen: [], unreadable: into.unreadable, unidentified: 0 };
  const next = seePage(answer, workload, seen);
  for (const one of seen.seen) into.deployments.push(one.read());
  into.unidentified += seen.unidentified;
  return next;
}

/** As `readPage`, but what is plain to see is good is not read yet. */
export function seePage(
  answer: unknown,
  workload: string | undefined,
  into: SeenList,
): string | undefined {
  const page = ListPage.safeParse(answer);
  if (!page.success) throw new PlatformError('malformed', 'the answer is not a list');
  for (const item of page.data.items ?? []) seeItem(item, workload, into);
  return page.data.links?.find((link) => link.rel === 'next')?.href || undefined;
}

/** One bad item must not cost the list: it is put aside and named where it says who it is. */
function seeItem(item: unknown, fallback: string | undefined, into: SeenList): void {
  if (!isObject(item)) {
    into.unidentified += 1;
    return;
  }
  const location = item['name'];
  const workload = workloadOfLinks(item['links']) ?? fallback;
  if (!isName(location) || !isName(workload)) {
    // Real lists hold the odd `{}`; it stands for nothing, so it casts no doubt on the list.
    if (Object.keys(item).length > 0) into.unidentified += 1;
    return;
  }
  const print = printOf(item);
  if (print === '' && !DeploymentItem.safeParse(item).success) {
    into.unreadable.push(`${workload}/${location}`);
    return;
  }
  into.seen.push(new Seen(workload, location, print, item));
}

/** A class, because ten thousand closures cost more than the rest of the look at the items. */
class Seen implements SeenDeployment {
  readonly workload: string;
  readonly location: string;
  readonly print: string;
  private readonly item: Members;

  constructor(workload: string, location: string, print: string, item: Members) {
    this.workload = workload;
    this.location = location;
    this.print = print;
    this.item = item;
  }

  read(): Deployment {
    return toDeployment(this.workload, DeploymentItem.parse(this.item));
  }
}

/** Not `[]`, of which nobody can say what it stands for. */
function isObject(item: unknown): item is Members {
  return typeof item === 'object' && item !== null && !Array.isArray(item);
}
