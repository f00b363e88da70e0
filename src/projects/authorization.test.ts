import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import type { Engine } from '#engine/engine'
import { render, type Sql } from '#engine/sql'
import {
  anApp,
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
  AccessRefusedError,
  type MemberViewer,
  type Right,
  rights,
  type Role,
  roles,
  scopes,
  type Viewer,
} from './access'
import type { AuditEntry } from './audit'
import { type AuditAction, auditActions } from './audit-actions'
import type { Member } from './members'
import type { OidcSettings } from './oidc-settings'
import { OidcSignIn } from './internal/oidc-sign-in'
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

/** The contents of an entry of the audit log, beside who did it and when. */
type Written = Partial<Pick<AuditEntry, 'subject' | 'before' | 'after' | 'projectId' | 'actor' | 'origin'>>

/** A guarded action and its right. A key must also hold the rights that the action hands out or uses elsewhere. */
interface AuditedCall {
  right: Right
  handsOut?: readonly Right[]
  does: (stage: Stage, viewer: Viewer) => unknown
  /** The entry that is written of it; absent where none is. */
  action?: AuditAction
  writes?: (stage: Stage, viewer: Viewer) => Written
}

const whatAViewerMay = Object.keys(holders)
  .filter(isRight)
  .filter((right) => holders[right].includes('viewer'))

const aLetter = { post: 'unknown', subjects: ['Hello'] }
const someAddresses = { addresses: 'eve@example.com', consent: 'Agreed at the counter.' }

