import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { parseAllDocuments, stringify } from 'yaml';

const FOLDER = new URL('manifests/', import.meta.url);
const TEXTS = readdirSync(FOLDER, { recursive: true })
  .map(String)
  .filter((name) => name.includes('.'))
  .map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))
  // Braces without quotes are mappings as names, which JavaScript has none of.
  .filter((text) => !text.includes(': {{'));

/** Text that does not belong in manifests, or means something to their readers. */
const PIECES: readonly string[] = [
  '- |: |? |# |"|\'|{|}|[|]|,|>|&a |*a|!!int |<<: |%YAML 1.1\n|```|~|null|yes|🚀'.split('|'),
  ['|', '---\n', '...\n', '\t', '\r', '\n', '\0', '\uFEFF', '\u00A0', '\u2028', '\uD83D'],
  ['.inf', '.nan', '0x1F', '1e999', '-0', '2026-11-21'],
].flat();
const VALUES: readonly unknown[] = [
  ['', ' ', 'true', '50%', '1500m', '10.0.0.0/8', '1s', 'svc/largeDisk', '__proto__', '🚀', '\0'],
  [0, -1, 0.5, 600, 601, 3_601, 65_536, 1e21, Number.NaN, Infinity, true, false, null],
  [[], {}, [[]], { enabled: true }, { dedicated: true }, ['503', 503], 'x'.repeat(3_000)],
].flat();
const NAMES = (
  'kind spec tags items containers cpu ports loadBalancer dedicated enabled rolloutOptions ' +
  'maxSurgeReplicas maxUnavailableReplicas requestRetryPolicy retryOn defaultOptions ' +
  'timeoutSeconds multiZone ephemeralStorage svc/protocol svc/externalAuthPort ' +
  'svc/rateLimitPort svc/nothing << __proto__'
).split(' ');

type Edit = (text: string) => string;

/** Changes that slip into a text: lines, characters, values. */
const slip: fc.Arbitrary<Edit> = fc
  .record({
    kind: fc.constantFrom('drop', 'double', 'swap', 'indent', 'piece', 'cut', 'value', 'end'),
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    to: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    piece: fc.constantFrom(...PIECES),
  })
  .map(({ kind, at, to, piece }) => (text) => {
    const lines = text.split('\n');
    const line = Math.floor(at * lines.length);
    const place = Math.floor(at * text.length);
    const [now = ''] = lines.slice(line);
    switch (kind) {
      case 'drop':
        return lines.toSpliced(line, 1).join('\n');
      case 'double':
        return lines.toSpliced(line, 0, now).join('\n');
      case 'swap':
        return lines
          .toSpliced(line, 1)
          .toSpliced(Math.floor(to * lines.length), 0, now)
          .join('\n');
      case 'indent':
        return lines.with(line, ' '.repeat(Math.floor(to * 9)) + now.trimStart()).join('\n');
      case 'piece':
        return text.slice(0, place) + piece + text.slice(place);
      case 'cut':
        return text.slice(0, place) + text.slice(place + Math.ceil(to * 9));
      case 'value':
        return lines.with(line, now.replace(/:\s.*$/, `: ${piece}`)).join('\n');
      case 'end':
        return text.slice(0, place);
    }
  });

/** Changes of the meaning of a text: another value or another name somewhere in it. */
const turn: fc.Arbitrary<Edit> = fc
  .record({
    at: fc.nat(400),
    value: fc.constantFrom(...VALUES),
    name: fc.option(fc.constantFrom(...NAMES)),
    json: fc.boolean(),
  })
  .map(({ at, value, name, json }) => (text) => {
    const roots = parseAllDocuments(text, { uniqueKeys: false, merge: true }).flatMap((one) =>
      one.errors.length > 0 ? [] : [plain(one.toJS({ maxAliasCount: 100 }))],
    );
    const places = roots.flatMap(placesIn);
    const place = places[at % Math.max(1, places.length)];
    if (place === undefined) return text;
    if (name === null) place.holder[place.name] = value;
    else place.holder[name] = place.holder[place.name] ?? value;
    return json ? JSON.stringify(roots, null, '\t') : stringify(roots);
  });

type Holder = Record<string, unknown>;

/** Without shared parts: an edit changes a value in one place only. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}

function placesIn(root: unknown): { holder: Holder; name: string }[] {
  if (typeof root !== 'object' || root === null) return [];
  return Object.entries(root).flatMap(([name, value]) => [
    { holder: root as Holder, name },
    ...placesIn(value),
  ]);
}

/** A manifest as a person wrote it, after some accidents. */
export const mutated: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...TEXTS), fc.option(turn), fc.array(slip, { maxLength: 3 }))
  .filter(([, first, then]) => first !== null || then.length > 0)
  .map(([text, first, then]) => {
    let turned = text;
    try {
      turned = first?.(text) ?? text;
    } catch {
      // YAML cannot write this one again, so it stays as it was.
    }
    return then.reduce((now, edit) => edit(now), turned);
  });
