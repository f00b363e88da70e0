import type { CheckRhythm } from '#alerts/alert-words'
import type { AlertCondition } from '#alerts/condition'
import type { WatchedMetric } from '#alerts/watched-metric'
import type { Filter } from '#filters/filter'
import type { RatingQuestion } from '#surveys/question'
import type { Survey } from '#surveys/survey'
import type { SurveyAlertKind } from '#studio/paths'
import { ratingGroups } from '../kinds/rating/result'

/** An alert that a survey's results offer. */
export interface SurveyAlert {
  label: string
  when: SurveyAlertKind
  question?: string
}

/** The alerts on the answers to a survey. */
export function surveyAlerts({ content }: Pick<Survey, 'content'>): SurveyAlert[] {
  const ratings = content.questions.filter((question) => question.kind === 'rating')
  return [
    { label: 'A response arrives', when: 'response' },
    ...ratings.flatMap(({ id, scale }): SurveyAlert[] => [
      ...(scale in scores
        ? [{ label: `${scores[scale]?.label} falls`, when: 'score', question: id } as const]
        : []),
      { label: scale === 10 ? 'A detractor answers' : 'A low rating arrives', when: 'low', question: id },
    ]),
  ]
}

/** Scores that alerts measure, by the scale of the rating. */
const scores: Readonly<Record<number, { label: string; math: 'nps' | 'csat'; threshold: number }>> = {
  10: { label: 'NPS', math: 'nps', threshold: 0 },
  5: { label: 'CSAT', math: 'csat', threshold: 70 },
}

interface DraftedAlert {
  name: string
  watched: WatchedMetric
  condition: AlertCondition
  every: CheckRhythm
  coolDownMinutes: number
}

/** The initial draft of a new alert. Undefined if the survey has no such question. */
export function surveyAlertDraft(
  survey: Pick<Survey, 'id' | 'name' | 'content'>,
  when: SurveyAlertKind,
  questionId: string | undefined,
): DraftedAlert | undefined {
  if (when === 'response') return arrivalDraft(survey, `A response to ${survey.name}`, [])
  const question = survey.content.questions.find(({ id }) => id === questionId)
  if (question?.kind !== 'rating') return undefined
  return when === 'score' ? scoreDraft(survey, question) : lowRatingDraft(survey, question)
}

const ofSurvey = ({ id }: Pick<Survey, 'id'>): Filter => ({
  type: 'event',
  key: '$survey_id',
  operator: 'exact',
  value: [id],
})

const answerKey = ({ id }: RatingQuestion): string => `$survey_response_${id}`

/** Alerts within five minutes, and again in the next hour at the earliest. */
function arrivalDraft(survey: Pick<Survey, 'id'>, name: string, conditions: readonly Filter[]): DraftedAlert {
  const watched: WatchedMetric = {
    type: 'event',
    event: 'survey sent',
    filter: { all: [ofSurvey(survey), ...conditions] },
    measure: { math: 'persons' },
    traffic: 'human',
  }
  const condition: AlertCondition = {
    type: 'threshold',
    is: 'above',
    value: 0,
    interval: 'hour',
    of: 'running',
  }
  return { name, watched, condition, every: '5m', coolDownMinutes: 0 }
}

function lowRatingDraft(survey: Pick<Survey, 'id' | 'name'>, question: RatingQuestion): DraftedAlert {
  const values = lowest(question.scale)
  const isLow: Filter = {
    type: 'event',
    key: answerKey(question),
    operator: 'exact',
    value: values.map(String),
  }
  const name = question.scale === 10 ? 'A detractor answered' : 'A low rating'
  return arrivalDraft(survey, `${name}: ${survey.name}`, [isLow])
}

/** Thumbs have the higher number for the low one, so groups are looked up by what they mean. */
function lowest(scale: RatingQuestion['scale']): number[] {
  const groups = ratingGroups(scale)
  return groups.find(({ label }) => label === 'Detractors' || label === 'Low')?.values ?? []
}

function scoreDraft(survey: Pick<Survey, 'id' | 'name'>, question: RatingQuestion): DraftedAlert | undefined {
  const score = scores[question.scale]
  if (!score) return undefined
  return {
    name: `${score.label} of ${survey.name} fell`,
    watched: {
      type: 'event',
      event: 'survey sent',
      filter: ofSurvey(survey),
      measure: { math: score.math, property: { type: 'event', key: answerKey(question) } },
      traffic: 'human',
    },
    condition: { type: 'threshold', is: 'below', value: score.threshold, interval: 'week', of: 'complete' },
    every: '1h',
    coolDownMinutes: 1440,
  }
}