const calls: Record<string, AuditedCall> = {
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
    does: ({ product, acme }, viewer) =>
      product.projects.change(acme.id, { name: 'New', timeZone: 'Asia/Tokyo' }, viewer),
    action: 'project.change',
    writes: ({ acme }) => ({
      subject: 'New',
      before: expect.objectContaining({ name: acme.name, timeZone: 'UTC' }),
      after: expect.objectContaining({ name: 'New', timeZone: 'Asia/Tokyo' }),
    }),
  },
  'projects.changeSettings': {
    right: 'project:write',
    does: ({ product, acme }, viewer) =>
      product.projects.changeSettings(acme.id, { answers: { currency: 'CHF' } }, viewer),
  },
  'projects.archive': {
    right: 'project:archive',
    does: ({ product, acme }, viewer) => product.projects.archive(acme.id, viewer),
    action: 'project.archive',
    writes: ({ acme, world }) => ({
      subject: acme.name,
      before: expect.not.objectContaining({ archivedAt: expect.anything() }),
      after: expect.objectContaining({ archivedAt: world.now().toISOString() }),
    }),
  },
  'projects.restore': {
    right: 'project:archive',
    does: async ({ product, acme }, viewer) => {
      await product.projects.archive(acme.id, operator())
      return await product.projects.restore(acme.id, viewer)
    },
    action: 'project.restore',
    writes: () => ({
      before: expect.objectContaining({ archivedAt: expect.anything() }),
      after: expect.not.objectContaining({ archivedAt: expect.anything() }),
    }),
  },
  'projects.renewWriteKey': {
    right: 'keys:write',
    does: ({ product, acme }, viewer) => product.projects.renewWriteKey(acme.id, viewer),
    action: 'write-key.renew',
    writes: ({ product, acme }) => ({
      subject: acme.name,
      before: expect.objectContaining({ writeKey: acme.writeKey }),
      after: expect.objectContaining({ writeKey: product.projects.numbered(acme.id)?.writeKey }),
    }),
  },
  'projects.members.list': {
    right: 'members:read',
    does: ({ product, acme }, viewer) => product.projects.members.list(acme.id, viewer),
  },
  'projects.members.changeRole': {
    right: 'members:write',
    handsOut: whatAViewerMay,
    does: ({ product, acme, somebody }, viewer) =>
      product.projects.members.changeRole(acme.id, somebody.id, { role: 'viewer' }, viewer),
    action: 'member.role',
    writes: ({ somebody }) => ({
      subject: somebody.email,
      before: { role: 'editor' },
      after: { role: 'viewer' },
    }),
  },
  'projects.members.remove': {
    right: 'members:write',
    does: ({ product, acme, somebody }, viewer) =>
      product.projects.members.remove(acme.id, somebody.id, viewer),
    action: 'member.remove',
    writes: ({ somebody }) => ({ subject: somebody.email, before: { role: 'editor' }, after: undefined }),
  },
  'projects.members.changeRole to owner': {
    right: 'owners:write',
    does: ({ product, acme, somebody }, viewer) =>
      product.projects.members.changeRole(acme.id, somebody.id, { role: 'owner' }, viewer),
  },
  'projects.members.changeRole of an owner': {
    right: 'owners:write',
    does: ({ product, acme, anOwner }, viewer) =>
      product.projects.members.changeRole(acme.id, anOwner.id, { role: 'viewer' }, viewer),
  },
  'projects.members.remove of an owner': {
    right: 'owners:write',
    does: ({ product, acme, anOwner }, viewer) =>
      product.projects.members.remove(acme.id, anOwner.id, viewer),
  },
  'projects.invitations.list': {
    right: 'members:read',
    does: ({ product, acme }, viewer) => product.projects.invitations.list(acme.id, viewer),
  },
  'projects.invitations.create': {
    right: 'members:write',
    handsOut: whatAViewerMay,
    does: ({ product, acme }, viewer) =>
      product.projects.invitations.create(acme.id, { role: 'viewer', email: 'cleo@acme.example' }, viewer),
    action: 'invitation.create',
    writes: () => ({ subject: 'cleo@acme.example', after: { role: 'viewer' } }),
  },
  'projects.invitations.create for an owner': {
    right: 'owners:write',
    does: ({ product, acme }, viewer) =>
      product.projects.invitations.create(acme.id, { role: 'owner' }, viewer),
  },
  'projects.invitations.revoke': {
    right: 'members:write',
    does: async ({ product, acme }, viewer) => {
      const { invitation } = requireDone(
        await product.projects.invitations.create(acme.id, { role: 'viewer' }, operator()),
      )
      return await product.projects.invitations.revoke(acme.id, invitation.id, viewer)
    },
    action: 'invitation.revoke',
    writes: () => ({ subject: 'anybody with the link, as viewer' }),
  },
  'projects.keys.list': {
    right: 'keys:read',
    does: ({ product, acme }, viewer) => product.projects.keys.list(acme.id, viewer),
  },
  'projects.keys.create': {
    right: 'keys:write',
    does: ({ product, acme }, viewer) =>
      product.projects.keys.create(acme.id, { name: 'A copy', scopes: ['keys:write'] }, viewer),
    action: 'key.create',
    writes: () => ({
      subject: 'A copy',
      after: { lastFour: expect.stringMatching(/^.{4}$/), scopes: ['keys:write'] },
    }),
  },
  'projects.keys.revoke': {
    right: 'keys:write',
    does: async ({ product, acme }, viewer) => {
      const wanted = { name: 'To be revoked', scopes: 'every' }
      const { key } = requireDone(await product.projects.keys.create(acme.id, wanted, operator()))
      return await product.projects.keys.revoke(acme.id, key.id, viewer)
    },
    action: 'key.revoke',
    writes: () => ({ subject: 'To be revoked', before: { lastFour: expect.any(String), scopes: 'every' } }),
  },
  'insights.keyOf': {
    right: 'events:read',
    does: async ({ product, acme }, viewer) =>
      product.insights.keyOf(acme.id, { kind: 'totals', period: '7d' }, viewer),
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
    action: 'data.export',
    writes: () => ({ subject: 'events' }),
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
    action: 'import.begin',
    writes: () => ({ subject: 'events.jsonl', after: { source: 'posthog' } }),
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
      const startedImport = requireDone(await product.imports.begin(acme.id, anImport, operator()))
      return await product.imports.undo(acme.id, startedImport.import.id, viewer)
    },
    action: 'import.undo',
    writes: () => ({ subject: 'events.jsonl' }),
  },
  'imports.uploads.list': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: ({ product, acme }, viewer) => product.imports.uploads.list(acme.id, viewer),
  },
  'imports.uploads.begin': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async ({ product, acme }, viewer) => {
      // only a front takes files, which only those hear who may send them
      await product.imports.uploads.begin(acme.id, anUpload, viewer)
    },
  },
  'imports.uploads.write': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async ({ product, acme }, viewer) => {
      // as above
      await product.imports.uploads.write(
        acme.id,
        { upload: 'none', file: 0, at: 0 },
        new Uint8Array(),
        viewer,
      )
    },
  },
  'imports.uploads.preview': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async ({ product, acme }, viewer) => {
      // as above
      await product.imports.uploads.preview(acme.id, 'none', {}, viewer)
    },
  },
  'imports.uploads.start': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async ({ product, acme }, viewer) => {
      // as above
      await product.imports.uploads.start(acme.id, 'none', viewer)
    },
  },
  'imports.uploads.discard': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async ({ product, acme }, viewer) => {
      // as above
      await product.imports.uploads.discard(acme.id, 'none', viewer)
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
  'shares.list': {
    right: 'shares:write',
    does: ({ product, acme }, viewer) => product.shares.list(acme.id, viewer),
  },
  'shares.create': {
    right: 'shares:write',
    does: ({ product, acme }, viewer) => product.shares.create(acme.id, toTheWorld, viewer),
    action: 'share.create',
    writes: () => ({
      subject: 'Web analytics',
      after: expect.objectContaining({ frameHosts: ['a.example'] }),
    }),
  },
  'shares.change': {
    right: 'shares:write',
    does: async ({ product, acme }, viewer) => {
      const { share } = requireDone(await product.shares.create(acme.id, toTheWorld, operator()))
      return await product.shares.change(acme.id, share.id, { frameHosts: [] }, viewer)
    },
    action: 'share.change',
    writes: () => ({
      subject: 'Web analytics',
      before: expect.objectContaining({ frameHosts: ['a.example'] }),
      after: expect.objectContaining({ frameHosts: [] }),
    }),
  },
  'shares.renew': {
    right: 'shares:write',
    does: async ({ product, acme }, viewer) => {
      const { share } = requireDone(await product.shares.create(acme.id, toTheWorld, operator()))
      return await product.shares.renew(acme.id, share.id, viewer)
    },
  },
  'shares.link': {
    right: 'shares:write',
    does: async ({ product, acme }, viewer) => {
      const { share } = requireDone(await product.shares.create(acme.id, toTheWorld, viewer))
      const { done } = await product.shares.link(acme.id, share.id, viewer)
      // only members can copy their links again; the right is checked before
      return done === (viewer.kind === 'member')
    },
  },
  'shares.revoke': {
    right: 'shares:write',
    does: async ({ product, acme }, viewer) => {
      const { share } = requireDone(await product.shares.create(acme.id, toTheWorld, operator()))
      return await product.shares.revoke(acme.id, share.id, viewer)
    },
    action: 'share.revoke',
    writes: ({ world }) => ({
      subject: 'Web analytics',
      after: expect.objectContaining({ revokedAt: world.now().toISOString() }),
    }),
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
    right: 'experiments:write',
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
  'surveys.links.list': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.links.list(stage.acme.id, await aSurvey(stage), viewer),
  },
  'surveys.links.create': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.links.create(stage.acme.id, await aSurvey(stage), { count: 1 }, viewer),
    action: 'survey.create-links',
    writes: () => ({ subject: 'Why?', after: { links: 1 } }),
  },
  'surveys.links.revoke': {
    right: 'surveys:write',
    does: async ({ product, acme, ...stage }, viewer) => {
      const id = await aSurvey({ product, acme, ...stage })
      const made = await product.surveys.links.create(acme.id, id, { count: 1 }, operator())
      const [link] = requireDone(made).links
      return await product.surveys.links.revoke(acme.id, id, present(link).id, viewer)
    },
    action: 'survey.revoke-link',
    writes: () => ({ subject: 'Why?', before: { link: expect.any(String) } }),
  },
  'surveys.mailings.list': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.mailings.list(stage.acme.id, await aSurvey(stage), viewer),
  },
  'surveys.mailings.preview': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.mailings.preview(stage.acme.id, await aSurvey(stage), someLetters, viewer),
  },
  'surveys.mailings.send': {
    right: 'surveys:write',
    does: async (stage, viewer) => {
      const { product, acme } = stage
      const id = await aRunningSurvey(stage)
      requireDone(await product.surveys.change(acme.id, id, { hostedPage: { isOpen: true } }, operator()))
      // without a mail server nothing is sent
      return void (await product.surveys.mailings.send(acme.id, id, someLetters, viewer))
    },
  },
  'surveys.webhooks.find': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.webhooks.find(stage.acme.id, await aSurveyWithWebhook(stage), viewer),
  },
  'surveys.webhooks.deliveries': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.webhooks.deliveries(stage.acme.id, await aSurveyWithWebhook(stage), viewer),
  },
  'surveys.webhooks.set': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.webhooks.set(stage.acme.id, await aSurvey(stage), aWebhook, viewer),
    action: 'survey.set-webhook',
    writes: () => ({ subject: 'Why?', after: { url: 'https://hook.invalid/…' } }),
  },
  'surveys.webhooks.remove': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.webhooks.remove(stage.acme.id, await aSurveyWithWebhook(stage), viewer),
    action: 'survey.remove-webhook',
    writes: () => ({ subject: 'Why?', before: { url: 'https://hook.invalid/…' } }),
  },
  'surveys.webhooks.test': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.webhooks.test(stage.acme.id, await aSurveyWithWebhook(stage), viewer),
  },
  'surveys.results.results': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.results.results(stage.acme.id, await aSurvey(stage), {}, viewer),
  },
  'surveys.results.counts': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.results.counts(stage.acme.id, await aSurvey(stage), {}, viewer),
  },
  'surveys.results.figures': {
    right: 'surveys:read',
    does: async (stage, viewer) => stage.product.surveys.results.figures(stage.acme.id, viewer),
  },
  'surveys.results.tags': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      void (await stage.product.surveys.results.tags(stage.acme.id, await aSurvey(stage), viewer)),
  },
  'surveys.results.tagResponse': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.results.tagResponse(
        stage.acme.id,
        await aSurvey(stage),
        'one',
        { tags: ['bug'] },
        viewer,
      ),
    action: 'survey.tag-response',
    writes: () => ({
      subject: 'Why?',
      before: { submission: 'one', tags: [] },
      after: { submission: 'one', tags: ['bug'] },
    }),
  },
  'surveys.results.texts': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.results.texts(stage.acme.id, await aSurvey(stage), 'why', {}, viewer),
  },
  'surveys.results.responses': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.results.responses(stage.acme.id, await aSurvey(stage), {}, viewer),
  },
  'surveys.results.responsesOfPerson': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.results.responsesOfPerson(stage.acme.id, await aSurvey(stage), 'ana', viewer),
  },
  'surveys.results.response': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      void (await stage.product.surveys.results.response(stage.acme.id, await aSurvey(stage), 'one', viewer)),
  },
  'surveys.results.export': {
    right: 'surveys:read',
    does: async (stage, viewer) =>
      stage.product.surveys.results.export(stage.acme.id, await aSurvey(stage), {}, viewer),
  },
  'surveys.results.removeResponse': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.results.removeResponse(stage.acme.id, await aSurvey(stage), 'one', viewer),
    action: 'survey.remove-response',
    writes: () => ({ subject: 'Why?', after: { submission: 'one' } }),
  },
  'surveys.results.restoreResponse': {
    right: 'surveys:write',
    does: async ({ product, acme, ...stage }, viewer) => {
      const id = await aSurvey({ product, acme, ...stage })
      requireDone(await product.surveys.results.removeResponse(acme.id, id, 'one', operator()))
      return await product.surveys.results.restoreResponse(acme.id, id, 'one', viewer)
    },
    action: 'survey.restore-response',
    writes: () => ({ subject: 'Why?', after: { submission: 'one' } }),
  },
  'surveys.list': {
    right: 'surveys:read',
    does: ({ product, acme }, viewer) => product.surveys.list(acme.id, viewer),
  },
  'surveys.find': {
    right: 'surveys:read',
    does: async (stage, viewer) => stage.product.surveys.find(stage.acme.id, await aSurvey(stage), viewer),
  },
  'surveys.letters': {
    right: 'surveys:read',
    does: async (stage, viewer) => {
      const survey = await stage.product.surveys.find(stage.acme.id, await aSurvey(stage), operator())
      return stage.product.surveys.letters(present(survey), viewer)
    },
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
    does: ({ product, acme }, viewer) => product.surveys.create(acme.id, oneQuestion, viewer),
    action: 'survey.create',
    writes: () => ({ subject: 'Why?', after: expect.objectContaining({ questions: ['Why?'], version: 1 }) }),
  },
  'surveys.change': {
    right: 'surveys:write',
    does: async (stage, viewer) => {
      const change = { name: 'How?', hostedPage: { pin: '1234' } }
      return stage.product.surveys.change(stage.acme.id, await aSurvey(stage), change, viewer)
    },
    action: 'survey.change',
    writes: () => ({
      subject: 'How?',
      before: expect.objectContaining({ name: 'Why?' }),
      after: expect.objectContaining({
        name: 'How?',
        hostedPage: { isOpen: false, needsLink: false, mayBeEmbedded: false, hasPin: true },
      }),
    }),
  },
  'surveys.launch': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.launch(stage.acme.id, await aSurvey(stage), {}, viewer),
    action: 'survey.launch',
    writes: ({ world }) => ({
      subject: 'Why?',
      after: expect.objectContaining({ startsAt: world.now().toISOString() }),
    }),
  },
  'surveys.stop': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.stop(stage.acme.id, await aRunningSurvey(stage), viewer),
    action: 'survey.stop',
    writes: ({ world }) => ({
      subject: 'Why?',
      after: expect.objectContaining({ endsAt: world.now().toISOString() }),
    }),
  },
  'surveys.resume': {
    right: 'surveys:write',
    does: async (stage, viewer) => {
      const id = await aRunningSurvey(stage)
      requireDone(await stage.product.surveys.stop(stage.acme.id, id, operator()))
      return await stage.product.surveys.resume(stage.acme.id, id, viewer)
    },
    action: 'survey.resume',
    writes: () => ({ subject: 'Why?', before: expect.objectContaining({ endsAt: expect.anything() }) }),
  },
  'surveys.archive': {
    right: 'surveys:write',
    does: async (stage, viewer) => stage.product.surveys.archive(stage.acme.id, await aSurvey(stage), viewer),
    action: 'survey.archive',
    writes: ({ world }) => ({
      subject: 'Why?',
      after: expect.objectContaining({ archivedAt: world.now().toISOString() }),
    }),
  },
  'surveys.restore': {
    right: 'surveys:write',
    does: async (stage, viewer) => {
      const id = await aSurvey(stage)
      requireDone(await stage.product.surveys.archive(stage.acme.id, id, operator()))
      return await stage.product.surveys.restore(stage.acme.id, id, viewer)
    },
    action: 'survey.restore',
    writes: () => ({ subject: 'Why?', before: expect.objectContaining({ archivedAt: expect.anything() }) }),
  },
  'surveys.duplicate': {
    right: 'surveys:write',
    does: async (stage, viewer) =>
      stage.product.surveys.duplicate(stage.acme.id, await aSurvey(stage), viewer),
  },
  'surveys.importFrom': {
    right: 'surveys:write',
    does: ({ product, acme }, viewer) =>
      product.surveys.importFrom(acme.id, { name: 'Theirs', type: 'api' }, '98c3635f-theirs', viewer),
  },
  'surveys.remove': {
    right: 'surveys:write',
    does: async (stage, viewer) => stage.product.surveys.remove(stage.acme.id, await aSurvey(stage), viewer),
    action: 'survey.remove',
    writes: () => ({ subject: 'Why?', before: expect.objectContaining({ name: 'Why?' }), after: undefined }),
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
  'posts.numbers.of': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, async (product) =>
        product.posts.numbers.of(stage.acme.id, await aReadPost(stage, product), {}, viewer),
      ),
  },
  'posts.numbers.list': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ posts: { numbers: postNumbers } }) => postNumbers.list(stage.acme.id, '30d', viewer)),
  },
  'posts.numbers.attributionFor': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, async (product) =>
        product.posts.numbers.attributionFor(
          stage.acme.id,
          await aReadPost(stage, product),
          { goal: { type: 'revenue' } },
          viewer,
        ),
      ),
  },
  'posts.numbers.trial': {
    right: 'events:read',
    does: async (stage, viewer) => {
      const id = await aTriedPost(stage)
      const { trial } = present(await stage.product.posts.find(stage.acme.id, id, operator()))
      return await asking(stage, ({ posts: { numbers: postNumbers } }) =>
        postNumbers.trial(stage.acme.id, present(trial), viewer),
      )
    },
  },
  'posts.numbers.blocked': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ posts: { numbers: postNumbers } }) =>
        postNumbers.blocked(stage.acme.id, '30d', viewer),
      ),
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
    does: ({ product, acme }, viewer) =>
      product.posts.create(acme.id, { title: 'Hello', body: 'Words' }, viewer),
    action: 'post.create',
    writes: () => ({
      subject: 'Hello',
      before: undefined,
      after: expect.objectContaining({ body: '5 characters', version: 1 }),
    }),
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
    action: 'post.change',
    writes: () => ({
      subject: 'Bye',
      before: expect.objectContaining({ title: 'Hello', version: 1 }),
      after: expect.objectContaining({ title: 'Bye', version: 2 }),
    }),
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
    action: 'post.discard',
    writes: () => ({ subject: 'Hello', after: expect.objectContaining({ title: 'Hello', version: 4 }) }),
  },
  'posts.publish': {
    right: 'posts:write',
    does: async (stage, viewer) => stage.product.posts.publish(stage.acme.id, await aPost(stage), {}, viewer),
    action: 'post.publish',
    writes: ({ world }) => ({
      subject: 'Hello',
      before: expect.not.objectContaining({ publishedAt: expect.anything() }),
      after: expect.objectContaining({ publishedAt: world.now().toISOString() }),
    }),
  },
  'posts.unpublish': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.unpublish(stage.acme.id, await aPublishedPost(stage), viewer),
    action: 'post.unpublish',
    writes: () => ({
      subject: 'Hello',
      after: expect.not.objectContaining({ publishedAt: expect.anything() }),
    }),
  },
  'posts.archive': {
    right: 'posts:write',
    does: async (stage, viewer) => stage.product.posts.archive(stage.acme.id, await aPost(stage), viewer),
    action: 'post.archive',
    writes: ({ world }) => ({
      subject: 'Hello',
      after: expect.objectContaining({ archivedAt: world.now().toISOString() }),
    }),
  },
  'posts.restore': {
    right: 'posts:write',
    does: async (stage, viewer) => {
      const id = await aPost(stage)
      requireDone(await stage.product.posts.archive(stage.acme.id, id, operator()))
      return await stage.product.posts.restore(stage.acme.id, id, viewer)
    },
    action: 'post.restore',
    writes: () => ({
      subject: 'Hello',
      before: expect.objectContaining({ archivedAt: expect.anything() }),
    }),
  },
  'posts.history': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.history(acme.id, '1', viewer),
  },
  'posts.bringBack': {
    right: 'posts:write',
    does: async (stage, viewer) => {
      const id = await aPost(stage)
      await stage.product.posts.change(stage.acme.id, id, { title: 'Bye' }, operator())
      return await stage.product.posts.bringBack(stage.acme.id, id, 1, viewer)
    },
    action: 'post.revert',
    writes: () => ({
      subject: 'Hello',
      before: expect.objectContaining({ title: 'Bye' }),
      after: expect.objectContaining({ title: 'Hello', version: 3 }),
    }),
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
    action: 'post.try',
    writes: () => ({
      subject: 'Hello',
      after: expect.objectContaining({ trial: expect.objectContaining({ state: { name: 'running' } }) }),
    }),
  },
  'posts.stopTrial': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.stopTrial(stage.acme.id, await aTriedPost(stage), viewer),
    action: 'post.untry',
    writes: () => ({
      subject: 'Hello',
      after: expect.objectContaining({
        trial: expect.objectContaining({ state: expect.objectContaining({ name: 'stopped' }) }),
      }),
    }),
  },
  'posts.pickWinner': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.pickWinner(stage.acme.id, await aTriedPost(stage), { winner: 'b' }, viewer),
    action: 'post.win',
    writes: () => ({
      subject: 'Hello, you',
      before: expect.objectContaining({ title: 'Hello' }),
      after: expect.objectContaining({ title: 'Hello, you' }),
    }),
  },
  'posts.authors.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.authors.list(acme.id, viewer),
  },
  'posts.authors.create': {
    right: 'posts:write',
    does: ({ product, acme }, viewer) => product.posts.authors.create(acme.id, { name: 'Eve' }, viewer),
    action: 'author.create',
    writes: () => ({
      subject: 'Eve',
      before: undefined,
      after: expect.objectContaining({ name: 'Eve', bio: '' }),
    }),
  },
  'posts.authors.change': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.authors.change(stage.acme.id, await anAuthor(stage), { bio: 'Writes' }, viewer),
    action: 'author.change',
    writes: () => ({
      subject: 'Eve',
      before: expect.objectContaining({ bio: '' }),
      after: expect.objectContaining({ bio: 'Writes' }),
    }),
  },
  'posts.authors.remove': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.authors.remove(stage.acme.id, await anAuthor(stage), viewer),
    action: 'author.remove',
    writes: () => ({ subject: 'Eve', before: expect.objectContaining({ name: 'Eve' }), after: undefined }),
  },
  'posts.redirects.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.redirects.list(acme.id, viewer),
  },
  'posts.redirects.create': {
    right: 'site:write',
    does: ({ product, acme }, viewer) => product.posts.redirects.create(acme.id, moved, viewer),
    action: 'redirect.create',
    writes: () => ({ subject: '/old', after: { to: '/new' } }),
  },
  'posts.redirects.remove': {
    right: 'site:write',
    does: async ({ product, acme }, viewer) => {
      requireDone(await product.posts.redirects.create(acme.id, moved, operator()))
      return await product.posts.redirects.remove(acme.id, moved.from, viewer)
    },
    action: 'redirect.remove',
    writes: () => ({ subject: '/old', before: { to: '/new' }, after: undefined }),
  },
  'posts.sites.read': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.sites.read(acme.id, viewer),
  },
  'posts.sites.change': {
    right: 'site:write',
    does: ({ product, acme }, viewer) => product.posts.sites.change(acme.id, { layout: 'cards' }, viewer),
    action: 'site.change',
    writes: ({ acme }) => ({
      subject: acme.name,
      before: expect.objectContaining({ layout: 'list' }),
      after: expect.objectContaining({ layout: 'cards' }),
    }),
  },
  'posts.imageLibrary.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.imageLibrary.list(acme.id, viewer),
  },
  'posts.imageLibrary.find': {
    right: 'project:read',
    does: async (stage, viewer) =>
      stage.product.posts.imageLibrary.find(stage.acme.id, await anImage(stage), viewer),
  },
  'posts.imageLibrary.change': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.imageLibrary.change(stage.acme.id, await anImage(stage), { alt: 'A dot' }, viewer),
    action: 'image.change',
    writes: () => ({
      subject: 'dot.png',
      before: { alt: '' },
      after: { alt: 'A dot' },
    }),
  },
  'posts.imageLibrary.remove': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.imageLibrary.remove(stage.acme.id, await anImage(stage), {}, viewer),
    action: 'image.remove',
    writes: () => ({ subject: 'dot.png' }),
  },
  'posts.images.keep': {
    right: 'posts:write',
    does: ({ product, acme }, viewer) =>
      product.posts.images.keep(acme.id, { name: 'dot.png', bytes: onePixelPng }, viewer),
    action: 'image.add',
    writes: () => ({ subject: 'dot.png' }),
  },
  'posts.comments.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.comments.list(acme.id, { state: 'waiting' }, viewer),
  },
  'posts.comments.counts': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.comments.counts(acme.id, viewer),
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
  'letters.replies.takeBounce': {
    right: 'letters:write',
    does: async ({ product, acme }, viewer) =>
      void (await product.letters.replies.takeBounce(acme.id, { message: 'Hello' }, viewer)),
  },
  'letters.subscriptions.lists': {
    right: 'letters:read',
    does: ({ product, acme }, viewer) => product.letters.subscriptions.lists(acme.id, viewer),
  },
  'letters.subscriptions.createList': {
    right: 'letters:write',
    does: ({ product, acme }, viewer) =>
      product.letters.subscriptions.createList(acme.id, { key: 'weekly', name: 'Weekly' }, viewer),
    action: 'letter-list.create',
    writes: () => ({ subject: 'Weekly' }),
  },
  'letters.subscriptions.changeList': {
    right: 'letters:write',
    does: ({ product, acme }, viewer) =>
      product.letters.subscriptions.changeList(acme.id, 'newsletter', { isOpen: false }, viewer),
    action: 'letter-list.change',
    writes: () => ({
      subject: 'Newsletter',
      before: { key: 'newsletter', name: 'Newsletter', isOpen: true },
      after: { key: 'newsletter', name: 'Newsletter', isOpen: false },
    }),
  },
  'letters.subscriptions.settings': {
    right: 'letters:read',
    does: ({ product, acme }, viewer) => product.letters.subscriptions.settings(acme.id, viewer),
  },
  'letters.subscriptions.changeSettings': {
    right: 'letters:write',
    does: ({ product, acme }, viewer) =>
      product.letters.subscriptions.changeSettings(acme.id, { senderName: 'Acme News' }, viewer),
    action: 'letter.settings',
    writes: () => ({
      subject: 'Acme News',
      before: expect.objectContaining({ senderName: '' }),
      after: expect.objectContaining({ senderName: 'Acme News' }),
    }),
  },
  'letters.subscriptions.subscribers': {
    right: 'letters:read',
    does: ({ product, acme }, viewer) =>
      product.letters.subscriptions.subscribers(acme.id, 'newsletter', {}, viewer),
  },
  'letters.subscriptions.exportList': {
    right: 'subscribers:write',
    does: ({ product, acme }, viewer) =>
      product.letters.subscriptions.exportList(acme.id, 'newsletter', viewer),
    action: 'subscriber.export',
    writes: () => ({ subject: 'newsletter' }),
  },
  'letters.subscriptions.importAddresses': {
    right: 'subscribers:write',
    does: ({ product, acme }, viewer) =>
      product.letters.subscriptions.importAddresses(acme.id, 'newsletter', someAddresses, viewer),
    action: 'subscriber.import',
    writes: () => ({
      subject: 'newsletter',
      after: { added: 1, known: 0, left: 0, consent: someAddresses.consent },
    }),
  },
  'letters.subscriptions.remove': {
    right: 'subscribers:write',
    does: async ({ product, acme }, viewer) => {
      const { subscriptions } = product.letters
      requireDone(await subscriptions.importAddresses(acme.id, 'newsletter', someAddresses, operator()))
      const listed = requireDone(await subscriptions.subscribers(acme.id, 'newsletter', {}, operator()))
      return await subscriptions.remove(acme.id, present(listed.subscribers[0]).id, viewer)
    },
    action: 'subscriber.remove',
    writes: () => ({ subject: 'newsletter' }),
  },
  'posts.comments.decide': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.comments.decide(stage.acme.id, await aComment(stage), { state: 'shown' }, viewer),
    action: 'comment.decide',
    writes: () => ({ subject: 'Ben', before: { state: 'waiting' }, after: { state: 'shown' } }),
  },
  'posts.comments.remove': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.comments.remove(stage.acme.id, await aComment(stage), viewer),
    action: 'comment.remove',
    writes: () => ({ subject: 'Ben' }),
  },
  'insights.ask': {
    right: 'events:read',
    // the question is empty, which the caller is told only after the check of the right
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
  'retention.latest': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.retention.latest(acme.id, viewer),
  },
  'signIn.rules.ofProject': {
    right: 'members:read',
    does: ({ product, acme }, viewer) => product.signIn.rules.ofProject(acme.id, viewer),
  },
  'signIn.rules.changeProject': {
    right: 'members:write',
    does: ({ product, acme }, viewer) =>
      product.signIn.rules.changeProject(acme.id, { requireSecondFactor: true }, viewer),
    action: 'sign-in-rules.change',
    writes: ({ acme }) => ({ subject: acme.name, after: { requireSecondFactor: true } }),
  },
  'backups.read': {
    right: 'audit:read',
    does: ({ product, acme }, viewer) => product.backups.read(acme.id, viewer),
  },
  'projects.audit.list': {
    right: 'audit:read',
    does: ({ product, acme }, viewer) => product.projects.audit.list(acme.id, {}, viewer),
  },
}

