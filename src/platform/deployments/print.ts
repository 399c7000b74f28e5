type Members = Readonly<Record<string, unknown>>;

const VERSION_TEXT = /^\s*(?:\d{1,15}(?:\.0+)?\s*)?$/;

/** What stands for the values that are not text, each followed by no more than itself. */
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
 * The print of an item of a list: two items of one record with the same print say the same of its state
 * and of what is wrong, so the second need not be read. Addresses, `lastModified`, and image, readiness
 * and cpu of containers are not in it. An item that has one is good by the schema. '' for one that is
 * oddly typed, which has to be read to know.
 *
 * It is a hash of 64 bits: that a change leaves it as it was is as likely as guessing such a number.
 * Nothing is allocated on the way, because a poll prints ten thousand items and most say nothing new.
 */
export function printOf(item: Members): string {
  const print = new Print();
  status(print, item['status']);
  return print.text();
}

/** Takes values one after the other, and knows whether one of them was odd. */
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

  /** A whole number of 32 bits. Rotated, so that high bits reach the low ones; two unlike halves. */
  add(value: number): void {
    this.one = Math.imul(((this.one << 5) | (this.one >>> 27)) ^ value, 0x9e3779b1);
    this.two = Math.imul(((this.two << 13) | (this.two >>> 19)) ^ value, 0x85ebca6b);
  }

  /** With its length, so that it cannot pass for what follows it. */
  string(value: string): void {
    this.add(TEXT);
    this.add(value.length);
    let { one, two } = this;
    for (let at = 0; at < value.length; at += 2) {
      // Two signs of 16 bits; beyond the end is NaN, which counts as 0 here.
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

  /** A version number as the schema has it: whole and not negative, or such a number as text. */
  version(value: unknown): void {
    if (typeof value === 'number') {
      if (!Number.isSafeInteger(value) || value < 0) this.odd();
      this.number(value);
    } else if (typeof value === 'string') {
      if (!VERSION_TEXT.test(value)) this.odd();
      this.string(value);
    } else this.absence(value);
  }

  /** What may be of any type; lists and objects are left to the schema. */
  label(value: unknown): void {
    if (typeof value === 'string') this.string(value);
    else if (typeof value === 'number') this.number(value);
    else this.flag(value);
  }

  /** Null or absent; anything else is odd here. */
  absence(value: unknown): void {
    if (value === undefined) this.add(ABSENT);
    else if (value === null) this.add(NULL);
    else this.odd();
  }

  /** The members of an object; undefined for what is absent or odd. */
  members(value: unknown): Members | undefined {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      this.add(OBJECT);
      return value as Members;
    }
    this.absence(value);
    return undefined;
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

/** Few records have any, and nearly all of their content matters. */
function executions(print: Print, value: unknown): void {
  const list = print.list(value);
  for (const one of list) print.members(one);
  if (list.length === 0) return;
  try {
    print.string(JSON.stringify(list));
  } catch {
    // Nested deeper than the stack is high.
    print.odd();
  }
}
