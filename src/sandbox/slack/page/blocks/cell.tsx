import { dateContext } from '../context.ts';
import { type Json, numberOf, stringOf } from '../json.ts';
import { parseRichText } from '../text/rich-text.ts';
import { PlainText, TextBlocks } from '../text/text.tsx';

/** A cell of a table or data table: raw text, a number, or rich text. */
export function Cell({ cell }: { cell: Json }) {
  switch (cell['type']) {
    case 'rich_text':
      return <TextBlocks blocks={parseRichText(cell['elements'], dateContext())} />;
    case 'raw_number':
      return <>{stringOf(cell['text']) || String(numberOf(cell['value'], 0))}</>;
    default:
      return <PlainText text={stringOf(cell['text'])} />;
  }
}
