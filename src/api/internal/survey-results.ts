import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { StreamedBody } from '#http/streamed-body'
import { personLabel } from '#insights/people/person-label'
import { parseInput } from '#projects/problems'
import { exportFormats, exportWriters } from '#surveys/results/export-rows'
import { resultsInput, responsesInput, tagsInput } from '#surveys/results/results-input'
import { type Endpoint, mapOutcome, nothing, success } from './endpoint'
import { answerStateShape } from './query'

const estimate = z.object({ value: z.number(), low: z.number(), high: z.number() }).meta({
  id: 'Estimate',
  description: 'A number, and the interval that contains the true one in 95 of 100 samples',
})

const numbers = z.looseObject({
  shown: z.number().meta({ description: 'How often the survey was shown' }),
  reached: z.number().meta({ description: 'Persons who saw it, once in each run' }),
  answered: z.number(),
  completedBy: z.number(),
  responseRate: estimate.optional(),
  completionRate: estimate.optional(),
  submissions: z.object({
    started: z.number(),
    responded: z.number(),
    completed: z.number(),
    dismissed: z.number(),
    abandoned: z.number(),
  }),
  dismissedUnanswered: z.number(),
  questions: z.array(
    z.looseObject({
      id: z.string(),
      kind: z.string(),
      text: z.string(),
      version: z.number(),
      answered: z.number(),
      stopped: z.number().meta({ description: 'Submissions that were not completed and end with it' }),
    }),
  ),
})

const resultsShape = numbers
  .extend({
    ...answerStateShape,
    course: z.looseObject({ starts: z.array(z.string()) }).optional(),
    breakdown: z.looseObject({ valuesInAll: z.number() }).optional(),
  })
  .meta({ id: 'SurveyResults' })

const responseShape = z
  .object({
    id: z.string(),
    state: z.enum(['completed', 'dismissed', 'abandoned', 'open']),
    startedAt: instant,
    answeredAt: instant,
    person: z.string(),
    distinctId: z.string(),
    version: z.number(),
    language: z.string(),
    path: z.string(),
    country: z.string(),
    browser: z.string(),
    device: z.string(),
    answers: z.array(
      z.object({
        question: z.string(),
        text: z.string(),
        answer: z.union([
          z.string(),
          z.number(),
          z.boolean(),
          z.array(z.string()),
          z.record(z.string(), z.string()),
        ]),
      }),
    ),
    fields: z.record(z.string(), z.string()).meta({ description: 'Hidden fields, by name' }),
    tags: z.array(z.string()),
    personName: z.string().optional(),
    personLabel: personLabel.optional(),
    personProperties: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'The person’s properties now; for keys with the right events:read alone' }),
  })
  .meta({ id: 'SurveyResponse' })

const xlsxType = exportWriters.xlsx.contentType
const base = '/projects/{project}/surveys/{survey}'

const exportQuery = z.strictObject({
  format: z.enum(exportFormats).default('csv'),
  period: z.string().optional().meta({ description: 'Such as 30d; all is the default' }),
  withTests: z.enum(['true', 'false']).default('false'),
  search: z.string().optional().meta({ description: 'A part of an answer, in any case' }),
  tag: z.string().optional(),
})

export const surveyResultEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: `${base}/results`,
    summary: 'Count the answers to a survey',
    right: 'surveys:read',
    input: resultsInput,
    responseSchema: resultsShape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.surveys.results.results(project().id, pathParameter('survey'), input, viewer),
        ({ results: { tookMs: _tookMs, ...results } }) => ({ ...results, at: results.at.toISOString() }),
      ),
  },
  {
    method: 'POST',
    path: `${base}/responses`,
    summary: 'List responses to a survey, those answered last first',
    right: 'surveys:read',
    input: responsesInput,
    responseSchema: z.object({ responses: z.array(responseShape), cursor: z.string().optional() }),
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.surveys.results.responses(project().id, pathParameter('survey'), input, viewer),
        ({ responses, cursor }) => ({ responses, cursor }),
      ),
  },
  {
    method: 'GET',
    path: `${base}/export`,
    summary: 'Download all responses to a survey',
    right: 'surveys:read',
    query: exportQuery,
    responseSchema: z.array(responseShape),
    otherContentTypes: ['text/csv', xlsxType],
    handle: async ({ product, viewer, query, project, pathParameter }) => {
      const parsed = parseInput(exportQuery, Object.fromEntries(query))
      if (!parsed.done) return parsed
      const { format, withTests, ...narrowing } = parsed.value
      const filter = { ...narrowing, withTests: withTests === 'true' }
      const survey = pathParameter('survey')
      const outcome = await product.surveys.results.export(project().id, survey, filter, viewer)
      if (!outcome.done) return outcome
      const { portions, ...content } = outcome
      const { contentType, write } = exportWriters[format]
      const fileName = `${encodeURIComponent(survey)}.${format}`
      return success(new StreamedBody(contentType, fileName, write(portions, content)))
    },
  },
  {
    method: 'GET',
    path: `${base}/responses/{response}`,
    summary: 'Show one response to a survey',
    right: 'surveys:read',
    responseSchema: responseShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.surveys.results.response(
          project().id,
          pathParameter('survey'),
          pathParameter('response'),
          viewer,
        ),
        ({ response }) => response,
      ),
  },
  {
    method: 'PATCH',
    path: `${base}/responses/{response}`,
    summary: 'Tag a response; the tags replace those it had',
    right: 'surveys:write',
    input: tagsInput,
    responseSchema: z.object({ tags: z.array(z.string()) }),
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.surveys.results.tagResponse(
          project().id,
          pathParameter('survey'),
          pathParameter('response'),
          input,
          viewer,
        ),
        ({ tags }) => ({ tags }),
      ),
  },
  {
    method: 'DELETE',
    path: `${base}/responses/{response}`,
    summary: 'Take a response out of the results; its events stay',
    right: 'surveys:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.surveys.results.removeResponse(
          project().id,
          pathParameter('survey'),
          pathParameter('response'),
          viewer,
        ),
        () => ({}),
      ),
  },
  {
    method: 'POST',
    path: `${base}/responses/{response}/restore`,
    summary: 'Restore a response to the results',
    right: 'surveys:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.surveys.results.restoreResponse(
          project().id,
          pathParameter('survey'),
          pathParameter('response'),
          viewer,
        ),
        () => ({}),
      ),
  },
]
