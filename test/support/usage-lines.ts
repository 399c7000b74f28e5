/** Samples for the placeholders of usages and hints. */
const SAMPLES: Readonly<Record<string, string>> = {
  AMOUNT: '500',
  DURATION: '8h',
  EMAIL: 'ann@example.com',
  GVC: 'shop',
  ID: 'k3m9x2ab',
  LOCATION: 'oslo',
  METRIC: 'cpu',
  N: '3',
  NAME: 'acme',
  OUTCOME: 'failed',
  POLICY: 'Parallel',
  QUOTA: 'gpus',
  RANGE: 'last month',
  SECONDS: '30',
  STEP: 'day',
  TAG: 'gvc',
  TIME: '09:00',
  VALUE: 'cart',
  WORD: 'invoice',
  WORKLOAD: 'cart',
  // As Slack writes them.
  '#CHANNEL': '<#C0OPS|ops>',
  '@GROUP': '<!subteam^S0ONCALL|@oncall>',
};

/**
 * Every line that a usage or a hint stands for: each alternative, with and without each part in brackets, with samples
 * for the placeholders, which are words in capitals.
 */
export function linesOf(usage: string): string[] {
  return [...new Set(usage.split(' | ').flatMap(withParts).map(filled))];
}

function withParts(usage: string): string[] {
  const start = usage.indexOf('[');
  if (start === -1) return [usage];
  let end = start;
  for (let depth = 0; end < usage.length; end += 1) {
    if (usage[end] === '[') depth += 1;
    if (usage[end] === ']' && (depth -= 1) === 0) break;
  }
  const [before, part, after] = [
    usage.slice(0, start),
    usage.slice(start + 1, end),
    usage.slice(end + 1),
  ];
  return [...withParts(before + part + after), ...withParts(before + after)];
}

function filled(line: string): string {
  return line
    .replaceAll(/[#@]?\b[A-Z]+\b/g, (name) => {
      const sample = SAMPLES[name];
      if (sample === undefined) throw new Error(`${name} has no sample`);
      return sample;
    })
    .replaceAll(/\s+/g, ' ')
    .trim();
}
