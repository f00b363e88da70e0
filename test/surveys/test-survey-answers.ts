import { createHash } from 'node:crypto'
import { SurveyAnswers } from '#surveys/answers/survey-answers'
import { contentWith, everyKind } from '#test/product/every-survey-kind'
import { statusAt, type Survey } from '#surveys/survey'
import { realWorld } from '#world/world'

/** A running survey with a question of every kind. */
export const testSurvey = (more: Partial<Survey> = {}): Survey => ({
  id: 'survey-1',
  projectId: 1,
  name: 'What do you think?',
  description: 'a private note',
  content: contentWith(everyKind),
  version: 1,
  revision: 1,
  placement: { kind: 'popover' },
  hostedPage: { isOpen: true, needsLink: false, pinHash: undefined, mayBeEmbedded: false },
  targeting: {},
  schedule: { kind: 'once' },
  responseLimit: undefined,
  notify: [],
  startsAt: new Date('2026-01-01T00:00:00Z'),
  endsAt: undefined,
  archivedAt: undefined,
  changedBy: 'member@example.com',
  createdBy: 'member@example.com',
  createdAt: new Date('2026-01-01T00:00:00Z'),
  changedAt: new Date('2026-01-01T00:00:00Z'),
  ...more,
})

/** Takes answers for surveys that are kept in no store. */
export const testSurveyAnswers = (
  surveys: readonly Survey[] = [],
  {
    responses = 0,
    begun = [],
    mayAnswer = () => true,
    targetingFlag,
  }: {
    responses?: number
    begun?: readonly string[]
    mayAnswer?: (network: string) => boolean
    targetingFlag?: string
  } = {},
): SurveyAnswers => {
  const ofProject = (projectId: number) => surveys.filter((survey) => survey.projectId === projectId)
  const find = (projectId: number, id: string) => ofProject(projectId).find((survey) => survey.id === id)
  return new SurveyAnswers({
    world: realWorld,
    published: {
      surveysOf: ofProject,
      find,
      versionsOf: (projectId, id) => {
        const survey = find(projectId, id)
        return survey ? [survey] : []
      },
    },
    statusOf: (survey) => statusAt(survey, realWorld.now(), responses),
    hasBegun: (_, submission) => begun.includes(submission),
    targetingFlagOf: () => targetingFlag,
    mayAnswer,
    links: {
      check: async () => ({ isUsable: false, problem: 'linkUnknown' }),
      claim: async () => undefined,
      reopen: async () => {},
    },
    digest: (text) => createHash('sha256').update(text).digest('base64url'),
  })
}
