import { expect } from 'vitest'
import { operator } from '#projects/access'
import { present, requireDone } from '#test/product/fixture'
import { asking, type AuditedCall, type Stage } from '#test/product/authorization/audited-call'

export const insightCalls: Record<string, AuditedCall> = {
  'insights.keyOf': {
    right: 'events:read',
    does: async ({ product, acme }, viewer) =>
      product.insights.keyOf(acme.id, { kind: 'totals', period: '7d' }, viewer),
  },
  'insights.expectedCost': {
    right: 'events:read',
    does: async ({ product, acme }, viewer) =>
      product.insights.expectedCost(acme.id, { kind: 'totals', period: '7d' }, viewer),
  },
  'insights.latest.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.insights.latest.list(acme.id, {}, viewer),
  },
  'insights.latest.hasAny': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.insights.latest.hasAny(acme.id, viewer),
  },
  'insights.saved.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.insights.saved.list(acme.id, {}, viewer),
  },
  'insights.saved.find': {
    right: 'events:read',
    does: async (stage, viewer) =>
      stage.product.insights.saved.find(stage.acme.id, await anInsight(stage), viewer),
  },
  'insights.saved.versions': {
    right: 'events:read',
    does: async (stage, viewer) =>
      stage.product.insights.saved.versions(stage.acme.id, await anInsight(stage), viewer),
  },
  'insights.saved.usesOf': {
    right: 'events:read',
    does: async (stage, viewer) =>
      stage.product.insights.saved.usesOf(stage.acme.id, await anInsight(stage), viewer),
  },
  'insights.saved.create': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) =>
      product.insights.saved.create(acme.id, { name: 'Visitors', question: { kind: 'totals' } }, viewer),
    action: 'insight.create',
    writes: () => ({ subject: 'Visitors', after: expect.objectContaining({ name: 'Visitors' }) }),
  },
  'insights.saved.change': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.insights.saved.change(stage.acme.id, await anInsight(stage), { name: 'Guests' }, viewer),
    action: 'insight.change',
    writes: () => ({
      subject: 'Guests',
      before: expect.objectContaining({ name: 'Visitors' }),
      after: expect.objectContaining({ name: 'Guests' }),
    }),
  },
  'insights.saved.duplicate': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.insights.saved.duplicate(stage.acme.id, await anInsight(stage), viewer),
  },
  'insights.saved.archive': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.insights.saved.archive(stage.acme.id, await anInsight(stage), {}, viewer),
    action: 'insight.archive',
    writes: ({ world }) => ({
      subject: 'Visitors',
      after: expect.objectContaining({ archivedAt: world.now().toISOString() }),
    }),
  },
  'insights.saved.restore': {
    right: 'insights:write',
    does: async (stage, viewer) => {
      const id = await anInsight(stage)
      await stage.product.insights.saved.archive(stage.acme.id, id, {}, operator())
      return await stage.product.insights.saved.restore(stage.acme.id, id, viewer)
    },
    action: 'insight.restore',
    writes: () => ({
      subject: 'Visitors',
      before: expect.objectContaining({ archivedAt: expect.anything() }),
    }),
  },
  'insights.saved.restoreVersion': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.insights.saved.restoreVersion(stage.acme.id, await anInsight(stage), 1, viewer),
  },
  'insights.goals.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.insights.goals.list(acme.id, viewer),
  },
  'insights.goals.create': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) => product.insights.goals.create(acme.id, thanks, viewer),
    action: 'goal.create',
    writes: () => ({ subject: 'Ordered', after: thanks }),
  },
  'insights.goals.change': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const { goal } = requireDone(await product.insights.goals.create(acme.id, thanks, operator()))
      return await product.insights.goals.change(acme.id, goal.id, { name: 'Bought' }, viewer)
    },
    action: 'goal.change',
    writes: () => ({ subject: 'Bought', before: thanks, after: { ...thanks, name: 'Bought' } }),
  },
  'insights.goals.remove': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const { goal } = requireDone(await product.insights.goals.create(acme.id, thanks, operator()))
      return await product.insights.goals.remove(acme.id, goal.id, viewer)
    },
    action: 'goal.remove',
    writes: () => ({ subject: 'Ordered', before: thanks }),
  },
  'insights.segments.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.insights.segments.list(acme.id, viewer),
  },
  'insights.segments.create': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) => product.insights.segments.create(acme.id, germans, viewer),
    action: 'segment.create',
    writes: () => ({ subject: 'Germans', after: { ...germans, isShared: true } }),
  },
  'insights.segments.change': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const { segment } = requireDone(await product.insights.segments.create(acme.id, germans, operator()))
      return await product.insights.segments.change(acme.id, segment.id, { name: 'From Germany' }, viewer)
    },
    action: 'segment.change',
    writes: () => ({
      subject: 'From Germany',
      before: { ...germans, isShared: true },
      after: { ...germans, name: 'From Germany', isShared: true },
    }),
  },
  'insights.segments.remove': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const { segment } = requireDone(await product.insights.segments.create(acme.id, germans, operator()))
      return await product.insights.segments.remove(acme.id, segment.id, viewer)
    },
    action: 'segment.remove',
    writes: () => ({ subject: 'Germans', before: { ...germans, isShared: true } }),
  },
  'insights.definitions.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.insights.definitions.list(acme.id, viewer),
  },
  'insights.definitions.create': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) => product.insights.definitions.create(acme.id, ordered, viewer),
    action: 'definition.create',
    writes: () => ({ subject: 'order', after: orderedFields }),
  },
  'insights.definitions.change': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const { definition } = requireDone(
        await product.insights.definitions.create(acme.id, { ...ordered, name: 'refund' }, operator()),
      )
      return await product.insights.definitions.change(acme.id, definition.id, { isVerified: true }, viewer)
    },
    action: 'definition.change',
    writes: () => ({
      subject: 'refund',
      before: orderedFields,
      after: { ...orderedFields, isVerified: true },
    }),
  },
  'insights.definitions.remove': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const { definition } = requireDone(
        await product.insights.definitions.create(acme.id, { ...ordered, name: 'visit' }, operator()),
      )
      return await product.insights.definitions.remove(acme.id, definition.id, viewer)
    },
    action: 'definition.remove',
    writes: () => ({ subject: 'visit', before: orderedFields }),
  },
  'insights.catalogue.events': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ insights: { catalogue } }) => catalogue.events(stage.acme.id, viewer)),
  },
  'insights.catalogue.properties': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ insights: { catalogue } }) => catalogue.properties(stage.acme.id, viewer)),
  },
  'insights.names.events': {
    right: 'events:read',
    does: (stage, viewer) => asking(stage, ({ insights: { names } }) => names.events(stage.acme.id, viewer)),
  },
  'insights.names.properties': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ insights: { names } }) =>
        names.properties(stage.acme.id, { of: ['event', 'person'] }, viewer),
      ),
  },
  'insights.names.values': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ insights: { names } }) =>
        names.values(stage.acme.id, { type: 'event', key: 'plan' }, viewer),
      ),
  },
  'insights.names.groupTypes': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ insights: { names } }) => names.groupTypes(stage.acme.id, viewer)),
  },
  'insights.annotations.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.insights.annotations.list(acme.id, viewer),
  },
  'insights.annotations.notesFor': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.insights.annotations.notesFor(acme.id, {}, viewer),
  },
  'insights.annotations.create': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) => product.insights.annotations.create(acme.id, released, viewer),
    action: 'annotation.create',
    writes: () => ({ subject: 'Released', after: expect.objectContaining({ scope: 'project' }) }),
  },
  'insights.annotations.change': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const { annotation } = requireDone(
        await product.insights.annotations.create(acme.id, released, operator()),
      )
      return await product.insights.annotations.change(
        acme.id,
        annotation.id,
        { text: 'Released 2.0' },
        viewer,
      )
    },
    action: 'annotation.change',
    writes: () => ({ subject: 'Released 2.0', before: expect.objectContaining({ text: 'Released' }) }),
  },
  'insights.annotations.remove': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const { annotation } = requireDone(
        await product.insights.annotations.create(acme.id, released, operator()),
      )
      return await product.insights.annotations.remove(acme.id, annotation.id, viewer)
    },
    action: 'annotation.remove',
    writes: () => ({ subject: 'Released', before: expect.objectContaining({ text: 'Released' }) }),
  },
  'insights.tables': {
    right: 'sql:read',
    does: (stage, viewer) => asking(stage, async ({ insights }) => insights.tables(stage.acme.id, viewer)),
  },
  'insights.ask in SQL': {
    right: 'sql:read',
    handsOut: ['events:read'],
    // no query is written, which only viewers with the right are told
    does: (stage, viewer) =>
      asking(stage, async ({ insights }) => {
        const outcome = await insights.ask(stage.acme.id, { kind: 'sql', text: '' }, viewer)
        return outcome.done
      }),
  },
  'insights.ask': {
    right: 'events:read',
    // the query is empty, which the caller is told only after the check of the right
    does: async ({ product, acme }, viewer) => (await product.insights.ask(acme.id, {}, viewer)).done,
  },
  'insights.peopleBehind': {
    right: 'events:read',
    does: ({ product, acme }, viewer) =>
      product.insights.peopleBehind(acme.id, aTrend, { series: 0 }, viewer),
  },
  'insights.scope': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.insights.scope(acme.id, viewer),
  },
  'insights.saved.ask of one that is not there': {
    right: 'events:read',
    does: async ({ product, acme }, viewer) =>
      (await product.insights.saved.ask(acme.id, 'none', viewer)).done,
  },
  'insights.saved.setFavourite': {
    right: 'events:read',
    // a key has no favourites, which it is told only after the check of the right
    does: async (stage, viewer) => {
      const id = await anInsight(stage)
      return (await stage.product.insights.saved.setFavourite(stage.acme.id, id, true, viewer)).done
    },
  },
  'insights.saved.noteViewed': {
    right: 'events:read',
    does: async (stage, viewer) => {
      const { saved: savedInsights } = stage.product.insights
      const found = await savedInsights.find(stage.acme.id, await anInsight(stage), operator())
      return await savedInsights.noteViewed(present(found), viewer)
    },
  },
}

const thanks = { name: 'Ordered', goal: { type: 'page', path: '/thanks' } }
const ordered = { type: 'event', name: 'order', description: 'An order was paid.' }
const { name: _ordered, ...orderedFields } = { ...ordered, isHidden: false, isVerified: false }

const germans = {
  name: 'Germans',
  filter: { type: 'session', key: '$session_country', operator: 'exact', value: ['DE'] },
}

const aTrend = { kind: 'trend', series: [{ event: 'buy' }] }
const released = { at: '2026-03-01T10:00:00Z', text: 'Released' }

async function anInsight({ product, acme }: Stage): Promise<string> {
  const wanted = { name: 'Visitors', question: { kind: 'totals' } }
  return requireDone(await product.insights.saved.create(acme.id, wanted, operator())).insight.id
}
