import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Engine } from '#engine/engine'
import {
  onePixelPng,
  aFolder,
  openTestProduct,
  aWorld,
  requireDone,
  type TestProduct,
  password,
  memberHelpers,
  present,
  testOrigin,
} from '#test/fixture'
import { methodsWithoutRight } from '#test/methods-without-right'
import { expectPrintedTable, tableOf } from '#test/printed-table'
import { type PrivateNames, privateNamesIn, publicMethods } from '#test/public-methods'
import { openLog } from '#server/log'
import { personIdOf } from '#persons/person'
import { saveClaims } from '#persons/store'
import { openStore } from '#store/open'
import { openProduct, type Product } from '#server/product'
import {
  isRight,
  operator,
  AccessRefused,
  type Right,
  rights,
  type Role,
  roles,
  scopes,
  type Viewer,
} from './access'
import type { Member } from './members'
import type { OidcSettings } from './oidc-settings'
import type { Project } from './project'

/** The spec: which roles hold which right. The compiler asks for a line for every right. */
const holders: Record<Right, readonly Role[]> = {
  'project:read': ['owner', 'admin', 'editor', 'viewer'],
  'project:write': ['owner', 'admin'],
  'project:archive': ['owner'],
  'members:read': ['owner', 'admin', 'editor', 'viewer'],
  'members:write': ['owner', 'admin'],
  'owners:write': ['owner'],
  'keys:read': ['owner', 'admin'],
  'keys:write': ['owner', 'admin'],
  'events:read': ['owner', 'admin', 'editor', 'viewer'],
  'insights:write': ['owner', 'admin', 'editor'],
  'flags:write': ['owner', 'admin', 'editor'],
  'experiments:read': ['owner', 'admin', 'editor', 'viewer'],
  'experiments:write': ['owner', 'admin', 'editor'],
  'surveys:read': ['owner', 'admin', 'editor', 'viewer'],
  'surveys:write': ['owner', 'admin', 'editor'],
  'posts:write': ['owner', 'admin', 'editor'],
  'letters:read': ['owner', 'admin', 'editor', 'viewer'],
  'letters:write': ['owner', 'admin', 'editor'],
  'subscribers:write': ['owner', 'admin'],
  'site:write': ['owner', 'admin'],
  'persons:write': ['owner', 'admin'],
  'shares:write': ['owner', 'admin', 'editor'],
  'alerts:write': ['owner', 'admin', 'editor'],
  'sql:read': ['owner', 'admin', 'editor'],
  'audit:read': ['owner', 'admin'],
}

/** What is guarded, and by which right. What it hands out to others, a key must hold as well. */
interface Deed {
  right: Right
  handsOut?: readonly Right[]
  does: (stage: Stage, viewer: Viewer) => unknown
}

const whatAViewerMay = Object.keys(holders)
  .filter(isRight)
  .filter((right) => holders[right].includes('viewer'))

const aLetter = { post: 'unknown', subjects: ['Hello'] }
const someAddresses = { addresses: 'eve@example.com', consent: 'Agreed at the counter.' }