/** Actions on the installation, which belong to no project, and the viewers who may do them. */
const installationCalls: Record<string, { by: readonly string[]; rule: string; does: AuditedCall['does'] }> =
  {
    'projects.create': {
      by: ['owner', 'owner of another project', 'operator'],
      rule: 'owner of a project, or operator',
      does: ({ product }, viewer) => product.projects.create({ name: 'New' }, viewer),
    },
    'signIn.rules.read': {
      by: ['owner', 'admin', 'editor', 'viewer', 'owner of another project', 'operator'],
      rule: 'signed-in member, or operator',
      does: ({ product }, viewer) => product.signIn.rules.read(viewer),
    },
    'signIn.rules.change': {
      // no member here owns every project
      by: ['operator'],
      rule: 'owner of every project, or operator',
      does: ({ product }, viewer) => product.signIn.rules.change({ requireSecondFactor: false }, viewer),
    },
    'signIn.sessions.listOf': {
      by: ['operator'],
      rule: 'operator',
      does: ({ product, somebody }, viewer) => product.signIn.sessions.listOf(somebody.email, viewer),
    },
    'signIn.sessions.endOf': {
      by: ['operator'],
      rule: 'operator',
      does: ({ product, somebody }, viewer) =>
        product.signIn.sessions.endOf(somebody.email, undefined, viewer),
    },
    'projects.members.resetPassword': {
      by: ['operator'],
      rule: 'operator',
      does: ({ product, somebody }, viewer) =>
        product.projects.members.resetPassword(somebody.email, { password }, viewer),
    },
    'signIn.secondFactors.reset': {
      by: ['operator'],
      rule: 'operator',
      does: ({ product, somebody }, viewer) => product.signIn.secondFactors.reset(somebody.email, viewer),
    },
    'signIn.passwordResets.makeLink': {
      by: ['operator'],
      rule: 'operator',
      does: ({ product, somebody }, viewer) => product.signIn.passwordResets.makeLink(somebody.email, viewer),
    },
  }

