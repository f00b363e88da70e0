import { expect } from 'vitest'
import { operator } from '#projects/access'
import { requireDone } from '#test/product/fixture'
import { asking, type AuditedCall, type Stage } from '#test/product/authorization/audited-call'

export const flagCalls: Record<string, AuditedCall> = {
  'flags.overrideLinks.make': {
    right: 'project:read',
    does: async (stage, viewer) =>
      stage.product.flags.overrideLinks.make(
        stage.acme.id,
        { values: { [await aFlag(stage)]: true } },
        viewer,
      ),
  },
  'flags.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.flags.list(acme.id, viewer),
  },
  'flags.find': {
    right: 'project:read',
    does: async (stage, viewer) => stage.product.flags.find(stage.acme.id, await aFlag(stage), viewer),
  },
  'flags.history': {
    right: 'project:read',
    does: async (stage, viewer) => stage.product.flags.history(stage.acme.id, await aFlag(stage), viewer),
  },
  'flags.explain of one that is not there': {
    right: 'events:read',
    does: async ({ product, acme }, viewer) =>
      (await product.flags.explain(acme.id, 'none', { distinctId: 'ana' }, viewer)).done,
  },
  'flags.create': {
    right: 'flags:write',
    does: ({ product, acme }, viewer) => product.flags.create(acme.id, { key: 'new' }, viewer),
    action: 'flag.create',
    writes: () => ({ subject: 'new', after: expect.objectContaining({ key: 'new', version: 1 }) }),
  },
  'flags.change': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.flags.change(stage.acme.id, await aFlag(stage), { owner: 'Ana' }, viewer),
    action: 'flag.change',
    writes: () => ({
      subject: 'checkout',
      before: expect.objectContaining({ owner: '', version: 1 }),
      after: expect.objectContaining({ owner: 'Ana', version: 2 }),
    }),
  },
  'flags.turn': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.flags.turn(stage.acme.id, await aFlag(stage), { isOn: true }, viewer),
    action: 'flag.turn',
    writes: () => ({
      subject: 'checkout',
      before: expect.objectContaining({ environments: {} }),
      after: expect.objectContaining({
        environments: { production: expect.objectContaining({ isOn: true }) },
      }),
    }),
  },
  'flags.duplicate': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.flags.duplicate(stage.acme.id, await aFlag(stage), { key: 'copy' }, viewer),
  },
  'flags.copySetting': {
    right: 'flags:write',
    does: async (stage, viewer) => {
      const { id } = stage.acme
      const key = await aFlag(stage)
      await stage.product.flags.environments.create(id, { name: 'staging' }, operator())
      await stage.product.flags.turn(id, key, { isOn: true }, operator())
      return await stage.product.flags.copySetting(id, key, { from: 'production', to: 'staging' }, viewer)
    },
  },
  'flags.archive': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.flags.archive(stage.acme.id, await aFlag(stage), viewer, { anyway: true }),
    action: 'flag.archive',
    writes: ({ world }) => ({
      subject: 'checkout',
      after: expect.objectContaining({ archivedAt: world.now().toISOString() }),
    }),
  },
  'flags.restore': {
    right: 'flags:write',
    does: async (stage, viewer) => {
      const key = await aFlag(stage)
      await stage.product.flags.archive(stage.acme.id, key, operator(), { anyway: true })
      return await stage.product.flags.restore(stage.acme.id, key, viewer)
    },
    action: 'flag.restore',
    writes: () => ({
      subject: 'checkout',
      before: expect.objectContaining({ archivedAt: expect.anything() }),
    }),
  },
  'flags.revert': {
    right: 'flags:write',
    does: async (stage, viewer) => {
      const key = await aFlag(stage)
      await stage.product.flags.change(stage.acme.id, key, { owner: 'Ana' }, operator())
      return await stage.product.flags.revert(stage.acme.id, key, 1, viewer)
    },
    action: 'flag.revert',
    writes: () => ({
      subject: 'checkout',
      before: expect.objectContaining({ owner: 'Ana' }),
      after: expect.objectContaining({ owner: '', version: 3 }),
    }),
  },
  'flags.importFrom': {
    right: 'flags:write',
    does: ({ product, acme }, viewer) => product.flags.importFrom(acme.id, posthogFlag, viewer),
    action: 'flag.import',
    writes: () => ({ subject: 'theirs', after: { created: ['theirs'], changed: [] } }),
  },
  'flags.reveal': {
    right: 'keys:write',
    does: async (stage, viewer) => stage.product.flags.reveal(stage.acme.id, await aFlag(stage), viewer),
    action: 'flag.reveal',
    writes: () => ({ subject: 'checkout', before: undefined, after: undefined }),
  },
  'flags.guards.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.flags.guards.list(acme.id, viewer),
  },
  'flags.guards.find': {
    right: 'project:read',
    does: async (stage, viewer) =>
      stage.product.flags.guards.find(stage.acme.id, await aGuard(stage), viewer),
  },
  'flags.guards.create': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.flags.guards.create(
        stage.acme.id,
        { flag: await aTurnedFlag(stage), ...guarded },
        viewer,
      ),
    action: 'guard.create',
    writes: () => ({ subject: 'checkout', after: expect.objectContaining({ environment: 'production' }) }),
  },
  'flags.guards.change': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.flags.guards.change(stage.acme.id, await aGuard(stage), { minimum: 500 }, viewer),
    action: 'guard.change',
    writes: () => ({
      subject: 'checkout',
      before: expect.objectContaining({ minimum: 100 }),
      after: expect.objectContaining({ minimum: 500 }),
    }),
  },
  'flags.guards.pause': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.flags.guards.pause(stage.acme.id, await aGuard(stage), viewer),
  },
  'flags.guards.resume': {
    right: 'flags:write',
    does: async (stage, viewer) => {
      const id = await aGuard(stage)
      await stage.product.flags.guards.pause(stage.acme.id, id, operator())
      return await stage.product.flags.guards.resume(stage.acme.id, id, viewer)
    },
  },
  'flags.guards.stop': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.flags.guards.stop(stage.acme.id, await aGuard(stage), {}, viewer),
    action: 'guard.stop',
    writes: (_, viewer) => ({
      subject: 'checkout',
      before: expect.objectContaining({ state: 'running' }),
      after: expect.objectContaining({ state: 'stopped', why: `${viewer.name} stopped it.` }),
    }),
  },
  'flags.numbers.ofAll': {
    right: 'events:read',
    handsOut: ['project:read'],
    does: (stage, viewer) =>
      asking(stage, ({ flags: { numbers: flagNumbers } }) => flagNumbers.ofAll(stage.acme.id, {}, viewer)),
  },
  'flags.numbers.ofOne': {
    right: 'events:read',
    handsOut: ['project:read'],
    does: (stage, viewer) =>
      asking(stage, ({ flags: { numbers: flagNumbers } }) =>
        flagNumbers.ofOne(stage.acme.id, 'checkout', {}, viewer),
      ),
  },
  'flags.numbers.overTime': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ flags: { numbers: flagNumbers } }) =>
        flagNumbers.overTime(stage.acme.id, 'checkout', {}, viewer),
      ),
  },
  'flags.numbers.matching': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ flags: { numbers: flagNumbers } }) => flagNumbers.matching(stage.acme.id, {}, viewer)),
  },
  'flags.matches.list': {
    right: 'events:read',
    handsOut: ['project:read'],
    does: async (stage, viewer) =>
      stage.product.flags.matches.list(stage.acme.id, await aFlag(stage), {}, viewer),
  },
  'flags.schedules.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.flags.schedules.list(acme.id, viewer),
  },
  'flags.schedules.create': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.flags.schedules.create(stage.acme.id, await aFlag(stage), inApril, viewer),
    action: 'flag.schedule',
    writes: () => ({
      subject: 'checkout',
      after: { environment: 'production', steps: [{ at: '2026-04-01T10:00:00.000Z', isOn: true }] },
    }),
  },
  'flags.schedules.remove': {
    right: 'flags:write',
    does: async (stage, viewer) => {
      const { product, acme } = stage
      const key = await aFlag(stage)
      const { schedule } = requireDone(
        await product.flags.schedules.create(acme.id, key, inApril, operator()),
      )
      return await product.flags.schedules.remove(acme.id, key, schedule.id, viewer)
    },
    action: 'flag.unschedule',
    writes: () => ({
      subject: 'checkout',
      before: expect.objectContaining({ environment: 'production' }),
    }),
  },
  'flags.environments.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.flags.environments.list(acme.id, viewer),
  },
  'flags.environments.create': {
    right: 'flags:write',
    does: ({ product, acme }, viewer) =>
      product.flags.environments.create(acme.id, { name: 'staging' }, viewer),
    action: 'environment.create',
    writes: () => ({
      subject: 'staging',
      after: { name: 'staging', writeKey: expect.stringMatching(/^phc_/) },
    }),
  },
  'flags.environments.renewKey': {
    right: 'keys:write',
    does: async (stage, viewer) =>
      stage.product.flags.environments.renewKey(stage.acme.id, await anEnvironment(stage), viewer),
    action: 'environment.renew',
    writes: () => ({
      subject: 'staging',
      before: { name: 'staging', writeKey: expect.stringMatching(/^phc_/) },
      after: { name: 'staging', writeKey: expect.stringMatching(/^phc_/) },
    }),
  },
  'flags.environments.remove': {
    right: 'keys:write',
    handsOut: ['flags:write'],
    does: async (stage, viewer) =>
      stage.product.flags.environments.remove(stage.acme.id, await anEnvironment(stage), viewer),
    action: 'environment.remove',
    writes: () => ({ subject: 'staging', before: expect.objectContaining({ name: 'staging' }) }),
  },
  'flags.holdouts.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.flags.holdouts.list(acme.id, viewer),
  },
  'flags.holdouts.create': {
    right: 'flags:write',
    does: ({ product, acme }, viewer) => product.flags.holdouts.create(acme.id, heldOut, viewer),
    action: 'holdout.create',
    writes: () => ({ subject: 'Spring', after: { name: 'Spring', percentage: 5 } }),
  },
  'flags.holdouts.change': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.flags.holdouts.change(stage.acme.id, await aHoldout(stage), { percentage: 7.5 }, viewer),
    action: 'holdout.change',
    writes: () => ({
      subject: 'Spring',
      before: { name: 'Spring', percentage: 5 },
      after: { name: 'Spring', percentage: 7.5 },
    }),
  },
  'flags.holdouts.remove': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.flags.holdouts.remove(stage.acme.id, await aHoldout(stage), viewer),
    action: 'holdout.remove',
    writes: () => ({ subject: 'Spring', before: { name: 'Spring', percentage: 5 } }),
  },
  'flags.layers.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.flags.layers.list(acme.id, viewer),
  },
  'flags.layers.create': {
    right: 'flags:write',
    does: ({ product, acme }, viewer) => product.flags.layers.create(acme.id, { name: 'Checkout' }, viewer),
    action: 'layer.create',
    writes: () => ({ subject: 'Checkout', after: { name: 'Checkout' } }),
  },
  'flags.layers.change': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.flags.layers.change(stage.acme.id, await aLayer(stage), { name: 'Payment' }, viewer),
    action: 'layer.change',
    writes: () => ({ subject: 'Payment', before: { name: 'Checkout' }, after: { name: 'Payment' } }),
  },
  'flags.layers.remove': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.flags.layers.remove(stage.acme.id, await aLayer(stage), viewer),
    action: 'layer.remove',
    writes: () => ({ subject: 'Checkout', before: { name: 'Checkout' } }),
  },
}

