import { expect, test } from 'vitest';
import { ALL_CALLS } from '../calls.ts';
import { startClients } from '../clients.ts';
import { tryAnswers } from './trial.ts';

/** The readers of records are tested in `test/unit/platform`. */
tryAnswers('records');
tryAnswers('deployments');

/** The names of all methods of a client that ask something. */
function methodsOf(client: object, path: string): string[] {
  return Object.entries(client).flatMap(([name, member]: [string, unknown]) => {
    if (typeof member === 'function') return name === 'close' ? [] : [`${path}.${name}`];
    return typeof member === 'object' && member !== null
      ? methodsOf(member, `${path}.${name}`)
      : [];
  });
}

test('every method of the three clients is tried', async () => {
  const clients = startClients('http://127.0.0.1:9');
  const { billing, usage, deployments } = clients;
  const methods = Object.entries({ billing, usage, deployments }).flatMap(([name, client]) =>
    methodsOf(client, name),
  );
  await clients.close();

  expect(Object.keys(ALL_CALLS).toSorted()).toEqual(methods.toSorted());
});