async function aComment({ product, acme }: Stage): Promise<string> {
  const post = { projectId: acme.id, id: '1', allowsComments: true }
  return requireDone(await product.posts.comments.write(post, { name: 'Ben', text: 'Thank you.' })).comment.id
}

const thanks = { name: 'Ordered', goal: { type: 'page', path: '/thanks' } }
const prosByPlan = { name: 'Pros', question: { search: 'pro', columns: ['last', 'property:plan'] } }
const ordered = { type: 'event', name: 'order', description: 'An order was paid.' }
const { name: _ordered, ...orderedFields } = { ...ordered, isHidden: false, isVerified: false }
const buyers = { did: { event: 'buy' } }
const germans = {
  name: 'Germans',
  filter: { type: 'session', key: '$session_country', operator: 'exact', value: ['DE'] },
}

const aPerson = '00000000-0000-4000-8000-000000000001'
const anUpload = { source: 'posthog', files: [{ name: 'events.jsonl', bytes: 1 }] }
const anImport = { source: 'posthog', name: 'events.jsonl', fingerprint: 'a' }
const aTrend = { kind: 'trend', series: [{ event: 'buy' }] }

async function aCohort({ product, acme }: Stage): Promise<string> {
  return requireDone(
    await product.people.cohorts.create(acme.id, { name: 'Picked', persons: [] }, operator()),
  ).cohort.id
}

