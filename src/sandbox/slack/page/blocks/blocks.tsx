import { type Json, isObject, objectOf, objectsOf, stringOf } from '../json.ts';
import { Element } from '../elements/element.tsx';
import { dateContext } from '../context.ts';
import { parseRichText } from '../text/rich-text.ts';
import { TextBlocks, TextObject } from '../text/text.tsx';
import { Chart } from './chart.tsx';
import { DataTable } from './data-table.tsx';
import { InputBlock } from './input-block.tsx';
import { ImageBlock } from './media.tsx';
import { TableBlock } from './table.tsx';

/** Block Kit blocks, drawn as Slack draws them; an unknown type says its name. */
export function Blocks({ blocks }: { blocks: readonly Json[] }) {
  return (
    <div class="blocks">
      {blocks.map((block, index) => (
        <Block key={stringOf(block['block_id']) || index} block={block} />
      ))}
    </div>
  );
}

function Block({ block }: { block: Json }) {
  switch (block['type']) {
    case 'section':
      return <Section block={block} />;
    case 'header':
      return (
        <div class="block-header" role="heading" aria-level={2}>
          <TextObject text={objectOf(block['text'])} />
        </div>
      );
    case 'divider':
      return <hr class="block-divider" />;
    case 'context':
      return <Context block={block} />;
    case 'actions':
      return (
        <div class="block-actions">
          <Elements block={block} />
        </div>
      );
    case 'input':
      return <InputBlock block={block} />;
    case 'image':
      return <ImageBlock block={block} />;
    default:
      return <TextualBlock block={block} />;
  }
}

function TextualBlock({ block }: { block: Json }) {
  switch (block['type']) {
    case 'rich_text':
      return (
        <div class="block-text">
          <TextBlocks blocks={parseRichText(block['elements'], dateContext())} />
        </div>
      );
    case 'table':
      return <TableBlock block={block} />;
    case 'data_table':
      return <DataTable block={block} />;
    case 'data_visualization':
      return <Chart block={block} />;
    case 'alert':
      return (
        <div class={`block-alert ${stringOf(block['level']) || 'default'}`} role="note">
          <TextObject text={objectOf(block['text'])} />
        </div>
      );
    default:
      return <div class="block-unknown">This block cannot be shown: {stringOf(block['type'])}</div>;
  }
}

function Section({ block }: { block: Json }) {
  const { accessory } = block;
  const fields = objectsOf(block['fields']);
  return (
    <div class="block-section">
      <div class="block-text">
        {isObject(block['text']) && <TextObject text={block['text']} />}
        {fields.length > 0 && (
          <div class="block-fields">
            {fields.map((field, index) => (
              <div key={index}>
                <TextObject text={field} />
              </div>
            ))}
          </div>
        )}
      </div>
      {isObject(accessory) && (
        <div class="block-accessory">
          <Element
            blockId={stringOf(block['block_id'])}
            element={accessory}
            label={textLabel(block)}
          />
        </div>
      )}
    </div>
  );
}

/** The words beside an accessory name it for screen readers. */
const textLabel = (block: Json): string => stringOf(objectOf(block['text'])['text']).slice(0, 100);

function Context({ block }: { block: Json }) {
  return (
    <div class="block-context">
      {objectsOf(block['elements']).map((element, index) =>
        element['type'] === 'image' ? (
          <img
            key={index}
            src={stringOf(element['image_url'])}
            alt={stringOf(element['alt_text'])}
          />
        ) : (
          <div key={index} class="block-text">
            <TextObject text={element} />
          </div>
        ),
      )}
    </div>
  );
}

function Elements({ block }: { block: Json }) {
  const blockId = stringOf(block['block_id']);
  return (
    <>
      {objectsOf(block['elements']).map((element, index) => (
        <Element
          key={stringOf(element['action_id']) || index}
          blockId={blockId}
          element={element}
        />
      ))}
    </>
  );
}
