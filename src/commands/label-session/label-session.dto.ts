import { LABELS_MAX } from '../../domain/labels.js';
import { LabelsField, TextListField } from '../dto/fields.js';

export class LabelSessionBody {
  @LabelsField({
    description:
      'Labels to add or change. They are declared non-personal: they say what the session is for ' +
      '(project, team, environment), and stay readable when its content is erased. A call is counted ' +
      'under the labels that its session has when the call is settled.',
    optional: true,
  })
  set?: Record<string, string>;

  @TextListField({
    description: 'Names of labels to remove.',
    itemsMax: LABELS_MAX,
    charactersMax: 64,
    optional: true,
  })
  remove?: string[];
}