const deeds: Record<string, Deed> = {
  'projects.find by its URL slug': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.projects.find(acme.slug, viewer),
  },
  'projects.find by its id': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.projects.find(String(acme.id), viewer),
  },
  'projects.change': {
    right: 'project:write',
    does: ({ product, acme }, viewer) => product.projects.change(acme.id, { name: 'New' }, viewer),
  },
  'projects.changeSettings': {
    right: 'project:write',
    does: ({ product, acme }, viewer) =>
      product.projects.changeSettings(acme.id, { answers: { currency: 'CHF' } }, viewer),
  },
  'projects.archive': {
    right: 'project:archive',
    does: ({ product, acme }, viewer) => product.projects.archive(acme.id, viewer),
  },
  'projects.restore': {
    right: 'project:archive',
    does: async ({ product, acme }, viewer) => {
      await product.projects.archive(acme.id, operator())
      return await product.projects.restore(acme.id, viewer)
    },
  },
  'projects.renewWriteKey': {
    right: 'keys:write',
    does: ({ product, acme }, viewer) => product.projects.renewWriteKey(acme.id, viewer),
  },
  'members.list': {
    right: 'members:read',
    does: ({ product, acme }, viewer) => product.members.list(acme.id, viewer),
  },
  'members.changeRole': {
    right: 'members:write',
    handsOut: whatAViewerMay,
    does: ({ product, acme, somebody }, viewer) =>
      product.members.changeRole(acme.id, somebody.id, { role: 'viewer' }, viewer),
  },
  'members.remove': {
    right: 'members:write',
    does: ({ product, acme, somebody }, viewer) => product.members.remove(acme.id, somebody.id, viewer),
  },
  'members.changeRole to owner': {
    right: 'owners:write',
    does: ({ product, acme, somebody }, viewer) =>
      product.members.changeRole(acme.id, somebody.id, { role: 'owner' }, viewer),
  },
  'members.changeRole of an owner': {
    right: 'owners:write',
    does: ({ product, acme, anOwner }, viewer) =>
      product.members.changeRole(acme.id, anOwner.id, { role: 'viewer' }, viewer),
  },
  'members.remove of an owner': {
    right: 'owners:write',
    does: ({ product, acme, anOwner }, viewer) => product.members.remove(acme.id, anOwner.id, viewer),
  },
  'invitations.list': {
    right: 'members:read',
    does: ({ product, acme }, viewer) => product.invitations.list(acme.id, viewer),
  },
  'invitations.create': {
    right: 'members:write',
    handsOut: whatAViewerMay,
    does: ({ product, acme }, viewer) => product.invitations.create(acme.id, { role: 'viewer' }, viewer),
  },
  'invitations.create for an owner': {
    right: 'owners:write',
    does: ({ product, acme }, viewer) => product.invitations.create(acme.id, { role: 'owner' }, viewer),
  },
  'invitations.revoke': {
    right: 'members:write',
    does: async ({ product, acme }, viewer) => {
      const { invitation } = requireDone(
        await product.invitations.create(acme.id, { role: 'viewer' }, operator()),
      )
      return await product.invitations.revoke(acme.id, invitation.id, viewer)
    },
  },
  'keys.list': {
    right: 'keys:read',
    does: ({ product, acme }, viewer) => product.keys.list(acme.id, viewer),
  },
  'keys.create': {
    right: 'keys:write',
    does: ({ product, acme }, viewer) =>
      product.keys.create(acme.id, { name: 'A copy', scopes: ['keys:write'] }, viewer),
  },
  'keys.revoke': {
    right: 'keys:write',
    does: async ({ product, acme }, viewer) => {
      const wanted = { name: 'To be revoked', scopes: 'every' }
      const { key } = requireDone(await product.keys.create(acme.id, wanted, operator()))
      return await product.keys.revoke(acme.id, key.id, viewer)
    },
  },
  'events.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.events.list(acme.id, {}, viewer),
  },
  'events.hasAny': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.events.hasAny(acme.id, viewer),
  },
  'savedInsights.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.savedInsights.list(acme.id, {}, viewer),
  },
  'savedInsights.find': {
    right: 'events:read',
    does: async (stage, viewer) =>
      stage.product.savedInsights.find(stage.acme.id, await anInsight(stage), viewer),
  },
  'savedInsights.versions': {
    right: 'events:read',
    does: async (stage, viewer) =>
      stage.product.savedInsights.versions(stage.acme.id, await anInsight(stage), viewer),
  },
  'savedInsights.usesOf': {
    right: 'events:read',
    does: async (stage, viewer) =>
      stage.product.savedInsights.usesOf(stage.acme.id, await anInsight(stage), viewer),
  },
  'savedInsights.create': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) =>
      product.savedInsights.create(acme.id, { name: 'Visitors', question: { kind: 'totals' } }, viewer),
  },
  'savedInsights.change': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.savedInsights.change(stage.acme.id, await anInsight(stage), { name: 'Guests' }, viewer),
  },
  'savedInsights.duplicate': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.savedInsights.duplicate(stage.acme.id, await anInsight(stage), viewer),
  },
  'savedInsights.archive': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.savedInsights.archive(stage.acme.id, await anInsight(stage), {}, viewer),
  },
  'savedInsights.restore': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.savedInsights.restore(stage.acme.id, await anInsight(stage), viewer),
  },
  'savedInsights.restoreVersion': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.savedInsights.restoreVersion(stage.acme.id, await anInsight(stage), 1, viewer),
  },
  'goals.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.goals.list(acme.id, viewer),
  },
  'goals.create': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) => product.goals.create(acme.id, thanks, viewer),
  },
  'goals.change': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const { goal } = requireDone(await product.goals.create(acme.id, thanks, operator()))
      return await product.goals.change(acme.id, goal.id, { name: 'Ordered' }, viewer)
    },
  },
  'goals.remove': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const { goal } = requireDone(await product.goals.create(acme.id, thanks, operator()))
      return await product.goals.remove(acme.id, goal.id, viewer)
    },
  },
  'segments.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.segments.list(acme.id, viewer),
  },
  'segments.create': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) => product.segments.create(acme.id, germans, viewer),
  },
  'segments.change': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const { segment } = requireDone(await product.segments.create(acme.id, germans, operator()))
      return await product.segments.change(acme.id, segment.id, { name: 'From Germany' }, viewer)
    },
  },
  'segments.remove': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const { segment } = requireDone(await product.segments.create(acme.id, germans, operator()))
      return await product.segments.remove(acme.id, segment.id, viewer)
    },
  },
  'personLists.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.personLists.list(acme.id, viewer),
  },
  'personLists.create': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) => product.personLists.create(acme.id, prosByPlan, viewer),
  },
  'personLists.change': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const made = requireDone(await product.personLists.create(acme.id, prosByPlan, operator()))
      return await product.personLists.change(acme.id, made.personList.id, { name: 'Payers' }, viewer)
    },
  },
  'personLists.remove': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const made = requireDone(await product.personLists.create(acme.id, prosByPlan, operator()))
      return await product.personLists.remove(acme.id, made.personList.id, viewer)
    },
  },
  'dataDefinitions.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.dataDefinitions.list(acme.id, viewer),
  },
  'dataDefinitions.create': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) => product.dataDefinitions.create(acme.id, orderEvent, viewer),
  },
  'dataDefinitions.change': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const { definition } = requireDone(
        await product.dataDefinitions.create(acme.id, { ...orderEvent, name: 'refund' }, operator()),
      )
      return await product.dataDefinitions.change(acme.id, definition.id, { isHidden: true }, viewer)
    },
  },
  'dataDefinitions.remove': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const { definition } = requireDone(
        await product.dataDefinitions.create(acme.id, { ...orderEvent, name: 'visit' }, operator()),
      )
      return await product.dataDefinitions.remove(acme.id, definition.id, viewer)
    },
  },
  'catalogue.events': {
    right: 'events:read',
    does: (stage, viewer) => asking(stage, ({ catalogue }) => catalogue.events(stage.acme.id, viewer)),
  },
  'catalogue.properties': {
    right: 'events:read',
    does: (stage, viewer) => asking(stage, ({ catalogue }) => catalogue.properties(stage.acme.id, viewer)),
  },
  'cohorts.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.cohorts.list(acme.id, viewer),
  },
  'cohorts.names': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.cohorts.names(acme.id, viewer),
  },
  'cohorts.find': {
    right: 'events:read',
    does: async (stage, viewer) => stage.product.cohorts.find(stage.acme.id, await aCohort(stage), viewer),
  },
  'cohorts.create': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) => product.cohorts.create(acme.id, { name: 'Picked' }, viewer),
  },
  'cohorts.change': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.cohorts.change(stage.acme.id, await aCohort(stage), { name: 'Chosen' }, viewer),
  },
  'cohorts.remove': {
    right: 'insights:write',
    does: async (stage, viewer) => stage.product.cohorts.remove(stage.acme.id, await aCohort(stage), viewer),
  },
  'cohorts.addPersons': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.cohorts.addPersons(stage.acme.id, await aCohort(stage), { persons: [aPerson] }, viewer),
  },
  'cohorts.removePerson': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.cohorts.removePerson(stage.acme.id, await aCohort(stage), aPerson, viewer),
  },
  'names.events': {
    right: 'events:read',
    does: (stage, viewer) => asking(stage, ({ names }) => names.events(stage.acme.id, viewer)),
  },
  'names.properties': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ names }) => names.properties(stage.acme.id, { of: ['event', 'person'] }, viewer)),
  },
  'names.values': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ names }) => names.values(stage.acme.id, { type: 'event', key: 'plan' }, viewer)),
  },
  'names.groupTypes': {
    right: 'events:read',
    does: (stage, viewer) => asking(stage, ({ names }) => names.groupTypes(stage.acme.id, viewer)),
  },
  'search.find': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.search.find(acme.id, { text: 'anything' }, viewer),
  },
  'search.named': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.search.named(acme.id, [], viewer),
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
  'people.saveBehindAsCohort': {
    right: 'insights:write',
    // it is read who they are, so whoever keeps them must be allowed to
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
      // none of the lines is anybody's, which only those hear who may ask
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
  'exports.tables': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async (stage, viewer) => {
      await asking(stage, ({ exports: all }) => all.tables(stage.acme.id, viewer))
    },
  },
  'exports.open': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: ({ product, acme }, viewer) => product.exports.open(acme.id, 'events', {}, viewer),
  },
  'imports.list': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: ({ product, acme }, viewer) => product.imports.list(acme.id, viewer),
  },
  'imports.find': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async ({ product, acme }, viewer) => {
      // there is none, which only those hear who may ask
      await product.imports.find(acme.id, 'none', viewer)
    },
  },
  'imports.dailySums': {
    right: 'events:read',
    does: ({ product, acme }, viewer) =>
      product.imports.dailySums(acme.id, { from: '2026-01-01', to: '2026-01-31' }, viewer),
  },
  'imports.begin': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: ({ product, acme }, viewer) => product.imports.begin(acme.id, anImport, viewer),
  },
  'imports.add': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async ({ product, acme }, viewer) => {
      // as above
      await product.imports.add(acme.id, 'none', { from: 0, rows: 0, events: [] }, viewer)
    },
  },
  'imports.end': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async ({ product, acme }, viewer) => {
      // as above
      await product.imports.end(acme.id, 'none', viewer)
    },
  },
  'imports.undo': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async ({ product, acme }, viewer) => {
      const begun = requireDone(await product.imports.begin(acme.id, anImport, operator()))
      return await product.imports.undo(acme.id, begun.import.id, viewer)
    },
  },
  'importUploads.list': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: ({ product, acme }, viewer) => product.importUploads.list(acme.id, viewer),
  },
  'importUploads.begin': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async ({ product, acme }, viewer) => {
      // only a front takes files, which only those hear who may send them
      await product.importUploads.begin(acme.id, anUpload, viewer)
    },
  },
  'importUploads.write': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async ({ product, acme }, viewer) => {
      // as above
      await product.importUploads.write(acme.id, { upload: 'none', file: 0, at: 0 }, new Uint8Array(), viewer)
    },
  },
  'importUploads.preview': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async ({ product, acme }, viewer) => {
      // as above
      await product.importUploads.preview(acme.id, 'none', {}, viewer)
    },
  },
  'importUploads.start': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async ({ product, acme }, viewer) => {
      // as above
      await product.importUploads.start(acme.id, 'none', viewer)
    },
  },
  'importUploads.discard': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async ({ product, acme }, viewer) => {
      // as above
      await product.importUploads.discard(acme.id, 'none', viewer)
    },
  },
  'movedEntries.list': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) => product.movedEntries.list(acme.id, 'cohorts', viewer),
  },
  'movedEntries.add': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) =>
      product.movedEntries.add(acme.id, { kind: 'cohorts', theirId: 'theirs', ourId: 'ours' }, viewer),
  },
  'people.export': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async (stage, viewer) => {
      // as above
      await asking(stage, ({ people: all }) => all.export(stage.acme.id, aPerson, viewer))
    },
  },
  'erasures.list': {
    right: 'persons:write',
    does: ({ product, acme }, viewer) => product.erasures.list(acme.id, viewer),
  },
  'erasures.ask': {
    right: 'persons:write',
    does: ({ product, acme }, viewer) => product.erasures.ask(acme.id, aPerson, viewer),
  },
  'personSplits.of': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.personSplits.of(acme.id, aPerson, viewer),
  },
  'personSplits.ask': {
    right: 'persons:write',
    does: async (stage, viewer) => {
      const { personId, distinctId } = await aMergedPerson(stage)
      return await stage.product.personSplits.ask(stage.acme.id, personId, { distinctId }, viewer)
    },
  },
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
  },
  'dashboards.create': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) => product.dashboards.create(acme.id, growth, viewer),
  },
  'dashboards.change': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.dashboards.change(stage.acme.id, await aDashboard(stage), { name: 'More' }, viewer),
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
  },
  'dashboards.restore': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.dashboards.restore(stage.acme.id, await aDashboard(stage), viewer),
  },
  'dashboards.restoreVersion': {
    right: 'insights:write',
    does: async (stage, viewer) =>
      stage.product.dashboards.restoreVersion(stage.acme.id, await aDashboard(stage), 1, viewer),
  },
  'shares.list': {
    right: 'shares:write',
    does: ({ product, acme }, viewer) => product.shares.list(acme.id, viewer),
  },
  'shares.create': {
    right: 'shares:write',
    does: ({ product, acme }, viewer) => product.shares.create(acme.id, toTheWorld, viewer),
  },
  'shares.change': {
    right: 'shares:write',
    does: async ({ product, acme }, viewer) => {
      const { share } = requireDone(await product.shares.create(acme.id, toTheWorld, operator()))
      return await product.shares.change(acme.id, share.id, { mayChangePeriod: true }, viewer)
    },
  },
  'shares.renew': {
    right: 'shares:write',
    does: async ({ product, acme }, viewer) => {
      const { share } = requireDone(await product.shares.create(acme.id, toTheWorld, operator()))
      return await product.shares.renew(acme.id, share.id, viewer)
    },
  },
  'shares.revoke': {
    right: 'shares:write',
    does: async ({ product, acme }, viewer) => {
      const { share } = requireDone(await product.shares.create(acme.id, toTheWorld, operator()))
      return await product.shares.revoke(acme.id, share.id, viewer)
    },
  },
  'annotations.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.annotations.list(acme.id, viewer),
  },
  'annotations.notesFor': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.annotations.notesFor(acme.id, {}, viewer),
  },
  'annotations.create': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) => product.annotations.create(acme.id, released, viewer),
  },
  'annotations.change': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const { annotation } = requireDone(await product.annotations.create(acme.id, released, operator()))
      return await product.annotations.change(acme.id, annotation.id, { text: 'Released 2.0' }, viewer)
    },
  },
  'annotations.remove': {
    right: 'insights:write',
    does: async ({ product, acme }, viewer) => {
      const { annotation } = requireDone(await product.annotations.create(acme.id, released, operator()))
      return await product.annotations.remove(acme.id, annotation.id, viewer)
    },
  },
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
  },
  'alerts.change': {
    right: 'alerts:write',
    does: async (stage, viewer) =>
      stage.product.alerts.change(stage.acme.id, await anAlert(stage), { name: 'Quiet' }, viewer),
  },
  'alerts.mute': {
    right: 'alerts:write',
    does: async (stage, viewer) =>
      stage.product.alerts.mute(stage.acme.id, await anAlert(stage), { hours: 1 }, viewer),
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
  },
  'alerts.obstacles': {
    right: 'events:read',
    does: async (stage, viewer) => {
      const alert = present(await stage.product.alerts.find(stage.acme.id, await anAlert(stage), operator()))
      return await stage.product.alerts.obstacles(alert, viewer)
    },
  },
  'reports.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.reports.list(acme.id, viewer),
  },
  'reports.find': {
    right: 'events:read',
    does: async (stage, viewer) => stage.product.reports.find(stage.acme.id, await aReport(stage), viewer),
  },
  'reports.create': {
    right: 'alerts:write',
    does: ({ product, acme }, viewer) => product.reports.create(acme.id, weekly, viewer),
  },
  'reports.change': {
    right: 'alerts:write',
    does: async (stage, viewer) =>
      stage.product.reports.change(stage.acme.id, await aReport(stage), { hour: 9 }, viewer),
  },
  'reports.told': {
    right: 'alerts:write',
    does: async (stage, viewer) => stage.product.reports.told(stage.acme.id, await aReport(stage), viewer),
  },
  'reports.remove': {
    right: 'alerts:write',
    does: async (stage, viewer) => stage.product.reports.remove(stage.acme.id, await aReport(stage), viewer),
  },
  'reports.obstacles': {
    right: 'events:read',
    does: async (stage, viewer) => {
      const report = present(
        await stage.product.reports.find(stage.acme.id, await aReport(stage), operator()),
      )
      return await stage.product.reports.obstacles(report, viewer)
    },
  },
  'reports.preview of one that is not there': {
    right: 'events:read',
    does: async ({ product, acme }, viewer) => (await product.reports.preview(acme.id, 'none', viewer)).done,
  },
  'reports.sendNow of one that is not there': {
    right: 'alerts:write',
    does: async ({ product, acme }, viewer) => (await product.reports.sendNow(acme.id, 'none', viewer)).done,
  },
  'insights.tables': {
    right: 'sql:read',
    does: (stage, viewer) => asking(stage, async ({ insights }) => insights.tables(stage.acme.id, viewer)),
  },
  'insights.ask in SQL': {
    right: 'sql:read',
    handsOut: ['events:read'],
    // nothing is written, which only those hear who may write
    does: (stage, viewer) =>
      asking(stage, async ({ insights }) => {
        const asked = await insights.ask(stage.acme.id, { kind: 'sql', text: '' }, viewer)
        return asked.done
      }),
  },
  'tryingLinks.make': {
    right: 'project:read',
    does: async (stage, viewer) =>
      stage.product.tryingLinks.make(stage.acme.id, { values: { [await aFlag(stage)]: true } }, viewer),
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
  },
  'flags.change': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.flags.change(stage.acme.id, await aFlag(stage), { owner: 'Ana' }, viewer),
  },
  'flags.turn': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.flags.turn(stage.acme.id, await aFlag(stage), { isOn: true }, viewer),
  },
  'flags.archive': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.flags.archive(stage.acme.id, await aFlag(stage), viewer, { anyway: true }),
  },
  'flags.restore': {
    right: 'flags:write',
    does: async (stage, viewer) => {
      const key = await aFlag(stage)
      await stage.product.flags.archive(stage.acme.id, key, operator(), { anyway: true })
      return await stage.product.flags.restore(stage.acme.id, key, viewer)
    },
  },
  'flags.revert': {
    right: 'flags:write',
    does: async (stage, viewer) => stage.product.flags.revert(stage.acme.id, await aFlag(stage), 1, viewer),
  },
  'flags.importFrom': {
    right: 'flags:write',
    does: ({ product, acme }, viewer) => product.flags.importFrom(acme.id, theirs, viewer),
  },
  'flags.reveal': {
    right: 'keys:write',
    does: async (stage, viewer) => stage.product.flags.reveal(stage.acme.id, await aFlag(stage), viewer),
  },
  'experiments.list': {
    right: 'experiments:read',
    does: ({ product, acme }, viewer) => product.experiments.list(acme.id, viewer),
  },
  'experiments.create': {
    right: 'experiments:write',
    does: async (stage, viewer) =>
      stage.product.experiments.create(stage.acme.id, await aDraftOf(stage), viewer),
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
  },
  'experiments.start': {
    right: 'experiments:write',
    does: async (stage, viewer) =>
      stage.product.experiments.start(stage.acme.id, await anExperiment(stage), {}, viewer),
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
    does: async (stage, viewer) =>
      stage.product.experiments.end(stage.acme.id, await aRunningExperiment(stage), {}, viewer),
  },
  'experiments.ship': {
    right: 'experiments:write',
    does: async (stage, viewer) =>
      stage.product.experiments.ship(
        stage.acme.id,
        await aRunningExperiment(stage),
        { variant: 'test' },
        viewer,
      ),
  },
  'experimentRollouts.find': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experimentRollouts.find(stage.acme.id, await aRollout(stage), viewer),
  },
  'experimentRollouts.pause': {
    right: 'experiments:write',
    does: async (stage, viewer) =>
      stage.product.experimentRollouts.pause(stage.acme.id, await aRollout(stage), viewer),
  },
  'experimentRollouts.resume': {
    right: 'experiments:write',
    does: async (stage, viewer) => {
      const id = await aRollout(stage)
      await stage.product.experimentRollouts.pause(stage.acme.id, id, operator())
      return await stage.product.experimentRollouts.resume(stage.acme.id, id, viewer)
    },
  },
  'experiments.archive': {
    right: 'experiments:write',
    does: async (stage, viewer) =>
      stage.product.experiments.archive(stage.acme.id, await anExperiment(stage), viewer),
  },
  'experiments.restore': {
    right: 'experiments:write',
    does: async (stage, viewer) =>
      stage.product.experiments.restore(stage.acme.id, await anExperiment(stage), viewer),
  },
  'experiments.duplicate': {
    right: 'experiments:write',
    does: async (stage, viewer) =>
      stage.product.experiments.duplicate(stage.acme.id, await anExperiment(stage), viewer),
  },
  'experimentSetUp.flagFor': {
    right: 'experiments:write',
    does: async (stage, viewer) =>
      stage.product.experimentSetUp.flagFor(
        stage.acme.id,
        { flag: {}, experiment: await aDraftOf(stage), environments: [] },
        viewer,
      ),
  },
  'experimentSetUp.insightMetrics': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.experimentSetUp.insightMetrics(acme.id, viewer),
  },
  'experimentResults.result': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experimentResults.result(stage.acme.id, await anExperiment(stage), viewer),
  },
  'experimentResults.course': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experimentResults.course(stage.acme.id, await aRunningExperiment(stage), viewer),
  },
  'experimentPlanning.plan': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experimentPlanning.plan(stage.acme.id, await anExperiment(stage), {}, viewer),
  },
  'experimentPlanning.readiness': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experimentPlanning.readiness(stage.acme.id, await anExperiment(stage), viewer),
  },
  'aaChecks.state': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.aaChecks.state(stage.acme.id, await anExperiment(stage), viewer),
  },
  'aaChecks.begin': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.aaChecks.begin(stage.acme.id, await anExperiment(stage), viewer),
  },
  'experimentResults.exposures': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experimentResults.exposures(stage.acme.id, await aRunningExperiment(stage), {}, viewer),
  },
  'experimentResults.people': {
    right: 'events:read',
    handsOut: ['experiments:read'],
    does: async (stage, viewer) =>
      stage.product.experimentResults.people(stage.acme.id, await aRunningExperiment(stage), {}, viewer),
  },
  'experimentResults.segments': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experimentResults.segments(
        stage.acme.id,
        await aRunningExperiment(stage),
        { key: 'plan' },
        viewer,
      ),
  },
  'experimentResults.decomposition': {
    right: 'experiments:read',
    does: async (stage, viewer) =>
      stage.product.experimentResults.decomposition(
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
      const saved = requireDone(await product.savedMetrics.create(acme.id, aSavedMetric, operator()))
      const input = { ids: [saved.metric.id] }
      return await product.experiments.addSavedMetrics(acme.id, await anExperiment(stage), input, viewer)
    },
  },
  'experiments.templates': {
    right: 'experiments:read',
    does: ({ product, acme }, viewer) => product.experiments.templates(acme.id, viewer),
  },
  'savedMetrics.list': {
    right: 'experiments:read',
    does: ({ product, acme }, viewer) => product.savedMetrics.list(acme.id, viewer),
  },
  'savedMetrics.create': {
    right: 'experiments:write',
    does: ({ product, acme }, viewer) => product.savedMetrics.create(acme.id, aSavedMetric, viewer),
  },
  'savedMetrics.change': {
    right: 'experiments:write',
    does: async ({ product, acme }, viewer) => {
      const saved = requireDone(await product.savedMetrics.create(acme.id, aSavedMetric, operator()))
      return await product.savedMetrics.change(acme.id, saved.metric.id, { name: 'Buys' }, viewer)
    },
  },
  'savedMetrics.remove': {
    right: 'experiments:write',
    does: async ({ product, acme }, viewer) => {
      const saved = requireDone(await product.savedMetrics.create(acme.id, aSavedMetric, operator()))
      return await product.savedMetrics.remove(acme.id, saved.metric.id, viewer)
    },
  },
  'surveyLinks.list': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveyLinks.list(stage.acme.id, await aSurvey(stage), viewer),
  },
  'surveyLinks.create': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveyLinks.create(stage.acme.id, await aSurvey(stage), { count: 1 }, viewer),
  },
  'surveyLinks.revoke': {
    right: 'surveys:write',
    does: async ({ product, acme, ...stage }, viewer) => {
      const id = await aSurvey({ product, acme, ...stage })
      const made = await product.surveyLinks.create(acme.id, id, { count: 1 }, operator())
      const [link] = requireDone(made).links
      return await product.surveyLinks.revoke(acme.id, id, present(link).id, viewer)
    },
  },
  'surveyMailings.list': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveyMailings.list(stage.acme.id, await aSurvey(stage), viewer),
  },
  'surveyMailings.preview': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveyMailings.preview(stage.acme.id, await aSurvey(stage), someLetters, viewer),
  },
  'surveyMailings.send': {
    right: 'surveys:write',
    does: async (stage, viewer) => {
      const { product, acme } = stage
      const id = await aRunningSurvey(stage)
      requireDone(await product.surveys.change(acme.id, id, { hostedPage: { isOpen: true } }, operator()))
      // without a mail server nothing is sent
      return void (await product.surveyMailings.send(acme.id, id, someLetters, viewer))
    },
  },
  'surveyWebhooks.find': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveyWebhooks.find(stage.acme.id, await aSurveyWithWebhook(stage), viewer),
  },
  'surveyWebhooks.deliveries': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveyWebhooks.deliveries(stage.acme.id, await aSurveyWithWebhook(stage), viewer),
  },
  'surveyWebhooks.set': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveyWebhooks.set(stage.acme.id, await aSurvey(stage), aWebhook, viewer),
  },
  'surveyWebhooks.remove': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveyWebhooks.remove(stage.acme.id, await aSurveyWithWebhook(stage), viewer),
  },
  'surveyWebhooks.test': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveyWebhooks.test(stage.acme.id, await aSurveyWithWebhook(stage), viewer),
  },
  'surveyResults.results': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveyResults.results(stage.acme.id, await aSurvey(stage), {}, viewer),
  },
  'surveyResults.counts': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveyResults.counts(stage.acme.id, await aSurvey(stage), {}, viewer),
  },
  'surveyResults.texts': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveyResults.texts(stage.acme.id, await aSurvey(stage), 'why', {}, viewer),
  },
  'surveyResults.responses': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveyResults.responses(stage.acme.id, await aSurvey(stage), {}, viewer),
  },
  'surveyResults.response': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      void (await stage.product.surveyResults.response(stage.acme.id, await aSurvey(stage), 'one', viewer)),
  },
  'surveyResults.export': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveyResults.export(stage.acme.id, await aSurvey(stage), {}, viewer),
  },
  'surveyResults.removeResponse': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveyResults.removeResponse(stage.acme.id, await aSurvey(stage), 'one', viewer),
  },
  'surveyResults.restoreResponse': {
    right: 'surveys:write',
    does: async ({ product, acme, ...stage }, viewer) => {
      const id = await aSurvey({ product, acme, ...stage })
      requireDone(await product.surveyResults.removeResponse(acme.id, id, 'one', operator()))
      return await product.surveyResults.restoreResponse(acme.id, id, 'one', viewer)
    },
  },
  'surveys.list': {
    right: 'surveys:read',
    does: ({ product, acme }, viewer) => product.surveys.list(acme.id, viewer),
  },
  'surveys.find': {
    right: 'surveys:read',
    does: async (stage, viewer) => stage.product.surveys.find(stage.acme.id, await aSurvey(stage), viewer),
  },
  'surveys.versions': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.versions(stage.acme.id, await aSurvey(stage), viewer),
  },
  'surveys.templates': {
    right: 'surveys:read',
    does: ({ product, acme }, viewer) => product.surveys.templates(acme.id, viewer),
  },
  'surveys.audience': {
    right: 'surveys:read',
    does: ({ product, acme }, viewer) => product.surveys.audience(acme.id, {}, 7, viewer),
  },
  'surveys.create': {
    right: 'surveys:write',
    does: ({ product, acme }, viewer) => product.surveys.create(acme.id, { name: 'New' }, viewer),
  },
  'surveys.change': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.change(stage.acme.id, await aSurvey(stage), { name: 'Other' }, viewer),
  },
  'surveys.launch': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.launch(stage.acme.id, await aSurvey(stage), {}, viewer),
  },
  'surveys.stop': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.stop(stage.acme.id, await aRunningSurvey(stage), viewer),
  },
  'surveys.resume': {
    right: 'surveys:write',
    does: async (stage, viewer) => {
      const id = await aRunningSurvey(stage)
      requireDone(await stage.product.surveys.stop(stage.acme.id, id, operator()))
      return await stage.product.surveys.resume(stage.acme.id, id, viewer)
    },
  },
  'surveys.archive': {
    right: 'surveys:write',
    does: async (stage, viewer) => stage.product.surveys.archive(stage.acme.id, await aSurvey(stage), viewer),
  },
  'surveys.restore': {
    right: 'surveys:write',
    does: async (stage, viewer) => {
      const id = await aSurvey(stage)
      requireDone(await stage.product.surveys.archive(stage.acme.id, id, operator()))
      return await stage.product.surveys.restore(stage.acme.id, id, viewer)
    },
  },
  'surveys.duplicate': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.duplicate(stage.acme.id, await aSurvey(stage), viewer),
  },
  'surveys.remove': {
    right: 'surveys:write',
    does: async (stage, viewer) => stage.product.surveys.remove(stage.acme.id, await aSurvey(stage), viewer),
  },
  'bandits.report': {
    right: 'experiments:read',
    does: async (stage, viewer) => stage.product.bandits.report(stage.acme.id, await aBandit(stage), viewer),
  },
  'bandits.pause': {
    right: 'experiments:write',
    does: async (stage, viewer) => stage.product.bandits.pause(stage.acme.id, await aBandit(stage), viewer),
  },
  'bandits.resume': {
    right: 'experiments:write',
    does: async (stage, viewer) => {
      const id = await aBandit(stage)
      requireDone(await stage.product.bandits.pause(stage.acme.id, id, operator()))
      return await stage.product.bandits.resume(stage.acme.id, id, viewer)
    },
  },
  'guards.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.guards.list(acme.id, viewer),
  },
  'guards.find': {
    right: 'project:read',
    does: async (stage, viewer) => stage.product.guards.find(stage.acme.id, await aGuard(stage), viewer),
  },
  'guards.create': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.guards.create(stage.acme.id, { flag: await aTurnedFlag(stage), ...guarded }, viewer),
  },
  'guards.change': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.guards.change(stage.acme.id, await aGuard(stage), { minimum: 50 }, viewer),
  },
  'guards.pause': {
    right: 'flags:write',
    does: async (stage, viewer) => stage.product.guards.pause(stage.acme.id, await aGuard(stage), viewer),
  },
  'guards.resume': {
    right: 'flags:write',
    does: async (stage, viewer) => {
      const id = await aGuard(stage)
      await stage.product.guards.pause(stage.acme.id, id, operator())
      return await stage.product.guards.resume(stage.acme.id, id, viewer)
    },
  },
  'guards.stop': {
    right: 'flags:write',
    does: async (stage, viewer) => stage.product.guards.stop(stage.acme.id, await aGuard(stage), {}, viewer),
  },
  'flagNumbers.ofAll': {
    right: 'events:read',
    handsOut: ['project:read'],
    does: (stage, viewer) => asking(stage, ({ flagNumbers }) => flagNumbers.ofAll(stage.acme.id, {}, viewer)),
  },
  'flagNumbers.ofOne': {
    right: 'events:read',
    handsOut: ['project:read'],
    does: (stage, viewer) =>
      asking(stage, ({ flagNumbers }) => flagNumbers.ofOne(stage.acme.id, 'checkout', {}, viewer)),
  },
  'flagNumbers.overTime': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ flagNumbers }) => flagNumbers.overTime(stage.acme.id, 'checkout', {}, viewer)),
  },
  'flagNumbers.matching': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ flagNumbers }) => flagNumbers.matching(stage.acme.id, {}, viewer)),
  },
  'flagMatches.list': {
    right: 'events:read',
    handsOut: ['project:read'],
    does: async (stage, viewer) =>
      stage.product.flagMatches.list(stage.acme.id, await aFlag(stage), {}, viewer),
  },
  'postNumbers.of': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, async (product) =>
        product.postNumbers.of(stage.acme.id, await aReadPost(stage, product), {}, viewer),
      ),
  },
  'postNumbers.list': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ postNumbers }) => postNumbers.list(stage.acme.id, '30d', viewer)),
  },
  'postNumbers.attributionFor': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, async (product) =>
        product.postNumbers.attributionFor(
          stage.acme.id,
          await aReadPost(stage, product),
          { goal: { type: 'revenue' } },
          viewer,
        ),
      ),
  },
  'postNumbers.trial': {
    right: 'events:read',
    does: async (stage, viewer) => {
      const id = await aTriedPost(stage)
      const { trial } = present(await stage.product.posts.find(stage.acme.id, id, operator()))
      return await asking(stage, ({ postNumbers }) =>
        postNumbers.trial(stage.acme.id, present(trial), viewer),
      )
    },
  },
  'postNumbers.blocked': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ postNumbers }) => postNumbers.blocked(stage.acme.id, '30d', viewer)),
  },
  'schedules.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.schedules.list(acme.id, viewer),
  },
  'schedules.create': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.schedules.create(stage.acme.id, await aFlag(stage), inApril, viewer),
  },
  'schedules.remove': {
    right: 'flags:write',
    does: async (stage, viewer) => {
      const { product, acme } = stage
      const key = await aFlag(stage)
      const { schedule } = requireDone(await product.schedules.create(acme.id, key, inApril, operator()))
      return await product.schedules.remove(acme.id, key, schedule.id, viewer)
    },
  },
  'schedules.removeAll': {
    right: 'flags:write',
    does: async (stage, viewer) => {
      const environment = 'production'
      return stage.product.schedules.removeAll(stage.acme.id, await aFlag(stage), { environment }, viewer)
    },
  },
  'environments.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.environments.list(acme.id, viewer),
  },
  'environments.create': {
    right: 'flags:write',
    does: ({ product, acme }, viewer) => product.environments.create(acme.id, { name: 'staging' }, viewer),
  },
  'environments.renewKey': {
    right: 'keys:write',
    does: async (stage, viewer) =>
      stage.product.environments.renewKey(stage.acme.id, await anEnvironment(stage), viewer),
  },
  'environments.remove': {
    right: 'keys:write',
    does: async (stage, viewer) =>
      stage.product.environments.remove(stage.acme.id, await anEnvironment(stage), viewer),
  },
  'holdouts.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.holdouts.list(acme.id, viewer),
  },
  'holdouts.create': {
    right: 'flags:write',
    does: ({ product, acme }, viewer) => product.holdouts.create(acme.id, heldOut, viewer),
  },
  'holdouts.change': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.holdouts.change(stage.acme.id, await aHoldout(stage), { percentage: 10 }, viewer),
  },
  'holdouts.remove': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.holdouts.remove(stage.acme.id, await aHoldout(stage), viewer),
  },
  'layers.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.layers.list(acme.id, viewer),
  },
  'layers.create': {
    right: 'flags:write',
    does: ({ product, acme }, viewer) => product.layers.create(acme.id, { name: 'Checkout' }, viewer),
  },
  'layers.change': {
    right: 'flags:write',
    does: async (stage, viewer) =>
      stage.product.layers.change(stage.acme.id, await aLayer(stage), { name: 'Payment' }, viewer),
  },
  'layers.remove': {
    right: 'flags:write',
    does: async (stage, viewer) => stage.product.layers.remove(stage.acme.id, await aLayer(stage), viewer),
  },
  'posts.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.list(acme.id, viewer),
  },
  'posts.find': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.find(acme.id, '1', viewer),
  },
  'posts.create': {
    right: 'posts:write',
    does: ({ product, acme }, viewer) => product.posts.create(acme.id, { title: 'Hello' }, viewer),
  },
  'posts.createAsOf': {
    right: 'posts:write',
    does: ({ product, acme }, viewer) => {
      const at = new Date(0)
      const dates = { publishedAt: at, createdAt: at, changedAt: at }
      return product.posts.createAsOf(acme.id, { title: 'Hello' }, dates, viewer)
    },
  },
  'posts.change': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.change(stage.acme.id, await aPost(stage), { title: 'Bye' }, viewer),
  },
  'posts.publishChanges': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.publishChanges(stage.acme.id, await anEditedPost(stage), {}, viewer),
  },
  'posts.discardChanges': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.discardChanges(stage.acme.id, await anEditedPost(stage), {}, viewer),
  },
  'posts.publish': {
    right: 'posts:write',
    does: async (stage, viewer) => stage.product.posts.publish(stage.acme.id, await aPost(stage), {}, viewer),
  },
  'posts.unpublish': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.unpublish(stage.acme.id, await aPublishedPost(stage), viewer),
  },
  'posts.archive': {
    right: 'posts:write',
    does: async (stage, viewer) => stage.product.posts.archive(stage.acme.id, await aPost(stage), viewer),
  },
  'posts.restore': {
    right: 'posts:write',
    does: async (stage, viewer) => {
      const id = await aPost(stage)
      requireDone(await stage.product.posts.archive(stage.acme.id, id, operator()))
      return await stage.product.posts.restore(stage.acme.id, id, viewer)
    },
  },
  'posts.history': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.history(acme.id, '1', viewer),
  },
  'posts.bringBack': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.bringBack(stage.acme.id, await aPublishedPost(stage), 1, viewer),
  },
  'posts.previewToken': {
    right: 'project:read',
    does: async (stage, viewer) =>
      stage.product.posts.previewToken(stage.acme.id, await aPost(stage), viewer),
  },
  'posts.startTrial': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.startTrial(stage.acme.id, await aPublishedPost(stage), otherTitle, viewer),
  },
  'posts.stopTrial': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.stopTrial(stage.acme.id, await aTriedPost(stage), viewer),
  },
  'posts.pickWinner': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.pickWinner(stage.acme.id, await aTriedPost(stage), { winner: 'b' }, viewer),
  },
  'authors.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.authors.list(acme.id, viewer),
  },
  'authors.create': {
    right: 'posts:write',
    does: ({ product, acme }, viewer) => product.authors.create(acme.id, { name: 'Eve' }, viewer),
  },
  'authors.change': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.authors.change(stage.acme.id, await anAuthor(stage), { bio: 'Writes' }, viewer),
  },
  'authors.remove': {
    right: 'posts:write',
    does: async (stage, viewer) => stage.product.authors.remove(stage.acme.id, await anAuthor(stage), viewer),
  },
  'redirects.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.redirects.list(acme.id, viewer),
  },
  'redirects.create': {
    right: 'site:write',
    does: ({ product, acme }, viewer) => product.redirects.create(acme.id, moved, viewer),
  },
  'redirects.remove': {
    right: 'site:write',
    does: async ({ product, acme }, viewer) => {
      requireDone(await product.redirects.create(acme.id, moved, operator()))
      return await product.redirects.remove(acme.id, moved.from, viewer)
    },
  },
  'sites.read': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.sites.read(acme.id, viewer),
  },
  'sites.change': {
    right: 'site:write',
    does: ({ product, acme }, viewer) => product.sites.change(acme.id, { layout: 'cards' }, viewer),
  },
  'imageLibrary.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.imageLibrary.list(acme.id, viewer),
  },
  'imageLibrary.find': {
    right: 'project:read',
    does: async (stage, viewer) =>
      stage.product.imageLibrary.find(stage.acme.id, await anImage(stage), viewer),
  },
  'imageLibrary.change': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.imageLibrary.change(stage.acme.id, await anImage(stage), { alt: 'A dot' }, viewer),
  },
  'imageLibrary.remove': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.imageLibrary.remove(stage.acme.id, await anImage(stage), {}, viewer),
  },
  'images.keep': {
    right: 'posts:write',
    does: ({ product, acme }, viewer) =>
      product.images.keep(acme.id, { name: 'dot.png', bytes: onePixelPng }, viewer),
  },
  'comments.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.comments.list(acme.id, { state: 'waiting' }, viewer),
  },
  'comments.counts': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.comments.counts(acme.id, viewer),
  },
  'letters.list': {
    right: 'letters:read',
    does: ({ product, acme }, viewer) => product.letters.list(acme.id, viewer),
  },
  'letters.find': {
    right: 'letters:read',
    does: ({ product, acme }, viewer) => product.letters.find(acme.id, 'unknown', viewer),
  },
  'letters.preview': {
    right: 'letters:write',
    does: async ({ product, acme }, viewer) => void (await product.letters.preview(acme.id, aLetter, viewer)),
  },
  'letters.test': {
    right: 'letters:write',
    // without a mail server nothing is sent
    does: async ({ product, acme }, viewer) => void (await product.letters.test(acme.id, aLetter, viewer)),
  },
  'letters.send': {
    right: 'letters:write',
    does: async ({ product, acme }, viewer) => void (await product.letters.send(acme.id, aLetter, viewer)),
  },
  'letters.cancel': {
    right: 'letters:write',
    does: async ({ product, acme }, viewer) =>
      void (await product.letters.cancel(acme.id, 'unknown', viewer)),
  },
  'letters.recipientsOf': {
    right: 'letters:write',
    does: ({ product, acme }, viewer) =>
      product.letters.recipientsOf({ projectId: acme.id, list: 'newsletter', cohort: undefined }, viewer),
  },
  'letterReplies.takeBounce': {
    right: 'letters:write',
    does: async ({ product, acme }, viewer) =>
      void (await product.letterReplies.takeBounce(acme.id, { message: 'Hello' }, viewer)),
  },
  'subscriptions.lists': {
    right: 'letters:read',
    does: ({ product, acme }, viewer) => product.subscriptions.lists(acme.id, viewer),
  },
  'subscriptions.createList': {
    right: 'letters:write',
    does: ({ product, acme }, viewer) =>
      product.subscriptions.createList(acme.id, { key: 'weekly', name: 'Weekly' }, viewer),
  },
  'subscriptions.changeList': {
    right: 'letters:write',
    does: ({ product, acme }, viewer) =>
      product.subscriptions.changeList(acme.id, 'newsletter', { isOpen: false }, viewer),
  },
  'subscriptions.settings': {
    right: 'letters:read',
    does: ({ product, acme }, viewer) => product.subscriptions.settings(acme.id, viewer),
  },
  'subscriptions.changeSettings': {
    right: 'letters:write',
    does: ({ product, acme }, viewer) =>
      product.subscriptions.changeSettings(acme.id, { senderName: 'Acme' }, viewer),
  },
  'subscriptions.subscribers': {
    right: 'letters:read',
    does: ({ product, acme }, viewer) => product.subscriptions.subscribers(acme.id, 'newsletter', {}, viewer),
  },
  'subscriptions.exportList': {
    right: 'subscribers:write',
    does: ({ product, acme }, viewer) => product.subscriptions.exportList(acme.id, 'newsletter', viewer),
  },
  'subscriptions.importAddresses': {
    right: 'subscribers:write',
    does: ({ product, acme }, viewer) =>
      product.subscriptions.importAddresses(acme.id, 'newsletter', someAddresses, viewer),
  },
  'subscriptions.remove': {
    right: 'subscribers:write',
    does: async ({ product, acme }, viewer) => {
      const { subscriptions } = product
      requireDone(await subscriptions.importAddresses(acme.id, 'newsletter', someAddresses, operator()))
      const listed = requireDone(await subscriptions.subscribers(acme.id, 'newsletter', {}, operator()))
      return await subscriptions.remove(acme.id, present(listed.subscribers[0]).id, viewer)
    },
  },
  'comments.decide': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.comments.decide(stage.acme.id, await aComment(stage), { state: 'shown' }, viewer),
  },
  'comments.remove': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.comments.remove(stage.acme.id, await aComment(stage), viewer),
  },
  'insights.ask': {
    right: 'events:read',
    // nothing is in the question, which the caller is told only after the check of the right
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
  'savedInsights.ask of one that is not there': {
    right: 'events:read',
    does: async ({ product, acme }, viewer) =>
      (await product.savedInsights.ask(acme.id, 'none', viewer)).done,
  },
  'savedInsights.setFavourite': {
    right: 'events:read',
    // a key has no favourites, which it is told only after the check of the right
    does: async (stage, viewer) => {
      const id = await anInsight(stage)
      return (await stage.product.savedInsights.setFavourite(stage.acme.id, id, true, viewer)).done
    },
  },
  'savedInsights.noteViewed': {
    right: 'events:read',
    does: async (stage, viewer) => {
      const { savedInsights } = stage.product
      const found = await savedInsights.find(stage.acme.id, await anInsight(stage), operator())
      return await savedInsights.noteViewed(present(found), viewer)
    },
  },
  'retention.latest': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.retention.latest(acme.id, viewer),
  },
  'signInRules.ofProject': {
    right: 'members:read',
    does: ({ product, acme }, viewer) => product.signInRules.ofProject(acme.id, viewer),
  },
  'signInRules.changeProject': {
    right: 'members:write',
    does: ({ product, acme }, viewer) =>
      product.signInRules.changeProject(acme.id, { requireSecondFactor: true }, viewer),
  },
  'backupReports.read': {
    right: 'audit:read',
    does: ({ product, acme }, viewer) => product.backupReports.read(acme.id, viewer),
  },
  'audit.list': {
    right: 'audit:read',
    does: ({ product, acme }, viewer) => product.audit.list(acme.id, {}, viewer),
  },
}

