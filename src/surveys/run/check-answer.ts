import { ratingValues } from '../flow'
import type {
  Answer,
  ChoiceQuestion,
  ContactField,
  ContactQuestion,
  DateQuestion,
  MatrixQuestion,
  OpenQuestion,
  PictureQuestion,
  Question,
  QuestionKind,
  RankingQuestion,
  RatingQuestion,
} from '../question'
import { fillIn, type SurveyWords } from './words'

/** Typed texts are cut at this length wherever a question sets no lower limit. */
export const longestText = 10_000

/** A text of a choice and what visitors type into the last one. */
const isText = (value: unknown): value is string => typeof value === 'string'

type Check<Kind extends QuestionKind> = (
  question: Extract<Question, { kind: Kind }>,
  answer: Answer,
  words: SurveyWords,
) => string | undefined

const isEmpty = (answer: Answer | undefined): boolean =>
  answer === undefined ||
  answer === '' ||
  answer === false ||
  (typeof answer === 'object' && Object.values(answer).every((one) => one === ''))

/**
 * Checks the answer to a question of the language that was shown. Returns what is wrong with it as a sentence. A
 * question that is not required may be skipped with an empty text.
 */
export function answerProblem(
  question: Question,
  answer: Answer | undefined,
  words: SurveyWords,
): string | undefined {
  if (question.kind === 'statement') return isEmpty(answer) ? undefined : words.takesNoAnswer
  if (isEmpty(answer)) {
    if (!question.isRequired) return undefined
    return question.kind === 'consent' ? words.consentNeeded : words.required
  }
  // the table has an entry per kind, whose check takes the question of that kind
  return (checks[question.kind] as Check<QuestionKind>)(question, answer ?? '', words)
}

const checks: { [Kind in QuestionKind]: Check<Kind> } = {
  open: checkText,
  rating: checkRating,
  'single-choice': (question, answer, words) =>
    isText(answer) && isChoice(question, answer) ? undefined : words.notAChoice,
  'multiple-choice': checkChoices,
  link: (_, answer, words) => (answer === 'link clicked' ? undefined : words.notAChoice),
  ranking: checkRanking,
  matrix: checkMatrix,
  picture: checkPictures,
  date: checkDate,
  contact: checkContact,
  consent: (_, answer, words) => (typeof answer === 'boolean' ? undefined : words.notAChoice),
  statement: (_question, _answer, words) => words.takesNoAnswer,
}

function checkText({ minLength = 0, maxLength }: OpenQuestion, answer: Answer, words: SurveyWords) {
  if (!isText(answer)) return words.required
  const { length } = answer.trim()
  const most = Math.min(maxLength ?? longestText, longestText)
  if (length > most) return fillIn(words.tooLong, most)
  return length < minLength ? fillIn(words.tooShort, minLength) : undefined
}

function checkRating({ scale }: RatingQuestion, answer: Answer, words: SurveyWords) {
  const values = ratingValues(scale)
  if (values.some((value) => value === answer)) return undefined
  return fillIn(words.outsideScale, values[0] ?? 0, values.at(-1))
}

const isChoice = ({ choices, hasOther }: ChoiceQuestion, text: string): boolean =>
  choices.some((choice) => choice.text === text) ||
  (hasOther && text.trim() !== '' && text.length <= longestText)

const textsIn = (answer: Answer): readonly string[] | undefined =>
  Array.isArray(answer) && answer.every(isText) ? answer : undefined

const isUnique = (texts: readonly string[]): boolean => new Set(texts).size === texts.length

function checkChoices(question: ChoiceQuestion, answer: Answer, words: SurveyWords) {
  const texts = textsIn(answer)
  if (!texts || !isUnique(texts) || !texts.every((text) => isChoice(question, text))) return words.notAChoice
  const typed = texts.filter((text) => !question.choices.some((choice) => choice.text === text))
  const { minChoices = 0, maxChoices = question.choices.length } = question
  if (typed.length > 1) return words.notAChoice
  if (texts.length < minChoices) return fillIn(words.chooseAtLeast, minChoices)
  return texts.length > maxChoices ? fillIn(words.chooseAtMost, maxChoices) : undefined
}

function checkRanking({ choices }: RankingQuestion, answer: Answer, words: SurveyWords) {
  const texts = textsIn(answer)
  const isComplete = texts?.length === choices.length && isUnique(texts)
  return isComplete && texts.every((text) => choices.some((choice) => choice.text === text))
    ? undefined
    : words.rankAll
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

const recordIn = (answer: Answer): Readonly<Record<string, string>> | undefined =>
  typeof answer === 'object' && !Array.isArray(answer) && Object.values(answer).every(isText)
    ? // neither a text nor a list, so that it is the record of the union
      (answer as Readonly<Record<string, string>>)
    : undefined

function checkPictures({ choices, allowsSeveral }: PictureQuestion, answer: Answer, words: SurveyWords) {
  const texts = isText(answer) ? [answer] : textsIn(answer)
  if (!texts || !isUnique(texts)) return words.notAChoice
  if (!texts.every((text) => choices.some((choice) => choice.text === text))) return words.notAChoice
  return texts.length > 1 && !allowsSeveral ? fillIn(words.chooseAtMost, 1) : undefined
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
