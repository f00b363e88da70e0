import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { failedOutcome } from '#projects/problems'
import type { Survey, SurveyVersion } from '#surveys/survey'
import { launchInput, newSurvey, surveyChange } from '#surveys/survey-input'
import { type Endpoint, type EndpointCall, mapOutcome, nothing, success } from './endpoint'

const contentShape = z.looseObject({
  questions: z.array(z.looseObject({ id: z.string(), kind: z.string() })),
})

const surveyShape = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    content: contentShape,
    version: z.number().meta({ description: 'Counts the changes of the content since the launch' }),
    revision: z.number().meta({ description: 'Counts every change; send it along with yours' }),
    placement: z.looseObject({ kind: z.string() }),
    hostedPage: z.object({
      isOpen: z.boolean(),
      needsLink: z.boolean(),
      mayBeEmbedded: z.boolean(),
      hasPin: z.boolean(),
    }),
    targeting: z.looseObject({}),
    schedule: z.looseObject({ kind: z.string() }),
    responseLimit: z.number().optional(),
    startsAt: instant.optional(),
    endsAt: instant.optional(),
    archivedAt: instant.optional(),
    createdBy: z.string(),
    createdAt: instant,
    changedBy: z.string(),
    changedAt: instant,
  })
  .meta({ id: 'Survey' })

const versionShape = z
  .object({ version: z.number(), content: contentShape, createdBy: z.string(), createdAt: instant })
  .meta({ id: 'SurveyVersion' })

const templateShape = z
  .object({ id: z.string(), name: z.string(), description: z.string(), input: z.looseObject({}) })
  .meta({ id: 'SurveyTemplate' })

/** The one place that gives a survey to clients of the API. The hash of a PIN stays inside. */
function surveyBody({ projectId: _, hostedPage: { pinHash, ...page }, ...survey }: Survey) {
  return { ...survey, hostedPage: { ...page, hasPin: pinHash !== undefined } }
}

const versionBody = ({ surveyId: _, ...version }: SurveyVersion) => version

const changed = ({ survey }: { survey: Survey }) => surveyBody(survey)

const missing = failedOutcome('There is no such survey in this project.')

const reading: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/surveys',
    summary: 'List surveys, archived ones included',
    right: 'surveys:read',
    responseSchema: z.object({ surveys: z.array(surveyShape) }),
    handle: async ({ product, viewer, project }) =>
      success({ surveys: (await product.surveys.list(project().id, viewer)).map(surveyBody) }),
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
    handle: async ({ product, viewer, project, pathParameter }) => {
      const survey = await product.surveys.find(project().id, pathParameter('survey'), viewer)
      return survey ? success(surveyBody(survey)) : missing
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
    responseSchema: surveyShape,
    status: 201,
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(await product.surveys.create(project().id, input, viewer), changed),
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/surveys/{survey}',
    summary: 'Change a survey; with a revision, only if it is the latest',
    right: 'surveys:write',
    input: surveyChange,
    responseSchema: surveyShape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(await product.surveys.change(project().id, pathParameter('survey'), input, viewer), changed),
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
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(await product.surveys.launch(project().id, pathParameter('survey'), input, viewer), changed),
  },
]

const steps = {
  stop: 'End a running survey; one that has not begun is a draft again',
  resume: 'Take answers again after the end',
  archive: 'Archive a survey; its answers stay',
  restore: 'Bring back an archived survey as it was',
  duplicate: 'Make a draft with the same content and settings',
} as const

const transitions = (Object.keys(steps) as (keyof typeof steps)[]).map((step): Endpoint => ({
  method: 'POST',
  path: `/projects/{project}/surveys/{survey}/${step}`,
  summary: steps[step],
  right: 'surveys:write',
  responseSchema: surveyShape,
  status: step === 'duplicate' ? 201 : 200,
  handle: async ({ product, viewer, project, pathParameter }: EndpointCall) =>
    mapOutcome(await product.surveys[step](project().id, pathParameter('survey'), viewer), changed),
}))

export const surveyEndpoints: readonly Endpoint[] = [...reading, ...writing, ...transitions]
