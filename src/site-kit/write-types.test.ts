import { expect, test } from 'vitest'
import { typesOf } from './write-types'

test('each flag of the project has its values, and archived ones are left out', () =>
  expect(
    typesOf(
      [
        { key: 'pricing', variants: [{ key: 'control' }, { key: 'yearly' }] },
        { key: 'beta', variants: [] },
        { key: 'old', variants: [], archivedAt: new Date(0) },
      ],
      [],
    ),
  ).toContain(`  interface ProjectFlags {
    "beta": boolean
    "pricing": false | "control" | "yearly"
  }`))

test('each survey is known by its name and its id', () =>
  expect(
    typesOf(
      [],
      [
        { id: '2', name: 'NPS' },
        { id: '1', name: 'NPS' },
      ],
    ),
  ).toContain(`  interface ProjectSurveys {
    "1": true
    "2": true
    "NPS": true
  }`))

test('each collection of the folder has the type of its schema, if there is one', () => {
  const collections = [
    { name: 'jobs', hasSchema: true },
    { name: 'my-notes', hasSchema: false },
  ]
  const types = typesOf([], [], collections)
  expect(types).toContain("import type schema0 from './content/jobs/schema'\n")
  expect(types).toContain(`  interface ProjectCollections {
    "jobs": typeof schema0
    "my-notes": undefined
  }`)
})
