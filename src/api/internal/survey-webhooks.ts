import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { failedOutcome } from '#projects/problems'
import { webhookInput } from '#surveys/webhooks/survey-webhooks'
import { type Endpoint, mapOutcome, nothing, success } from './endpoint'

const webhookShape = z
  .object({ url: z.string(), createdBy: z.string(), createdAt: instant })
  .meta({ id: 'SurveyWebhook' })

const deliveryShape = z
  .object({
    id: z.string(),
    submission: z.string(),
    createdAt: instant,
    state: z.enum(['waiting', 'sent', 'failed']),
    dueAt: instant,
    attempts: z.number(),
    outcome: z.string().optional(),
  })
  .meta({ id: 'SurveyDelivery' })

const base = '/projects/{project}/surveys/{survey}/webhook'

export const surveyWebhookEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: base,
    summary: 'Read the webhook of a survey',
    right: 'surveys:read',
    responseSchema: webhookShape,
    handle: async ({ product, viewer, project, pathParameter }) => {
      const found = await product.surveys.webhooks.find(project().id, pathParameter('survey'), viewer)
      return found ? success(found) : failedOutcome('This survey has no webhook.')
    },
  },
  {
    method: 'POST',
    path: base,
    summary:
      'Send each submission of a survey to an address; the secret of its signatures is shown this once',
    right: 'surveys:write',
    input: webhookInput,
    responseSchema: z.object({ secret: z.string() }),
    status: 201,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.surveys.webhooks.set(project().id, pathParameter('survey'), input, viewer),
        ({ secret }) => ({ secret }),
      ),
  },
  {
    method: 'DELETE',
    path: base,
    summary: 'Remove the webhook of a survey',
    right: 'surveys:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.surveys.webhooks.remove(project().id, pathParameter('survey'), viewer),
        () => ({}),
      ),
  },
  {
    method: 'POST',
    path: `${base}/test`,
    summary: 'Send an example to the webhook of a survey',
    right: 'surveys:write',
    responseSchema: z.object({ delivered: z.boolean(), outcome: z.string() }),
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.surveys.webhooks.test(project().id, pathParameter('survey'), viewer),
        ({ delivered, outcome }) => ({ delivered, outcome }),
      ),
  },
  {
    method: 'GET',
    path: `${base}/deliveries`,
    summary: 'List the last deliveries of a survey’s webhook, the latest first',
    right: 'surveys:read',
    responseSchema: z.object({ deliveries: z.array(deliveryShape) }),
    handle: async ({ product, viewer, project, pathParameter }) =>
      success({
        deliveries: await product.surveys.webhooks.deliveries(project().id, pathParameter('survey'), viewer),
      }),
  },
]
