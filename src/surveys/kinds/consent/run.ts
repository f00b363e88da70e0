import { fieldName } from '#surveys/internal/form-fields'
import { element } from '#surveys/run/element'
import { escapeHtml, recall } from '#surveys/run/recall'
import type { KindRules } from '../kind-rules'

export const consent: KindRules<'consent'> = {
  draw: ({ id, label, isRequired }, answer, { known }) =>
    element(
      'label',
      { class: 'option' },
      element('input', {
        type: 'checkbox',
        name: fieldName({ id }),
        value: 'yes',
        checked: answer === true,
        required: isRequired,
      }),
      element('span', {}, escapeHtml(recall(label, known))),
    ),
  read: (_, { text }) => text() === 'yes',
  check: (_, answer, words) => (typeof answer === 'boolean' ? undefined : words.notAChoice),
  missing: (words) => words.consentNeeded,
}
