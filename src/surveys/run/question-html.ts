import { ratingValues } from '../flow'
import { fieldName, otherPart, otherValue } from '../form-fields'
import type { Answer, ContactField, Question, QuestionKind } from '../question'
import { escapeHtml, formattedHtml, recall, type Recallable } from './recall'
import { fillIn, type SurveyWords } from './words'

/**
 * How a question is drawn. The server and the script draw the same markup, so that a form works without the script
 * too; `survey-styles.ts` has its rules.
 */
export interface QuestionView {
  /** In the language that is shown, with choices in the order that is shown. */
  question: Question
  known: Recallable
  words: SurveyWords
  /** Why the last answer was not taken. */
  problem?: string | undefined
}

type Attributes = Record<string, string | number | boolean | undefined>

/** `true` stands for an attribute without a value; undefined and false leave it out. */
export function element(name: string, attributes: Attributes, ...content: string[]): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined || value === false
      ? ''
      : ` ${key}${value === true ? '' : `="${escapeHtml(String(value))}"`}`,
  )
  const start = `<${name}${written.join('')}>`
  return name === 'input' || name === 'img' ? start : `${start}${content.join('')}</${name}>`
}

/** A question's text, description and controls: a group that is named by the question. */
export function questionHtml(view: QuestionView): string {
  const { question, known, words, problem } = view
  const problemId = `problem.${question.id}`
  const hasMark = !question.isRequired && question.kind !== 'statement' && question.kind !== 'link'
  return element(
    'fieldset',
    { 'aria-describedby': problem !== undefined && problemId },
    element(
      'legend',
      { class: 'legend' },
      escapeHtml(recall(question.text, known)),
      hasMark ? ` <small>(${words.optional})</small>` : '',
    ),
    descriptionHtml(question.description, known),
    controlsHtml(view),
    element(
      'p',
      { id: problemId, class: 'problem', role: 'alert', hidden: problem === undefined },
      escapeHtml(problem ?? ''),
    ),
  )
}

/** The HTML of descriptions is sanitised where surveys are stored and sent. */
export const descriptionHtml = (description: Question['description'], known: Recallable): string =>
  description.text === '' ? '' : element('div', { class: 'description' }, formattedHtml(description, known))

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
        class: 'text',
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
      class: 'text',
      min: earliest,
      max: latest,
      value: typeof answer === 'string' ? answer : undefined,
    }),
  consent: ({ id, label, isRequired }, answer, { known }) =>
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
  link: linkHtml,
  rating: ratingHtml,
  matrix: matrixHtml,
  contact: contactHtml,
  ranking: rankingHtml,
  'single-choice': choicesHtml,
  'multiple-choice': choicesHtml,
  picture: picturesHtml,
  statement: () => '',
}

function controlsHtml(view: QuestionView): string {
  const { question, known } = view
  // the table has an entry per kind, which takes the question of that kind
  const draw = controls[question.kind] as Draw<QuestionKind>
  return draw(question, known.answers[question.id], view)
}

const singleControl = ({ question, known }: QuestionView): Attributes => ({
  name: fieldName(question),
  required: question.isRequired,
  'aria-label': recall(question.text, known),
})

/** Only addresses that a visitor can follow without harm become a link. A form without a script says that it was followed. */
function linkHtml(
  question: Extract<Question, { kind: 'link' }>,
  _: Answer | undefined,
  { words }: QuestionView,
): string {
  if (!/^(?:https:\/\/|mailto:)/i.test(question.link)) return ''
  const attributes = { href: question.link, target: '_blank', rel: 'noopener noreferrer', 'data-link': true }
  return (
    element('input', { type: 'hidden', name: fieldName(question), value: 'link clicked' }) +
    element('a', attributes, escapeHtml(words.open))
  )
}

type RatingQuestion = Extract<Question, { kind: 'rating' }>

const faces = ['😡', '🙁', '😐', '🙂', '😍']
const displayClass = { number: 'numbers', stars: 'icons stars', emoji: 'icons faces' }

