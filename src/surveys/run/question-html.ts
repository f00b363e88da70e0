import { ratingValues } from '../flow'
import type { Answer, ContactField, Question, QuestionKind } from '../question'
import { fieldNames } from './form-fields'
import { escapeHtml, formattedHtml, recall, type Recallable } from './recall'
import { fillIn, type SurveyWords } from './words'

/** How a question is drawn. The server and the script draw the same markup, so that a form works without the script too. */
export interface QuestionView {
  question: Question
  known: Recallable
  words: SurveyWords
  /** What was refused about the last attempt. */
  problem?: string | undefined
  /** The order in which choices are shown; their indexes. */
  order?: readonly number[] | undefined
}

type Attributes = Record<string, string | number | boolean | undefined>

/** `true` stands for an attribute without a value; undefined and false leave it out. */
export const element = (name: string, attributes: Attributes, ...content: string[]): string => {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined || value === false
      ? ''
      : value === true
        ? ` ${key}`
        : ` ${key}="${escapeHtml(String(value))}"`,
  )
  const start = `<${name}${written.join('')}>`
  return name === 'input' || name === 'img' ? start : `${start}${content.join('')}</${name}>`
}

const groups = new Set<Question['kind']>([
  'rating',
  'single-choice',
  'multiple-choice',
  'picture',
  'ranking',
  'matrix',
  'contact',
])

/** A question's text, description and controls. Controls that belong together are a group named by the question. */
export function questionHtml(view: QuestionView): string {
  const { question, known, words, problem } = view
  const ids = idsOf(question)
  const text =
    escapeHtml(recall(question.text, known)) +
    (question.isRequired || question.kind === 'statement' || question.kind === 'link'
      ? ''
      : ` ${element('small', {}, `(${words.optional})`)}`)
  const description = question.description.text
    ? element(
        'div',
        { class: 'ts-description', id: ids.description },
        formattedHtml(question.description, known),
      )
    : ''
  const error = element(
    'p',
    { class: 'ts-problem', id: ids.problem, role: 'alert' },
    escapeHtml(problem ?? ''),
  )
  const controls = controlsHtml(view)
  if (groups.has(question.kind))
    return element(
      'fieldset',
      { class: `ts-question ts-${question.kind}`, 'aria-describedby': describedBy(view) },
      element('legend', { class: 'ts-text' }, text),
      description,
      controls,
      error,
    )
  const isLabelled = question.kind === 'open' || question.kind === 'date'
  const heading = isLabelled
    ? element('label', { class: 'ts-text', for: ids.control }, text)
    : element('p', { class: 'ts-text' }, text)
  return element('div', { class: `ts-question ts-${question.kind}` }, heading, description, controls, error)
}

const idsOf = ({ id }: Question) => ({
  control: `ts-c-${id}`,
  description: `ts-d-${id}`,
  problem: `ts-p-${id}`,
})

function describedBy({ question, problem }: QuestionView): string | undefined {
  const ids = idsOf(question)
  return (
    [question.description.text && ids.description, problem && ids.problem].filter(Boolean).join(' ') ||
    undefined
  )
}

type Draw<Kind extends QuestionKind> = (
  question: Extract<Question, { kind: Kind }>,
  answer: Answer | undefined,
  view: QuestionView,
) => string

const controls: { [Kind in QuestionKind]: Draw<Kind> } = {
  open: (question, answer, view) =>
    element(
      'textarea',
      {
        ...singleControl(view),
        rows: 3,
        dir: 'auto',
        placeholder: question.placeholder || undefined,
        minlength: question.minLength,
        maxlength: question.maxLength ?? 10_000,
      },
      escapeHtml(typeof answer === 'string' ? answer : ''),
    ),
  date: ({ earliest, latest }, answer, view) =>
    element('input', {
      ...singleControl(view),
      type: 'date',
      min: earliest,
      max: latest,
      value: typeof answer === 'string' ? answer : undefined,
    }),
  consent: ({ label }, answer, view) =>
    element(
      'label',
      { class: 'ts-option' },
      element('input', { ...singleControl(view), type: 'checkbox', value: 1, checked: answer === true }),
      element('span', {}, escapeHtml(recall(label, view.known))),
    ),
  link: linkHtml,
  rating: ratingHtml,
  matrix: matrixHtml,
  contact: contactHtml,
  ranking: rankingHtml,
  'single-choice': choicesHtml,
  'multiple-choice': choicesHtml,
  picture: choicesHtml,
  statement: () => '',
}

