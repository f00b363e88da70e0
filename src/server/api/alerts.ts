import { z } from 'zod'
import { alertChange, type Alert, muting, newAlert } from '../../alerts/alert'
import { newReport, type Report, reportChange } from '../../alerts/report'
import { undone } from '../../projects/problems'
import { done, type Endpoint, instant, nothing, shownAs } from './endpoint'

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

const toldShape = z.object({
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

const shownAlert = ({ projectId: _, ...alert }: Alert) => alert
const shownReport = ({ projectId: _, ...report }: Report) => report

const noAlert = undone('There is no such alert in this project.')
const noReport = undone('There is no such report in this project.')

export const alertEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/alerts',
    summary: 'List alerts, and what is known of each',
    right: 'events:read',
    answers: z.object({ alerts: z.array(alertShape) }),
    answer: async ({ product, viewer, project }) =>
      done({ alerts: (await product.alerts.list(project().id, viewer)).map(shownAlert) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/alerts',
    summary: 'Set up an alert',
    right: 'alerts:write',
    input: newAlert,
    answers: alertShape,
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.alerts.create(project().id, input, viewer), ({ alert }) => shownAlert(alert)),
  },
  {
    method: 'GET',
    path: '/projects/{project}/alerts/{alert}',
    summary: 'Read an alert',
    right: 'events:read',
    answers: alertShape,
    answer: async ({ product, viewer, project, part }) => {
      const alert = await product.alerts.find(project().id, part('alert'), viewer)
      return alert ? done(shownAlert(alert)) : noAlert
    },
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/alerts/{alert}',
    summary: 'Change an alert',
    right: 'alerts:write',
    input: alertChange,
    answers: alertShape,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(await product.alerts.change(project().id, part('alert'), input, viewer), ({ alert }) =>
        shownAlert(alert),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/alerts/{alert}',
    summary: 'Remove an alert',
    right: 'alerts:write',
    answers: nothing,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.alerts.remove(project().id, part('alert'), viewer), () => ({})),
  },
  {
    method: 'POST',
    path: '/projects/{project}/alerts/{alert}/mute',
    summary: 'Tell nobody of an alert for so many hours; 0 ends it',
    right: 'alerts:write',
    input: muting,
    answers: alertShape,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(await product.alerts.mute(project().id, part('alert'), input, viewer), ({ alert }) =>
        shownAlert(alert),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/alerts/{alert}/test',
    summary: 'Look at an alert now, and tell everybody on its list as a test',
    right: 'alerts:write',
    answers: z.object({ verdict, told: z.array(z.string()) }),
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.alerts.test(project().id, part('alert'), viewer), ({ verdict: found, told }) => ({
        verdict: found,
        told,
      })),
  },
  {
    method: 'GET',
    path: '/projects/{project}/alerts/{alert}/changes',
    summary: 'List the states an alert went into, the newest first',
    right: 'events:read',
    answers: z.object({ changes: z.array(z.object({ at: instant, verdict })) }),
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.alerts.changes(project().id, part('alert'), viewer), ({ changes }) => ({
        changes,
      })),
  },
  {
    method: 'GET',
    path: '/projects/{project}/alerts/{alert}/told',
    summary: 'List what was told of an alert to whom, and what came of it, the newest first',
    right: 'alerts:write',
    answers: z.object({ told: z.array(toldShape) }),
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.alerts.told(project().id, part('alert'), viewer), ({ told }) => ({ told })),
  },
  {
    method: 'GET',
    path: '/projects/{project}/reports',
    summary: 'List reports by e-mail',
    right: 'events:read',
    answers: z.object({ reports: z.array(reportShape) }),
    answer: async ({ product, viewer, project }) =>
      done({ reports: (await product.reports.list(project().id, viewer)).map(shownReport) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/reports',
    summary: 'Set up a report by e-mail',
    right: 'alerts:write',
    input: newReport,
    answers: reportShape,
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.reports.create(project().id, input, viewer), ({ report }) => shownReport(report)),
  },
  {
    method: 'GET',
    path: '/projects/{project}/reports/{report}',
    summary: 'Read a report’s settings',
    right: 'events:read',
    answers: reportShape,
    answer: async ({ product, viewer, project, part }) => {
      const report = await product.reports.find(project().id, part('report'), viewer)
      return report ? done(shownReport(report)) : noReport
    },
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/reports/{report}',
    summary: 'Change, pause or continue a report',
    right: 'alerts:write',
    input: reportChange,
    answers: reportShape,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(await product.reports.change(project().id, part('report'), input, viewer), ({ report }) =>
        shownReport(report),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/reports/{report}',
    summary: 'Remove a report',
    right: 'alerts:write',
    answers: nothing,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.reports.remove(project().id, part('report'), viewer), () => ({})),
  },
  {
    method: 'POST',
    path: '/projects/{project}/reports/{report}/send',
    summary: 'Send a report now, to everybody on its list',
    right: 'alerts:write',
    answers: z.object({ told: z.array(z.string()) }),
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.reports.sendNow(project().id, part('report'), viewer), ({ told }) => ({ told })),
  },
]
