import { expect, test } from 'vitest'
import { changesIn } from './AuditTable'

test.each([
  {
    what: 'only the fields that differ are told',
    before: { name: 'Acme', slug: 'acme', timeZone: 'UTC' },
    after: { name: 'Acme', slug: 'acme-2', timeZone: 'Europe/Berlin' },
    changes: [
      { field: 'slug', before: 'acme', after: 'acme-2' },
      { field: 'time zone', before: 'UTC', after: 'Europe/Berlin' },
    ],
  },
  {
    what: 'what began has no before',
    before: undefined,
    after: { role: 'viewer' },
    changes: [{ field: 'role', before: undefined, after: 'viewer' }],
  },
  {
    what: 'what ended has no after',
    before: { archivedAt: '2026-11-21T08:00:00.000Z' },
    after: { archivedAt: null },
    changes: [{ field: 'archived at', before: '2026-11-21T08:00:00.000Z', after: undefined }],
  },
  {
    what: 'lists are told apart by what is in them',
    before: { scopes: ['project:read'] },
    after: { scopes: ['project:read'] },
    changes: [],
  },
  {
    what: 'a state may be a single word',
    before: 'all others',
    after: undefined,
    changes: [{ field: 'value', before: 'all others', after: undefined }],
  },
  { what: 'nothing changed into nothing', before: undefined, after: undefined, changes: [] },
])('$what', ({ before, after, changes }) => {
  expect(changesIn(before, after)).toEqual(changes)
})