/** What stands on a button of a scale; its label is read out instead. */
function ratingSign({ display, scale }: RatingQuestion, value: number): string {
  if (display === 'number') return String(value)
  if (display === 'stars')
    return '<svg viewBox="0 0 24 24" stroke="currentColor" stroke-width="1.6"><path d="M12 3l2.7 5.6 6.1.8-4.5 4.2 1.1 6.1L12 16.8l-5.4 2.9 1.1-6.1L3.2 9.4l6.1-.8z"/></svg>'
  if (scale === 2) return value === 1 ? '👍' : '👎'
  const first = scale === 10 ? 0 : 1
  const share = (value - first) / (scale - first)
  // a scale of three has no extremes
  return faces[Math.round(scale === 3 ? 1 + share * 2 : share * 4)] ?? String(value)
}

function ratingLabel(question: RatingQuestion, value: number, words: SurveyWords): string {
  const { display, scale, lowerLabel, upperLabel } = question
  if (display === 'emoji' && scale === 2) return value === 1 ? words.thumbsUp : words.thumbsDown
  const values = ratingValues(scale)
  const end = value === values[0] ? lowerLabel : value === values.at(-1) ? upperLabel : ''
  const name = fillIn(words.outOf, value, values.at(-1))
  return end ? `${name}, ${end}` : name
}

function ratingHtml(question: RatingQuestion, answer: Answer | undefined, { words }: QuestionView): string {
  const values = ratingValues(question.scale)
  const marks = values.map((value) =>
    element(
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
      element('span', { 'aria-hidden': 'true' }, ratingSign(question, value)),
    ),
  )
  const { lowerLabel, upperLabel } = question
  const ends = [lowerLabel, upperLabel].map((label) => element('span', {}, escapeHtml(label)))
  return (
    element('div', { class: `scale of-${values.length} ${displayClass[question.display]}` }, ...marks) +
    (lowerLabel || upperLabel ? element('div', { class: 'ends', 'aria-hidden': 'true' }, ...ends) : '')
  )
}

type ChoiceQuestion = Extract<Question, { kind: 'single-choice' | 'multiple-choice' }>
type PictureQuestion = Extract<Question, { kind: 'picture' }>

const textsOf = (answer: Answer | undefined): readonly string[] =>
  Array.isArray(answer) ? answer : typeof answer === 'string' && answer !== '' ? [answer] : []

const choiceInput = (
  question: ChoiceQuestion | PictureQuestion,
  value: string,
  isChecked: boolean,
): string => {
  const takesSeveral =
    question.kind === 'multiple-choice' || (question.kind === 'picture' && question.allowsSeveral)
  return element('input', {
    type: takesSeveral ? 'checkbox' : 'radio',
    name: fieldName(question),
    value,
    checked: isChecked,
    required: !takesSeveral && question.isRequired,
  })
}

function choicesHtml(question: ChoiceQuestion, answer: Answer | undefined, { words }: QuestionView): string {
  const given = textsOf(answer)
  const typed = given.find((text) => !question.choices.some((choice) => choice.text === text))
  const options = question.choices.map(({ text }, index) => {
    const isOther = question.hasOther && index === question.choices.length - 1
    const label = element(
      'label',
      { class: 'option' },
      isOther
        ? choiceInput(question, otherValue, typed !== undefined)
        : choiceInput(question, text, given.includes(text)),
      element('span', {}, escapeHtml(text)),
    )
    const typing = element('input', {
      class: 'text',
      name: fieldName(question, otherPart),
      value: typed,
      maxlength: 10_000,
      dir: 'auto',
      'aria-label': `${text}: ${words.other}`,
    })
    return element('li', {}, label, isOther ? typing : '')
  })
  return element('ul', { class: 'options' }, ...options)
}