/** What concerns the installation and no project: which of the viewers may do it. */
const installationDeeds: Record<string, { by: readonly string[]; rule: string; does: Deed['does'] }> = {
  'projects.create': {
    by: ['owner', 'owner of another project', 'operator'],
    rule: 'owner of a project, or operator',
    does: ({ product }, viewer) => product.projects.create({ name: 'New' }, viewer),
  },
  'signInRules.read': {
    by: ['owner', 'admin', 'editor', 'viewer', 'owner of another project', 'operator'],
    rule: 'signed-in member, or operator',
    does: ({ product }, viewer) => product.signInRules.read(viewer),
  },
  'signInRules.change': {
    // no member here owns every project
    by: ['operator'],
    rule: 'owner of every project, or operator',
    does: ({ product }, viewer) => product.signInRules.change({ requireSecondFactor: false }, viewer),
  },
  'sessions.listOf': {
    by: ['operator'],
    rule: 'operator',
    does: ({ product, somebody }, viewer) => product.sessions.listOf(somebody.email, viewer),
  },
  'sessions.endOf': {
    by: ['operator'],
    rule: 'operator',
    does: ({ product, somebody }, viewer) => product.sessions.endOf(somebody.email, undefined, viewer),
  },
  'members.resetPassword': {
    by: ['operator'],
    rule: 'operator',
    does: ({ product, somebody }, viewer) =>
      product.members.resetPassword(somebody.email, { password }, viewer),
  },
  'secondFactors.reset': {
    by: ['operator'],
    rule: 'operator',
    does: ({ product, somebody }, viewer) => product.secondFactors.reset(somebody.email, viewer),
  },
  'passwordResets.makeLink': {
    by: ['operator'],
    rule: 'operator',
    does: ({ product, somebody }, viewer) => product.passwordResets.makeLink(somebody.email, viewer),
  },
}

