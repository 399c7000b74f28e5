import { Writable } from 'node:stream';
import { inspect } from 'node:util';

import { createLogger } from '../../../../src/lib/logger.ts';
import { serializeError } from '../../../../src/lib/errors.ts';

/** Credentials that are found again wherever they turn up, in letters that tokens are made of. */
export const CANARIES = {
  account: 'canary-1a.Q~z_9+/canary-1z==',
  user: 'canary-2b.W~y_8+/canary-2y==',
  org: 'canary-3c.E~x_7+/canary-3x==',
};
const TRACE = /.{0,40}canary-\d.{0,40}/i;

/** The credentials in base64, at each offset; the letters at either end depend on the adjacent text. */
const PACKED = Object.values(CANARIES).flatMap((secret) =>
  ['', 'x', 'xx'].map((before) =>
    Buffer.from(before + secret)
      .toString('base64')
      .slice(4, -6),
  ),
);

type Writings = Readonly<Record<string, (text: string) => string>>;

/** Ways in which software writes a value into a text. */
export const IN_TEXT: Writings = {
  'as it is': (text) => text,
  'as in an address': encodeURIComponent,
  'as in an address, in small letters': (text) =>
    encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'in base64': (text) => Buffer.from(text).toString('base64'),
};
/** Notations in JSON, for a sentence that is read from the document. */
export const IN_JSON: Writings = {
  ...IN_TEXT,
  'with escaped slashes': (text) => text.replaceAll('/', '\\/'),
  'with escaped signs': (text) => text.replace(/[^\w .~-]/g, toUnicode),
  'with all escaped': (text) => text.replace(/./g, toUnicode),
};

function toUnicode(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Gives everything that people, logs and other code can see of a value or an error. */
export function createTexts(): (value: unknown) => string {
  const lines: string[] = [];
  const destination = new Writable({
    write: (line: Buffer, _encoding, done) => {
      lines.push(line.toString());
      done();
    },
  });
  // It knows none of the credentials: it writes only the given text.
  const log = createLogger({ level: 'info', secrets: [], destination });

  return (value) => {
    lines.length = 0;
    log.error({ err: value, failure: value }, 'the call failed');
    log.error(value, 'the call failed');
    const words = chainOf(value).flatMap((one) => [
      String(one),
      one instanceof Error ? one.stack : '',
      JSON.stringify(one),
      JSON.stringify(serializeError(one)),
    ]);
    const inside = inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true });
    return [...lines, ...words, inside].join('\n');
  };
}

/** An error and all that caused it. */
function chainOf(value: unknown): unknown[] {
  return value instanceof Error && value.cause !== undefined
    ? [value, ...chainOf(value.cause)]
    : [value];
}

/** The words among which a secret can be read, in whatever writing. */
export function leakIn(reported: string): string | undefined {
  const packed = PACKED.find((text) => reported.includes(text));
  return TRACE.exec(plainOf(reported))?.[0] ?? packed;
}

/** A text with its escapes undone. */
function plainOf(text: string): string {
  return text.replace(/\\+u([\da-f]{4})/gi, (_whole, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