const asking = async <Answer>(
  { product }: Stage,
  ask: (product: Product) => Promise<Answer>,
): Promise<Answer> => await ask(product)

const aCard = { id: 'words', content: { type: 'text', text: 'Words' } }
const growth = { name: 'Growth', cards: [aCard] }
const toTheWorld = { subject: { kind: 'web' }, frameHosts: ['a.example'] }
const released = { at: '2026-03-01T10:00:00Z', text: 'Released' }

async function aDashboard({ product, acme }: Stage): Promise<string> {
  return requireDone(await product.dashboards.create(acme.id, growth, operator())).dashboard.id
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

async function anInsight({ product, acme }: Stage): Promise<string> {
  const wanted = { name: 'Visitors', question: { kind: 'totals' } }
  return requireDone(await product.insights.saved.create(acme.id, wanted, operator())).insight.id
}

const posthogFlag = { key: 'theirs', active: true, filters: { groups: [] } }
const inApril = { steps: [{ at: '2026-04-01T10:00:00Z', isOn: true }] }
const heldOut = { name: 'Spring', percentage: 5 }

async function aFlag({ product, acme }: Stage): Promise<string> {
  return requireDone(await product.flags.create(acme.id, { key: 'checkout' }, operator())).flag.key
}

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
  return requireDone(await stage.product.flags.guards.create(stage.acme.id, wanted, operator())).guard.id
}

