import { CheckedField, FlagField, NumberField, TextField } from '../dto/fields.js';
import { OwnedBody } from '../dto/owned-body.js';
import { type GivenBlock, assistantBlocksFault } from './assistant-blocks.js';

export class RecordAssistantMessageBody extends OwnedBody {
  @NumberField({ description: 'Number of this part, from 0.', min: 0, max: 10_000, optional: true })
  part: number = 0;

  @FlagField({ description: 'false while more parts of this message may follow.', optional: true })
  final: boolean = true;

  @TextField({ description: 'Default: that of the model call.', charactersMax: 64, optional: true })
  provider?: string;

  @TextField({
    description:
      'Whose words the provider blocks are in: a format of the context, such as ai-sdk. They go ' +
      "back in contexts of that format. Default: the provider's own API.",
    charactersMax: 64,
    optional: true,
  })
  api?: string;

  @TextField({ description: 'The model that answered.', charactersMax: 128, optional: true })
  model?: string;

  @CheckedField({
    description:
      'Finished blocks in order: {type: "text", text}, {type: "toolCall", tool, providerCallId?, ' +
      'args | argsText}, {type: "provider", block} (kept and replayed verbatim).',
    schema: { type: 'array', items: { type: 'object' }, maxItems: 512 },
    name: 'isAssistantBlocks',
    faultOf: assistantBlocksFault,
  })
  blocks: GivenBlock[];
}
