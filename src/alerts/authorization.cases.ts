import { operator } from '#projects/access'
import { present, requireDone } from '#test/product/fixture'
import type { AuditedCall, Stage } from '#test/product/authorization/audited-call'

export const alertCalls: Record<string, AuditedCall> = {
  'alerts.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.alerts.list(acme.id, viewer),
  },
  'alerts.find': {
    right: 'events:read',
    does: async (stage, viewer) => stage.product.alerts.find(stage.acme.id, await anAlert(stage), viewer),
  },
  'alerts.create': {
    right: 'alerts:write',
    does: ({ product, acme }, viewer) => product.alerts.create(acme.id, silence, viewer),
    action: 'alert.create',
    writes: () => ({
      subject: 'Fewer views',
      after: { name: 'Fewer views', recipients: [{ by: 'webhook', url: 'https://hooks.example/…' }] },
    }),
  },
  'alerts.change': {
    right: 'alerts:write',
    does: async (stage, viewer) =>
      stage.product.alerts.change(stage.acme.id, await anAlert(stage), { name: 'No views' }, viewer),
    action: 'alert.change',
    writes: () => ({ subject: 'No views', before: { name: 'Fewer views' }, after: { name: 'No views' } }),
  },
  'alerts.mute': {
    right: 'alerts:write',
    does: async (stage, viewer) =>
      stage.product.alerts.mute(stage.acme.id, await anAlert(stage), { hours: 1 }, viewer),
    action: 'alert.mute',
    writes: () => ({ subject: 'Fewer views', after: { mutedUntil: '2026-03-02T11:01:00.000Z' } }),
  },
  'alerts.test': {
    right: 'alerts:write',
    does: async (stage, viewer) => stage.product.alerts.test(stage.acme.id, await anAlert(stage), viewer),
  },
  'alerts.told': {
    right: 'alerts:write',
    does: async (stage, viewer) => stage.product.alerts.told(stage.acme.id, await anAlert(stage), viewer),
  },
  'alerts.changes': {
    right: 'events:read',
    does: async (stage, viewer) => stage.product.alerts.changes(stage.acme.id, await anAlert(stage), viewer),
  },
  'alerts.course of an insight that is gone': {
    right: 'events:read',
    does: async ({ product, acme }, viewer) => {
      const outcome = await product.alerts.course(acme.id, { ...silence, watched: gone }, viewer)
      return outcome.done
    },
  },
  'alerts.remove': {
    right: 'alerts:write',
    does: async (stage, viewer) => stage.product.alerts.remove(stage.acme.id, await anAlert(stage), viewer),
    action: 'alert.remove',
    writes: () => ({ subject: 'Fewer views', before: { name: 'Fewer views' } }),
  },
  'alerts.obstacles': {
    right: 'events:read',
    does: async (stage, viewer) => {
      const alert = present(await stage.product.alerts.find(stage.acme.id, await anAlert(stage), operator()))
      return await stage.product.alerts.obstacles(alert, viewer)
    },
  },
  'alerts.reports.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.alerts.reports.list(acme.id, viewer),
  },
  'alerts.reports.find': {
    right: 'events:read',
    does: async (stage, viewer) =>
      stage.product.alerts.reports.find(stage.acme.id, await aReport(stage), viewer),
  },
  'alerts.reports.create': {
    right: 'alerts:write',
    does: ({ product, acme }, viewer) => product.alerts.reports.create(acme.id, weekly, viewer),
    action: 'report.create',
    writes: () => ({ subject: 'Our week', after: { every: 'week', hour: 8 } }),
  },
  'alerts.reports.change': {
    right: 'alerts:write',
    does: async (stage, viewer) =>
      stage.product.alerts.reports.change(stage.acme.id, await aReport(stage), { hour: 9 }, viewer),
    action: 'report.change',
    writes: () => ({ subject: 'Our week', before: { hour: 8 }, after: { hour: 9 } }),
  },
  'alerts.reports.told': {
    right: 'alerts:write',
    does: async (stage, viewer) =>
      stage.product.alerts.reports.told(stage.acme.id, await aReport(stage), viewer),
  },
  'alerts.reports.remove': {
    right: 'alerts:write',
    does: async (stage, viewer) =>
      stage.product.alerts.reports.remove(stage.acme.id, await aReport(stage), viewer),
    action: 'report.remove',
    writes: () => ({ subject: 'Our week', before: { name: 'Our week' } }),
  },
  'alerts.reports.obstacles': {
    right: 'events:read',
    does: async (stage, viewer) => {
      const report = present(
        await stage.product.alerts.reports.find(stage.acme.id, await aReport(stage), operator()),
      )
      return await stage.product.alerts.reports.obstacles(report, viewer)
    },
  },
  'alerts.reports.preview of one that is not there': {
    right: 'events:read',
    does: async ({ product, acme }, viewer) =>
      (await product.alerts.reports.preview(acme.id, 'none', viewer)).done,
  },
  'alerts.reports.sendNow of one that is not there': {
    right: 'alerts:write',
    does: async ({ product, acme }, viewer) =>
      (await product.alerts.reports.sendNow(acme.id, 'none', viewer)).done,
  },
}

const silence = {
  name: 'Fewer views',
  watched: { type: 'event', event: '$pageview' },
  condition: { type: 'absence', minutes: 60 },
  recipients: [{ by: 'webhook', url: 'https://hooks.example/secret-path' }],
}

const gone = { type: 'insight', insight: 'gone' }

const weekly = {
  name: 'Our week',
  about: { type: 'web' },
  recipients: [{ by: 'mail', address: 'eve@example.com' }],
}

async function anAlert({ product, acme }: Stage): Promise<string> {
  return requireDone(await product.alerts.create(acme.id, silence, operator())).alert.id
}

async function aReport({ product, acme }: Stage): Promise<string> {
  return requireDone(await product.alerts.reports.create(acme.id, weekly, operator())).report.id
}
