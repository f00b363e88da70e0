import { fieldName } from '../internal/form-fields'
import type {
  Answer,
  ContactField,
  ContactQuestion,
  DateQuestion,
  LinkQuestion,
  MatrixQuestion,
  PictureQuestion,
  QuestionKind,
  RankingQuestion,
} from '../question'
import { type CommonKind, readText, singleControl } from './common-kinds'
import { element } from './element'
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

type RareKind = Exclude<QuestionKind, CommonKind>

/** The other kinds. The widget loads them, with `rareRules`, only for a survey that has one. */
export const rareKinds: KindTable<RareKind> = {
  link: {
    draw: linkHtml,
    read: readText,
    check: (_, answer, words) => (answer === 'link clicked' ? undefined : words.notAChoice),
  },
  statement: {
    draw: () => '',
    read: () => undefined,
    check: (_question, _answer, words) => words.takesNoAnswer,
  },
  date: {
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
    check: checkDate,
  },
  consent: {
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
  },
  matrix: {
    draw: matrixHtml,
    read: ({ rows }, { text }) => partsIn(rows.map(({ id }) => [id, text(id)])),
    check: checkMatrix,
  },
  contact: {
    draw: contactHtml,
    read: ({ fields }, { text }) => partsIn(fields.map(({ field }) => [field, text(field).trim()])),
    check: checkContact,
  },
  ranking: { draw: rankingHtml, read: readRanks, check: checkRanking },
  picture: {
    draw: picturesHtml,
    read: ({ allowsSeveral }, { list, text }) => (allowsSeveral ? list() : text()),
    check: checkPictures,
  },
}

/** Only addresses that a visitor can follow without harm become a link. A form without a script says that it was followed. */
function linkHtml(question: LinkQuestion, _: Answer | undefined, { words }: QuestionView): string {
  if (!/^(?:https:\/\/|mailto:)/i.test(question.link)) return ''
  const attributes = { href: question.link, target: '_blank', rel: 'noopener noreferrer', 'data-link': true }
  return (
    element('input', { type: 'hidden', name: fieldName(question), value: 'link clicked' }) +
    element('a', attributes, escapeHtml(words.open))
  )
}

function partsIn(parts: readonly (readonly [string, string])[]): Answer {
  const filled = parts.filter(([, value]) => value !== '')
  return filled.length === 0 ? '' : Object.fromEntries(filled)
}

/** A form without ranks is a skipped question. Of choices with the same rank the first has it, and the order is incomplete. */
function readRanks({ choices }: RankingQuestion, { text: rankOf }: QuestionForm): string[] {
  const ranked = choices.map(({ id, text }) => ({ text, rank: rankOf(id) })).filter(({ rank }) => rank !== '')
  const distinct = ranked.filter(({ rank }, index) => ranked.findIndex((one) => one.rank === rank) === index)
  return distinct.toSorted((one, other) => Number(one.rank) - Number(other.rank)).map(({ text }) => text)
}

function picturesHtml(question: PictureQuestion, answer: Answer | undefined): string {
  const given = textsOf(answer)
  const { allowsSeveral, isRequired } = question
  const options = question.choices.map(({ text, imageUrl }) => {
    const input = element('input', {
      type: allowsSeveral ? 'checkbox' : 'radio',
      name: fieldName(question),
      value: text,
      checked: given.includes(text),
      required: !allowsSeveral && isRequired,
    })
    const image =
      imageUrl === ''
        ? ''
        : element('img', { src: imageUrl, alt: '', loading: 'lazy', referrerpolicy: 'no-referrer' })
    const label = element('label', { class: 'option' }, image, element('span', {}, input, escapeHtml(text)))
    return element('li', {}, label)
  })
  return element('ul', { class: 'options pictures' }, ...options)
}

function checkPictures({ choices, allowsSeveral }: PictureQuestion, answer: Answer, words: SurveyWords) {
  const texts = isText(answer) ? [answer] : textsIn(answer)
  if (!texts || !isUnique(texts)) return words.notAChoice
  if (!texts.every((text) => choices.some((choice) => choice.text === text))) return words.notAChoice
  return texts.length > 1 && !allowsSeveral ? fillIn(words.chooseAtMost, 1) : undefined
}

/** Answers of several parts, by the name of each. */
const partsOf = (answer: Answer | undefined): Readonly<Record<string, string>> =>
  // neither a text nor a list, so that it is the record of the union
  typeof answer === 'object' && !Array.isArray(answer) ? (answer as Readonly<Record<string, string>>) : {}

const recordIn = (answer: Answer): Readonly<Record<string, string>> | undefined =>
  typeof answer === 'object' && !Array.isArray(answer) && Object.values(answer).every(isText)
    ? // neither a text nor a list, so that it is the record of the union
      (answer as Readonly<Record<string, string>>)
    : undefined

/** Radio buttons are named by row and column; on a narrow survey each row becomes a line of them. */
function matrixHtml(question: MatrixQuestion, answer: Answer | undefined, { known }: QuestionView): string {
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

function checkMatrix({ rows, columns, isRequired }: MatrixQuestion, answer: Answer, words: SurveyWords) {
  const answered = recordIn(answer)
  if (!answered) return words.notAChoice
  const isKnown = Object.entries(answered).every(
    ([row, column]) => rows.some(({ id }) => id === row) && columns.some(({ id }) => id === column),
  )
  if (!isKnown) return words.notAChoice
  return isRequired && rows.some(({ id }) => !answered[id]) ? words.answerEachRow : undefined
}

function rankingHtml(question: RankingQuestion, answer: Answer | undefined, { words }: QuestionView): string {
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

function checkRanking({ choices }: RankingQuestion, answer: Answer, words: SurveyWords) {
  const texts = textsIn(answer)
  const isComplete = texts?.length === choices.length && isUnique(texts)
  return isComplete && texts.every((text) => choices.some((choice) => choice.text === text))
    ? undefined
    : words.rankAll
}

function checkDate({ earliest, latest }: DateQuestion, answer: Answer, words: SurveyWords) {
  if (!isText(answer) || !isDate(answer)) return words.notADate
  if (earliest !== undefined && answer < earliest) return fillIn(words.tooEarly, earliest)
  return latest !== undefined && answer > latest ? fillIn(words.tooLate, latest) : undefined
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  // a day that its month does not have would become one of the next month
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
  )
}

const contactInputs: Record<ContactField, { type: string; autocomplete: string }> = {
  name: { type: 'text', autocomplete: 'name' },
  email: { type: 'email', autocomplete: 'email' },
  phone: { type: 'tel', autocomplete: 'tel' },
  company: { type: 'text', autocomplete: 'organization' },
}

function contactHtml(question: ContactQuestion, answer: Answer | undefined, { words }: QuestionView): string {
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
}

const contactPatterns: Partial<Record<ContactField, { pattern: RegExp; problem: keyof SurveyWords }>> = {
  email: { pattern: /^[^\s@<>"]+@[^\s@<>".]+(?:\.[^\s@<>".]+)+$/, problem: 'notAnEmail' },
  phone: { pattern: /^\+?[\d\s()/.-]{4,30}$/, problem: 'notAPhone' },
}
const longestContact = 254

function checkContact({ fields }: ContactQuestion, answer: Answer, words: SurveyWords) {
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
}