function controlsHtml(view: QuestionView): string {
  const { question, known } = view
  // the table has an entry per kind, which takes the question of that kind
  const draw = controls[question.kind] as Draw<QuestionKind>
  return draw(question, known.answers[question.id], view)
}

const singleControl = (view: QuestionView): Attributes => ({
  id: idsOf(view.question).control,
  name: fieldNames.answer(view.question.id),
  required: view.question.isRequired,
  'aria-describedby': describedBy(view),
  'aria-invalid': view.problem !== undefined && 'true',
})

/** Only addresses that a visitor can follow without harm become a link. */
function linkHtml(
  { id, link }: Extract<Question, { kind: 'link' }>,
  _: Answer | undefined,
  { words }: QuestionView,
): string {
  if (!/^(?:https:|mailto:)/i.test(link)) return ''
  const attributes = { href: link, target: '_blank', rel: 'noopener noreferrer', 'data-link': true }
  return (
    element('input', { type: 'hidden', name: fieldNames.answer(id), value: 'link clicked' }) +
    element('a', { class: 'ts-button', ...attributes }, escapeHtml(words.open))
  )
}

interface Option {
  name: string
  value: string | number
  type: 'radio' | 'checkbox'
  isChecked: boolean
  isRequired?: boolean
  label: string
}

const optionHtml = ({ name, value, type, isChecked, isRequired, label }: Option): string =>
  element(
    'label',
    { class: 'ts-option' },
    element('input', { type, name, value, checked: isChecked, required: isRequired && type === 'radio' }),
    label,
  )

const faces = ['😡', '🙁', '😐', '🙂', '😍']
const facesOfThree = ['🙁', '😐', '🙂']

/** What stands on a button of a scale. Signs are read out as their value. */
function ratingSign({ display, scale }: RatingQuestion, value: number): string {
  if (scale === 2) return value === 1 ? '👍' : '👎'
  if (display === 'stars') return '★'
  if (display !== 'emoji') return String(value)
  const signs = scale === 3 ? facesOfThree : faces
  const last = ratingValues(scale).length - 1
  const index = value - (ratingValues(scale)[0] ?? 0)
  return signs[Math.round((index / last) * (signs.length - 1))] ?? String(value)
}

type RatingQuestion = Extract<Question, { kind: 'rating' }>

function ratingHtml(question: RatingQuestion, answer: Answer | undefined, { words }: QuestionView): string {
  const values = ratingValues(question.scale)
  const spoken = (value: number): string => {
    if (question.scale === 2) return value === 1 ? words.thumbsUp : words.thumbsDown
    return fillIn(words.outOf, value, values.at(-1))
  }
  const options = values.map((value) => {
    const sign = ratingSign(question, value)
    const label =
      sign === String(value)
        ? element('span', {}, sign)
        : element('span', { 'aria-hidden': 'true' }, sign) +
          element('span', { class: 'ts-unseen' }, escapeHtml(spoken(value)))
    return optionHtml({
      name: fieldNames.answer(question.id),
      value,
      type: 'radio',
      isChecked: answer === value,
      isRequired: question.isRequired,
      label,
    })
  })
  const bounds = [question.lowerLabel, question.upperLabel].map((label) =>
    element('span', {}, escapeHtml(label)),
  )
  return (
    element('div', { class: `ts-scale ts-${question.display}` }, ...options) +
    (question.lowerLabel || question.upperLabel ? element('div', { class: 'ts-bounds' }, ...bounds) : '')
  )
}

type Choosing = Extract<Question, { kind: 'single-choice' | 'multiple-choice' | 'picture' }>

