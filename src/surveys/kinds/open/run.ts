import { element } from '#surveys/run/element'
import { escapeHtml } from '#surveys/run/recall'
import { fillIn } from '#surveys/run/words'
import type { KindRules } from '../kind-rules'
import { isText } from '../internal/answer-parts'
import { longestText, readText, singleControl } from '../internal/controls'

export const open: KindRules<'open'> = {
  draw({ placeholder, minLength, maxLength }, answer, view) {
    const attributes = {
      ...singleControl(view),
      class: 'text',
      rows: 3,
      dir: 'auto',
      placeholder: placeholder || undefined,
      minlength: minLength,
      maxlength: maxLength ?? longestText,
    }
    return element('textarea', attributes, escapeHtml(isText(answer) ? answer : ''))
  },
  read: readText,
  check({ minLength = 0, maxLength }, answer, words) {
    if (!isText(answer)) return words.required
    const { length } = answer.trim()
    const most = Math.min(maxLength ?? longestText, longestText)
    if (length > most) return fillIn(words.tooLong, most)
    return length < minLength ? fillIn(words.tooShort, minLength) : undefined
  },
}