async function aComment({ product, acme }: Stage): Promise<string> {
  const post = { projectId: acme.id, id: '1', allowsComments: true }
  return requireDone(await product.comments.write(post, { name: 'Ben', text: 'Thank you.' })).comment.id
}

const thanks = { name: 'Thanked', goal: { type: 'page', path: '/thanks' } }
const prosByPlan = { name: 'Pros', question: { search: 'pro', columns: ['last', 'property:plan'] } }
const orderEvent = { type: 'event', name: 'order' }
const germans = {
  name: 'Germans',
  filter: { type: 'session', key: '$session_country', operator: 'exact', value: ['DE'] },
}

const aPerson = '00000000-0000-4000-8000-000000000001'
const anUpload = { source: 'posthog', files: [{ name: 'events.jsonl', bytes: 1 }] }
const anImport = { source: 'posthog', name: 'events.jsonl', fingerprint: 'a' }
const aTrend = { kind: 'trend', series: [{ event: 'buy' }] }

async function aCohort({ product, acme }: Stage): Promise<string> {
  return requireDone(await product.cohorts.create(acme.id, { name: 'Picked', persons: [] }, operator()))
    .cohort.id
}

const asking = async <Answer>(
  { product }: Stage,
  ask: (product: Product) => Promise<Answer>,
): Promise<Answer> => await ask(product)