function picturesHtml(question: PictureQuestion, answer: Answer | undefined): string {
  const given = textsOf(answer)
  const options = question.choices.map(({ text, imageUrl }) =>
    element(
      'li',
      {},
      element(
        'label',
        { class: 'option' },
        imageUrl === ''
          ? ''
          : element('img', { src: imageUrl, alt: '', loading: 'lazy', referrerpolicy: 'no-referrer' }),
        element('span', {}, choiceInput(question, text, given.includes(text)), escapeHtml(text)),
      ),
    ),
  )
  return element('ul', { class: 'options pictures' }, ...options)
}

/** Answers of several parts, by the name of each. */
const partsOf = (answer: Answer | undefined): Readonly<Record<string, string>> =>
  // neither a text nor a list, so that it is the record of the union
  typeof answer === 'object' && !Array.isArray(answer) ? (answer as Readonly<Record<string, string>>) : {}

/** Radio buttons are named by row and column; on a narrow survey each row becomes a line of them. */
function matrixHtml(
  question: Extract<Question, { kind: 'matrix' }>,
  answer: Answer | undefined,
  { known }: QuestionView,
): string {
  const given = partsOf(answer)
  const heads = question.columns.map(({ text }) => element('th', { scope: 'col' }, escapeHtml(text)))
  const corner = element(
    'th',
    { scope: 'col' },
    element('span', { class: 'hidden-text' }, escapeHtml(recall(question.text, known))),
  )
  const rows = question.rows.map((row) => {
    const cells = question.columns.map((column) =>
      element(
        'td',
        {},
        element(
          'label',
          { 'data-column': column.text },
          element('input', {
            type: 'radio',
            name: fieldName(question, row.id),
            value: column.id,
            checked: given[row.id] === column.id,
            required: question.isRequired,
            'aria-label': `${row.text}: ${column.text}`,
          }),
        ),
      ),
    )
    return element('tr', {}, element('th', { scope: 'row' }, escapeHtml(row.text)), ...cells)
  })
  const table = element(
    'table',
    {},
    element('thead', {}, element('tr', {}, corner, ...heads)),
    element('tbody', {}, ...rows),
  )
  return element('div', { class: 'matrix' }, table)
}

function rankingHtml(
  question: Extract<Question, { kind: 'ranking' }>,
  answer: Answer | undefined,
  { words }: QuestionView,
): string {
  const given = textsOf(answer)
  const rows = question.choices.map((choice) => {
    const rank = given.indexOf(choice.text) + 1
    const ranks = ['', ...question.choices.map((_, index) => String(index + 1))].map((value) =>
      element('option', { value, selected: value !== '' && Number(value) === rank }, value || '–'),
    )
    const select = element(
      'select',
      {
        class: 'text',
        name: fieldName(question, choice.id),
        required: question.isRequired,
        'aria-label': fillIn(words.rank, choice.text),
      },
      ...ranks,
    )
    return element('li', { class: 'option rank' }, element('label', {}, escapeHtml(choice.text)), select)
  })
  return element('ol', { class: 'options' }, ...rows)
}

const contactInputs: Record<ContactField, { type: string; autocomplete: string }> = {
  name: { type: 'text', autocomplete: 'name' },
  email: { type: 'email', autocomplete: 'email' },
  phone: { type: 'tel', autocomplete: 'tel' },
  company: { type: 'text', autocomplete: 'organization' },
}

function contactHtml(
  question: Extract<Question, { kind: 'contact' }>,
  answer: Answer | undefined,
  { words }: QuestionView,
): string {
  const given = partsOf(answer)
  const fields = question.fields.map(({ field, isRequired }) => {
    const input = element('input', {
      ...contactInputs[field],
      class: 'text',
      name: fieldName(question, field),
      required: isRequired && question.isRequired,
      maxlength: 254,
      value: given[field],
    })
    return element('div', {}, element('label', {}, element('span', {}, escapeHtml(words[field])), input))
  })
  return element('div', { class: 'contact' }, ...fields)
}
