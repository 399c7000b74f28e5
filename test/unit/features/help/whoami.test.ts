import { expect, it } from 'vitest';
import type { Authorizer } from '../../../../src/access/authorizer.ts';
import type { Principal } from '../../../../src/access/policy.ts';
import { createHelpFeature } from '../../../../src/features/help/feature.ts';
import type { Person } from '../../../../src/slack/routing/routes.ts';
import { billing, load } from '../../config/environment.ts';
import { proseOf } from '../../../support/answer.ts';
import { ANN } from '../billing/scenario.ts';
import { typeWords } from '../../../support/command.ts';

const unused = () => Promise.reject(new Error('Only help needs this'));

function whoami(
  principal: Authorizer['principal'],
  orgsOf: (person: Person) => Promise<readonly string[]> = unused,
) {
  const access = { principal, authorize: unused, requireRight: unused };
  const services = { access, config: load(billing), orgCharges: undefined, orgsOf };
  const [command] = createHelpFeature(services, unused, () => []).commands ?? [];
  const words = [{ text: 'WhoAmI', quoted: false }];
  return typeWords(command!, words, { person: ANN, channelId: 'C1' });
}

const ann: Principal = { userId: 'UANN', email: 'ann@acme.example', roles: ['billing_viewer'] };

it('/purser whoami names no org where none is open to the person', async () => {
  const said = await whoami(
    () => Promise.resolve(ann),
    async ({ userId }) => (userId === ANN.userId ? [] : ['acme']),
  );
  expect(proseOf(said)).toContain('*Orgs you may ask about* · no org');
});

it('/purser whoami names no orgs to a guest', async () => {
  const said = await whoami(async () => ({ ...ann, refusal: 'No guests.' }));
  expect(proseOf(said)).not.toContain('Orgs you may ask about');
});

it('/purser whoami hides no defect', async () => {
  const broken = () => Promise.reject(new Error('broken'));
  await expect(whoami(broken)).rejects.toThrow('broken');
});
