import { expect } from 'vitest'
import { operator } from '#projects/access'
import { present, requireDone } from '#test/product/fixture'
import type { AuditedCall, Stage } from '#test/product/authorization/audited-call'

export const experimentCalls: Record<string, AuditedCall> = {
  'experiments.list': {
    right: 'experiments:read',
    does: ({ product, acme }, viewer) => product.experiments.list(acme.id, viewer),
  },
  'experiments.create': {
    right: 'experiments:write',
    does: async (stage, viewer) =>
      stage.product.experiments.create(stage.acme.id, await aDraftOf(stage), viewer),
    action: 'experiment.create',
    writes: () => ({ subject: 'Checkout', after: expect.objectContaining({ control: 'control' }) }),
  },
  'experiments.find': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      void (await stage.product.experiments.find(stage.acme.id, await anExperiment(stage), viewer)),
  },
  'experiments.change': {
    right: 'experiments:write',
    does: async (stage, viewer) =>
      stage.product.experiments.change(stage.acme.id, await anExperiment(stage), { name: 'Till' }, viewer),
    action: 'experiment.change',
    writes: () => ({
      subject: 'Till',
      before: expect.objectContaining({ name: 'Checkout' }),
      after: expect.objectContaining({ name: 'Till' }),
    }),
  },
  'experiments.change of a running bandit': {
    right: 'experiments:write',
    handsOut: ['flags:write'],
    does: async (stage, viewer) =>
      stage.product.experiments.change(stage.acme.id, await aBandit(stage), { name: 'Till' }, viewer),
  },
  'experiments.start': {
    right: 'experiments:write',
    handsOut: ['flags:write'],
    does: async (stage, viewer) =>
      stage.product.experiments.start(stage.acme.id, await anExperiment(stage), {}, viewer),
    action: 'experiment.start',
    writes: ({ world }) => ({
      subject: 'Checkout',
      after: expect.objectContaining({ startedAt: world.now().toISOString() }),
    }),
  },
  'experiments.recordPastRun': {
    right: 'experiments:write',
    does: async (stage, viewer) =>
      stage.product.experiments.recordPastRun(
        stage.acme.id,
        await anExperiment(stage),
        { from: '2024-01-01T00:00:00Z', until: '2024-02-01T00:00:00Z' },
        viewer,
      ),
  },
  'experiments.end': {
    right: 'experiments:write',
    handsOut: ['flags:write'],
    does: async (stage, viewer) =>
      stage.product.experiments.end(stage.acme.id, await aRunningExperiment(stage), {}, viewer),
    action: 'experiment.end',
    writes: () => ({
      subject: 'Checkout',
      after: expect.objectContaining({ conclusion: expect.objectContaining({ outcome: 'stopped' }) }),
    }),
  },
  'experiments.ship': {
    right: 'experiments:write',
    handsOut: ['flags:write'],
    does: async (stage, viewer) =>
      stage.product.experiments.ship(
        stage.acme.id,
        await aRunningExperiment(stage),
        { variant: 'test' },
        viewer,
      ),
    action: 'experiment.ship',
    writes: () => ({
      subject: 'Checkout',
      after: expect.objectContaining({ conclusion: expect.objectContaining({ variant: 'test' }) }),
    }),
  },
  'experiments.reopen': {
    right: 'experiments:write',
    handsOut: ['flags:write'],
    does: async (stage, viewer) => {
      const id = await aRunningExperiment(stage)
      requireDone(await stage.product.experiments.end(stage.acme.id, id, {}, operator()))
      return await stage.product.experiments.reopen(stage.acme.id, id, viewer)
    },
    action: 'experiment.reopen',
    writes: () => ({
      subject: 'Checkout',
      before: expect.objectContaining({ endedAt: expect.anything() }),
    }),
  },
  'experiments.takeBack': {
    right: 'experiments:write',
    handsOut: ['flags:write'],
    does: async (stage, viewer) => {
      const id = await aRunningExperiment(stage)
      requireDone(await stage.product.experiments.ship(stage.acme.id, id, { variant: 'test' }, operator()))
      return await stage.product.experiments.takeBack(stage.acme.id, id, viewer)
    },
    action: 'experiment.take-back',
    writes: () => ({
      subject: 'Checkout',
      before: expect.objectContaining({ conclusion: expect.objectContaining({ variant: 'test' }) }),
    }),
  },
  'experiments.rollouts.find': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experiments.rollouts.find(stage.acme.id, await aRollout(stage), viewer),
  },
  'experiments.rollouts.pause': {
    right: 'experiments:write',
    handsOut: ['flags:write'],
    does: async (stage, viewer) =>
      stage.product.experiments.rollouts.pause(stage.acme.id, await aRollout(stage), viewer),
  },
  'experiments.rollouts.resume': {
    right: 'experiments:write',
    handsOut: ['flags:write'],
    does: async (stage, viewer) => {
      const id = await aRollout(stage)
      await stage.product.experiments.rollouts.pause(stage.acme.id, id, operator())
      return await stage.product.experiments.rollouts.resume(stage.acme.id, id, viewer)
    },
  },
  'experiments.archive': {
    right: 'experiments:write',
    does: async (stage, viewer) =>
      stage.product.experiments.archive(stage.acme.id, await anExperiment(stage), viewer),
    action: 'experiment.archive',
    writes: () => ({
      subject: 'Checkout',
      after: expect.objectContaining({ archivedAt: expect.anything() }),
    }),
  },
  'experiments.restore': {
    right: 'experiments:write',
    does: async (stage, viewer) => {
      const id = await anExperiment(stage)
      requireDone(await stage.product.experiments.archive(stage.acme.id, id, operator()))
      return await stage.product.experiments.restore(stage.acme.id, id, viewer)
    },
    action: 'experiment.restore',
    writes: () => ({
      subject: 'Checkout',
      before: expect.objectContaining({ archivedAt: expect.anything() }),
    }),
  },
  'experiments.duplicate': {
    right: 'experiments:write',
    does: async (stage, viewer) =>
      stage.product.experiments.duplicate(stage.acme.id, await anExperiment(stage), viewer),
  },
  'experiments.createWithFlag': {
    right: 'experiments:write',
    handsOut: ['flags:write'],
    does: ({ product, acme }, viewer) =>
      product.experiments.createWithFlag(
        acme.id,
        {
          flag: {
            key: 'own',
            variants: [
              { key: 'a', percentage: 50 },
              { key: 'b', percentage: 50 },
            ],
          },
          experiment: { name: 'Own', flag: 'own' },
        },
        viewer,
      ),
  },
  'experiments.setUp.insightMetrics': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.experiments.setUp.insightMetrics(acme.id, viewer),
  },
  'experiments.results.result': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experiments.results.result(stage.acme.id, await anExperiment(stage), viewer),
  },
  'experiments.results.renew': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experiments.results.renew(stage.acme.id, await aRunningExperiment(stage), viewer),
  },
  'experiments.results.course': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experiments.results.course(stage.acme.id, await aRunningExperiment(stage), viewer),
  },
  'experiments.programme.read': {
    right: 'experiments:read',
    does: ({ product, acme }, viewer) => product.experiments.programme.read(acme.id, {}, viewer),
  },
  'experiments.planning.plan': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experiments.planning.plan(stage.acme.id, await anExperiment(stage), {}, viewer),
  },
  'experiments.planning.planDraft': {
    right: 'experiments:read',
    handsOut: ['events:read'],
    does: ({ product, acme }, viewer) =>
      product.experiments.planning.planDraft(
        acme.id,
        {
          experiment: { name: 'Draft', flag: 'draft' },
          variants: [
            { key: 'control', percentage: 50 },
            { key: 'test', percentage: 50 },
          ],
        },
        viewer,
      ),
  },
  'experiments.planning.readiness': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experiments.planning.readiness(stage.acme.id, await anExperiment(stage), viewer),
  },
  'experiments.aaChecks.state': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experiments.aaChecks.state(stage.acme.id, await anExperiment(stage), viewer),
  },
  'experiments.aaChecks.begin': {
    right: 'experiments:write',
    does: async (stage, viewer) =>
      stage.product.experiments.aaChecks.begin(stage.acme.id, await anExperiment(stage), viewer),
  },
  'experiments.results.exposures': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experiments.results.exposures(stage.acme.id, await aRunningExperiment(stage), {}, viewer),
  },
  'experiments.results.people': {
    right: 'events:read',
    handsOut: ['experiments:read'],
    does: async (stage, viewer) =>
      stage.product.experiments.results.people(stage.acme.id, await aRunningExperiment(stage), {}, viewer),
  },
  'experiments.results.segments': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experiments.results.segments(
        stage.acme.id,
        await aRunningExperiment(stage),
        { key: 'plan' },
        viewer,
      ),
  },
  'experiments.results.decomposition': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experiments.results.decomposition(
        stage.acme.id,
        await aRunningExperiment(stage),
        { metric: 'metric-1', key: 'plan' },
        viewer,
      ),
  },
  'experiments.addSavedMetrics': {
    right: 'experiments:write',
    does: async (stage, viewer) => {
      const { product, acme } = stage
      const saved = requireDone(await product.experiments.metrics.create(acme.id, aSavedMetric, operator()))
      const input = { ids: [saved.metric.id] }
      return await product.experiments.addSavedMetrics(acme.id, await anExperiment(stage), input, viewer)
    },
  },
  'experiments.obstacles': {
    right: 'experiments:read',
    does: async (stage, viewer) => {
      const { experiments } = stage.product
      const experiment = await experiments.find(stage.acme.id, await anExperiment(stage), operator())
      return await experiments.obstacles(present(experiment), viewer)
    },
  },
  'experiments.templates': {
    right: 'experiments:read',
    does: ({ product, acme }, viewer) => product.experiments.templates(acme.id, viewer),
  },
  'experiments.metrics.list': {
    right: 'experiments:read',
    does: ({ product, acme }, viewer) => product.experiments.metrics.list(acme.id, viewer),
  },
  'experiments.metrics.create': {
    right: 'experiments:write',
    does: ({ product, acme }, viewer) => product.experiments.metrics.create(acme.id, aSavedMetric, viewer),
    action: 'metric.create',
    writes: () => ({ subject: 'Orders', after: expect.objectContaining({ goal: 'increase' }) }),
  },
  'experiments.metrics.change': {
    right: 'experiments:write',
    does: async ({ product, acme }, viewer) => {
      const saved = requireDone(await product.experiments.metrics.create(acme.id, aSavedMetric, operator()))
      return await product.experiments.metrics.change(acme.id, saved.metric.id, { goal: 'decrease' }, viewer)
    },
    action: 'metric.change',
    writes: () => ({
      subject: 'Orders',
      before: expect.objectContaining({ goal: 'increase' }),
      after: expect.objectContaining({ goal: 'decrease' }),
    }),
  },
  'experiments.metrics.remove': {
    right: 'experiments:write',
    does: async ({ product, acme }, viewer) => {
      const saved = requireDone(await product.experiments.metrics.create(acme.id, aSavedMetric, operator()))
      return await product.experiments.metrics.remove(acme.id, saved.metric.id, viewer)
    },
    action: 'metric.remove',
    writes: () => ({ subject: 'Orders', before: expect.objectContaining({ goal: 'increase' }) }),
  },
  'experiments.bandits.report': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experiments.bandits.report(stage.acme.id, await aBandit(stage), viewer),
  },
  'experiments.bandits.pause': {
    right: 'experiments:write',
    handsOut: ['flags:write'],
    does: async (stage, viewer) =>
      stage.product.experiments.bandits.pause(stage.acme.id, await aBandit(stage), viewer),
    action: 'experiment.pause',
    writes: (_, viewer) => ({ subject: 'Checkout', after: { why: `${viewer.name} paused it.` } }),
  },
  'experiments.bandits.resume': {
    right: 'experiments:write',
    handsOut: ['flags:write'],
    does: async (stage, viewer) => {
      const id = await aBandit(stage)
      requireDone(await stage.product.experiments.bandits.pause(stage.acme.id, id, operator()))
      return await stage.product.experiments.bandits.resume(stage.acme.id, id, viewer)
    },
    action: 'experiment.resume',
    writes: (_, viewer) => ({ subject: 'Checkout', after: { why: `${viewer.name} resumed it.` } }),
  },
}

