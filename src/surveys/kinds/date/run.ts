import { element } from '#surveys/run/element'
import { fillIn } from '#surveys/run/words'
import type { KindRules } from '../kind-rules'
import { isText } from '../internal/answer-parts'
import { readText, singleControl } from '../internal/controls'

export const date: KindRules<'date'> = {
  draw: ({ earliest, latest }, answer, view) =>
    element('input', {
      ...singleControl(view),
      type: 'date',
      class: 'text',
      min: earliest,
      max: latest,
      value: isText(answer) ? answer : undefined,
    }),
  read: readText,
  check({ earliest, latest }, answer, words) {
    if (!isText(answer) || !isDate(answer)) return words.notADate
    if (earliest !== undefined && answer < earliest) return fillIn(words.tooEarly, earliest)
    return latest !== undefined && answer > latest ? fillIn(words.tooLate, latest) : undefined
  },
}

function isDate(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  // a day that its month does not have would become one of the next month
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}
