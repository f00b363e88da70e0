import { operator } from '#projects/access'
import { requireDone } from '#test/product/fixture'
import type { AuditedCall } from '#test/product/authorization/audited-call'

export const importCalls: Record<string, AuditedCall> = {
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
  'imports.addJson': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async ({ product, acme }, viewer) => {
      // as above
      await product.imports.addJson(acme.id, 'none', Buffer.from('{"from":0,"rows":0,"events":[]}'), viewer)
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
}

const anUpload = { source: 'posthog', files: [{ name: 'events.jsonl', bytes: 1 }] }
const anImport = { source: 'posthog', name: 'events.jsonl', fingerprint: 'a' }