const aCard = { id: 'words', content: { type: 'text', text: 'Words' } }
const growth = { name: 'Growth', cards: [aCard] }
const toTheWorld = { subject: { kind: 'web' } }
const released = { at: '2026-03-01T10:00:00Z', text: 'Released' }

async function aDashboard({ product, acme }: Stage): Promise<string> {
  return requireDone(await product.dashboards.create(acme.id, growth, operator())).dashboard.id
}

const silence = {
  name: 'Silence',
  watched: { type: 'event', event: '$pageview' },
  condition: { type: 'absence', minutes: 60 },
  recipients: [{ by: 'webhook', url: 'https://hooks.example/' }],
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
  return requireDone(await product.reports.create(acme.id, weekly, operator())).report.id
}

async function anInsight({ product, acme }: Stage): Promise<string> {
  const wanted = { name: 'Visitors', question: { kind: 'totals' } }
  return requireDone(await product.savedInsights.create(acme.id, wanted, operator())).insight.id
}

const theirs = { key: 'theirs', active: true, filters: { groups: [] } }
const inApril = { steps: [{ at: '2026-04-01T10:00:00Z', isOn: true }] }
const heldOut = { name: 'Spring', percentage: 5 }

async function aFlag({ product, acme }: Stage): Promise<string> {
  return requireDone(await product.flags.create(acme.id, { key: 'checkout' }, operator())).flag.key
}

