import { fieldName } from '#surveys/internal/form-fields'
import { element } from '#surveys/run/element'
import { escapeHtml } from '#surveys/run/recall'
import { fillIn, type SurveyWords } from '#surveys/run/words'
import type { ContactField } from '../contact-fields'
import type { KindRules } from '../kind-rules'
import { partsIn, partsOf, recordIn } from '../internal/answer-parts'

export const contact: KindRules<'contact'> = {
  draw(question, answer, { words }) {
    const given = partsOf(answer)
    const fields = question.fields.map(({ field, isRequired }) => {
      const input = element('input', {
        ...contactInputs[field],
        class: 'text',
        name: fieldName(question, field),
        required: isRequired && question.isRequired,
        maxlength: longestContact,
        value: given[field],
      })
      return element('div', {}, element('label', {}, element('span', {}, escapeHtml(words[field])), input))
    })
    return element('div', { class: 'contact' }, ...fields)
  },
  read: ({ fields }, { text }) => partsIn(fields.map(({ field }) => [field, text(field).trim()])),
  check({ fields }, answer, words) {
    const given = recordIn(answer)
    if (!given) return words.required
    for (const name of Object.keys(given))
      if (!fields.some(({ field }) => field === name)) return words.notAChoice
    for (const { field, isRequired } of fields) {
      const value = given[field]?.trim() ?? ''
      const rule = contactPatterns[field]
      if (value === '' && isRequired) return fillIn(words.fieldMissing, words[field])
      if (value.length > longestContact) return fillIn(words.tooLong, longestContact)
      if (value !== '' && rule && !rule.pattern.test(value)) return words[rule.problem]
    }
    return undefined
  },
}

const contactInputs: Record<ContactField, { type: string; autocomplete: string }> = {
  name: { type: 'text', autocomplete: 'name' },
  email: { type: 'email', autocomplete: 'email' },
  phone: { type: 'tel', autocomplete: 'tel' },
  company: { type: 'text', autocomplete: 'organization' },
}

const contactPatterns: Partial<Record<ContactField, { pattern: RegExp; problem: keyof SurveyWords }>> = {
  email: { pattern: /^[^\s@<>"]+@[^\s@<>".]+(?:\.[^\s@<>".]+)+$/, problem: 'notAnEmail' },
  phone: { pattern: /^\+?[\d\s()/.-]{4,30}$/, problem: 'notAPhone' },
}
const longestContact = 254
