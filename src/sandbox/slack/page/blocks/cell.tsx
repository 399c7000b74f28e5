import { dateContext } from '../context.ts';
import { Element } from '../elements/element.tsx';
import { type Json, numberOf, objectOf, stringOf } from '../json.ts';
import { parseRichText } from '../text/rich-text.ts';
import { PlainText, TextBlocks } from '../text/text.tsx';

type CellProps = {
  readonly cell: Json;
  readonly blockId?: string;
  /** The name of the row, for a button in it. */
  readonly row?: string;
};

/** A cell of a table or data table: raw text, a number, rich text, or a button. */
export function Cell({ cell, blockId = '', row = '' }: CellProps) {
  switch (cell['type']) {
    case 'rich_text':
      return <TextBlocks blocks={parseRichText(cell['elements'], dateContext())} />;
    case 'raw_number':
      return <>{stringOf(cell['text']) || String(numberOf(cell['value'], 0))}</>;
    case 'action_cell': {
      const element = objectOf(cell['element']);
      return <Element blockId={blockId} element={element} label={row} />;
    }
    default:
      return <PlainText text={stringOf(cell['text'])} />;
  }
}
