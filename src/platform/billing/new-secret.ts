import { Secret } from '../../lib/secret.ts';
import { objectOf, own } from '../members.ts';

/**
 * A secret that an answer says once: the text itself or, in an object, its `key`, its `token` or its
 * only text. Undefined when there is none to be found.
 */
export function newSecretOf(value: unknown): Secret | undefined {
  const object = objectOf(value) ?? {};
  const texts = Object.values(object).filter(isText);
  const [secret] = [
    value,
    own(object, 'key'),
    own(object, 'token'),
    texts.length === 1 ? texts[0] : undefined,
  ].filter(isText);
  return secret === undefined ? undefined : new Secret(secret);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