function choicesHtml(question: Choosing, answer: Answer | undefined, { order, words }: QuestionView): string {
  const isSingle =
    question.kind === 'single-choice' || (question.kind === 'picture' && !question.allowsSeveral)
  const given = Array.isArray(answer) ? answer : [answer]
  const hasOther = question.kind !== 'picture' && question.hasOther
  const typed = given.find(
    (text) =>
      typeof text === 'string' && text !== '' && !question.choices.some((choice) => choice.text === text),
  )
  const indexes = order ?? question.choices.map((_, index) => index)
  return indexes
    .map((index) => {
      const choice = question.choices[index]
      if (!choice) return ''
      const isOther = hasOther && index === question.choices.length - 1
      const picture =
        'imageUrl' in choice && typeof choice.imageUrl === 'string'
          ? element('img', { src: choice.imageUrl, alt: '', loading: 'lazy' })
          : ''
      const option = optionHtml({
        name: fieldNames.answer(question.id),
        value: index,
        type: isSingle ? 'radio' : 'checkbox',
        isChecked: given.includes(choice.text) || (isOther && typed !== undefined),
        isRequired: question.isRequired,
        label: picture + element('span', {}, escapeHtml(choice.text)),
      })
      return isOther ? option + otherHtml(question.id, choice.text, typed, words) : option
    })
    .join('')
}

const otherHtml = (id: string, label: string, typed: unknown, words: SurveyWords): string =>
  element('input', {
    type: 'text',
    class: 'ts-other',
    name: fieldNames.other(id),
    maxlength: 10_000,
    dir: 'auto',
    'aria-label': `${label}: ${words.other}`,
    value: typeof typed === 'string' ? typed : undefined,
  })

/** Radio buttons of each row are a group, named by the row; a wide table becomes a list on a narrow screen. */
function matrixHtml(
  { id, rows, columns, isRequired }: Extract<Question, { kind: 'matrix' }>,
  answer: Answer | undefined,
): string {
  const chosen =
    typeof answer === 'object' && !Array.isArray(answer) ? (answer as Record<string, string>) : {}
  return rows
    .map((row) => {
      const options = columns.map((column) =>
        optionHtml({
          name: fieldNames.part(id, row.id),
          value: column.id,
          type: 'radio',
          isChecked: chosen[row.id] === column.id,
          isRequired,
          label: element('span', {}, escapeHtml(column.text)),
        }),
      )
      return element(
        'fieldset',
        { class: 'ts-row' },
        element('legend', {}, escapeHtml(row.text)),
        element('div', { class: 'ts-columns' }, ...options),
      )
    })
    .join('')
}

function rankingHtml(
  { id, choices, isRequired }: Extract<Question, { kind: 'ranking' }>,
  answer: Answer | undefined,
  { words }: QuestionView,
): string {
  const ranked = Array.isArray(answer) ? answer : []
  return choices
    .map((choice) => {
      const rank = ranked.indexOf(choice.text) + 1
      const ranks = ['', ...choices.map((_, index) => String(index + 1))].map((value) =>
        element('option', { value, selected: value !== '' && Number(value) === rank }, value || '–'),
      )
      return element(
        'label',
        { class: 'ts-option' },
        element(
          'select',
          {
            name: fieldNames.part(id, choice.id),
            required: isRequired,
            'aria-label': fillIn(words.rank, choice.text),
          },
          ...ranks,
        ),
        element('span', {}, escapeHtml(choice.text)),
      )
    })
    .join('')
}

const contactTypes: Record<ContactField, { type: string; autocomplete: string }> = {
  name: { type: 'text', autocomplete: 'name' },
  email: { type: 'email', autocomplete: 'email' },
  phone: { type: 'tel', autocomplete: 'tel' },
  company: { type: 'text', autocomplete: 'organization' },
}

function contactHtml(
  { id, fields }: Extract<Question, { kind: 'contact' }>,
  answer: Answer | undefined,
  { words }: QuestionView,
): string {
  const given = typeof answer === 'object' && !Array.isArray(answer) ? (answer as Record<string, string>) : {}
  return fields
    .map(({ field, isRequired }) =>
      element(
        'label',
        { class: 'ts-field' },
        element('span', {}, escapeHtml(words[field])),
        element('input', {
          ...contactTypes[field],
          name: fieldNames.part(id, field),
          required: isRequired,
          maxlength: 254,
          value: given[field],
        }),
      ),
    )
    .join('')
}
