import { fieldName } from '#surveys/internal/form-fields'
import { element } from '#surveys/run/element'
import { escapeHtml } from '#surveys/run/recall'
import type { KindRules } from '../kind-rules'
import { readText } from '../internal/controls'

export const link: KindRules<'link'> = {
  /** Only addresses that a visitor can follow without harm become a link. A form without a script says that it was followed. */
  draw(question, _, { words }) {
    if (!/^(?:https:\/\/|mailto:)/i.test(question.link)) return ''
    const attributes = {
      href: question.link,
      target: '_blank',
      rel: 'noopener noreferrer',
      'data-link': true,
    }
    return (
      element('input', { type: 'hidden', name: fieldName(question), value: 'link clicked' }) +
      element('a', attributes, escapeHtml(words.open))
    )
  },
  read: readText,
  check: (_, answer, words) => (answer === 'link clicked' ? undefined : words.notAChoice),
  isUnmarked: true,
}
