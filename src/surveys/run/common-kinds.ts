import { ratingValues } from '../flow'
import { fieldName, otherPart, otherValue } from '../internal/form-fields'
import type { Answer, ChoiceQuestion, OpenQuestion, RatingQuestion } from '../question'
import { type Attributes, element } from './element'
import {
  isText,
  isUnique,
  type KindTable,
  type QuestionForm,
  type QuestionView,
  textsIn,
  textsOf,
} from './kind-rules'
import { escapeHtml, recall } from './recall'
import { fillIn, type SurveyWords } from './words'

/** Typed texts are cut at this length wherever a question sets no lower limit. */
const longestText = 10_000

export type CommonKind = 'open' | 'rating' | 'single-choice' | 'multiple-choice'

/** The kinds that most surveys are made of. */
export const commonKinds: KindTable<CommonKind> = {
  open: { draw: openHtml, read: readText, check: checkText },
  rating: {
    draw: ratingHtml,
    read: (_, { text }) => (text() === '' ? '' : Number(text())),
    check: checkRating,
  },
  'single-choice': {
    draw: choicesHtml,
    read: (_, { text }) => chosenText(text(), text(otherPart))[0] ?? '',
    check: (question, answer, words) =>
      isText(answer) && isChoice(question, answer) ? undefined : words.notAChoice,
  },
  'multiple-choice': {
    draw: choicesHtml,
    read: (_, { list, text }) => list().flatMap((value) => chosenText(value, text(otherPart))),
    check: checkChoices,
  },
}

/** The attributes of a control that is the only one of its question. */
export const singleControl = ({ question, known }: QuestionView): Attributes => ({
  name: fieldName(question),
  required: question.isRequired,
  'aria-label': recall(question.text, known),
})

export function readText(_: unknown, { text }: QuestionForm): string {
  return text()
}

function chosenText(value: string, typed: string): string[] {
  if (value !== otherValue) return value === '' ? [] : [value]
  return typed.trim() === '' ? [] : [typed.trim()]
}

function openHtml(
  { placeholder, minLength, maxLength }: OpenQuestion,
  answer: Answer | undefined,
  view: QuestionView,
): string {
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
}

function checkText({ minLength = 0, maxLength }: OpenQuestion, answer: Answer, words: SurveyWords) {
  if (!isText(answer)) return words.required
  const { length } = answer.trim()
  const most = Math.min(maxLength ?? longestText, longestText)
  if (length > most) return fillIn(words.tooLong, most)
  return length < minLength ? fillIn(words.tooShort, minLength) : undefined
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

function ratingHtml(question: RatingQuestion, answer: Answer | undefined, { words }: QuestionView): string {
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
}

function checkRating({ scale }: RatingQuestion, answer: Answer, words: SurveyWords) {
  const values = ratingValues(scale)
  if (values.some((value) => value === answer)) return undefined
  return fillIn(words.outsideScale, values[0] ?? 0, values.at(-1))
}

function choicesHtml(question: ChoiceQuestion, answer: Answer | undefined, { words }: QuestionView): string {
  const given = textsOf(answer)
  const typed = given.find((text) => !question.choices.some((choice) => choice.text === text))
  const isSingle = question.kind === 'single-choice'
  const options = question.choices.map(({ text }, index) => {
    const isOther = question.hasOther && index === question.choices.length - 1
    const input = element('input', {
      type: isSingle ? 'radio' : 'checkbox',
      name: fieldName(question),
      value: isOther ? otherValue : text,
      checked: isOther ? typed !== undefined : given.includes(text),
      required: isSingle && question.isRequired,
    })
    const label = element('label', { class: 'option' }, input, element('span', {}, escapeHtml(text)))
    const typing = element('input', {
      class: 'text',
      name: fieldName(question, otherPart),
      value: typed,
      maxlength: longestText,
      dir: 'auto',
      'aria-label': `${text}: ${words.other}`,
    })
    return element('li', {}, label, isOther ? typing : '')
  })
  return element('ul', { class: 'options' }, ...options)
}

const isChoice = ({ choices, hasOther }: ChoiceQuestion, text: string): boolean =>
  choices.some((choice) => choice.text === text) ||
  (hasOther && text.trim() !== '' && text.length <= longestText)

function checkChoices(question: ChoiceQuestion, answer: Answer, words: SurveyWords) {
  const texts = textsIn(answer)
  if (!texts || !isUnique(texts) || !texts.every((text) => isChoice(question, text))) return words.notAChoice
  const typed = texts.filter((text) => !question.choices.some((choice) => choice.text === text))
  const { minChoices = 0, maxChoices = question.choices.length } = question
  if (typed.length > 1) return words.notAChoice
  if (texts.length < minChoices) return fillIn(words.chooseAtLeast, minChoices)
  return texts.length > maxChoices ? fillIn(words.chooseAtMost, maxChoices) : undefined
}