/** Which says by whom it would be given. */
async function aMergedPerson({ acme, folder }: Stage): Promise<{ personId: string; distinctId: string }> {
  const [personId, distinctId] = [personIdOf(acme.id, 'ana'), 'anonymous-1']
  const store = await openStore({ folder })
  await saveClaims(store, [{ projectId: acme.id, distinctId, personId }])
  await store.close()
  return { personId, distinctId }
}

async function aTurnedFlag(stage: Stage): Promise<string> {
  const key = await aFlag(stage)
  requireDone(await stage.product.flags.turn(stage.acme.id, key, { isOn: false }, operator()))
  return key
}

const guarded = { steps: [{ percentage: 10, afterMinutes: 60 }], metrics: [{ type: 'exceptions' }] }

async function aGuard(stage: Stage): Promise<string> {
  const wanted = { flag: await aTurnedFlag(stage), ...guarded }
  return requireDone(await stage.product.guards.create(stage.acme.id, wanted, operator())).guard.id
}

async function anEnvironment({ product, acme }: Stage): Promise<string> {
  const wanted = { name: 'staging' }
  return requireDone(await product.environments.create(acme.id, wanted, operator())).environment.name
}

const otherTitle = { variants: [{ title: 'Hello, you' }] }
const moved = { from: '/old', to: '/new' }

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

