import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LatestEvents } from '../insights/latest'
import { aGround, aWorld, done, type Ground, people, present, somewhere } from '../../test/ground'
import { openProduct } from '../server/product'
import {
  isRight,
  operator,
  Refused,
  type Right,
  rights,
  type Role,
  roles,
  scopes,
  type Viewer,
} from './access'
import type { Member } from './members'
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

const deeds: Record<string, Deed> = {
  'projects.find by its address part': {
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
      const { invitation } = done(await product.invitations.create(acme.id, { role: 'viewer' }, operator()))
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
      const { key } = done(await product.keys.create(acme.id, wanted, operator()))
      return await product.keys.revoke(acme.id, key.id, viewer)
    },
  },
  'events.list': {
    right: 'events:read',
    // who may ask is decided before the engine is
    does: ({ acme }, viewer) => new LatestEvents({ query: async () => [] }).list(acme.id, {}, viewer),
  },
  'events.hasAny': {
    right: 'events:read',
    does: ({ acme }, viewer) => new LatestEvents({ query: async () => [] }).hasAny(acme.id, viewer),
  },
  'audit.list': {
    right: 'audit:read',
    does: ({ product, acme }, viewer) => product.audit.list(acme.id, {}, viewer),
  },
}

/** Two projects and their people. Every deed is tried on a fresh copy of it. */
interface Cast {
  acme: Project
  other: Project
  byRole: Record<Role, Member>
  stranger: Member
  /** Whom deeds are done to. */
  somebody: Member
  anOwner: Member
}

type Stage = Ground & Cast

const original = mkdtempSync(join(tmpdir(), 'tilth-'))
afterAll(() => rmSync(original, { recursive: true }))

let cast: Cast
beforeAll(async () => {
  const product = await openProduct({ store: { folder: original }, world: aWorld('cast') })
  const { aProject, aMember } = people(product)
  const acme = await aProject({ name: 'Acme' })
  const other = await aProject({ name: 'Other' })
  cast = {
    acme,
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
  await product.close()
})

/** Who tries. A key that lacks the right may at least see the project, unless that is the right in question. */
const viewers: Record<string, (stage: Stage, deed: Deed) => Promise<Viewer>> = {
  owner: (stage) => stage.signedIn(stage.byRole.owner),
  admin: (stage) => stage.signedIn(stage.byRole.admin),
  editor: (stage) => stage.signedIn(stage.byRole.editor),
  viewer: (stage) => stage.signedIn(stage.byRole.viewer),
  'owner of another project': (stage) => stage.signedIn(stage.stranger),
  'key with the scope': (stage, { right, handsOut = [] }) =>
    aKey(stage, stage.acme, right === 'owners:write' ? scopes : [right, ...handsOut]),
  'key without the scope': (stage, { right }) => aKey(stage, stage.acme, everyScopeBut(right)),
  'key that may not even read': (stage, { right }) =>
    aKey(stage, stage.acme, [right === 'audit:read' ? 'keys:read' : 'audit:read']),
  'key of another project': (stage) => aKey(stage, stage.other, scopes),
  operator: async () => operator(),
}

function everyScopeBut(right: Right): Right[] {
  return scopes.filter((scope) => scope !== right)
}

async function aKey({ product }: Stage, project: Project, held: readonly Right[]): Promise<Viewer> {
  const { text } = done(await product.keys.create(project.id, { name: 'A key', scopes: held }, operator()))
  return present(await product.keys.viewer(text, somewhere))
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
    for (const [name, viewer] of Object.entries(viewers)) {
      const stage = { ...(await aGround({ like: original })), ...cast }
      results[name] = await tried(deed, stage, await viewer(stage, deed))
    }

    expect(results).toEqual(expected(deed.right))
  })

  test('every right guards something', () => {
    const used = new Set(Object.values(deeds).map(({ right }) => right))

    expect([...used].toSorted()).toEqual(Object.keys(rights).toSorted())
  })

  test('every right can be handed to a key, but for a say about owners', () => {
    expect([...scopes, 'owners:write'].toSorted()).toEqual(Object.keys(rights).toSorted())
  })
})

async function tried({ does }: Deed, stage: Stage, viewer: Viewer): Promise<string> {
  try {
    const outcome: unknown = await does(stage, viewer)
    return isUndone(outcome) ? JSON.stringify(outcome) : 'done'
  } catch (problem) {
    if (problem instanceof Refused) return problem.reason
    throw problem
  }
}

const isUndone = (outcome: unknown): boolean =>
  typeof outcome === 'object' && outcome !== null && 'done' in outcome && outcome.done === false
