import { type Sql, sql, string } from '#engine/sql'
import type { Events } from '#insights/compile/internal/events'
import { answerForm, hasCode, noAnswer } from './answer-code'
import { answerKinds } from './answer-kinds'
import type { AnswerCondition, AnswerValue } from '../schema'
import type { PlannedQuestion, ReadingPlan } from './reading-plan'
import { rawAnswer } from './submissions'

type TextCondition = Extract<AnswerCondition, { containing: string }>

const isTextCondition = (condition: AnswerCondition): condition is TextCondition => 'containing' in condition

export const textConditions = ({ answers }: { answers: readonly AnswerCondition[] }): TextCondition[] =>
  answers.filter(isTextCondition)

/** The answer of an event that a condition looks for words in. */
export function textColumn({ question }: TextCondition, plan: ReadingPlan, events: Events): Sql {
  const raws = plan.questions
    .filter(({ id }) => id === question)
    .map((planned) => rawAnswer(planned, plan, events))
  return raws.reduceRight((rest, raw) => sql`if(${raw} != '', ${raw}, ${rest})`, sql`''`)
}

/** Whether an event sends a text or a choice that contains the words. */
export function findsWords(search: string, plan: ReadingPlan, events: Events): Sql {
  const raws = plan.questions
    .filter(({ kind }) => answerKinds[kind].isSearched)
    .map((planned) => rawAnswer(planned, plan, events))
  const found = raws.map((raw) => sql`positionCaseInsensitiveUTF8(${raw}, ${string(search)}) > 0`)
  return found.length > 0 ? sql`(${sql.join(found, sql` or `)})` : sql`false`
}

/**
 * Whether a submission fulfils all conditions, by the latest answers to the planned questions and the latest texts of the
 * conditions on texts, each by its index.
 */
export function fulfils(
  conditions: readonly AnswerCondition[],
  { questions }: ReadingPlan,
  latest: (index: number) => Sql,
  latestText: (index: number) => Sql,
): Sql {
  const texts = conditions.filter(isTextCondition)
  const parts = conditions.map((condition) => {
    if (isTextCondition(condition)) {
      const text = latestText(texts.indexOf(condition))
      return sql`match(lowerUTF8(${text}), ${string(wordsPattern(condition.containing))})`
    }
    const ways = questions.flatMap((planned, i) => {
      if (planned.id !== condition.question) return []
      const form = answerForm(planned)
      if ('isAnswered' in condition) return [sql`${latest(i)} != ${noAnswer[form]}`]
      const codes = codesOf(planned, condition.values)
      return codes.length > 0 ? [hasCode(form, latest(i), codes)] : []
    })
    return ways.length > 0 ? sql`(${sql.join(ways, sql` or `)})` : sql`false`
  })
  return parts.length > 0 ? sql`(${sql.join(parts, sql` and `)})` : sql`true`
}

const noLetter = '[^\\p{L}\\p{M}\\p{N}]'

/** Finds whole words in a lower-case text, however they are spaced. */
const wordsPattern = (words: string): string => {
  const pattern = words
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[^\p{L}\p{M}\p{N}'’]/gu, '\\$&').replaceAll(/['’]/g, "['’]"))
    .join('\\s+')
  return `(^|${noLetter})${pattern}($|${noLetter})`
}

/** The codes of values, without those that no answer to the question can have. */
const codesOf = (planned: PlannedQuestion, values: readonly AnswerValue[]): number[] =>
  values.flatMap((value) => answerKinds[planned.kind].codeOf?.(value, planned) ?? [])
