import { z } from 'zod'
import type { Json, Properties } from '#events/event'
import type { Answer, Answers, SurveyQuestion } from '../question'
import { answerProblem } from '../run/check-answer'
import { longestField } from '../run/prefill'
import { answersOnPath, replayAnswers } from '../run/session'
import { wordsFor } from '../run/words'
import { linkParameter, testParameter } from '../links/survey-link'
import { iterationAt, type Survey, type SurveyContent } from '../survey'
import { languageFor, translated } from '../translate'

const answer = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.string()).max(200),
  z.record(z.string().max(100), z.string().max(10_000)),
])

/** The message that pages, apps and forms send about a survey. */
export const surveySubmission = z.object({
  /** `answers` by default; the others tell what a person did with the survey. */
  event: z.enum(['answers', 'shown', 'dismissed', 'abandoned']).default('answers'),
  answers: z.record(z.string().max(100), answer).default({}),
  /** False while further answers follow under the same `submissionId`. */
  isComplete: z.boolean().default(true),
  submissionId: z.uuid().optional(),
  /** The version that was shown; the present one by default. */
  version: z.number().int().positive().optional(),
  /** The language that was shown. */
  language: z.string().max(35).optional(),
  /** Hidden fields that the survey lists. */
  fields: z.record(z.string().max(100), z.union([z.string(), z.number(), z.boolean()])).default({}),
  url: z.string().max(2000).optional(),
  distinctId: z.string().max(200).optional(),
  /** Shows that a PIN was entered, and the token of a link: see `access-proof`. */
  proof: z.string().max(500).optional(),
})
export type SurveySubmission = z.infer<typeof surveySubmission>

/** A submission with its id, of a person who answers or of a member who tries the survey. */
export type IdentifiedSubmission = SurveySubmission & { submissionId: string; isTest: boolean }

/** An event of PostHog's form, to be sent for the visitor. */
export interface AnswerEvent {
  name: 'survey shown' | 'survey sent' | 'survey dismissed' | 'survey abandoned'
  properties: Properties
  /** Changes the person's properties. */
  set: Properties
}

type CheckedSubmission =
  | { isRight: true; event: AnswerEvent; card: string | undefined }
  /** Sentences by the id of the question or field they are about. */
  | { isRight: false; problems: Readonly<Record<string, string>> }

interface SubmissionContext {
  survey: Survey
  /** The content of the version that was shown. */
  content: SurveyContent
  version: number
  now: Date
}

/** Checks a submission against the survey, and makes its event. Answers of a path that was left are pruned. */
export function checkSubmission(
  submission: IdentifiedSubmission,
  context: SubmissionContext,
): CheckedSubmission {
  const language = languageFor(context.content, submission.language ? [submission.language] : [])
  const content = translated(context.content, language)
  const words = wordsFor(language ?? submission.language ?? '')
  const problems = { ...fieldProblems(submission, content), ...answerProblems(submission, content, words) }
  if (Object.keys(problems).length > 0) return { isRight: false, problems }
  const known = { ...defaults(submission, content), ...trimmed(submission.answers) }
  const session = replayAnswers(content, known)
  const { screen } = session
  if (submission.event === 'answers' && submission.isComplete && screen.kind === 'question') {
    const open = content.questions[screen.index]
    return { isRight: false, problems: { [open?.id ?? '']: words.required } }
  }
  const answers = answersOnPath(content, session)
  const event = eventOf(submission, context, { language, content, answers })
  return { isRight: true, event, card: screen.kind === 'end' ? screen.card : undefined }
}

const trimmed = (answers: Answers): Answers =>
  Object.fromEntries(
    Object.entries(answers).map(([id, value]) => [id, typeof value === 'string' ? value.trim() : value]),
  )

/** Returns empty answers for the questions that a complete submission did not send but may skip. */
function defaults({ isComplete, event }: SurveySubmission, { questions }: SurveyContent): Answers {
  if (!isComplete || event !== 'answers') return {}
  const skipped = questions.filter(({ kind, isRequired }) => !isRequired && kind !== 'statement')
  return Object.fromEntries(skipped.map(({ id }) => [id, '']))
}

