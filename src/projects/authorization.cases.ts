import { decidingCalls } from '#agents/authorization.cases'
import { expect } from 'vitest'
import { password, requireDone } from '#test/product/fixture'
import type { AuditedCall, InstallationCall } from '#test/product/authorization/audited-call'
import { whatAViewerMay } from '#test/product/authorization/holders'
import { operator } from './access'

export const projectCalls: Record<string, AuditedCall> = {
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
  'projects.audit.list': {
    right: 'audit:read',
    does: ({ product, acme }, viewer) => product.projects.audit.list(acme.id, {}, viewer),
  },
}

/** Actions on the installation, which belong to no project, and the viewers who may do them. */
export const installationCalls: Record<string, InstallationCall> = {
  ...decidingCalls,
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
  'projects.mailServer.read': {
    by: ['owner', 'admin', 'editor', 'viewer', 'owner of another project', 'operator'],
    rule: 'signed-in member, or operator; the server itself is shown to an owner of every project',
    does: ({ product }, viewer) => product.projects.mailServer.read(viewer),
  },
  'projects.mailServer.change': {
    // no member here owns every project
    by: ['operator'],
    rule: 'owner of every project, or operator',
    does: ({ product }, viewer) =>
      product.projects.mailServer.change(
        { host: 'smtp.example.com', port: 587, isSecure: false, from: 'tilth@example.com' },
        viewer,
      ),
  },
  'projects.mailServer.remove': {
    by: ['operator'],
    rule: 'owner of every project, or operator',
    does: ({ product }, viewer) => product.projects.mailServer.remove(viewer),
  },
  'projects.mailServer.sendTest': {
    // it is sent to the member who asks, and no member here owns every project
    by: [],
    rule: 'owner of every project',
    does: ({ product }, viewer) => product.projects.mailServer.sendTest(viewer),
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
    does: ({ product, somebody }, viewer) => product.signIn.sessions.endOf(somebody.email, undefined, viewer),
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
