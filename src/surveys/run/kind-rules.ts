import type { Answer, SurveyQuestion, QuestionKind } from '../question'
import type { Recallable } from './recall'
import type { SurveyWords } from './words'

/**
 * A question to draw. The server and the script draw the same markup, so that a form works without the script too;
 * `survey-styles.ts` has its rules.
 */
export interface QuestionView {
  /** The question in the language that is shown, with choices in the order that is shown. */
  question: SurveyQuestion
  known: Recallable
  words: SurveyWords
  /** Why the last answer was not taken. */
  problem?: string | undefined
}

type QuestionOf<Kind extends QuestionKind> = Extract<SurveyQuestion, { kind: Kind }>

/** The fields of a question in a submitted form. A field that is absent is an empty text. */
export interface QuestionForm {
  text: (part?: string) => string
  /** The values of the field without those that are empty. */
  list: () => string[]
}

/** Rules that draw a kind of question, read its answer from a form, and check an answer that is not empty. */
interface KindRules<Kind extends QuestionKind> {
  draw: (question: QuestionOf<Kind>, answer: Answer | undefined, view: QuestionView) => string
  read: (question: QuestionOf<Kind>, form: QuestionForm) => Answer | undefined
  check: (question: QuestionOf<Kind>, answer: Answer, words: SurveyWords) => string | undefined
}

export type KindTable<Kind extends QuestionKind> = { [One in Kind]: KindRules<One> }

/** Finds the rules of a kind. The widget loads those of rare kinds only for a survey that has them. */
export type FindKind = (kind: QuestionKind) => KindRules<QuestionKind>

/** The first of the tables that has the kind. */
export const findIn =
  (...tables: readonly Partial<KindTable<QuestionKind>>[]): FindKind =>
  (kind) => {
    const rules = tables.find((table) => table[kind])?.[kind]
    if (!rules) throw new Error(`No rules for ${kind}.`)
    // the entry of a kind takes questions of that kind, with which alone it is looked up
    return rules as KindRules<QuestionKind>
  }

/** A text of a choice and what visitors type into the last one. */
export const isText = (value: unknown): value is string => typeof value === 'string'

/** The texts of a list of choices; undefined for any other answer. */
export const textsIn = (answer: Answer): readonly string[] | undefined =>
  Array.isArray(answer) && answer.every(isText) ? answer : undefined

export const isUnique = (texts: readonly string[]): boolean => new Set(texts).size === texts.length

/** The choices that are selected, as they are drawn. */
export const textsOf = (answer: Answer | undefined): readonly string[] =>
  Array.isArray(answer) ? answer : isText(answer) && answer !== '' ? [answer] : []
