import type { Json } from '#events/event'
import type { AnswerSpec } from '#insights/kinds/survey/schema'
import type { AnswerCounts, AnsweredQuestionShape } from '#insights/kinds/survey/survey'
import type { Answer, Choice, QuestionKind, QuestionOf } from '../../question'
import { type Estimate, shareEstimate } from '../../results/intervals'
import type { CountedAnswer, QuestionResults } from '../../results/question-results'
import type { SurveyContent, SurveyVersion } from '../../survey'
import { isText } from './answer-parts'

/** The answers to a kind of question, from the event that brings one to the results that count them. */
export interface AnswerDefinition<Kind extends QuestionKind> {
  /**
   * Whether the value of an event can be an answer. Texts of choices are not compared: they may be translated or older.
   */
  accepts: (answer: Json, question: QuestionOf<Kind>) => boolean
  /** Reads an answer from the text in which the engine stores it. It is the answer itself if this is absent. */
  parse?: (stored: string) => Answer
  /** Returns what the engine needs besides the kind to read answers as codes. */
  spec?: (question: QuestionOf<Kind>, content: SurveyContent) => Omit<AnswerSpec, 'id' | 'kind'>
  /** Returns the results of counts of codes. */
  results?: (
    shape: AnsweredQuestionShape,
    counts: AnswerCounts,
    versions: readonly SurveyVersion[],
  ) => Partial<QuestionResults>
  /** Lists the answers of the results in words. */
  counted?: (results: QuestionResults) => CountedAnswer[]
}

export const isOneOrMoreTexts = (value: Json): boolean =>
  isText(value) || (Array.isArray(value) && value.every(isText))

export const isTextsByName = (value: Json): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isText)

/** Lists are stored as JSON; one text alone may be stored as it is. */
export const parseList = (stored: string): Answer => (stored.startsWith('[') ? parsed(stored) : stored)

/** Texts by name are stored as JSON. */
export const parseRecord = (stored: string): Answer => (stored.startsWith('{') ? parsed(stored) : stored)

function parsed(stored: string): Answer {
  try {
    const value: unknown = JSON.parse(stored)
    if (Array.isArray(value)) return value.map(String)
    return Object.fromEntries(Object.entries(value ?? {}).map(([name, text]) => [name, String(text)]))
  } catch {
    return stored
  }
}

export const idsOf = (choices: readonly Choice[]): string[] => choices.map(({ id }) => id)

/** The ids of the choices, with their texts in each language. */
export function choicesSpec(
  { id, choices }: { id: string; choices: readonly Choice[] },
  { translations }: SurveyContent,
): Pick<AnswerSpec, 'choices' | 'texts'> {
  const texts: Record<string, string[]> = { '': choices.map(({ text }) => text) }
  for (const [language, translation] of Object.entries(translations)) {
    const translated = translation.questions?.[id]?.choices
    // a choice without a translation is shown in the survey's own language
    if (translated) texts[language] = choices.map(({ text }, i) => translated[i] || text)
  }
  return { choices: idsOf(choices), texts }
}

export interface ChoiceResult {
  id: string | null
  text: string
  count: number
  share: Estimate | undefined
}

/** The results of choices, with one more for texts of no choice. */
export const choiceResults = (
  { choices, choiceTexts }: AnsweredQuestionShape,
  { counts, answered }: AnswerCounts,
): Pick<QuestionResults, 'choices'> => {
  const byCode = new Map(counts)
  const known = choices.map((id, i) => ({ id, text: choiceTexts[i] ?? id, count: byCode.get(i + 1) ?? 0 }))
  const unknown = byCode.get(0) ?? 0
  const all = unknown > 0 ? [...known, { id: null, text: 'Other', count: unknown }] : known
  return { choices: all.map((one) => ({ ...one, share: shareEstimate(one.count, answered) })) }
}

export const countedChoices = ({ choices = [] }: QuestionResults): CountedAnswer[] =>
  choices.map(({ text, count, share }) => ({ answer: text, count, share: share ?? null }))
