import { z } from 'zod'
import { shownAs } from '#collection/entry-shape'
import { failedOutcome } from '#projects/problems'
import { type Survey, surveyStatuses, type SurveyVersion, withoutPinHash } from '#surveys/survey'
import { launchInput, newSurvey, surveyChange } from '#surveys/survey-input'
import { surveySchema, surveyVersion } from '#surveys/survey-schema'
import { type Endpoint, type EndpointCall, mapOutcome, nothing, success } from './endpoint'

const { hostedPage } = surveySchema.shape

const surveyShape = shownAs(
  'Survey',
  surveySchema.omit({ projectId: true }).extend({
    hostedPage: hostedPage.omit({ pinHash: true }).extend({ hasPin: z.boolean() }),
    status: z
      .enum(surveyStatuses)
      .meta({ description: 'A survey is full when it has as many responses as its limit' }),
  }),
)

/** PostHog's JSON of a survey. The product reads it in detail. */
const posthogSurveyShape = z
  .looseObject({
    name: z.string().optional(),
    type: z.enum(['popover', 'widget', 'api', 'external_survey']).optional(),
    questions: z.array(z.looseObject({ type: z.string(), question: z.string() })).nullish(),
  })
  .meta({ id: 'PosthogSurvey', description: 'In PostHog’s form' })

const answeredSurvey = z.union([surveyShape, posthogSurveyShape])

const savedSurvey = answeredSurvey.and(
  z.looseObject({
    notKept: z
      .array(z.string())
      .optional()
      .meta({ description: 'A sentence for each part of an input in PostHog’s form that Tilth cannot keep' }),
  }),
)

const formQuery = z.object({
  form: z.literal('posthog').optional().meta({ description: 'Answers in PostHog’s form' }),
})

const versionShape = shownAs('SurveyVersion', surveyVersion.omit({ surveyId: true }))

const templateShape = z
  .object({ id: z.string(), name: z.string(), description: z.string(), input: z.looseObject({}) })
  .meta({ id: 'SurveyTemplate' })

const versionBody = ({ surveyId: _, ...version }: SurveyVersion) => version

type SurveyCall = Pick<EndpointCall, 'query' | 'product'>

/** A survey in the form that the caller asks for. */
function inForm(survey: Survey, { query, product }: SurveyCall): object {
  if (query.get('form') === 'posthog') return product.surveys.posthogFormOf(survey)
  const { projectId: _, ...shown } = withoutPinHash(survey)
  return { ...shown, status: product.surveys.statusOf(survey) }
}

const saved =
  (call: SurveyCall) =>
  ({ survey, notKept = [] }: { survey: Survey; notKept?: readonly string[] }): object => ({
    ...inForm(survey, call),
    ...(notKept.length > 0 && { notKept }),
  })

const missing = failedOutcome('There is no such survey in this project.')

const reading: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/surveys',
    summary: 'List surveys, archived ones included',
    right: 'surveys:read',
    query: formQuery,
    responseSchema: z.object({ surveys: z.array(answeredSurvey) }),
    handle: async (call) => {
      const surveys = await call.product.surveys.list(call.project().id, call.viewer)
      return success({ surveys: surveys.map((survey) => inForm(survey, call)) })
    },
  },
  {
    method: 'GET',
    path: '/projects/{project}/survey-templates',
    summary: 'List templates; the input of one makes a survey',
    right: 'surveys:read',
    responseSchema: z.object({ templates: z.array(templateShape) }),
    handle: async ({ product, viewer, project }) =>
      success({ templates: product.surveys.templates(project().id, viewer) }),
  },
  {
    method: 'GET',
    path: '/projects/{project}/surveys/{survey}',
    summary: 'Read a survey',
    right: 'surveys:read',
    query: formQuery,
    responseSchema: answeredSurvey,
    handle: async (call) => {
      const { product, project, viewer, pathParameter } = call
      const survey = await product.surveys.find(project().id, pathParameter('survey'), viewer)
      return survey ? success(inForm(survey, call)) : missing
    },
  },
  {
    method: 'GET',
    path: '/projects/{project}/surveys/{survey}/versions',
    summary: 'List the versions of a survey’s content, the latest first',
    right: 'surveys:read',
    responseSchema: z.object({ versions: z.array(versionShape) }),
    handle: async ({ product, viewer, project, pathParameter }) => {
      const versions = await product.surveys.versions(project().id, pathParameter('survey'), viewer)
      return success({ versions: versions.map(versionBody) })
    },
  },
  {
    method: 'GET',
    path: '/projects/{project}/surveys/{survey}/versions/{version}',
    summary: 'Read one version of a survey’s content',
    right: 'surveys:read',
    responseSchema: versionShape,
    handle: async ({ product, viewer, project, pathParameter }) => {
      const versions = await product.surveys.versions(project().id, pathParameter('survey'), viewer)
      const found = versions.find(({ version }) => String(version) === pathParameter('version'))
      return found ? success(versionBody(found)) : failedOutcome('There is no such version of this survey.')
    },
  },
]

const writing: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/projects/{project}/surveys',
    summary: 'Make a survey in Tilth’s form or PostHog’s: a draft, until it is launched',
    right: 'surveys:write',
    input: z.union([newSurvey, posthogSurveyShape]),
    query: formQuery,
    responseSchema: savedSurvey,
    status: 201,
    handle: async (call) => {
      const { product, project, input, viewer } = call
      return mapOutcome(await product.surveys.create(project().id, input, viewer), saved(call))
    },
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/surveys/{survey}',
    summary: 'Change a survey, in Tilth’s form or PostHog’s; with a revision, only if it is the latest',
    right: 'surveys:write',
    input: z.union([surveyChange, posthogSurveyShape]),
    query: formQuery,
    responseSchema: savedSurvey,
    handle: async (call) => {
      const { product, project, pathParameter, input, viewer } = call
      const outcome = await product.surveys.change(project().id, pathParameter('survey'), input, viewer)
      return mapOutcome(outcome, saved(call))
    },
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/surveys/{survey}',
    summary: 'Remove a draft; a survey that was launched is archived instead',
    right: 'surveys:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(await product.surveys.remove(project().id, pathParameter('survey'), viewer), () => ({})),
  },
  {
    method: 'POST',
    path: '/projects/{project}/surveys/{survey}/launch',
    summary: 'Launch a survey, now or at a time to come',
    right: 'surveys:write',
    input: launchInput,
    query: formQuery,
    responseSchema: answeredSurvey,
    handle: async (call) => {
      const { product, project, pathParameter, input, viewer } = call
      const outcome = await product.surveys.launch(project().id, pathParameter('survey'), input, viewer)
      return mapOutcome(outcome, saved(call))
    },
  },
]

const steps = {
  stop: 'End a running survey; one that has not begun is a draft again',
  resume: 'Take answers again after the end',
  archive: 'Archive a survey; its answers stay',
  restore: 'Restore an archived survey',
  duplicate: 'Make a draft with the same content and settings',
} as const

const transitions = (Object.keys(steps) as (keyof typeof steps)[]).map((step): Endpoint => ({
  method: 'POST',
  path: `/projects/{project}/surveys/{survey}/${step}`,
  summary: steps[step],
  right: 'surveys:write',
  query: formQuery,
  responseSchema: answeredSurvey,
  status: step === 'duplicate' ? 201 : 200,
  handle: async (call: EndpointCall) => {
    const { product, project, pathParameter, viewer } = call
    return mapOutcome(await product.surveys[step](project().id, pathParameter('survey'), viewer), saved(call))
  },
}))

export const surveyEndpoints: readonly Endpoint[] = [...reading, ...writing, ...transitions]
