import { expect, test } from 'vitest'
import { allRooms, home, isIn, settings, unbuiltRooms } from './rooms'

test('no two rooms answer to the same key', () => {
  const keys = allRooms.map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})

test('every room that is not built says so, and has its place in the sidebar', () => {
  for (const room of unbuiltRooms.values()) {
    expect(room.notYet).toMatch(/^.+ not built yet\.$/)
    expect(allRooms).toContain(room)
  }
})

test.each([
  // where somebody is            Home is lit   Settings is lit
  ['/studio/acme', true, false],
  ['/studio/acme/flags', false, false],
  ['/studio/acme/settings', false, true],
  ['/studio/acme/settings/keys', false, true],
  ['/studio/acme-2', false, false],
])('at %s', (pathname, isHome, isSettings) => {
  expect(isIn(home, 'acme', pathname)).toBe(isHome)
  expect(isIn(settings, 'acme', pathname)).toBe(isSettings)
})
