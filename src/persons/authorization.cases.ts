import { expect } from 'vitest'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import { requireDone } from '#test/product/fixture'
import { asking, type AuditedCall, type Stage } from '#test/product/authorization/audited-call'
import { personIdOf } from './person'
import { saveClaims } from './store'

export const personCalls: Record<string, AuditedCall> = {
  'people.lists.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.people.lists.list(acme.id, viewer),
  },
  'people.lists.create': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) => product.people.lists.create(acme.id, prosByPlan, viewer),
    action: 'personList.create',
    writes: () => ({ subject: 'Pros', after: { ...prosByPlan, isShared: true } }),
  },
  'people.lists.change': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const made = requireDone(await product.people.lists.create(acme.id, prosByPlan, operator()))
      return await product.people.lists.change(acme.id, made.personList.id, { name: 'Payers' }, viewer)
    },
    action: 'personList.change',
    writes: () => ({
      subject: 'Payers',
      before: { ...prosByPlan, isShared: true },
      after: { ...prosByPlan, name: 'Payers', isShared: true },
    }),
  },
  'people.lists.remove': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const made = requireDone(await product.people.lists.create(acme.id, prosByPlan, operator()))
      return await product.people.lists.remove(acme.id, made.personList.id, viewer)
    },
    action: 'personList.remove',
    writes: () => ({ subject: 'Pros', before: { ...prosByPlan, isShared: true } }),
  },
  'people.cohorts.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.people.cohorts.list(acme.id, viewer),
  },
  'people.cohorts.names': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.people.cohorts.names(acme.id, viewer),
  },
  'people.cohorts.find': {
    right: 'events:read',
    does: async (stage, viewer) =>
      stage.product.people.cohorts.find(stage.acme.id, await aCohort(stage), viewer),
  },
  'people.cohorts.create': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) =>
      product.people.cohorts.create(acme.id, { name: 'Buyers', definition: buyers }, viewer),
    action: 'cohort.create',
    writes: () => ({ subject: 'Buyers', after: { name: 'Buyers', about: '', definition: buyers } }),
  },
  'people.cohorts.change': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.people.cohorts.change(stage.acme.id, await aCohort(stage), { name: 'Chosen' }, viewer),
    action: 'cohort.change',
    writes: () => ({
      subject: 'Chosen',
      before: expect.objectContaining({ name: 'Picked' }),
      after: expect.objectContaining({ name: 'Chosen' }),
    }),
  },
  'people.cohorts.remove': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const input = { name: 'Buyers', definition: buyers }
      const { cohort } = requireDone(await product.people.cohorts.create(acme.id, input, operator()))
      return await product.people.cohorts.remove(acme.id, cohort.id, viewer)
    },
    action: 'cohort.remove',
    writes: () => ({ subject: 'Buyers', before: { name: 'Buyers', about: '', definition: buyers } }),
  },
  'people.cohorts.addPersons': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.people.cohorts.addPersons(
        stage.acme.id,
        await aCohort(stage),
        { persons: [aPerson] },
        viewer,
      ),
  },
  'people.cohorts.removePerson': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.people.cohorts.removePerson(stage.acme.id, await aCohort(stage), aPerson, viewer),
  },
  'people.search': {
    right: 'events:read',
    does: (stage, viewer) => asking(stage, ({ people: all }) => all.search(stage.acme.id, 'ana', viewer)),
  },
  'people.named': {
    right: 'events:read',
    does: (stage, viewer) => asking(stage, ({ people: all }) => all.named(stage.acme.id, [aPerson], viewer)),
  },
  'people.list': {
    right: 'events:read',
    does: (stage, viewer) => asking(stage, ({ people: all }) => all.list(stage.acme.id, {}, viewer)),
  },
  'people.find': {
    right: 'events:read',
    does: (stage, viewer) => asking(stage, ({ people: all }) => all.find(stage.acme.id, aPerson, viewer)),
  },
  'people.events': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ people: all }) => all.events(stage.acme.id, aPerson, {}, viewer)),
  },
  'people.sentEvents': {
    right: 'events:read',
    does: (stage, viewer) => asking(stage, ({ people: all }) => all.sentEvents(stage.acme.id, {}, viewer)),
  },
  'people.sentPersons': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.people.sentPersons(acme.id, [aPerson], viewer),
  },
  'people.idOf': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.people.idOf(acme.id, 'ana', viewer),
  },
  'people.reachableIn': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(
        stage,
        async ({ people: all }) => void (await all.reachableIn(stage.acme.id, 'one', 10, viewer)),
      ),
  },
  'people.personsBehind': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ people: all }) => all.personsBehind(stage.acme.id, aTrend, { series: 0 }, viewer)),
  },
  'people.countBehind': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ people: all }) => all.countBehind(stage.acme.id, aTrend, { series: 0 }, viewer)),
  },
  'people.labels': {
    right: 'events:read',
    does: (stage, viewer) => asking(stage, ({ people: all }) => all.labels(stage.acme.id, [], viewer)),
  },
  'people.saveBehindAsCohort': {
    right: 'insights:write',
    // the persons behind the number are read, so the author of the cohort needs the right to
    handsOut: ['events:read'],
    does: (stage, viewer) =>
      asking(stage, ({ people: all }) =>
        all.saveBehindAsCohort(stage.acme.id, aTrend, { series: 0 }, { name: 'These' }, viewer),
      ),
  },
  'people.cohortFromLines': {
    right: 'insights:write',
    handsOut: ['events:read'],
    does: async (stage, viewer) => {
      // no line names a person, which only viewers with the right are told
      await asking(stage, ({ people: all }) =>
        all.cohortFromLines(stage.acme.id, { name: 'These', text: 'ana' }, viewer),
      )
    },
  },
  'people.matching': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ people: all }) => all.matching(stage.acme.id, { did: { event: 'buy' } }, viewer)),
  },
  'people.size': {
    right: 'events:read',
    does: async (stage, viewer) => {
      const cohort = await aCohort(stage)
      return await asking(stage, ({ people: all }) => all.size(stage.acme.id, cohort, viewer))
    },
  },
  'people.groups': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ people: all }) => all.groups(stage.acme.id, { type: 'company' }, viewer)),
  },
  'people.group': {
    right: 'events:read',
    does: async (stage, viewer) => {
      // there is none, which only those hear who may ask
      await asking(stage, ({ people: all }) =>
        all.group(stage.acme.id, { type: 'company', key: 'x' }, viewer),
      )
    },
  },
  'people.export': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async (stage, viewer) => {
      // as above
      await asking(stage, ({ people: all }) => all.export(stage.acme.id, aPerson, viewer))
    },
  },
  'people.erasures.list': {
    right: 'persons:write',
    does: ({ product, acme }, viewer) => product.people.erasures.list(acme.id, viewer),
  },
  'people.isKnown': {
    right: 'persons:write',
    does: async (stage, viewer) => {
      await asking(stage, ({ people }) => people.isKnown(stage.acme.id, aPerson, viewer))
    },
  },
  'people.erasures.ask': {
    right: 'persons:write',
    does: ({ product, acme }, viewer) => product.people.erasures.ask(acme.id, aPerson, viewer),
    action: 'person.erase',
    writes: () => ({ subject: aPerson }),
  },
  'people.splits.of': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.people.splits.of(acme.id, aPerson, viewer),
  },
  'people.splits.ask': {
    right: 'persons:write',
    does: async (stage, viewer) => {
      const { personId, distinctId } = await aMergedPerson(stage)
      return await stage.product.people.splits.ask(stage.acme.id, personId, { distinctId }, viewer)
    },
    action: 'person.split',
    writes: ({ acme }) => ({ subject: personIdOf(acme.id, 'ana') }),
  },
}

const prosByPlan = { name: 'Pros', question: { search: 'pro', columns: ['last', 'property:plan'] } }
const buyers = { did: { event: 'buy' } }
export const aPerson = '00000000-0000-4000-8000-000000000001'

const aTrend = { kind: 'trend', series: [{ event: 'buy' }] }

async function aCohort({ product, acme }: Stage): Promise<string> {
  return requireDone(
    await product.people.cohorts.create(acme.id, { name: 'Picked', persons: [] }, operator()),
  ).cohort.id
}

async function aMergedPerson({ acme, folder }: Stage): Promise<{ personId: string; distinctId: string }> {
  const [personId, distinctId] = [personIdOf(acme.id, 'ana'), 'anonymous-1']
  const store = await openStore({ folder })
  const claim = { projectId: acme.id, distinctId, personId }
  await store.transaction((transaction) => saveClaims(transaction, [claim]), 'every person')
  await store.close()
  return { personId, distinctId }
}
