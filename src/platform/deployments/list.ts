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
  /** `workload/location`. */
  readonly key: string;
  readonly workload: string;
  readonly location: string;
  /** Equal for two items of one record whose state and causes are the same (see `printOf`); '' = unknown. */
  readonly print: string;
  read(): Deployment;
}

interface Unread {
  /** `workload/location` of items that are there but could not be read: present, state unknown. */
  unreadable: string[];
  /** Items whose workload and location cannot be told; with any, the list does not prove that a record is gone. */
  unidentified: number;
}

/** What an item of a list is, at a look. */
export type Look =
  | { readonly is: 'seen'; readonly deployment: SeenDeployment }
  | { readonly is: 'unreadable'; readonly key: string }
  | { readonly is: 'unidentified' | 'nothing' };

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
  const page = pageOf(answer);
  for (const item of page.items ?? []) add(lookAt(item, workload), seen);
  for (const one of seen.seen) into.deployments.push(one.read());
  into.unidentified += seen.unidentified;
  return nextOf(page);
}

/** @throws PlatformError `malformed` */
export function pageOf(answer: unknown): ListPage {
  const page = ListPage.safeParse(answer);
  if (!page.success) throw new PlatformError('malformed', 'the answer is not a list');
  return page.data;
}

/** The link to the page after it. */
export function nextOf(page: ListPage): string | undefined {
  return page.links?.find((link) => link.rel === 'next')?.href || undefined;
}

/**
 * One bad item must not cost the list: it is put aside and named where it says who it is.
 * @param text of the item, from which it is read again when it is asked for
 */
export function lookAt(item: unknown, fallback: string | undefined, text?: Buffer): Look {
  if (!isObject(item)) return { is: 'unidentified' };
  const location = item['name'];
  const workload = workloadOfLinks(item['links']) ?? fallback;
  if (!isName(location) || !isName(workload)) {
    // Real lists hold the odd `{}`; it stands for nothing, so it casts no doubt on the list.
    return { is: Object.keys(item).length > 0 ? 'unidentified' : 'nothing' };
  }
  const key = `${workload}/${location}`;
  const print = printOf(item);
  if (print === '' && !DeploymentItem.safeParse(item).success) return { is: 'unreadable', key };
  return { is: 'seen', deployment: new Seen(workload, location, print, text ?? item) };
}

export function add(look: Look, to: SeenList): void {
  if (look.is === 'seen') to.seen.push(look.deployment);
  else if (look.is === 'unreadable') to.unreadable.push(look.key);
  else if (look.is === 'unidentified') to.unidentified += 1;
}

/** A class, because ten thousand closures cost more than the rest of the look at the items. */
class Seen implements SeenDeployment {
  readonly key: string;
  readonly workload: string;
  readonly location: string;
  readonly print: string;
  private readonly item: Members | Buffer;

  constructor(workload: string, location: string, print: string, item: Members | Buffer) {
    this.key = `${workload}/${location}`;
    this.workload = workload;
    this.location = location;
    this.print = print;
    this.item = item;
  }

  read(): Deployment {
    const item: unknown = Buffer.isBuffer(this.item) ? JSON.parse(this.item.toString()) : this.item;
    return toDeployment(this.workload, DeploymentItem.parse(item));
  }
}

/** Not `[]`, of which nobody can say what it stands for. */
function isObject(item: unknown): item is Members {
  return typeof item === 'object' && item !== null && !Array.isArray(item);
}
