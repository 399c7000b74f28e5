import { plural, shorten } from '../../lib/text.ts';
import { code, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { ContainerSpec } from '../watch/facts.ts';
import type { Workload } from '../watch/workload.ts';
import { capital, short } from './parts.ts';

const MAX_CHANGES = 4;
const TAG_LENGTH = 40;
const DIGEST_LENGTH = 8;

/**
 * The changes of a version against the last one that was ready, at most four lines: image, cpu and memory of
 * each container, and how many replicas are wanted. Empty where either is unknown.
 */
export function changeLines({ spec, specBefore }: Pick<Workload, 'spec' | 'specBefore'>): Mrkdwn[] {
  if (spec === undefined) return [];
  const was = new Map(specBefore?.containers.map((one) => [one[0], one]));
  const is = new Set(spec.containers.map(([name]) => name));
  const options = {
    isOnly: spec.containers.length === 1 && was.size <= 1,
    isFirst: specBefore === undefined,
  };
  const changes = [
    ...spec.containers.flatMap((one) => containerLine(one, was.get(one[0]), options)),
    ...[...was.keys()]
      .filter((name) => !is.has(name))
      .map((name) => mrkdwn`${code(name)}: removed`),
    ...replicasLine(specBefore?.replicas, spec.replicas),
  ];
  if (changes.length === 0) {
    return specBefore === undefined || specBefore.version === spec.version
      ? []
      : [mrkdwn`Same image as v${specBefore.version}: configuration or automatic resources`];
  }
  if (changes.length <= MAX_CHANGES) return changes;
  const more = changes.length - (MAX_CHANGES - 1);
  return [...changes.slice(0, MAX_CHANGES - 1), mrkdwn`… and ${plural(more, 'more change')}`];
}

function replicasLine(was: number | undefined, is: number | undefined): Mrkdwn[] {
  if (was === undefined || is === undefined || was === is) return [];
  return [mrkdwn`Replicas ${was} → ${is}`];
}

/** "Image v11 → v12, memory 512 → 1024 MiB"; of several containers with its name. */
function containerLine(
  [name, image, cpu, memory]: ContainerSpec,
  was: ContainerSpec | undefined,
  { isOnly, isFirst }: { isOnly: boolean; isFirst: boolean },
): Mrkdwn[] {
  if (was === undefined) {
    if (image === '') return [];
    const words = `${isFirst ? '' : 'new, '}image ${imageIn(image).full}`;
    return [isOnly ? mrkdwn`${capital(words)}` : mrkdwn`${code(name)}: ${words}`];
  }
  const parts = [
    imageChange(was[1], image),
    amountChange('cpu', was[2], cpu, 'm'),
    amountChange('memory', was[3], memory, ' MiB'),
  ].filter((part) => part !== '');
  if (parts.length === 0) return [];
  const words = parts.join(', ');
  return [isOnly ? mrkdwn`${capital(words)}` : mrkdwn`${code(name)}: ${words}`];
}

function amountChange(what: string, was: number | null, is: number | null, unit: string): string {
  if (was === null || is === null || was === is) return '';
  return `${what} ${was} → ${is}${unit}`;
}

/** Of the same image the tags, or the digests where these are the same; else both images in short. */
function imageChange(was: string, is: string): string {
  if (was === is || was === '' || is === '') return '';
  const [old, now] = [imageIn(was), imageIn(is)];
  if (old.name !== now.name) return `image ${old.full} → ${now.full}`;
  if (old.tag !== now.tag) return `image ${shortTag(old.tag)} → ${shortTag(now.tag)}`;
  return `image ${shortTag(old.tag)} (digest ${old.digest} → ${now.digest})`;
}

/** "registry/acme/cart:v12@sha256:1a2b3c4d…" in its parts; without the registry in short. */
function imageIn(image: string): { name: string; tag: string; digest: string; full: string } {
  const [path = '', digest = ''] = image.split('@');
  const colon = path.lastIndexOf(':');
  const hasTag = colon > path.lastIndexOf('/');
  const name = hasTag ? path.slice(0, colon) : path;
  const hash = digest.replace(/^sha256:/, '').slice(0, DIGEST_LENGTH);
  const tag = hasTag ? path.slice(colon + 1) : hash === '' ? 'latest' : hash;
  const last = name.slice(name.lastIndexOf('/') + 1);
  return { name, tag, digest: hash || 'none', full: `${short(last)}:${shortTag(tag)}` };
}

function shortTag(tag: string): string {
  return shorten(tag, TAG_LENGTH);
}