/** The input of an experiment, on a flag with two variants that is on. */
async function aDraftOf({ product, acme }: Stage) {
  const key = 'trial'
  const variants = [
    { key: 'control', percentage: 50 },
    { key: 'test', percentage: 50 },
  ]
  requireDone(await product.flags.create(acme.id, { key, kind: 'variants', variants }, operator()))
  requireDone(await product.flags.turn(acme.id, key, { isOn: true }, operator()))
  const metrics = [{ name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }]
  return { name: 'Checkout', flag: key, metrics }
}

async function anExperiment(stage: Stage): Promise<string> {
  const input = await aDraftOf(stage)
  return requireDone(await stage.product.experiments.create(stage.acme.id, input, operator())).experiment.id
}

async function aRunningExperiment(stage: Stage): Promise<string> {
  const id = await anExperiment(stage)
  return requireDone(await stage.product.experiments.start(stage.acme.id, id, {}, operator())).experiment.id
}

async function aRollout(stage: Stage): Promise<string> {
  const { experiments, flags } = stage.product
  const { flag } = await aDraftOf(stage)
  await flags.turn(stage.acme.id, flag, { isOn: false }, operator())
  const metrics = [{ ...aSavedMetric, role: 'guardrail' }]
  const input = { name: 'Rollout', flag, kind: 'rollout', metrics }
  const { id } = requireDone(await experiments.create(stage.acme.id, input, operator())).experiment
  return requireDone(await experiments.start(stage.acme.id, id, {}, operator())).experiment.id
}

async function aBandit(stage: Stage): Promise<string> {
  const { experiments } = stage.product
  const id = await anExperiment(stage)
  requireDone(await experiments.change(stage.acme.id, id, { kind: 'bandit' }, operator()))
  return requireDone(await experiments.start(stage.acme.id, id, {}, operator())).experiment.id
}

const aSavedMetric = { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }
