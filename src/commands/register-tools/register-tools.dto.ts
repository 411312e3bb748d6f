import { NestedListField } from '../dto/fields.js';
import { ToolBody } from '../dto/tool-body.js';

export class RegisterToolsBody {
  @NestedListField({
    description: 'What the tools promise. A manifest that says something new is a new version.',
    of: () => ToolBody,
    itemsMax: 100,
  })
  tools: ToolBody[];
}
