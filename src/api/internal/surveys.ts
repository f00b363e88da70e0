import { z } from 'zod'
import { shownAs } from '#collection/entry-shape'
import { failedOutcome } from '#projects/problems'
import type { Product } from '#server/product'
import { posthogSurveyRefusal } from '#surveys/posthog/from-posthog'
import { type Survey, surveyStatuses, withoutPinHash } from '#surveys/survey'
import { launchInput, newSurvey, surveyChange } from '#surveys/survey-input'
import { surveySchema, surveyVersion } from '#surveys/survey-schema'
import { type Endpoint, type EndpointCall, mapOutcome, nothing, success } from './endpoint'

const { hostedPage } = surveySchema.shape

const { shape: surveyShape, show: shownSurvey } = shownAs(
  'Survey',
  surveySchema.omit({ projectId: true }).extend({
    hostedPage: hostedPage.omit({ pinHash: true }).extend({ hasPin: z.boolean() }),
    status: z
      .enum(surveyStatuses)
      .meta({ description: 'A survey is full when it has as many responses as its limit' }),
  }),
)

const { shape: versionShape, show: versionBody } = shownAs(
  'SurveyVersion',
  surveyVersion.omit({ surveyId: true }),
)

const templateShape = z
  .object({ id: z.string(), name: z.string(), description: z.string(), input: z.looseObject({}) })
  .meta({ id: 'SurveyTemplate' })

const surveyBody = (survey: Survey, { surveys }: Product): object =>
  shownSurvey({ ...withoutPinHash(survey), status: surveys.statusOf(survey) })

const saved =
  (product: Product) =>
  ({ survey }: { survey: Survey }): object =>
    surveyBody(survey, product)

const missing = failedOutcome('There is no such survey in this project.')

const reading: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/surveys',
    summary: 'List surveys, archived ones included',
    right: 'surveys:read',
    responseSchema: z.object({ surveys: z.array(surveyShape) }),
    handle: async ({ product, project, viewer }) => {
      const surveys = await product.surveys.list(project().id, viewer)
      return success({ surveys: surveys.map((survey) => surveyBody(survey, product)) })
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
    responseSchema: surveyShape,
    handle: async ({ product, project, viewer, pathParameter }) => {
      const survey = await product.surveys.find(project().id, pathParameter('survey'), viewer)
      return survey ? success(surveyBody(survey, product)) : missing
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
    summary: 'Make a survey: a draft, until it is launched',
    right: 'surveys:write',
    input: newSurvey,
    refusalOf: posthogSurveyRefusal,
    responseSchema: surveyShape,
    status: 201,
    handle: async ({ product, project, input, viewer }) =>
      mapOutcome(await product.surveys.create(project().id, input, viewer), saved(product)),
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/surveys/{survey}',
    summary: 'Change a survey; with a revision, only if it is the latest',
    right: 'surveys:write',
    input: surveyChange,
    refusalOf: posthogSurveyRefusal,
    responseSchema: surveyShape,
    handle: async ({ product, project, pathParameter, input, viewer }) => {
      const outcome = await product.surveys.change(project().id, pathParameter('survey'), input, viewer)
      return mapOutcome(outcome, saved(product))
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
    responseSchema: surveyShape,
    handle: async ({ product, project, pathParameter, input, viewer }) => {
      const outcome = await product.surveys.launch(project().id, pathParameter('survey'), input, viewer)
      return mapOutcome(outcome, saved(product))
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
  responseSchema: surveyShape,
  status: step === 'duplicate' ? 201 : 200,
  handle: async ({ product, project, pathParameter, viewer }: EndpointCall) =>
    mapOutcome(await product.surveys[step](project().id, pathParameter('survey'), viewer), saved(product)),
}))

export const surveyEndpoints: readonly Endpoint[] = [...reading, ...writing, ...transitions]
