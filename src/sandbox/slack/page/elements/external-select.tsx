import { useRef, useState } from 'preact/hooks';

import type { OptionsAnswer } from '../../page-protocol.ts';
import { useSurface } from '../blocks/surface.tsx';
import { useWorkspace } from '../context.ts';
import { numberOf, stringOf } from '../json.ts';
import type { ElementProps } from './field.ts';
import { type OptionChoice, optionChoices, OptionSelect } from './select.tsx';

/** `external_select` and its multiple twin: the bot answers the entries for what is typed. */
export function ExternalSelect(props: ElementProps) {
  const { container } = useSurface();
  const workspace = useWorkspace();
  const [choices, setChoices] = useState<readonly OptionChoice[]>([]);
  const [empty, setEmpty] = useState('Loading…');
  const asked = useRef(0);
  const least = numberOf(props.element['min_query_length'], 3);

  const ask = async (text: string): Promise<void> => {
    asked.current += 1;
    const mine = asked.current;
    if (text.length < least) {
      setChoices([]);
      setEmpty(`Type ${least - text.length} more character${least - text.length === 1 ? '' : 's'}`);
      return;
    }
    const actionId = stringOf(props.element['action_id']);
    setEmpty('Loading…');
    const answer = await workspace.options(container, props.blockId, actionId, text);
    if (mine !== asked.current) return;
    setChoices(choicesOf(answer));
    setEmpty(answer.ok ? 'No matches' : 'The list could not be loaded');
  };
  return (
    <OptionSelect {...props} choices={choices} empty={empty} onQuery={(text) => void ask(text)} />
  );
}

function choicesOf(answer: OptionsAnswer): readonly OptionChoice[] {
  const groups = answer.option_groups ?? [];
  return groups.length > 0
    ? groups.flatMap((group) => optionChoices(group.options, stringOf(group.label['text'])))
    : optionChoices(answer.options);
}
