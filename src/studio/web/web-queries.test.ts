import { expect, test } from 'vitest'
import { dimensionOfTab, panelNames, panelOf, type PanelName, type TabName, shownTab } from './panels'
import { figuresQuery, panelQuery } from './web-queries'
import { defaults } from './web-query'

/** The different queries of a page with these tabs. */
function queriesOf(tabs: Partial<Record<PanelName, TabName>>): Set<string> {
  const web = { question: { ...defaults, tabs }, goal: undefined, segment: undefined, pageGroups: [] }
  const ofPanels = panelNames.flatMap((panel) => {
    const dimension = dimensionOfTab(shownTab(panel, tabs))
    return dimension ? [panelQuery(web, dimension)] : []
  })
  return new Set([figuresQuery(web), ...ofPanels].map((query) => JSON.stringify(query)))
}

test.each(panelNames.flatMap((panel) => panelOf(panel).tabs.map(({ name }) => [panel, name] as const)))(
  'a press on a tab asks one more query at most: %s, %s',
  (panel, tab) => {
    const before = queriesOf({})
    const added = [...queriesOf({ [panel]: tab })].filter((query) => !before.has(query))
    expect(added.length).toBeLessThanOrEqual(1)
    for (const query of added) expect(JSON.parse(query)).toMatchObject({ dimensions: [dimensionOfTab(tab)] })
  },
)

test('with other tabs already open, a press asks about its own panel alone', () => {
  const before = queriesOf({ devices: 'os', sources: 'utm_campaign' })
  const after = queriesOf({ devices: 'os', sources: 'utm_campaign', places: 'city' })
  const added = [...after].filter((query) => !before.has(query))
  expect(added.map((query) => JSON.parse(query).dimensions)).toEqual([['city']])
})
