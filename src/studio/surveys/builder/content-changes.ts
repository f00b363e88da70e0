import { branchKeys } from '#surveys/flow'
import type { Branch, Branching, Choice, SurveyQuestion, QuestionTranslation } from '#surveys/question'
import type { EndCard, SurveyContent, SurveyTranslation } from '#surveys/survey'
import { listOf, type ListName, ownLists, ownTexts } from '#surveys/translate'
import { newId } from './question-kinds'

/** Inserts a question; at the end without an index. */
export const addQuestion = (
  content: SurveyContent,
  question: SurveyQuestion,
  index = content.questions.length,
): SurveyContent => ({ ...content, questions: content.questions.toSpliced(index, 0, question) })

export function replaceQuestion(content: SurveyContent, question: SurveyQuestion): SurveyContent {
  const valid = { ...question, branching: withKnownKeys(question) }
  return {
    ...content,
    questions: content.questions.map((one) => (one.id === question.id ? valid : one)),
  }
}

/** Branches by answers that the question no longer has are left out. */
function withKnownKeys(question: SurveyQuestion): Branching {
  const { branching } = question
  if (branching.kind !== 'by-answer') return branching
  const keys = new Set(branchKeys(question))
  if (keys.size === 0) return { kind: 'next' }
  return {
    kind: 'by-answer',
    branches: Object.fromEntries(Object.entries(branching.branches).filter(([key]) => keys.has(key))),
  }
}

/** Removes a question. Branches that led to it lead to the next question; texts no longer recall it. */
export function removeQuestion(content: SurveyContent, id: string): SurveyContent {
  const retarget = (branch: Branch): Branch =>
    branch.kind === 'question' && branch.question === id ? { kind: 'next' } : branch
  const left = {
    ...content,
    questions: content.questions
      .filter((question) => question.id !== id)
      .map((question) => ({ ...question, branching: mapBranches(question.branching, retarget) })),
    translations: mapValues(content.translations, (translation) => withoutQuestion(translation, id)),
  }
  return withoutRecalls(left, `{{answer:${id}}}`)
}

function withoutQuestion(translation: SurveyTranslation, id: string): SurveyTranslation {
  const { [id]: _, ...questions } = translation.questions ?? {}
  return translation.questions ? { ...translation, questions } : translation
}

/** A recall is the same text in every language, wherever it stands. */
const withoutRecalls = (content: SurveyContent, mark: string): SurveyContent =>
  mapTexts(content, (text) => text.replaceAll(mark, ''))

/** Applies a change to every text within a value that is made of plain objects, lists and texts. */
function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  const mapped: unknown =
    typeof value === 'string'
      ? change(value)
      : Array.isArray(value)
        ? value.map((one: unknown) => mapTexts(one, change))
        : typeof value === 'object' && value !== null
          ? mapValues(value as Record<string, unknown>, (one) => mapTexts(one, change))
          : value
  return mapped as Value // texts become texts, so the shape stays
}

const mapBranches = (branching: Branching, change: (branch: Branch) => Branch): Branching =>
  branching.kind === 'by-answer'
    ? { kind: 'by-answer', branches: mapValues(branching.branches, change) }
    : change(branching)

const mapValues = <Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

export function duplicateQuestion(
  content: SurveyContent,
  id: string,
  makeId: () => string = newId,
): SurveyContent {
  const index = content.questions.findIndex((question) => question.id === id)
  const question = content.questions[index]
  if (!question) return content
  const copyId = makeId()
  const copied = addQuestion(content, { ...question, id: copyId, branching: { kind: 'next' } }, index + 1)
  return {
    ...copied,
    translations: mapValues(content.translations, (translation) => {
      const texts = translation.questions?.[id]
      return texts
        ? { ...translation, questions: { ...translation.questions, [copyId]: texts } }
        : translation
    }),
  }
}

/** Replaces a list of choices. Translations are lists in the same order, so they follow their choice by its id. */
export function replaceList(
  content: SurveyContent,
  question: SurveyQuestion,
  name: ListName,
  next: readonly Choice[],
): SurveyContent {
  const before = listOf(question, name)
  const changed = replaceQuestion(content, { ...question, [name]: next })
  const follow = (texts: readonly string[]) =>
    next.map(({ id }) => texts[before.findIndex((choice) => choice.id === id)] ?? '')
  return {
    ...changed,
    translations: mapValues(content.translations, (translation) => {
      const texts = translation.questions?.[question.id]
      const list = texts?.[name]
      if (!texts || !list) return translation
      const followed: QuestionTranslation = { ...texts, [name]: follow(list) }
      return { ...translation, questions: { ...translation.questions, [question.id]: followed } }
    }),
  }
}

