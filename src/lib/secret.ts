import { inspect } from 'node:util';

const hidden = '[hidden]';

/**
 * A value that is never printed by accident: only its methods return it. It can be a list, newest first, and the file
 * that it was read from may change while the process runs: ask for the value at each use, and keep no copy.
 */
export class Secret {
  #values: readonly string[];
  #known: readonly string[];

  constructor(newest: string, ...older: readonly string[]) {
    this.#values = [newest, ...older];
    this.#known = this.#values;
  }

  /** The newest value. */
  reveal(): string {
    return this.#values[0] ?? '';
  }

  /** The values that are valid now, the newest first; another array after a change. */
  all(): readonly string[] {
    return this.#values;
  }

  /** Also those that were replaced, after the valid ones. */
  known(): readonly string[] {
    return this.#known;
  }

  /** Takes the values of another. @returns false when they are the same */
  renew(from: Secret): boolean {
    const values = from.all();
    if (values.join('\n') === this.#values.join('\n')) return false;
    this.#values = values;
    this.#known = [...new Set([...values, ...this.#known])];
    return true;
  }

  toString(): string {
    return hidden;
  }

  toJSON(): string {
    return hidden;
  }

  [inspect.custom](): string {
    return hidden;
  }
}

/** Removes every secret from a text that is about to leave the process. Idempotent. */
export type Scrub = (text: string) => string;

/** Hiding shorter values would tear up ordinary words. */
const minLength = 4;

/**
 * Builds the scrub from the configured secrets and from the shapes that secrets have.
 *
 * Known values are found exactly, URL-encoded, escaped as in JSON, and in base64 (also inside something
 * larger, as in `Basic` credentials). Shapes catch secrets that are not configured: tokens of Slack and of
 * the platform, `Bearer` and `Authorization` values, credentials and signed addresses in URLs. A secret split
 * over several fields is found by neither: never log foreign objects whole.
 */
export function createScrubber(secrets: readonly (Secret | string)[], brandPrefix = 'svc'): Scrub {
  const rules = shapes(brandPrefix);
  let values: readonly string[] = [];
  let known: RegExp | undefined;

  return (text) => {
    const present = secrets.flatMap((one) => (one instanceof Secret ? one.known() : one));
    // A value is never forgotten, so a change is a longer list.
    if (present.length !== values.length) [values, known] = [present, knownValues(present)];
    const scrubbed = known ? text.replace(known, hidden) : text;
    return rules.reduce((rest, { pattern, to }) => rest.replace(pattern, to), scrubbed);
  };
}

function knownValues(values: readonly string[]): RegExp | undefined {
  const forms = new Set(values.filter((value) => value.length >= minLength).flatMap(encodings));
  if (forms.size === 0) return undefined;

  // Longest first: an encoded form may begin with a shorter one.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map(escapeRegExp).join('|'), 'g');
}

function encodings(value: string): string[] {
  const base64 = [Buffer.from(value).toString('base64'), ...base64Inside(value)];
  const escaped = JSON.stringify(value).slice(1, -1);
  const inAddress = encodeURIComponent(Buffer.from(value).toString());
  return [
    value,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    inAddress,
    inAddress.replace(/%../g, (byte) => byte.toLowerCase()),
    ...base64,
    ...base64.map((text) =>
      text
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replace(/={1,2}$/, ''),
    ),
  ];
}

/**
 * Base64 writes three bytes as four letters, so a value has three forms, depending on what precedes it.
 * Letters at either end that a neighbour shares are left out.
 */
function base64Inside(value: string): string[] {
  return [0, 1, 2]
    .map((offset) => {
      const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]);
      const whole = Math.floor((bytes.length * 8) / 6);
      return bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), whole);
    })
    .filter((text) => text.length >= 2 * minLength);
}

/**
 * None matches a quotation mark or a backslash, so that a line of JSON stays one, and none requires a word
 * boundary: in JSON a line break before a token ends with the letter n.
 */
function shapes(brandPrefix: string): readonly { pattern: RegExp; to: string }[] {
  return [
    { pattern: /x(?:ox[a-z]|app)-[\w-]{4,}/g, to: hidden },
    { pattern: new RegExp(`${escapeRegExp(brandPrefix)}-bsat-[\\w.~+/=-]+`, 'g'), to: hidden },
    { pattern: /(Bearer)\s+[\w.~+/=-]{4,}/gi, to: `$1 ${hidden}` },
    {
      // The end of a bold heading, as in "*External authorization:*", is not a value.
      pattern:
        /(authorization(?:\\*["']\s*[:,]|\s*[:=])\s*\\*["']?)(?![*_~]+(?:[\s"'\\,;]|$))(?:(?:Basic|Bearer|Token)\s+)?[^\s"'\\,;]+/gi,
      to: `$1${hidden}`,
    },
    { pattern: /\/\/[^\s/"'\\@?#<>]+@/g, to: `//${hidden}@` },
    { pattern: afterSlash('hooks\\.slack(?:-gov)?\\.com'), to: `$1/${hidden}` },
    // They open the bot’s connection, or replace a file of the bot. For every host.
    { pattern: afterSlash(`${slash}upload${slash}v\\d{1,3}`), to: `$1/${hidden}` },
    {
      pattern:
        /((?:[?&;]|%3F|%26|u0026)ticket(?:=|%3D))(?:[^\s"'\\&;<>|%]|%(?!26|3B|23)[\dA-F]{2}|\\{1,4}\/)+/gi,
      to: `$1${hidden}`,
    },
  ];
}

/** A slash: plain, escaped as in JSON, or percent-encoded. */
const slash = '(?:\\\\{0,4}/|%2F)';

function afterSlash(kind: string): RegExp {
  return new RegExp(`(${kind})${slash}(?:[^\\s"'\\\\<>|]|\\\\{1,4}/)+`, 'gi');
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

export function scrubStrings<T>(data: T, scrub: Scrub): T {
  if (typeof data === 'string') return scrub(data) as T;
  if (Array.isArray(data)) return data.map((item) => scrubStrings(item, scrub)) as T;
  if (typeof data !== 'object' || data === null) return data;
  const entries = Object.entries(data).map(([key, value]) => [key, scrubStrings(value, scrub)]);
  return Object.fromEntries(entries) as T;
}
