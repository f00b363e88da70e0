import { expect, test } from 'vitest'
import { paths } from '#studio/paths'
import { allSections, home, isInSection, settings } from './nav-sections'
import { tabPages } from './tab-pages'

test('no two rooms answer to the same key', () => {
  const keys = allSections.map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})

test('rooms are where links lead', () => {
  const addresses = allSections.map(({ path }) => path('acme'))
  for (const path of [paths.project, paths.web, paths.insights, paths.flags, paths.settings])
    expect(addresses).toContain(path('acme'))
})

test.each([
  // address                      Home is lit   Settings is lit
  ['/studio/acme', true, false],
  ['/studio/acme/flags', false, false],
  ['/studio/acme/settings', false, true],
  ['/studio/acme/settings/keys', false, true],
  ['/studio/acme-2', false, false],
])('at %s', (pathname, isHome, isSettings) => {
  expect(isInSection(home, 'acme', pathname)).toBe(isHome)
  expect(isInSection(settings, 'acme', pathname)).toBe(isSettings)
})

test('every tab of the room Site is found below it, also those that lead from a tab', () => {
  const site = allSections.find(({ label }) => label === 'Site')
  const tabs = tabPages.filter(({ section }) => section === 'Site')
  expect(tabs.map(({ label }) => label)).toEqual([
    'Pages',
    'Posts',
    'Newsletter',
    'Comments',
    'Design',
    'Images',
    'Authors',
    'Redirects',
  ])
  for (const { path } of tabs) expect(site && isInSection(site, 'acme', path('acme'))).toBe(true)
})
