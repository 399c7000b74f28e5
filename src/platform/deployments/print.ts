import { objectOf, type Members } from '../json.ts';
import { isVersion } from './deployment.ts';

/** Codes of value types; those of constants have no content. */
const ABSENT = 1;
const NULL = 2;
const TRUE = 3;
const FALSE = 4;
const NUMBER = 5;
const TEXT = 6;
const LIST = 7;
const OBJECT = 8;
const END = 9;

/**
 * The fingerprint of a list item: items of one record with the same print have the same state and causes, so
 * the second need not be read. It excludes addresses, `lastModified`, and image, readiness and cpu of
 * containers. An item with a print is readable; '' means oddly typed, so it has to be read.
 *
 * It is a hash of 64 bits, so a collision is as likely as guessing such a number. It allocates nothing,
 * because a poll prints ten thousand items, most of them unchanged.
 */
export function printOf(item: Members): string {
  const print = new Print();
  status(print, item['status']);
  return print.text();
}

/** Hashes values in order, and notes odd ones. */
class Print {
  private one = 0;
  private two = 0;
  private isOdd = false;

  text(): string {
    return this.isOdd ? '' : `${this.one}${this.two < 0 ? '' : '+'}${this.two}`;
  }

  odd(): void {
    this.isOdd = true;
  }

  /** A 32-bit integer. Rotated, so that high bits reach the low ones; two different halves. */
  add(value: number): void {
    this.one = Math.imul(((this.one << 5) | (this.one >>> 27)) ^ value, 0x9e3779b1);
    this.two = Math.imul(((this.two << 13) | (this.two >>> 19)) ^ value, 0x85ebca6b);
  }

  /** With its length, so that it cannot run into the next value. */
  string(value: string): void {
    this.add(TEXT);
    this.add(value.length);
    let { one, two } = this;
    for (let at = 0; at < value.length; at += 2) {
      // Two 16-bit units; beyond the end is NaN, which counts as 0 here.
      const signs = value.charCodeAt(at) | (value.charCodeAt(at + 1) << 16);
      one = Math.imul(((one << 5) | (one >>> 27)) ^ signs, 0x9e3779b1);
      two = Math.imul(((two << 13) | (two >>> 19)) ^ signs, 0x85ebca6b);
    }
    this.one = one;
    this.two = two;
  }

  number(value: number): void {
    if ((value | 0) !== value) return this.string(`${value}`);
    this.add(NUMBER);
    this.add(value);
  }

  flag(value: unknown): void {
    if (typeof value === 'boolean') this.add(value ? TRUE : FALSE);
    else this.absence(value);
  }

  version(value: unknown): void {
    if (value !== undefined && value !== null && !isVersion(value)) this.odd();
    this.label(value);
  }

  /** Any type; lists and objects are left to the reader. */
  label(value: unknown): void {
    if (typeof value === 'string') this.string(value);
    else if (typeof value === 'number') this.number(value);
    else this.flag(value);
  }

  /** Null or absent; anything else is odd. */
  absence(value: unknown): void {
    if (value === undefined) this.add(ABSENT);
    else if (value === null) this.add(NULL);
    else this.odd();
  }

  members(value: unknown): Members | undefined {
    const members = objectOf(value);
    if (members === undefined) this.absence(value);
    else this.add(OBJECT);
    return members;
  }

  list(value: unknown): readonly unknown[] {
    if (!Array.isArray(value)) {
      this.absence(value);
      return [];
    }
    this.add(LIST);
    this.add(value.length);
    return value;
  }
}

function status(print: Print, value: unknown): void {
  const of = print.members(value);
  if (of === undefined) return;
  print.flag(of['ready']);
  print.flag(of['deploying']);
  print.label(of['message']);
  print.version(of['lastProcessedVersion']);
  print.version(of['expectedDeploymentVersion']);
  print.label(of['desiredScale']);
  for (const one of print.list(of['versions'])) version(print, one);
  executions(print, of['jobExecutions']);
}

function version(print: Print, value: unknown): void {
  const of = print.members(value);
  if (of === undefined) return;
  print.version(of['workload']);
  print.label(of['gvc']);
  print.label(of['created']);
  print.flag(of['ready']);
  print.label(of['message']);
  print.label(of['zone']);
  print.label(of['desiredScale']);
  const containers = print.members(of['containers']);
  if (containers === undefined) return;
  for (const name in containers) {
    print.string(name);
    container(print, containers[name]);
  }
  print.add(END);
}

function container(print: Print, value: unknown): void {
  const of = print.members(value);
  if (of === undefined) return;
  print.label(of['message']);
  const resources = print.members(of['resources']);
  if (resources !== undefined) {
    print.label(resources['replicas']);
    print.label(resources['replicasReady']);
    print.label(resources['memory']);
  }
  const restarts = print.members(of['restarts']);
  if (restarts === undefined) return;
  print.label(restarts['count']);
  print.label(restarts['exitCode']);
  print.label(restarts['reason']);
  print.label(restarts['lastRestartTime']);
}

/** Few records have executions, and nearly all of their content matters. */
function executions(print: Print, value: unknown): void {
  const list = print.list(value);
  for (const one of list) print.members(one);
  if (list.length === 0) return;
  try {
    print.string(JSON.stringify(list));
  } catch {
    // Stack overflow on deep nesting.
    print.odd();
  }
}
