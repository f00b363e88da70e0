import type { Answer, QuestionKind, QuestionOf, SurveyQuestion } from '../question'
import type { Recallable } from '../run/recall'
import type { SurveyWords } from '../run/words'

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

/** The fields of a question in a submitted form. A field that is absent is an empty text. */
export interface QuestionForm {
  text: (part?: string) => string
  /** The values of the field without those that are empty. */
  list: () => string[]
}

/** Rules that draw a kind of question, read its answer from a form, and check an answer that is not empty. */
export interface KindRules<Kind extends QuestionKind> {
  draw: (question: QuestionOf<Kind>, answer: Answer | undefined, view: QuestionView) => string
  read: (question: QuestionOf<Kind>, form: QuestionForm) => Answer | undefined
  check: (question: QuestionOf<Kind>, answer: Answer, words: SurveyWords) => string | undefined
  /** Says what is wrong with no answer to a required question, where it is not the usual sentence. */
  missing?: (words: SurveyWords) => string | undefined
  /** Set for kinds without a mark that an answer is optional. */
  isUnmarked?: true
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
