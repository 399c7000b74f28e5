import { describe, expect, it } from 'vitest';
import { load, problemsOf } from './environment.ts';

const LOGS = 'https://logs.example.com';
const KNOWN = '{org} {gvc} {workload} {location} {version} {start} {end}';
const HOST_IS_FIXED =
  'the host of its address is always the same: put placeholders behind the / after it';
const CREDENTIALS =
  '"Logs": its address has a user name or a password, which everybody could read: leave them out';

describe('LINKS', () => {
  it('are pages by name, with all placeholders anywhere behind the host', () => {
    const template = `${LOGS}:8443/{org}/{gvc}.{workload}?in={location}&v={version}#{start}/{end}`;
    const links = { Logs: template, 'The runbook': 'HTTPS://wiki.example.com' };

    expect(load({ LINKS: JSON.stringify(links) }).links).toEqual([
      { name: 'Logs', template },
      { name: 'The runbook', template: 'HTTPS://wiki.example.com' },
    ]);
  });

  it('are at most five, of names that a button has room for and addresses that Slack takes', () => {
    const five = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`Link ${n}`, LOGS]));
    const long = { ['n'.repeat(75)]: `${LOGS}/`.padEnd(2_000, 'x') };

    expect(load({ LINKS: JSON.stringify(five) }).links).toHaveLength(5);
    expect(load({ LINKS: JSON.stringify(long) }).links).toHaveLength(1);
    expect(problemsOf({ LINKS: JSON.stringify({ ...five, More: LOGS }) })).toEqual([
      'LINKS: has 6 links: keep at most 5',
    ]);
  });

  it.each(['Logs=https://logs.example.com', '[]', '"https://logs.example.com"', 'null', '{'])(
    'are a JSON object, and not %s',
    (text) => {
      expect(problemsOf({ LINKS: text })).toEqual([
        'LINKS: give a JSON object of names and https addresses, {"Logs":"https://logs.example.com/{gvc}/{workload}?from={start}&to={end}"}',
      ]);
    },
  );

  it.each([
    [{ '': LOGS }, '"": give it a name, which is the label of its button'],
    [{ ' \n\u200b': LOGS }, '" \\n\u200b": give it a name, which is the label of its button'],
    [
      { ['n'.repeat(76)]: LOGS },
      `"${'n'.repeat(29)}…": its name has 76 characters, and a button has room for 75`,
    ],
    [{ Logs: 7 }, '"Logs": give a text with its address'],
    [{ Logs: 'https://ann:hunter2@logs.example.com/{gvc}' }, CREDENTIALS],
  ])('%j is refused, and the message names the next step', (links, problem) => {
    expect(problemsOf({ LINKS: JSON.stringify(links) })).toEqual([`LINKS: ${problem}`]);
  });

  it.each([
    [
      'its address has to begin with https:// and the name of a host',
      ['http://logs.example.com', 'logs.example.com', 'https:///{gvc}', 'javascript:{gvc}', ''],
    ],
    [
      HOST_IS_FIXED,
      ['https://{org}.example.com/', 'https://logs.example.com:{version}', 'https://{gvc}'],
    ],
    [`{pod} is no placeholder, choose from ${KNOWN}`, [`${LOGS}/{pod}/{gvc}/{pod}`]],
    [`{} is no placeholder, choose from ${KNOWN}`, [`${LOGS}/{}`]],
    [`{constructor} is no placeholder, choose from ${KNOWN}`, [`${LOGS}?{constructor}`]],
    [
      'its address has a brace without its other half: write a brace of the address as %7B or %7D',
      [`${LOGS}/{gvc`, `${LOGS}/gvc}`, `${LOGS}/{{gvc}}`, `${LOGS}/{gvc}}`],
    ],
    [
      'its address has a space, a line break or a backslash: write them as %20, %0A, %5C',
      [`${LOGS}/a b`, `${LOGS}/a\nb`, `${LOGS}/a\\b`],
    ],
    [
      'its address has a % without two digits behind it: write it as %25',
      [`${LOGS}/100%`, `${LOGS}/.%2{gvc}`],
    ],
    [
      'its address has 2001 characters: keep at most 2000, so that the values have room',
      [`${LOGS}/`.padEnd(2_001, 'x')],
    ],
    [
      'a browser cannot open its address: check host and port',
      ['https://logs.example.com:99999/{gvc}', 'https://[logs]/{gvc}'],
    ],
  ])('“%s”', (problem, addresses) => {
    for (const address of addresses) {
      const LINKS = JSON.stringify({ Logs: address });
      expect(problemsOf({ LINKS })).toEqual([`LINKS: "Logs": ${problem}`]);
    }
  });

  it('show all that is wrong, and quote no address', () => {
    const links = { Logs: 'https://ann:hunter2@{org}.example.com/{pod}/{node}', Wiki: 'http://w' };

    expect(problemsOf({ LINKS: JSON.stringify(links), PORT: 'http' })).toEqual([
      'PORT: give a port number from 0 to 65535, 0 means any free one',
      `LINKS: "Logs": ${HOST_IS_FIXED}`,
      `LINKS: ${CREDENTIALS}`,
      `LINKS: "Logs": {pod} is no placeholder, choose from ${KNOWN}`,
      `LINKS: "Logs": {node} is no placeholder, choose from ${KNOWN}`,
      'LINKS: "Wiki": its address has to begin with https:// and the name of a host',
    ]);
  });
});
