import { expect } from 'vitest'
import { operator } from '#projects/access'
import { requireDone } from '#test/product/fixture'
import type { AuditedCall } from '#test/product/authorization/audited-call'

export const shareCalls: Record<string, AuditedCall> = {
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
}

const toTheWorld = { subject: { kind: 'web' }, frameHosts: ['a.example'] }