async function aSurvey({ product, acme }: Stage): Promise<string> {
  const input = { name: 'Why?', content: { questions: [{ kind: 'open', text: 'Why?' }] } }
  return requireDone(await product.surveys.create(acme.id, input, operator())).survey.id
}

const someLetters = { subject: 'Hello', addresses: 'ana@example.com' }

/** Its host is never asked for: names below this one do not exist. */
const aWebhook = { url: 'https://hook.invalid/' }

async function aSurveyWithWebhook(stage: Stage): Promise<string> {
  const id = await aSurvey(stage)
  requireDone(await stage.product.surveyWebhooks.set(stage.acme.id, id, aWebhook, operator()))
  return id
}

async function aRunningSurvey(stage: Stage): Promise<string> {
  const id = await aSurvey(stage)
  return requireDone(await stage.product.surveys.launch(stage.acme.id, id, {}, operator())).survey.id
}

async function aPost({ product, acme }: Stage): Promise<string> {
  return requireDone(await product.posts.create(acme.id, { title: 'Hello' }, operator())).post.id
}

async function aPublishedPost(stage: Stage): Promise<string> {
  const id = await aPost(stage)
  return requireDone(await stage.product.posts.publish(stage.acme.id, id, {}, operator())).post.id
}

async function anEditedPost(stage: Stage): Promise<string> {
  const id = await aPublishedPost(stage)
  const change = { title: 'Bye', keepUnpublished: true }
  return requireDone(await stage.product.posts.change(stage.acme.id, id, change, operator())).post.id
}

async function aTriedPost(stage: Stage): Promise<string> {
  const id = await aPublishedPost(stage)
  return requireDone(await stage.product.posts.startTrial(stage.acme.id, id, otherTitle, operator())).post.id
}

async function aReadPost(stage: Stage, { posts }: Product) {
  return present(await posts.find(stage.acme.id, await aPublishedPost(stage), operator()))
}

async function anImage({ product, acme }: Stage): Promise<string> {
  const picture = { name: 'dot.png', bytes: onePixelPng }
  return requireDone(await product.images.keep(acme.id, picture, operator())).image.file
}

async function anAuthor({ product, acme }: Stage): Promise<string> {
  return requireDone(await product.authors.create(acme.id, { name: 'Eve' }, operator())).author.slug
}

async function aLayer({ product, acme }: Stage): Promise<number> {
  return requireDone(await product.layers.create(acme.id, { name: 'Checkout' }, operator())).layer.id
}

async function aHoldout({ product, acme }: Stage): Promise<number> {
  return requireDone(await product.holdouts.create(acme.id, heldOut, operator())).holdout.id
}

/** Two projects and their members. */
interface Cast {
  acme: Project
  other: Project
  byRole: Record<Role, Member>
  stranger: Member
  /** Whom deeds are done to. */
  somebody: Member
  anOwner: Member
}

type Stage = TestProduct & Cast

/** What viewers are made with, once for the whole file. */
interface Preparation extends Cast {
  signedIn: (member: Member) => Promise<Viewer>
  keyFor: (project: Project, held: readonly Right[]) => Promise<Viewer>
}

/** No events were ever stored; the product decides on the right before it asks. */
const emptyEngine = {
  query: async () => [],
  health: () => ({ form: 'remote', status: 'starting', since: new Date(0), restarts: 0 }),
} as unknown as Engine

/** A store with one project for each viewer, all with the same members: one product per deed serves all viewers. */
const original = mkdtempSync(join(tmpdir(), 'tilth-'))
afterAll(() => rmSync(original, { recursive: true }))

/** The projects, members and the viewers of each deed, by their names. */
let castByViewer: ReadonlyMap<string, Cast>
let viewersByDeed: ReadonlyMap<Deed, ReadonlyMap<string, Viewer>>

beforeAll(async () => {
  const product = await openProduct({ store: { folder: original }, world: aWorld('cast') })
  const { aProject, aMember, signedIn } = memberHelpers(product)
  const first = await aProject({ name: 'Acme' })
  const other = await aProject({ name: 'Other' })
  const cast = {
    other,
    byRole: {
      owner: await aMember({ role: 'owner', name: 'Olga Owner' }),
      admin: await aMember({ role: 'admin', name: 'Adam Admin' }),
      editor: await aMember({ role: 'editor', name: 'Edda Editor' }),
      viewer: await aMember({ role: 'viewer', name: 'Vera Viewer' }),
    },
    stranger: await aMember({ role: 'owner', project: other, name: 'Stan Stranger' }),
    somebody: await aMember({ role: 'editor', name: 'Sam Somebody' }),
    anOwner: await aMember({ role: 'owner', name: 'Orla Owner' }),
  }
  const casts = new Map<string, Cast>()
  for (const name of Object.keys(viewers)) {
    casts.set(name, { ...cast, acme: await aProject({ name: `Acme of ${name}` }) })
  }
  copyMemberships(
    first,
    [...casts.values()].map(({ acme }) => acme),
  )
  const made = {
    signedIn: madeOnce(
      (member: Member) => signedIn(member),
      ({ id }) => id,
    ),
    keyFor: madeOnce(
      (project: Project, held: readonly Right[]) => aKey(product, project, held),
      ({ id }, held) => `${id} ${held.join()}`,
    ),
  }
  const byDeed = new Map<Deed, ReadonlyMap<string, Viewer>>()
  for (const deed of Object.values(deeds)) {
    const byName = new Map<string, Viewer>()
    for (const [name, viewer] of Object.entries(viewers)) {
      byName.set(name, await viewer({ ...made, ...present(casts.get(name)) }, deed))
    }
    byDeed.set(deed, byName)
  }
  await product.close()
  castByViewer = casts
  viewersByDeed = byDeed
})

