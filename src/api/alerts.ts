import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { alertChange, type Alert, muting, newAlert } from '#alerts/alert'
import { newReport, type Report, reportChange } from '#alerts/report'
import { failedOutcome } from '#projects/problems'
import { success, type Endpoint, nothing, mapOutcome } from './endpoint'

const recipient = z.looseObject({ by: z.enum(['webhook', 'member', 'mail']) })

const verdict = z
  .looseObject({ state: z.enum(['ok', 'firing', 'unknown']) })
  .meta({ description: 'With value and against, or with why nothing can be said' })

const alertShape = z
  .object({
    id: z.string(),
    name: z.string(),
    watched: z.looseObject({ type: z.enum(['event', 'insight']) }),
    condition: z.looseObject({ type: z.enum(['threshold', 'relative', 'absence']) }),
    every: z.string(),
    recipients: z.array(recipient),
    coolDownMinutes: z.number(),
    createdBy: z.string(),
    createdAt: instant,
    mutedUntil: instant.optional(),
    verdict: verdict.optional(),
    since: instant,
    checkedAt: instant.optional(),
    nextCheckAt: instant,
    told: z.enum(['ok', 'firing']),
    toldAt: instant.optional(),
  })
  .meta({ id: 'Alert' })

const deliveryShape = z.object({
  id: z.string(),
  createdAt: instant,
  state: z.enum(['waiting', 'sent', 'failed']),
  attempts: z.number(),
  outcome: z.string().optional(),
  recipient,
  tidings: z.string(),
})

const reportShape = z
  .object({
    id: z.string(),
    name: z.string(),
    about: z.looseObject({ type: z.enum(['web', 'dashboard']) }),
    every: z.enum(['day', 'week', 'month']),
    hour: z.number(),
    recipients: z.array(recipient),
    createdBy: z.string(),
    createdAt: instant,
    pausedAt: instant.optional(),
    nextAt: instant,
    sentAt: instant.optional(),
    trouble: z.string().optional(),
  })
  .meta({ id: 'Report' })

const alertBody = ({ projectId: _, ...alert }: Alert) => alert
const reportBody = ({ projectId: _, ...report }: Report) => report

const noAlert = failedOutcome('There is no such alert in this project.')
const noReport = failedOutcome('There is no such report in this project.')

export const alertEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/alerts',
    summary: 'List alerts, and what is known of each',
    right: 'events:read',
    responseSchema: z.object({ alerts: z.array(alertShape) }),
    handle: async ({ product, viewer, project }) =>
      success({ alerts: (await product.alerts.list(project().id, viewer)).map(alertBody) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/alerts',
    summary: 'Set up an alert',
    right: 'alerts:write',
    input: newAlert,
    responseSchema: alertShape,
    status: 201,
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(await product.alerts.create(project().id, input, viewer), ({ alert }) => alertBody(alert)),
  },
  {
    method: 'GET',
    path: '/projects/{project}/alerts/{alert}',
    summary: 'Read an alert',
    right: 'events:read',
    responseSchema: alertShape,
    handle: async ({ product, viewer, project, pathParameter }) => {
      const alert = await product.alerts.find(project().id, pathParameter('alert'), viewer)
      return alert ? success(alertBody(alert)) : noAlert
    },
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/alerts/{alert}',
    summary: 'Change an alert',
    right: 'alerts:write',
    input: alertChange,
    responseSchema: alertShape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.alerts.change(project().id, pathParameter('alert'), input, viewer),
        ({ alert }) => alertBody(alert),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/alerts/{alert}',
    summary: 'Remove an alert',
    right: 'alerts:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(await product.alerts.remove(project().id, pathParameter('alert'), viewer), () => ({})),
  },
  {
    method: 'POST',
    path: '/projects/{project}/alerts/{alert}/mute',
    summary: 'Mute an alert for a number of hours; 0 unmutes it',
    right: 'alerts:write',
    input: muting,
    responseSchema: alertShape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.alerts.mute(project().id, pathParameter('alert'), input, viewer),
        ({ alert }) => alertBody(alert),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/alerts/{alert}/test',
    summary: 'Check an alert now, and notify all its recipients as a test',
    right: 'alerts:write',
    responseSchema: z.object({ verdict, told: z.array(z.string()) }),
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
    responseSchema: z.object({ changes: z.array(z.object({ at: instant, verdict })) }),
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
  {
    method: 'GET',
    path: '/projects/{project}/reports',
    summary: 'List reports by e-mail',
    right: 'events:read',
    responseSchema: z.object({ reports: z.array(reportShape) }),
    handle: async ({ product, viewer, project }) =>
      success({ reports: (await product.reports.list(project().id, viewer)).map(reportBody) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/reports',
    summary: 'Set up a report by e-mail',
    right: 'alerts:write',
    input: newReport,
    responseSchema: reportShape,
    status: 201,
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(await product.reports.create(project().id, input, viewer), ({ report }) =>
        reportBody(report),
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/reports/{report}',
    summary: 'Read a report’s settings',
    right: 'events:read',
    responseSchema: reportShape,
    handle: async ({ product, viewer, project, pathParameter }) => {
      const report = await product.reports.find(project().id, pathParameter('report'), viewer)
      return report ? success(reportBody(report)) : noReport
    },
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/reports/{report}',
    summary: 'Change, pause or continue a report',
    right: 'alerts:write',
    input: reportChange,
    responseSchema: reportShape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.reports.change(project().id, pathParameter('report'), input, viewer),
        ({ report }) => reportBody(report),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/reports/{report}',
    summary: 'Remove a report',
    right: 'alerts:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(await product.reports.remove(project().id, pathParameter('report'), viewer), () => ({})),
  },
  {
    method: 'POST',
    path: '/projects/{project}/reports/{report}/send',
    summary: 'Send a report now, to everybody on its list',
    right: 'alerts:write',
    responseSchema: z.object({ told: z.array(z.string()) }),
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.reports.sendNow(project().id, pathParameter('report'), viewer),
        ({ told }) => ({
          told,
        }),
      ),
  },
]