const posthogFlag = { key: 'theirs', active: true, filters: { groups: [] } }
const inApril = { steps: [{ at: '2026-04-01T10:00:00Z', isOn: true }] }
const heldOut = { name: 'Spring', percentage: 5 }

async function aFlag({ product, acme }: Stage): Promise<string> {
  return requireDone(await product.flags.create(acme.id, { key: 'checkout' }, operator())).flag.key
}

async function aTurnedFlag(stage: Stage): Promise<string> {
  const key = await aFlag(stage)
  requireDone(await stage.product.flags.turn(stage.acme.id, key, { isOn: false }, operator()))
  return key
}

const guarded = { steps: [{ percentage: 10, afterMinutes: 60 }], metrics: [{ type: 'exceptions' }] }

async function aGuard(stage: Stage): Promise<string> {
  const wanted = { flag: await aTurnedFlag(stage), ...guarded }
  return requireDone(await stage.product.flags.guards.create(stage.acme.id, wanted, operator())).guard.id
}

async function anEnvironment({ product, acme }: Stage): Promise<string> {
  const wanted = { name: 'staging' }
  return requireDone(await product.flags.environments.create(acme.id, wanted, operator())).environment.name
}

async function aLayer({ product, acme }: Stage): Promise<number> {
  return requireDone(await product.flags.layers.create(acme.id, { name: 'Checkout' }, operator())).layer.id
}

async function aHoldout({ product, acme }: Stage): Promise<number> {
  return requireDone(await product.flags.holdouts.create(acme.id, heldOut, operator())).holdout.id
}