function madeOnce<Arguments extends unknown[]>(
  make: (...given: Arguments) => Promise<Viewer>,
  nameOf: (...given: Arguments) => string,
): (...given: Arguments) => Promise<Viewer> {
  const made = new Map<string, Promise<Viewer>>()
  return (...given) => {
    const name = nameOf(...given)
    const viewer = made.get(name) ?? make(...given)
    made.set(name, viewer)
    return viewer
  }
}

async function aKey({ keys }: Product, project: Project, held: readonly Right[]): Promise<Viewer> {
  const { text } = requireDone(await keys.create(project.id, { name: 'A key', scopes: held }, operator()))
  return present(await keys.viewer(text, testOrigin))
}

function copyMemberships(from: Project, to: readonly Project[]): void {
  const database = new DatabaseSync(join(original, 'store.db'))
  const copy = database.prepare(
    `insert into memberships (project_id, member_id, role, created_at)
     select ?, member_id, role, created_at from memberships where project_id = ?`,
  )
  for (const { id } of to) copy.run(id, from.id)
  database.close()
}

/** Who tries. A key that lacks the right may at least see the project, unless that is the right in question. */
const viewers: Record<string, (stage: Preparation, deed: Deed) => Promise<Viewer>> = {
  owner: (stage) => stage.signedIn(stage.byRole.owner),
  admin: (stage) => stage.signedIn(stage.byRole.admin),
  editor: (stage) => stage.signedIn(stage.byRole.editor),
  viewer: (stage) => stage.signedIn(stage.byRole.viewer),
  'owner of another project': (stage) => stage.signedIn(stage.stranger),
  'key with the scope': (stage, { right, handsOut = [] }) =>
    stage.keyFor(stage.acme, right === 'owners:write' ? scopes : [right, ...handsOut]),
  'key without the scope': (stage, { right }) => stage.keyFor(stage.acme, everyScopeBut(right)),
  'key that may not even read': (stage, { right }) =>
    stage.keyFor(stage.acme, [right === 'audit:read' ? 'keys:read' : 'audit:read']),
  'key of another project': (stage) => stage.keyFor(stage.other, scopes),
  operator: async () => operator(),
}

function everyScopeBut(right: Right): Right[] {
  return scopes.filter((scope) => scope !== right)
}

function expected(right: Right): Record<string, string> {
  const byRole = roles.map((role) => [role, holders[right].includes(role) ? 'done' : 'not-allowed'])
  return {
    ...Object.fromEntries(byRole),
    'owner of another project': 'not-found',
    'key with the scope': right === 'owners:write' ? 'not-allowed' : 'done',
    'key without the scope': right === 'project:read' ? 'not-found' : 'not-allowed',
    'key that may not even read': 'not-found',
    'key of another project': 'not-found',
    operator: 'done',
  }
}

describe('who may do what', () => {
  test.each(Object.entries(deeds))('%s', async (_, deed) => {
    const results: Record<string, string> = {}
    const ground = await openTestProduct({ like: original, engine: emptyEngine })
    for (const [name, viewer] of present(viewersByDeed.get(deed))) {
      const stage = { ...ground, ...present(castByViewer.get(name)) }
      results[name] = await tried(deed, stage, viewer)
    }

    expect(results).toEqual(expected(deed.right))
  })

  test.each(Object.entries(installationDeeds))('%s', async (_, { by, does }) => {
    const ground = await openTestProduct({ like: original, engine: emptyEngine })
    const mayDo: string[] = []
    for (const [name, viewer] of present([...viewersByDeed.values()][0])) {
      const stage = { ...ground, ...present(castByViewer.get(name)) }
      if ((await tried({ right: 'project:read', does }, stage, viewer)) === 'done') mayDo.push(name)
    }

    expect(mayDo).toEqual(by)
  })

  test('every public method of the product is tried above, or is listed with the reason for no right', async () => {
    const known = [...Object.keys(deeds), ...Object.keys(installationDeeds)].map(methodOf)
    const open = methodsWithoutRight.flatMap(({ methods }) => methods)
    const methods = publicMethods(await aWholeProduct(), privateNamesIn(root))

    expect(methods.filter((name) => !known.includes(name) && !open.includes(name))).toEqual([])
    expect([...known, ...open].filter((name) => !methods.includes(name))).toEqual([])
    expect(open.filter((name) => known.includes(name))).toEqual([])
  })

  test('a new public method is found, a private one is not', () => {
    const hidden: PrivateNames = (className, name) => `${className}.${name}` === 'NewMembers.count'
    const names = publicMethods({ members: new NewMembers(), ping: () => {} }, hidden)

    expect(names).toEqual(['members.added', 'members.list', 'ping'])
  })

  test('docs/authorization.md prints it', () => {
    const marks = (right: Right) => roles.map((role) => (holders[right].includes(role) ? 'yes' : ''))
    expectPrintedTable(
      'rights',
      tableOf(
        ['Right', ...roles, 'secret key', 'What it allows'],
        Object.keys(rights)
          .filter(isRight)
          .map((right) => [
            `\`${right}\``,
            ...marks(right),
            scopes.includes(right) ? 'with the scope' : '',
            rights[right].label,
          ]),
      ),
    )
    expectPrintedTable(
      'methods',
      tableOf(
        ['Method', 'Needs'],
        [
          ...Object.entries(deeds).map(([name, { right, handsOut = [] }]) => [
            `\`${methodOf(name)}\`${name.slice(methodOf(name).length)}`,
            [right, ...handsOut].map((one) => `\`${one}\``).join(', '),
          ]),
          ...Object.entries(installationDeeds).map(([name, { rule }]) => [`\`${name}\``, rule]),
        ].toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
      ),
    )
    expectPrintedTable(
      'methods without a right',
      methodsWithoutRight
        .map(({ reason, methods }) => `- ${reason} ${methods.map((name) => `\`${name}\``).join(', ')}`)
        .join('\n'),
    )
  })

  test('every right guards something', () => {
    const used = new Set(Object.values(deeds).map(({ right }) => right))

    expect([...used].toSorted()).toEqual(Object.keys(rights).toSorted())
  })

  test('every right can be handed to a key, but for a say about owners', () => {
    expect([...scopes, 'owners:write'].toSorted()).toEqual(Object.keys(rights).toSorted())
  })
})

const root = join(import.meta.dirname, '../..')

/** `members.remove of an owner` is a case of `members.remove`. */
const methodOf = (name: string): string => name.split(' ')[0] ?? name

/** The product with all parts that depend on settings: a front's, with a provider for sign-in. */
async function aWholeProduct(): Promise<object> {
  const folder = aFolder()
  const engine = { ...emptyEngine, ready: () => new Promise(() => {}) } as unknown as Engine
  const product = await openProduct({
    store: { folder },
    world: aWorld(),
    engine,
    intake: {
      dataFolder: folder,
      isAlone: true,
      diskSpace: async () => ({ freeBytes: 1, usedBytes: undefined, trouble: undefined }),
      log: openLog({ level: 'silent', format: 'json' }),
      onSighting: () => {},
    },
    backups: { engineFolder: undefined, schedule: undefined },
    outbound: { allow: undefined, canMail: true, addresses: [], oidc: aProvider },
  })
  onTestFinished(() => product.close())
  // the engine is given to the product and is no part of what it offers
  return { ...product, engine: undefined }
}

const aProvider: OidcSettings = {
  issuer: 'https://login.example',
  clientId: 'tilth',
  clientSecret: 'secret',
  name: 'Example',
  domains: [],
  mayJoin: false,
  isRequired: false,
  groupsClaim: 'groups',
  groupRoles: [],
}

class NewMembers {
  added = () => true
  list() {
    return []
  }
  // the check of privacy is what is tested, so the compiler sees it public
  count() {
    return 0
  }
}

async function tried({ does }: Deed, stage: Stage, viewer: Viewer): Promise<string> {
  try {
    const outcome: unknown = await does(stage, viewer)
    return isUndone(outcome) ? JSON.stringify(outcome) : 'done'
  } catch (problem) {
    if (problem instanceof AccessRefused) return problem.reason
    throw problem
  }
}

const isUndone = (outcome: unknown): boolean =>
  typeof outcome === 'object' && outcome !== null && 'done' in outcome && outcome.done === false
