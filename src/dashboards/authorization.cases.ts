import { expect } from 'vitest'
import { operator } from '#projects/access'
import { requireDone } from '#test/product/fixture'
import type { AuditedCall, Stage } from '#test/product/authorization/audited-call'

export const dashboardCalls: Record<string, AuditedCall> = {
  'dashboards.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.dashboards.list(acme.id, viewer),
  },
  'dashboards.find': {
    right: 'events:read',
    does: async (stage, viewer) =>
      stage.product.dashboards.find(stage.acme.id, await aDashboard(stage), viewer),
  },
  'dashboards.home': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.dashboards.home(acme.id, viewer),
  },
  'dashboards.versions': {
    right: 'events:read',
    does: async (stage, viewer) =>
      stage.product.dashboards.versions(stage.acme.id, await aDashboard(stage), viewer),
  },
  'dashboards.asking': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.dashboards.asking(acme.id, {}, viewer),
  },
  'dashboards.chooseHome': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.dashboards.chooseHome(stage.acme.id, await aDashboard(stage), viewer),
    action: 'dashboard.home',
    writes: () => ({ subject: 'Growth' }),
  },
  'dashboards.create': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) => product.dashboards.create(acme.id, growth, viewer),
    action: 'dashboard.create',
    writes: () => ({ subject: 'Growth', after: expect.objectContaining({ cards: [expect.anything()] }) }),
  },
  'dashboards.change': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.dashboards.change(stage.acme.id, await aDashboard(stage), { name: 'More' }, viewer),
    action: 'dashboard.change',
    writes: () => ({
      subject: 'More',
      before: expect.objectContaining({ name: 'Growth' }),
      after: expect.objectContaining({ name: 'More' }),
    }),
  },
  'dashboards.addCard': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.dashboards.addCard(
        stage.acme.id,
        await aDashboard(stage),
        { content: aCard.content },
        viewer,
      ),
  },
  'dashboards.changeCard': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.dashboards.changeCard(
        stage.acme.id,
        await aDashboard(stage),
        'words',
        { type: 'text', text: 'Others' },
        viewer,
      ),
  },
  'dashboards.removeCard': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.dashboards.removeCard(stage.acme.id, await aDashboard(stage), 'words', viewer),
  },
  'dashboards.arrange': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.dashboards.arrange(stage.acme.id, await aDashboard(stage), { places: {} }, viewer),
  },
  'dashboards.duplicate': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.dashboards.duplicate(stage.acme.id, await aDashboard(stage), viewer),
  },
  'dashboards.archive': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.dashboards.archive(stage.acme.id, await aDashboard(stage), viewer),
    action: 'dashboard.archive',
    writes: ({ world }) => ({
      subject: 'Growth',
      after: expect.objectContaining({ archivedAt: world.now().toISOString() }),
    }),
  },
  'dashboards.restore': {
    right: 'insights:write',
    does: async (stage, viewer) => {
      const id = await aDashboard(stage)
      await stage.product.dashboards.archive(stage.acme.id, id, operator())
      return await stage.product.dashboards.restore(stage.acme.id, id, viewer)
    },
    action: 'dashboard.restore',
    writes: () => ({ subject: 'Growth', before: expect.objectContaining({ archivedAt: expect.anything() }) }),
  },
  'dashboards.restoreVersion': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.dashboards.restoreVersion(stage.acme.id, await aDashboard(stage), 1, viewer),
  },
}

const aCard = { id: 'words', content: { type: 'text', text: 'Words' } }
const growth = { name: 'Growth', cards: [aCard] }

async function aDashboard({ product, acme }: Stage): Promise<string> {
  return requireDone(await product.dashboards.create(acme.id, growth, operator())).dashboard.id
}