/** Removes an end card. Branches that ended with it end with the first one. */
export function removeEndCard(content: SurveyContent, id: string): SurveyContent {
  const retarget = (branch: Branch): Branch =>
    branch.kind === 'end' && branch.card === id ? { kind: 'end' } : branch
  return {
    ...content,
    endCards: content.endCards.filter((card) => card.id !== id),
    questions: content.questions.map((question) => ({
      ...question,
      branching: mapBranches(question.branching, retarget),
    })),
    translations: mapValues(content.translations, (translation) => {
      const { [id]: _, ...endCards } = translation.endCards ?? {}
      return translation.endCards ? { ...translation, endCards } : translation
    }),
  }
}

export const newEndCard = (makeId: () => string = newId): EndCard => ({
  id: makeId(),
  header: 'Thank you!',
  description: { format: 'text', text: '' },
  buttonText: '',
  link: '',
})

/** The texts of a question in a language; an emptied text is no translation. */
export function translateQuestion(
  content: SurveyContent,
  language: string,
  id: string,
  texts: QuestionTranslation,
): SurveyContent {
  const translation = content.translations[language] ?? {}
  const questions = { ...translation.questions, [id]: filledOf({ ...translation.questions?.[id], ...texts }) }
  return { ...content, translations: { ...content.translations, [language]: { ...translation, questions } } }
}

const filledOf = <Texts extends object>(texts: Texts): Texts =>
  // leaving keys out of an object whose keys are all optional keeps its type
  Object.fromEntries(
    Object.entries(texts).filter(([, text]) =>
      Array.isArray(text) ? text.some((one) => one !== '') : text !== '' && text !== undefined,
    ),
  ) as Texts

/** The number of a survey's translated texts, and of those that can be translated. */
export function translationProgress(content: SurveyContent, language: string): { done: number; of: number } {
  const texts = content.translations[language]?.questions ?? {}
  const pairs = content.questions.flatMap((question) => translatablePairs(question, texts[question.id] ?? {}))
  const needed = pairs.filter(({ own }) => own !== '')
  return { done: needed.filter(({ translation }) => translation !== '').length, of: needed.length }
}

interface TextPair {
  name: keyof QuestionTranslation
  /** Set for one text of a list. */
  index: number | undefined
  label: string
  own: string
  translation: string
}

const textLabels: Record<Exclude<keyof QuestionTranslation, ListName>, string> = {
  text: 'Question',
  description: 'Description',
  buttonText: 'Button',
  placeholder: 'Placeholder',
  lowerLabel: 'Label of the lowest value',
  upperLabel: 'Label of the highest value',
  label: 'Text beside the box',
  link: 'Link',
}

const listLabels: Record<ListName, string> = { choices: 'Choice', rows: 'Row', columns: 'Column' }

/** The texts of a question that can be translated, each beside its translation. */
export function translatablePairs(question: SurveyQuestion, texts: QuestionTranslation): TextPair[] {
  const own = [
    ['text', question.text],
    ['description', question.description.text],
    ['buttonText', question.buttonText],
    ...ownTexts(question),
  ] as const
  const single = own
    .filter(([, text]) => text !== '')
    .map(([name, text]) => {
      const translation = texts[name] ?? ''
      return { name, index: undefined, label: textLabels[name], own: text, translation }
    })
  const lists = ownLists(question).flatMap(([name, list]) =>
    list.map(({ text }, index) => ({
      name,
      index,
      label: `${listLabels[name]} ${index + 1}`,
      own: text,
      translation: texts[name]?.[index] ?? '',
    })),
  )
  return [...single, ...lists]
}

/** The change of a question's translation by one text. */
export function withPair(
  question: SurveyQuestion,
  texts: QuestionTranslation,
  pair: TextPair,
  text: string,
): QuestionTranslation {
  if (pair.index === undefined) return { [pair.name]: text }
  const name = pair.name as ListName // only lists have an index
  const list = listOf(question, name).map((_, index) =>
    index === pair.index ? text : (texts[name]?.[index] ?? ''),
  )
  return { [name]: list }
}
