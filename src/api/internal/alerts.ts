import { z } from 'zod'
import { muting } from '#alerts/alert'
import { alertCollection } from '#alerts/alerts'
import { alertVerdict } from '#alerts/condition'
import { givenRecipient } from '#alerts/recipient'
import { reportCollection } from '#alerts/reports/reports'
import { instant } from '#collection/entry-shape'
import type { Product } from '#server/product'
import {
  changeEndpoint,
  createEndpoint,
  findEndpoint,
  listEndpoint,
  removeEndpoint,
  verbEndpoint,
} from './collection-endpoints'
import { type Endpoint, mapOutcome } from './endpoint'

const deliveryShape = z.object({
  id: z.string(),
  createdAt: instant,
  state: z.enum(['waiting', 'sent', 'failed']),
  attempts: z.number(),
  outcome: z.string().optional(),
  recipient: givenRecipient,
  tidings: z.string(),
})

const alerts = ({ alerts: part }: Product) => part
const reports = (product: Product) => product.alerts.reports

export const alertEndpoints: readonly Endpoint[] = [
  listEndpoint(alertCollection, alerts),
  createEndpoint(alertCollection, alerts),
  findEndpoint(alertCollection, alerts),
  changeEndpoint(alertCollection, alerts),
  removeEndpoint(alertCollection, alerts),
  verbEndpoint(
    alertCollection,
    'mute',
    { summary: 'Mute an alert for a number of hours; 0 unmutes it', input: muting },
    (product, { projectId, id, viewer, input }) => product.alerts.mute(projectId, id, input, viewer),
  ),
  {
    method: 'POST',
    path: '/projects/{project}/alerts/{alert}/test',
    summary: 'Check an alert now, and notify all its recipients as a test',
    right: 'alerts:write',
    responseSchema: z.object({ verdict: alertVerdict, told: z.array(z.string()) }),
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.alerts.test(project().id, pathParameter('alert'), viewer),
        ({ verdict: found, told }) => ({
          verdict: found,
          told,
        }),
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/alerts/{alert}/changes',
    summary: 'List the states an alert went into, the newest first',
    right: 'events:read',
    responseSchema: z.object({ changes: z.array(z.object({ at: instant, verdict: alertVerdict })) }),
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.alerts.changes(project().id, pathParameter('alert'), viewer),
        ({ changes }) => ({
          changes,
        }),
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/alerts/{alert}/told',
    summary: 'List the notifications of an alert with their recipients and outcomes, the newest first',
    right: 'alerts:write',
    responseSchema: z.object({ told: z.array(deliveryShape) }),
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(await product.alerts.told(project().id, pathParameter('alert'), viewer), ({ told }) => ({
        told,
      })),
  },
  listEndpoint(reportCollection, reports),
  createEndpoint(reportCollection, reports),
  findEndpoint(reportCollection, reports),
  changeEndpoint(reportCollection, reports),
  removeEndpoint(reportCollection, reports),
  {
    method: 'POST',
    path: '/projects/{project}/reports/{report}/send',
    summary: 'Send a report now to all its recipients',
    right: 'alerts:write',
    responseSchema: z.object({ told: z.array(z.string()) }),
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.alerts.reports.sendNow(project().id, pathParameter('report'), viewer),
        ({ told }) => ({
          told,
        }),
      ),
  },
]
