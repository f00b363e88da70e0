import type { QuestionResults } from '#surveys/results/question-results'
import { ratingGroup } from '#surveys/kinds/rating-scale'
import type { Survey } from '#surveys/survey'
import type { Finding } from '../finding'
import { pageAddress } from './addresses'
import type { FindingContext, FindingRule } from './rule'

const mostSurveys = 5
const leastTexts = 5
const leastShare = 0.5
/** A word that others use as often is about the survey, not about what annoys. */
const timesOthers = 2

/** Words that at least half of the texts of a week's detractors have in common, and those of others have not. */
export const detractorThemes: FindingRule = {
  id: 'detractor-theme',
  needs: ['surveys:read'],
  async find(context) {
    const { projectId, viewer, surveys } = context
    const asking = (await surveys.list(projectId, viewer))
      .filter(({ startsAt, archivedAt }) => startsAt && !archivedAt)
      .filter((survey) => npsQuestionOf(survey) !== undefined)
      .toSorted((one, other) => (other.startsAt?.getTime() ?? 0) - (one.startsAt?.getTime() ?? 0))
      .slice(0, mostSurveys)
    const found = await Promise.all(asking.map((survey) => themeOf(survey, context)))
    return found.filter((one) => one !== undefined)
  },
}

const npsQuestionOf = ({ content }: Pick<Survey, 'content'>): string | undefined =>
  content.questions.find((one) => one.kind === 'rating' && one.scale === 10)?.id

const ratings = Array.from({ length: 11 }, (_, value) => value)
const isDetractor = (value: number): boolean => ratingGroup(10, value) === 'detractors'
const detractors = ratings.filter(isDetractor)
const others = ratings.filter((value) => !isDetractor(value))

async function themeOf(
  survey: Survey,
  { projectId, viewer, surveys, weeks }: FindingContext,
): Promise<Finding | undefined> {
  const { id } = survey
  const rating = npsQuestionOf(survey)
  if (rating === undefined) return undefined
  const given = async (values: number[]): Promise<readonly QuestionResults[]> => {
    const input = { period: weeks.last, answers: [{ question: rating, values }] }
    const outcome = await surveys.results.results(projectId, id, input, viewer)
    return outcome.done ? outcome.results.questions : []
  }
  const candidates = themesIn(await given(detractors))
  if (candidates.length === 0) return undefined
  const theme = ownThemes(candidates, await given(others))[0]
  if (!theme) return undefined
  const conditions = [
    { question: rating, values: detractors },
    { question: theme.question, containing: theme.words },
  ]
  return {
    rule: detractorThemes.id,
    urgency: 'decide',
    headline: [
      `${theme.texts} of ${theme.answered} texts of detractors name `,
      { name: theme.words },
      ': read them',
    ],
    reason: `Answers to “${survey.name}” in the week of ${weeks.words}, by people who rated 0 to 6. Others name it at most half as often.`,
    action: { label: 'Read them', path: pageAddress.surveyResponses(id, weeks.last, conditions) },
  }
}

interface Theme {
  question: string
  words: string
  /** The texts that contain it, of those given. */
  texts: number
  answered: number
}

/** The phrases that are in at least half of the texts, the most frequent first. */
export const themesIn = (
  questions: readonly Pick<QuestionResults, 'id' | 'kind' | 'answered' | 'phrases'>[],
): Theme[] =>
  questions
    .filter(({ kind }) => kind === 'open')
    .flatMap(({ id, answered, phrases = [] }) =>
      phrases
        .filter(({ texts }) => texts >= leastTexts && texts >= leastShare * answered)
        .map(({ text, texts }) => ({ question: id, words: text, texts, answered })),
    )
    .toSorted((one, other) => other.texts - one.texts)

export const ownThemes = (
  themes: readonly Theme[],
  questions: readonly Pick<QuestionResults, 'id' | 'answered' | 'phrases'>[],
): Theme[] =>
  themes.filter(({ question, words, texts, answered }) => {
    const ofOthers = questions.find(({ id }) => id === question)
    const named = ofOthers?.phrases?.find(({ text }) => text === words)?.texts ?? 0
    const share = ofOthers && ofOthers.answered > 0 ? named / ofOthers.answered : 0
    return texts / answered >= timesOthers * share
  })