async function anEnvironment({ product, acme }: Stage): Promise<string> {
  const wanted = { name: 'staging' }
  return requireDone(await product.flags.environments.create(acme.id, wanted, operator())).environment.name
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

const oneQuestion = { name: 'Why?', content: { questions: [{ kind: 'open', text: 'Why?' }] } }

async function aSurvey({ product, acme }: Stage): Promise<string> {
  return requireDone(await product.surveys.create(acme.id, oneQuestion, operator())).survey.id
}

const someLetters = { subject: 'Hello', addresses: 'ana@example.com' }

/** The host of the webhook is never looked up: names below this one do not exist. */
const aWebhook = { url: 'https://hook.invalid/' }

async function aSurveyWithWebhook(stage: Stage): Promise<string> {
  const id = await aSurvey(stage)
  requireDone(await stage.product.surveys.webhooks.set(stage.acme.id, id, aWebhook, operator()))
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
  return requireDone(await product.posts.images.keep(acme.id, picture, operator())).image.file
}

async function anAuthor({ product, acme }: Stage): Promise<string> {
  return requireDone(await product.posts.authors.create(acme.id, { name: 'Eve' }, operator())).author.slug
}

async function aLayer({ product, acme }: Stage): Promise<number> {
  return requireDone(await product.flags.layers.create(acme.id, { name: 'Checkout' }, operator())).layer.id
}

async function aHoldout({ product, acme }: Stage): Promise<number> {
  return requireDone(await product.flags.holdouts.create(acme.id, heldOut, operator())).holdout.id
}

/** Two projects and their members. */
interface Cast {
  acme: Project
  other: Project
  byRole: Record<Role, Member>
  stranger: Member
  /** The member that deeds are done to. */
  somebody: Member
  anOwner: Member
}

type Stage = TestProduct & Cast

/** The parts that viewers are made of, once for the whole file. */
interface Preparation extends Cast {
  signedIn: (member: Member) => Promise<Viewer>
  keyFor: (project: Project, held: readonly Right[]) => Promise<Viewer>
}

/** The first project alone, and the browser of its owner Ana; Ben edits it. */
interface OwnerStage extends Stage {
  ana: Member
  ben: Member
  viewer: MemberViewer
}

/** No events were ever stored; the product decides on the right before it asks. */
const emptyEngine = {
  query: async () => [],
  health: () => ({ form: 'remote', status: 'starting', since: new Date(0), restarts: 0 }),
} as unknown as Engine

/** A store with one project for each viewer, all with the same members: one product per deed serves all viewers. */
const original = mkdtempSync(join(tmpdir(), 'tilth-'))
afterAll(() => rmSync(original, { recursive: true }))

/** A copy of the store from before the viewers' projects and keys, for tests that count what is in it. */
const small = mkdtempSync(join(tmpdir(), 'tilth-'))
afterAll(() => rmSync(small, { recursive: true }))

let owner: Omit<OwnerStage, keyof TestProduct> | undefined

const anOwnerStage = async (): Promise<OwnerStage> => ({
  ...(await openTestProduct({ like: small })),
  ...present(owner),
})

/** The projects, members and the viewers of each deed, by their names. */
let castByViewer: ReadonlyMap<string, Cast>
let viewersByCall: ReadonlyMap<AuditedCall, ReadonlyMap<string, Viewer>>

/** Two projects and their members, who are in every store here: hashing passwords takes longer than most tests. */
async function aCast() {
  cpSync(inject('migratedStore'), original, { recursive: true })
  const product = await openProduct({ store: { folder: original }, world: aWorld('cast') })
  const { aProject, aMember, signedIn } = memberHelpers(product)
  const acme = await aProject({ name: 'Acme' })
  const other = await aProject({ name: 'Other' })
  const byRole = {
    owner: await aMember({ role: 'owner', name: 'Ana Berg' }),
    admin: await aMember({ role: 'admin', name: 'Adam Admin' }),
    editor: await aMember({ role: 'editor', name: 'Ben Cole' }),
    viewer: await aMember({ role: 'viewer', name: 'Vera Viewer' }),
  }
  const others = {
    stranger: await aMember({ role: 'owner', project: other, name: 'Stan Stranger' }),
    somebody: await aMember({ role: 'editor', name: 'Sam Somebody' }),
    anOwner: await aMember({ role: 'owner', name: 'Orla Owner' }),
  }
  const viewer = await signedIn(byRole.owner)
  await product.close()
  return { acme, other, byRole, ...others, ana: byRole.owner, ben: byRole.editor, viewer }
}

beforeAll(async () => {
  owner = await aCast()
  cpSync(original, small, { recursive: true })
  const { acme: first, ana, ben, viewer: _viewer, ...cast } = owner
  const product = await openProduct({ store: { folder: original }, world: aWorld('viewers') })
  const { aProject, signedIn } = memberHelpers(product)
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
  const byCall = new Map<AuditedCall, ReadonlyMap<string, Viewer>>()
  for (const call of Object.values(calls)) {
    const byName = new Map<string, Viewer>()
    for (const [name, viewer] of Object.entries(viewers)) {
      byName.set(name, await viewer({ ...made, ...present(casts.get(name)) }, call))
    }
    byCall.set(call, byName)
  }
  await product.close()
  castByViewer = casts
  viewersByCall = byCall
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

async function aKey({ projects }: Product, project: Project, held: readonly Right[]): Promise<Viewer> {
  const { keys } = projects
  const { text } = requireDone(
    await keys.create(
      project.id,
      { name: `Key to ${held.join(' ').slice(0, 60)}`, scopes: held },
      operator(),
    ),
  )
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

/** Makes each viewer. */
const viewers: Record<string, (stage: Preparation, call: AuditedCall) => Promise<Viewer>> = {
  owner: (stage) => stage.signedIn(stage.byRole.owner),
  admin: (stage) => stage.signedIn(stage.byRole.admin),
  editor: (stage) => stage.signedIn(stage.byRole.editor),
  viewer: (stage) => stage.signedIn(stage.byRole.viewer),
  'owner of another project': (stage) => stage.signedIn(stage.stranger),
  'key with the scope': (stage, { right, handsOut = [] }) =>
    stage.keyFor(stage.acme, right === 'owners:write' ? scopes : [right, ...handsOut]),
  'key without the scope': (stage, { right }) => stage.keyFor(stage.acme, everyScopeBut(right)),
  'key with another scope alone': (stage, { right }) =>
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
    'key without the scope': 'not-allowed',
    'key with another scope alone': 'not-allowed',
    'key of another project': 'not-found',
    operator: 'done',
  }
}

describe('who may do what', () => {
  test.each(Object.entries(calls))('%s', async (_, call) => {
    const results: Record<string, string> = {}
    const fixture = await openTestProduct({ like: original, engine: emptyEngine })
    fixture.world.advance('1 minute')
    for (const [name, viewer] of present(viewersByCall.get(call))) {
      const stage = { ...fixture, ...present(castByViewer.get(name)) }
      results[name] = await tried(call, stage, viewer)
      await expectWritten(call, stage, { viewer, isDone: results[name] === 'done' })
    }
    const withScope = present(present(viewersByCall.get(call)).get('key with the scope'))
    const changed = rightsOfRowsBy(withScope, fixture)

    expect(results).toEqual(expected(call.right))
    expect([call.right, ...(call.handsOut ?? [])]).toEqual(expect.arrayContaining(changed))
    if (call.action) expect(await fixture.product.projects.audit.firstBrokenLink()).toBeUndefined()
  })

  test.each(Object.entries(installationCalls))('%s', async (_, { by, does }) => {
    const fixture = await openTestProduct({ like: original, engine: emptyEngine })
    const mayDo: string[] = []
    for (const [name, viewer] of present([...viewersByCall.values()][0])) {
      const stage = { ...fixture, ...present(castByViewer.get(name)) }
      if ((await tried({ right: 'project:read', does }, stage, viewer)) === 'done') mayDo.push(name)
    }

    expect(mayDo).toEqual(by)
  })

  test('every public method of the product is tried above, or is listed with the reason for no right', async () => {
    const known = [...Object.keys(calls), ...Object.keys(installationCalls)].map(methodOf)
    const open = methodsWithoutRight.flatMap(({ methods }) => methods)
    const methods = publicMethods(await aWholeProduct(), privateNamesIn(root))

    expect(methods.filter((name) => !known.includes(name) && !open.includes(name))).toEqual([])
    expect([...known, ...open].filter((name) => !methods.includes(name))).toEqual([])
    expect(open.filter((name) => known.includes(name))).toEqual([])
  })

  test('a new public method is found, a private one is not', () => {
    const hidden: PrivateNames = (className, name) => `${className}.${name}` === 'NewMembers.count'
    const projects = Object.assign(new NewMembers(), { members: new NewMembers() })
    const names = publicMethods({ projects, ping: () => {} }, hidden)

    expect(names).toEqual([
      'projects.added',
      'projects.list',
      'projects.members.added',
      'projects.members.list',
      'ping',
    ])
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
          ...Object.entries(calls).map(([name, { right, handsOut = [] }]) => [
            `\`${methodOf(name)}\`${name.slice(methodOf(name).length)}`,
            [right, ...handsOut].map((one) => `\`${one}\``).join(', '),
          ]),
          ...Object.entries(installationCalls).map(([name, { rule }]) => [`\`${name}\``, rule]),
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
    const used = new Set(Object.values(calls).map(({ right }) => right))

    expect([...used].toSorted()).toEqual(Object.keys(rights).toSorted())
  })

  test('every right can be handed to a key, but for a say about owners', () => {
    expect([...scopes, 'owners:write'].toSorted()).toEqual(Object.keys(rights).toSorted())
  })
})

const root = join(import.meta.dirname, '../..')

/** `projects.members.remove of an owner` is a case of `projects.members.remove`. */
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
      onLiveEvent: () => {},
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

/** The right that changes the rows of a table, of all tables whose rows name who made or changed them. */
const rightsOfTables: Readonly<Record<string, Right>> = {
  alerts: 'alerts:write',
  reports: 'alerts:write',
  // the letter that asks an address to confirm
  outgoing: 'alerts:write',
  annotations: 'insights:write',
  cohorts: 'insights:write',
  dashboards: 'insights:write',
  dashboard_versions: 'insights:write',
  definitions: 'insights:write',
  goals: 'insights:write',
  insights: 'insights:write',
  insight_versions: 'insights:write',
  person_lists: 'insights:write',
  segments: 'insights:write',
  erasures: 'persons:write',
  imports: 'persons:write',
  bandits: 'experiments:write',
  experiments: 'experiments:write',
  saved_metrics: 'experiments:write',
  flags: 'flags:write',
  flag_guards: 'flags:write',
  flag_holdouts: 'flags:write',
  flag_layers: 'flags:write',
  flag_schedules: 'flags:write',
  flag_versions: 'flags:write',
  invitations: 'members:write',
  posts: 'posts:write',
  post_comments: 'posts:write',
  post_images: 'posts:write',
  post_versions: 'posts:write',
  shares: 'shares:write',
  surveys: 'surveys:write',
  survey_links: 'surveys:write',
  survey_removals: 'surveys:write',
  survey_versions: 'surveys:write',
  survey_webhooks: 'surveys:write',
}
const tablesOfAllRights = new Set(['audit', 'secret_keys'])

/** The rights that changing all rows needs which name this viewer. A table without a line above is named instead. */
function rightsOfRowsBy({ name }: Viewer, { database }: TestProduct): string[] {
  return database((file) => {
    const tables = file.prepare("select name from sqlite_master where type = 'table'").all()
    const named = tables
      .map((table) => String(table['name']))
      .filter((table) => !tablesOfAllRights.has(table))
      .flatMap((table) =>
        file
          .prepare(`select * from "${table}"`)
          .all()
          .map((row) => Object.values(row).filter((value) => typeof value === 'string'))
          .filter((texts) => texts.some((text) => text.includes(name)))
          // the flag that a survey keeps is part of the survey: the right to the survey is enough
          .map((texts) => (texts.some((text) => text.includes('"keptBySurvey":"')) ? 'surveys' : table)),
      )
    return [...new Set(named)].map((table) => rightsOfTables[table] ?? `no right of ${table}`)
  })
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

/** Expects the entry of a deed, with its actor, origin, and values before and after; none where it was refused. */
async function expectWritten(
  { action, writes }: AuditedCall,
  stage: Stage,
  { viewer, isDone }: { viewer: Viewer; isDone: boolean },
): Promise<void> {
  if (!action) return
  const { product, acme, world } = stage
  const entries = await product.projects.audit.list(acme.id, { action }, operator())
  if (isDone)
    expect(entries[0]).toMatchObject({
      action,
      at: world.now(),
      projectId: acme.id,
      actor: actorOf(viewer),
      origin: viewer.origin,
      ...writes?.(stage, viewer),
    })
  // an operator sets the stage
  else
    expect(
      entries.filter(({ actor }) => actor.kind !== 'operator' && actor.id === actorOf(viewer).id),
    ).toEqual([])
}

function actorOf(viewer: Viewer): AuditEntry['actor'] {
  const { kind, name } = viewer
  const id = kind === 'member' ? viewer.memberId : kind === 'key' ? viewer.keyId : 'operator'
  return { kind, id, name }
}

async function tried({ does }: AuditedCall, stage: Stage, viewer: Viewer): Promise<string> {
  try {
    const outcome: unknown = await does(stage, viewer)
    return isUndone(outcome) ? JSON.stringify(outcome) : 'done'
  } catch (problem) {
    if (problem instanceof AccessRefusedError) return problem.reason
    throw problem
  }
}

const isUndone = (outcome: unknown): boolean =>
  typeof outcome === 'object' && outcome !== null && 'done' in outcome && outcome.done === false

/** Entries of methods that no right of a project guards, and of those that need more than a store. */
const otherEntries: Partial<
  Record<AuditAction, { does: (stage: OwnerStage) => unknown; writes: (stage: OwnerStage) => Written }>
> = {
  'project.create': {
    does: ({ product, viewer }) => product.projects.create({ name: 'Second' }, viewer),
    writes: () => ({
      subject: 'Second',
      projectId: 3,
      after: { name: 'Second', slug: 'second', timeZone: 'UTC', writeKey: expect.stringMatching(/^phc_/) },
    }),
  },
  'member.join': {
    does: async ({ product, viewer, ben, signedIn }) => {
      await product.projects.members.remove(1, ben.id, viewer)
      const { token } = requireDone(await product.projects.invitations.create(1, { role: 'viewer' }, viewer))
      return await product.projects.invitations.accept(token, await signedIn(ben))
    },
    writes: ({ ben }) => ({ subject: ben.email, after: { role: 'viewer' } }),
  },
  'member.change': {
    does: ({ product, viewer }) =>
      product.projects.members.changeAccount({ name: 'Ana', email: 'ana@new.example' }, viewer),
    writes: ({ ana }) => ({
      subject: 'ana@new.example',
      before: { name: ana.name, email: ana.email },
      after: { name: 'Ana', email: 'ana@new.example' },
      projectId: undefined,
    }),
  },
  'member.password': {
    does: ({ product, viewer }) => product.projects.members.changePassword({ password: newPassword }, viewer),
    writes: ({ ana }) => ({ subject: ana.email, before: undefined, after: undefined, projectId: undefined }),
  },
  'survey.mail': {
    does: async (stage) => {
      const id = await aRunningSurvey(stage)
      const { product, viewer } = stage
      requireDone(await product.surveys.change(1, id, { hostedPage: { isOpen: true } }, viewer))
      const letters = { subject: 'Hello', addresses: 'ana@example.com' }
      const mailing = await openProduct({
        store: { folder: stage.folder },
        world: { now: stage.world.now, random: aWorld('letters').random },
        outbound: { allow: undefined, canMail: true },
      })
      const outcome = await mailing.surveys.mailings.send(1, id, letters, viewer)
      await mailing.close()
      return outcome
    },
    writes: () => ({ subject: 'Why?', after: { subject: 'Hello', letters: 1 } }),
  },
  'post.edit': {
    does: async (stage) => {
      const change = { title: 'Bye', keepUnpublished: true }
      return stage.product.posts.change(1, await aPublishedPost(stage), change, stage.viewer)
    },
    writes: () => ({
      subject: 'Hello',
      before: expect.objectContaining({ title: 'Hello', version: 2 }),
      after: expect.objectContaining({ title: 'Bye', version: 3 }),
    }),
  },
  'letter.send': {
    does: (stage) => letterSent(stage),
    writes: ({ world }) => ({
      subject: 'Hello',
      after: { list: 'newsletter', subjects: ['Hello'], at: world.now().toISOString() },
    }),
  },
  'letter.cancel': {
    does: async (stage) =>
      stage.product.letters.cancel(1, requireDone(await letterSent(stage)).letter.id, stage.viewer),
    writes: () => ({ subject: 'Hello' }),
  },
  'person.export': {
    does: async ({ folder, world, viewer }) => {
      const product = await openProduct({ store: { folder }, world, engine: thatKnowsSomebody })
      requireDone(await product.people.export(1, aPerson, viewer))
      await product.close()
    },
    writes: () => ({ subject: aPerson }),
  },
  'events.expire': {
    does: async ({ acme, folder, world, viewer }) => {
      const product = await openProduct({ store: { folder }, world, engine: thatForgets() })
      requireDone(await product.projects.change(acme.id, { intake: { keep: { eventDays: 30 } } }, viewer))
      await product.retention.run()
      await product.close()
    },
    writes: () => ({
      subject: 'Acme',
      after: { events: 3, before: '2026-02-01T00:00:00.000Z' },
      ...byTheClock,
    }),
  },
  'sign-in': {
    does: ({ product, ana, viewer }) => product.signIn.signIn({ email: ana.email, password }, viewer.origin),
    writes: ({ ana }) => ({ subject: ana.email, projectId: undefined }),
  },
  'sign-in.failed': {
    does: ({ product, ana, viewer }) =>
      product.signIn.signIn({ email: ana.email, password: 'wrong' }, viewer.origin),
    writes: ({ ana }) => ({ subject: ana.email, projectId: undefined }),
  },
  'sign-in.second-failed': {
    does: async (stage) => {
      await withApp(stage)
      return await stage.product.signIn.finish(
        await secondStep(stage),
        { code: 'wrong' },
        stage.viewer.origin,
      )
    },
    writes: ({ ana }) => ({ subject: ana.email, projectId: undefined }),
  },
  'recovery.use': {
    does: async (stage) => {
      const [code] = (await withApp(stage)).recoveryCodes
      return await stage.product.signIn.finish(await secondStep(stage), { code }, stage.viewer.origin)
    },
    writes: ({ ana }) => ({ subject: ana.email, projectId: undefined }),
  },
  'recovery.renew': {
    does: async (stage) => {
      await withApp(stage)
      return await stage.product.signIn.secondFactors.renewRecoveryCodes(stage.viewer)
    },
    writes: ({ ana }) => ({ subject: ana.email, projectId: undefined }),
  },
  'factor.add': {
    does: (stage) => withApp(stage),
    writes: ({ ana }) => ({
      subject: ana.email,
      projectId: undefined,
      after: { factor: 'authenticator app' },
    }),
  },
  'factor.remove': {
    does: async (stage) => {
      await withApp(stage)
      return await stage.product.signIn.secondFactors.removeApp(stage.viewer)
    },
    writes: ({ ana }) => ({
      subject: ana.email,
      projectId: undefined,
      before: { factor: 'authenticator app' },
    }),
  },
  'identity.link': {
    does: async ({ folder, world, ana, viewer, product }) => {
      const store = await openStore({ folder })
      const oidc = new OidcSignIn({
        store,
        world: { now: world.now, random: aWorld('oidc').random },
        seal: {
          close: (text) => JSON.stringify(text),
          open: (text) => String(JSON.parse(text)),
          digest: String,
        },
        settings: noGroups,
        client: {
          begin: async () => ({
            address: new URL('https://id.example'),
            challenge: { state: 'a', nonce: 'b', verifier: 'c' },
          }),
          finish: async () => ({ ...aUser, email: ana.email }),
        },
        signIn: product.signIn,
        onTrouble: () => {},
      })
      const { token } = requireDone(await oidc.begin('/studio', viewer))
      requireDone(await oidc.finish('?', token, { viewer, origin: viewer.origin, source: {} }))
      await store.close()
    },
    writes: ({ ana }) => ({
      subject: ana.email,
      projectId: undefined,
      after: { issuer: 'https://id.example' },
    }),
  },
  'password.ask': {
    does: async ({ folder, world, ana, viewer }) => {
      const reachingOut = { allow: undefined, canMail: true }
      const product = await openProduct({
        store: { folder },
        world: { now: world.now, random: aWorld('mail').random },
        outbound: reachingOut,
      })
      requireDone(await product.signIn.passwordResets.ask({ email: ana.email }, viewer.origin))
      await product.close()
    },
    writes: ({ ana }) => ({ subject: ana.email, projectId: undefined }),
  },
  'sign-out': {
    does: ({ product, viewer }) => product.signIn.sessions.end(viewer),
    writes: ({ ana }) => ({ subject: ana.email, projectId: undefined }),
  },
  'session.revoke': {
    does: async ({ product, viewer, ana, signedIn }) => {
      const other = await signedIn(ana)
      return await product.signIn.sessions.revoke(other.sessionId, viewer)
    },
    writes: ({ ana }) => ({
      subject: ana.email,
      before: { client: testOrigin.client },
      projectId: undefined,
    }),
  },
  // the last one: its two days make a member who signed in before give the password again
  'audit.expire': {
    does: async ({ product, acme, world, viewer }) => {
      requireDone(await product.projects.change(acme.id, { intake: { keep: { auditDays: 1 } } }, viewer))
      world.advance('2 days')
      await product.retention.run()
    },
    writes: () => ({
      subject: 'Acme',
      after: { entries: expect.any(Number), before: '2026-03-04T00:00:00.000Z' },
      ...byTheClock,
    }),
  },
}

const newPassword = 'harbour thistle clock'

async function letterSent(stage: OwnerStage) {
  const { folder, product, viewer, world } = stage
  const addresses = `${(await product.projects.audit.list(1, {}, viewer)).length}@example.com`
  requireDone(
    await product.letters.subscriptions.importAddresses(
      1,
      'newsletter',
      { ...someAddresses, addresses },
      viewer,
    ),
  )
  const post = await aPublishedPost(stage)
  const mailing = await openProduct({
    store: { folder },
    world: { now: world.now, random: aWorld('posts by e-mail').random },
    outbound: { allow: undefined, canMail: true },
  })
  requireDone(
    await mailing.letters.subscriptions.changeSettings(1, { postalAddress: '1 Main Street' }, viewer),
  )
  const outcome = await mailing.letters.send(1, { post, subjects: ['Hello'] }, viewer)
  await mailing.close()
  return outcome
}

/** No more of it is needed. */
const thatKnowsSomebody = {
  query: async () => [{ times: 1, ids: ['ana'], properties: {} }],
} as unknown as Engine

/** The actor of changes that the settings make after a while, without a click. */
const byTheClock = {
  actor: { kind: 'operator', id: 'operator', name: 'retention' },
  origin: operator('retention').origin,
} as const

/** Three old events, until something is deleted. */
function thatForgets(): Engine {
  let events = 3
  const told = [{ events: 3, first: '2026-01-01T10:00:00.000Z' }]
  const query = async (statement: Sql) => {
    const { text } = render(statement)
    return text.includes('min(timestamp) as first')
      ? told
      : text.includes('count() as events')
        ? [{ events }]
        : []
  }
  const command = async () => void (events = 0)
  return { query, command } as unknown as Engine // no more of it is needed
}

/** A new one, should another deed have set one up before. */
async function withApp({ product, world, viewer }: OwnerStage) {
  await product.signIn.secondFactors.removeApp(viewer)
  return await anApp({ product, world }, viewer)
}

/** Makes the second step of a sign-in. Another deed may have changed the account before. */
async function secondStep({ product, ana, acme, viewer }: OwnerStage): Promise<string> {
  const all = await product.projects.members.list(acme.id, viewer)
  const { email } = present(all.find(({ member }) => member.id === ana.id)).member
  const first = await product.signIn.signIn({ email, password }, viewer.origin)
  const outcome = first.done
    ? first
    : await product.signIn.signIn({ email, password: newPassword }, viewer.origin)
  return present(requireDone(outcome).step).token
}

const aUser = {
  issuer: 'https://id.example',
  subject: 'user-7',
  name: undefined,
  groups: [],
  authenticatedAgoMs: 0,
  hasSecondFactor: false,
}
const noGroups = {
  issuer: aUser.issuer,
  clientId: 'tilth',
  clientSecret: '',
  name: 'Acme ID',
  domains: [],
  mayJoin: true,
  isRequired: false,
  groupsClaim: 'groups',
  groupRoles: [],
}

describe('an entry', () => {
  test.each(Object.entries(otherEntries))(
    'is written for %s, by which person, from where, before and after',
    async (action, { does, writes }) => {
      const stage = await anOwnerStage()
      stage.world.advance('1 minute')
      await does(stage)
      const [entry] = (await allEntries(stage)).filter((one) => one.action === action)
      const actor = action === 'member.join' ? stage.ben : stage.ana

      expect(entry).toMatchObject({
        action,
        at: stage.world.now(),
        projectId: 1,
        actor: { kind: 'member', id: actor.id, name: actor.name },
        origin: stage.viewer.origin,
        ...writes(stage),
      })
    },
  )

  test('of every action is expected above, once', () => {
    const ofCalls = Object.values(calls).flatMap(({ action }) => action ?? [])

    expect([...ofCalls, ...Object.keys(otherEntries)].toSorted()).toEqual(
      Object.keys(auditActions).toSorted(),
    )
  })

  test('names the key or the operator, where it was not a member', async () => {
    const { product, acme, viewer } = await anOwnerStage()
    const { text, key } = requireDone(
      await product.projects.keys.create(acme.id, { name: 'CI', scopes: 'every' }, viewer),
    )
    requireDone(
      await product.projects.change(
        acme.id,
        { name: 'One' },
        present(await product.projects.keys.viewer(text, testOrigin)),
      ),
    )
    requireDone(await product.projects.change(acme.id, { name: 'Two' }, operator('tilth project')))
    const [two, one] = await product.projects.audit.list(acme.id, { action: 'project.change' }, viewer)

    expect(one?.actor).toEqual({ kind: 'key', id: key.id, name: 'CI' })
    expect(two).toMatchObject({
      actor: { kind: 'operator', id: 'operator', name: 'tilth project' },
      origin: { address: '', client: 'this machine', requestId: '' },
    })
  })

  test('is not written for what was refused or undone', async () => {
    const stage = await anOwnerStage()
    const { product, acme, ana, ben, anOwner } = stage
    requireDone(await product.projects.members.remove(acme.id, anOwner.id, stage.viewer))
    const before = await allEntries(stage)
    const editor = await stage.signedIn(ben)
    await product.projects.change(acme.id, { name: 'x' }, editor).catch(() => {})
    await product.projects.change(acme.id, { name: '' }, stage.viewer)
    await product.projects.members.remove(acme.id, ana.id, stage.viewer)
    await product.projects.create({ name: 'Again', slug: 'acme' }, stage.viewer)

    const after = await allEntries(stage)
    expect(after.filter(({ action }) => action !== 'sign-in')).toEqual(
      before.filter(({ action }) => action !== 'sign-in'),
    )
  })

  test('keeps the name as it was then', async () => {
    const { product, acme, viewer } = await anOwnerStage()
    requireDone(await product.projects.change(acme.id, { name: 'New' }, viewer))
    requireDone(await product.projects.members.changeAccount({ name: 'Ana Maria' }, viewer))
    const [entry] = await product.projects.audit.list(acme.id, { action: 'project.change' }, viewer)

    expect(entry?.actor.name).toBe('Ana Berg')
  })
})

describe('the list', () => {
  test('goes from the newest down, a page at a time, with none missing or twice', async () => {
    const { product, acme, viewer } = await anOwnerStage()
    for (let change = 0; change < 12; change++)
      requireDone(await product.projects.change(acme.id, { name: `Name ${change}` }, viewer))
    const whole = await product.projects.audit.list(acme.id, { size: 500 }, viewer)
    const pages: AuditEntry[] = []
    for (;;) {
      const page = await product.projects.audit.list(
        acme.id,
        { size: 5, before: pages.at(-1)?.sequence },
        viewer,
      )
      if (page.length === 0) break
      expect(page.length).toBeLessThanOrEqual(5)
      pages.push(...page)
    }

    expect(pages).toEqual(whole)
    expect(whole.map(({ sequence }) => sequence)).toEqual(
      whole.map(({ sequence }) => sequence).toSorted((a, b) => b - a),
    )
    expect(whole.length).toBeGreaterThan(14)
  })

  test.each([
    [undefined, 50],
    [1, 1],
    [0, 1],
    [-1, 1],
    [500, 60],
    [1_000_000, 60],
  ])('of size %j has %i of sixty entries', async (size, length) => {
    const { product, acme, viewer } = await anOwnerStage()
    const already = (await product.projects.audit.list(acme.id, { size: 500 }, viewer)).length
    for (let change = already; change < 60; change++)
      requireDone(await product.projects.change(acme.id, { name: `Name ${change}` }, viewer))

    expect(await product.projects.audit.list(acme.id, { size }, viewer)).toHaveLength(length)
  })

  test('can be asked for one action or one actor', async () => {
    const { product, acme, viewer, ben } = await anOwnerStage()
    requireDone(await product.projects.change(acme.id, { name: 'New' }, viewer))
    const changes = await product.projects.audit.list(acme.id, { action: 'project.change' }, viewer)
    const bens = await product.projects.audit.list(acme.id, { actor: ben.id }, viewer)

    expect(changes.map(({ action, actor }) => [action, actor.id])).toEqual([
      ['project.change', viewer.memberId],
    ])
    expect(bens.map(({ action }) => action)).toEqual(['member.join'])
  })

  test('shows what was done in this project and how its people signed in, and nothing of another', async () => {
    const { product, acme, viewer, other, stranger, signedIn } = await anOwnerStage()
    await product.signIn.signIn({ email: stranger.email, password: 'wrong' }, testOrigin)
    requireDone(await product.projects.change(other.id, { name: 'Renamed' }, await signedIn(stranger)))
    const shown = await product.projects.audit.list(acme.id, { size: 500 }, viewer)

    expect(shown.some(({ action, actor }) => action === 'sign-in' && actor.id === viewer.memberId)).toBe(true)
    expect(JSON.stringify(shown)).not.toMatch(/Stan|Renamed|Other/)
  })
})

describe('the chain', () => {
  test('is whole after everything that no right guards', async () => {
    const stage = await anOwnerStage()
    for (const { does } of Object.values(otherEntries)) await does(stage)

    expect((await allEntries(stage)).length).toBeGreaterThan(20)
    expect(await stage.product.projects.audit.firstBrokenLink()).toBeUndefined()
  })

  test('is whole when old entries were emptied, which no one reads any more', async () => {
    const { product, acme, world, viewer } = await anOwnerStage()
    const before = await product.projects.audit.list(acme.id, {}, viewer)
    requireDone(await product.projects.change(acme.id, { intake: { keep: { auditDays: 1 } } }, viewer))
    world.advance('2 days')
    await product.retention.run()
    await product.retention.run()

    const left = await product.projects.audit.list(acme.id, {}, operator())
    expect(before.length).toBeGreaterThan(2)
    expect(left.filter(({ projectId }) => projectId === acme.id).map(({ action }) => action)).toEqual([
      'audit.expire',
    ])
    expect(await product.projects.audit.firstBrokenLink()).toBeUndefined()
  })

  test('is whole before anything was done', async () => {
    const { product } = await openTestProduct()

    expect(await product.projects.audit.firstBrokenLink()).toBeUndefined()
  })

  test('is whole when two processes write at once', async () => {
    const { product, anotherProcess, acme } = await anOwnerStage()
    const other = await anotherProcess()
    const changes = Array.from({ length: 20 }, (_, number) =>
      (number % 2 ? other : product).projects.change(acme.id, { name: `Name ${number}` }, operator()),
    )
    for (const outcome of await Promise.all(changes)) requireDone(outcome)

    expect(await product.projects.audit.firstBrokenLink()).toBeUndefined()
  })

  test.each([
    ['a subject is rewritten', `update audit set subject = 'nobody' where sequence = 3`, 3],
    ['an actor is rewritten', `update audit set actor_name = 'Eve' where sequence = 2`, 2],
    ['an instant is moved', `update audit set at = '2020-01-01T00:00:00.000Z' where sequence = 1`, 1],
    ['a value is rewritten', `update audit set after = '{}' where sequence = 1`, 1],
    ['an entry is taken out', `delete from audit where sequence = 3`, 4],
    ['the first entry is taken out', `delete from audit where sequence = 1`, 2],
    [
      'two entries change places',
      `update audit set sequence = case sequence when 2 then -3 when 3 then -2 end where sequence in (2, 3);
                                   update audit set sequence = -sequence where sequence < 0`,
      2,
    ],
    [
      'an entry is put in',
      `insert into audit select 99, at, project_id, action, subject, actor_kind, actor_id, actor_name, origin, before, after, previous_hash, hash, null from audit where sequence = 1`,
      99,
    ],
    [
      'an entry and its hash are rewritten',
      `update audit set subject = 'x', hash = 'y' where sequence = 2`,
      2,
    ],
  ])('shows where it breaks when %s', async (_, tampering, where) => {
    const { product, database } = await anOwnerStage()
    database((file) => file.exec(tampering))

    expect(await product.projects.audit.firstBrokenLink()).toBe(where)
  })
})

/** Returns the entries of every project, and those of none; the newest first. */
async function allEntries(
  { product }: TestProduct,
  filter: { action?: AuditAction } = {},
): Promise<AuditEntry[]> {
  const all = new Map<number, AuditEntry>()
  for (const { id } of product.projects.list(operator())) {
    const entries = await product.projects.audit.list(id, { size: 500, ...filter }, operator())
    for (const entry of entries) all.set(entry.sequence, entry)
  }
  return [...all.values()].toSorted((a, b) => b.sequence - a.sequence)
}
