import { expect, test } from 'vitest'
import { paths } from '#studio/paths'
import { isCheapToPrefetch } from '../shell/StudioProviders'

test.each([
  [paths.flags('acme'), true],
  [paths.flags('acme', { state: 'on' }), true],
  [paths.flag('acme', 'new-checkout'), true],
  [paths.settings('acme'), true],
  [paths.insights('acme'), true],
  [paths.sql('acme'), true],
  // the engine answers these
  [paths.project('acme'), false],
  [paths.web('acme'), false],
  [paths.insight('acme', 'ins_1'), false],
  [paths.people('acme'), false],
  [paths.live('acme'), false],
  // no page of a project
  [paths.signOut, false],
  ['/studio', false],
])('a link to %s is fetched before it is followed: %s', (address, expected) => {
  expect(isCheapToPrefetch(address)).toBe(expected)
})