const fieldProblems = (
  { fields }: SurveySubmission,
  { hiddenFields }: SurveyContent,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      if (!hiddenFields.includes(name)) return [[name, 'This survey has no such hidden field.']]
      return String(value).length > longestField ? [[name, `Use at most ${longestField} characters.`]] : []
    }),
  )

const answerProblems = (
  { answers }: SurveySubmission,
  { questions }: SurveyContent,
  words: ReturnType<typeof wordsFor>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(answers).flatMap(([id, value]) => {
      const question = questions.find((one) => one.id === id)
      const problem = question
        ? answerProblem(question, value, words)
        : 'This survey has no such question. Load it again.'
      return problem === undefined ? [] : [[id, problem]]
    }),
  )

interface ReadAnswers {
  language: string | undefined
  content: SurveyContent
  answers: Answers
}

const eventNames = {
  answers: 'survey sent',
  shown: 'survey shown',
  dismissed: 'survey dismissed',
  abandoned: 'survey abandoned',
} as const

function eventOf(
  submission: IdentifiedSubmission,
  { survey, version, now }: SubmissionContext,
  { language, content, answers }: ReadAnswers,
): AnswerEvent {
  const { event, fields, url, isComplete, isTest } = submission
  const iteration = iterationAt(survey, now)
  const common: Properties = {
    $survey_id: survey.id,
    $survey_name: survey.name,
    $survey_version: version,
    ...(iteration && {
      $survey_iteration: iteration.number,
      $survey_iteration_start_date: iteration.startedAt.toISOString(),
    }),
    ...(language !== undefined && { $survey_language: language }),
    ...(url !== undefined && { $current_url: withoutSecrets(url) }),
    ...(isTest && { $survey_test: true }),
  }
  const key = iteration ? `${survey.id}/${iteration.number}` : survey.id
  const name = eventNames[event]
  if (event === 'shown')
    return { name, properties: common, set: isTest ? {} : { $survey_last_seen_date: now.toISOString() } }
  const hasAnswers = Object.values(answers).some((one) => one !== '')
  const properties: Properties = {
    // a hidden field never replaces a property of ours
    ...fields,
    ...common,
    // a survey that was dismissed untouched is no submission, as in posthog-js
    ...((event !== 'dismissed' || hasAnswers) && { $survey_submission_id: submission.submissionId }),
    ...(event === 'answers'
      ? { $survey_completed: isComplete }
      : { $survey_partially_completed: hasAnswers }),
    $survey_questions: content.questions.map((question) => answeredQuestion(question, answers[question.id])),
    ...Object.fromEntries(
      Object.entries(answers).map(([id, value]) => [`$survey_response_${id}`, jsonOf(value)]),
    ),
  }
  const set: Properties = isTest
    ? {}
    : event === 'answers'
      ? { [`$survey_responded/${key}`]: true }
      : event === 'dismissed'
        ? { [`$survey_dismissed/${key}`]: true }
        : {}
  return { name, properties, set }
}

/** Removes the token of a link and the key of a test, which are secrets. */
function withoutSecrets(address: string): string {
  const url = URL.parse(address)
  const secrets = [linkParameter, testParameter].filter((name) => url?.searchParams.has(name))
  for (const name of secrets) url?.searchParams.delete(name)
  return url && secrets.length > 0 ? url.href : address
}

const answeredQuestion = ({ id, text }: SurveyQuestion, given: Answer | undefined): Properties => ({
  id,
  question: text,
  ...(given !== undefined && { response: jsonOf(given) }),
})

/** Events hold lists and objects that may be changed. */
function jsonOf(value: Answer): Json {
  if (typeof value !== 'object') return value
  return isList(value) ? [...value] : { ...value }
}
const isList = (value: object): value is readonly string[] => Array.isArray(value)
