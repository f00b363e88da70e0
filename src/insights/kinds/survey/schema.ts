import { z } from 'zod'
import { baseQueryFields, breakdown, interval } from '../../query-fields'
import { answerKindNames } from './internal/answer-kind-names'

export type AnswerKind = (typeof answerKindNames)[number]

const mostOptions = 500
const ids = z.array(z.string().min(1).max(200)).max(mostOptions)

/** The way in which the answers to one question are read in one version of a survey. */
const answerSpec = z.object({
  id: z.string().min(1).max(200),
  kind: z.enum(answerKindNames),
  /** The ends of a rating's scale. */
  least: z.number().int().min(0).max(1).optional(),
  most: z.number().int().min(2).max(10).optional(),
  /** The ids of the choices, in the order of their texts. */
  choices: ids.optional(),
  /** The choices' texts by language; those of the survey's own language under the empty tag. */
  texts: z.record(z.string().max(40), z.array(z.string().max(10_000)).max(mostOptions)).optional(),
  /** The last choice stands for every other text. */
  hasOther: z.boolean().optional(),
  rows: ids.optional(),
  columns: ids.optional(),
})
export type AnswerSpec = z.infer<typeof answerSpec>

const versionSpec = z.object({
  version: z.number().int().min(1),
  /** The time from which the version is in force until the next one; the first version also counts before it. */
  from: z.iso.datetime(),
  questions: z.array(answerSpec).max(200),
})
export type VersionSpec = z.infer<typeof versionSpec>

/** A value that an answer has or contains. */
const answerValue = z.union([
  /** The value of a rating. */
  z.number().int().min(0).max(10),
  /** The id of a choice or, for a ranking, of the choice in the first place; a date as `YYYY-MM-DD`. */
  z.string().min(1).max(200),
  /** The value of a consent. */
  z.boolean(),
  /** A text of no choice. */
  z.null(),
  /** The cell of a matrix, by ids. */
  z.strictObject({ row: z.string().min(1).max(200), column: z.string().min(1).max(200) }),
])
export type AnswerValue = z.infer<typeof answerValue>

const answeredQuestion = z.string().min(1, 'Name a question by its id.').max(200)

/** A condition on the answer that a submission gives to a question. */
export const answerCondition = z.union(
  [
    z.strictObject({
      question: answeredQuestion,
      /** The accepted values, of which one is enough. */
      values: z.array(answerValue).min(1).max(100),
    }),
    z.strictObject({
      question: answeredQuestion,
      /** Whole words, in any case. */
      containing: z.string().trim().min(1).max(200),
    }),
    z.strictObject({
      question: answeredQuestion,
      /** The condition is met by any answer. */
      isAnswered: z.literal(true),
    }),
  ],
  { error: 'Give the question’s id with values, with words that its answer contains, or with isAnswered.' },
)
export type AnswerCondition = z.infer<typeof answerCondition>

/** Conditions on answers, all of which a submission fulfils. */
export const answerConditions = z.array(answerCondition).max(20)

/** A part of any text or choice that a submission sends, in any case. */
export const answerSearch = z.string().trim().max(200, 'Search for at most 200 characters.')

/** The answers to a survey, read against the versions that they were given to. */
export const surveyQuery = z.object({
  kind: z.literal('survey'),
  ...baseQueryFields,
  /** The survey's id. */
  survey: z.string().min(1).max(200),
  /** The question that a card draws, by its id; the survey as a whole if absent. All are counted. */
  about: z.string().max(200).optional(),
  /** The versions by age; without any, those of the stored survey, and its removed submissions. */
  versions: z.array(versionSpec).max(200).default([]),
  /** Submissions that do not count; one without an id of its own is named `event:` and the id of its event. */
  removed: z.array(z.string().max(300)).max(10_000).default([]),
  /** Only these submissions count; all if absent. */
  among: z.array(z.string().max(300)).max(10_000).optional(),
  /** Counts the removed submissions alone. */
  onlyRemoved: z.boolean().default(false),
  withTests: z.boolean().default(false),
  answers: answerConditions.default([]),
  search: answerSearch.optional(),
  /** The interval of a course over time, as of the NPS. */
  interval: interval.optional(),
  breakdown: breakdown.optional(),
  limit: z.number().int().min(1).max(25).default(10),
})
export type SurveyQuery = z.infer<typeof surveyQuery>
