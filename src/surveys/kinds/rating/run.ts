import { fieldName } from '#surveys/internal/form-fields'
import type { RatingQuestion } from '#surveys/question'
import { element } from '#surveys/run/element'
import { escapeHtml } from '#surveys/run/recall'
import { fillIn, type SurveyWords } from '#surveys/run/words'
import type { KindRules } from '../kind-rules'
import { ratingValues } from '../rating-scale'

export const rating: KindRules<'rating'> = {
  draw(question, answer, { words }) {
    const values = ratingValues(question.scale)
    const marks = values.map((value) => {
      const icon = ratingIcon(question, value)
      return element(
        'label',
        { class: 'mark' },
        element('input', {
          type: 'radio',
          name: fieldName(question),
          value,
          checked: answer === value,
          required: question.isRequired,
          'aria-label': ratingLabel(question, value, words),
        }),
        element('span', { 'aria-hidden': 'true' }, icon ? iconHtml(icon) : String(value)),
      )
    })
    const { lowerLabel, upperLabel } = question
    const ends = [lowerLabel, upperLabel].map((label) => element('span', {}, escapeHtml(label)))
    return (
      element('div', { class: `scale of-${values.length} ${displayClass[question.display]}` }, ...marks) +
      (lowerLabel || upperLabel ? element('div', { class: 'ends', 'aria-hidden': 'true' }, ...ends) : '')
    )
  },
  read: (_, { text }) => (text() === '' ? '' : Number(text())),
  check({ scale }, answer, words) {
    const values = ratingValues(scale)
    if (values.some((value) => value === answer)) return undefined
    return fillIn(words.outsideScale, values[0] ?? 0, values.at(-1))
  },
}

const displayClass = { number: '', stars: 'icons stars', emoji: 'icons' }

const star = 'M12 3l2.7 5.6 6.1.8-4.5 4.2 1.1 6.1L12 16.8l-5.4 2.9 1.1-6.1L3.2 9.4l6.1-.8z'
const thumbUp = 'M4 11h4v9H4zM8 11l4-7q2 0 2 3v3h6l-2 10H8'
const thumbDown = 'M4 13h4V4H4zM8 13l4 7q2 0 2-3v-3h6l-2-10H8'
const head = 'M12 3a9 9 0 1 0 .1 0M9 9v1M15 9v1M8 '

/**
 * The mark on a button of a scale, as the path of an icon of 24 by 24; its label is read out instead. Not every system has
 * a font with emoji. Undefined for a number, which is written.
 */
function ratingIcon({ display, scale }: RatingQuestion, value: number): string | undefined {
  if (display === 'number') return undefined
  if (display === 'stars') return star
  if (scale === 2) return value === 1 ? thumbUp : thumbDown
  const first = scale === 10 ? 0 : 1
  const share = (value - first) / (scale - first)
  // a scale of three has no extremes
  const mood = scale === 3 ? share * 4 - 2 : share * 6 - 3
  return `${head}${16 - mood / 2}q4 ${mood * 2} 8 0`
}

function ratingLabel(question: RatingQuestion, value: number, words: SurveyWords): string {
  const { display, scale, lowerLabel, upperLabel } = question
  if (display === 'emoji' && scale === 2) return value === 1 ? words.thumbsUp : words.thumbsDown
  const values = ratingValues(scale)
  const end = value === values[0] ? lowerLabel : value === values.at(-1) ? upperLabel : ''
  const name = fillIn(words.outOf, value, values.at(-1))
  return end ? `${name}, ${end}` : name
}

const iconHtml = (path: string): string =>
  `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"><path d="${path}"/></svg>`
