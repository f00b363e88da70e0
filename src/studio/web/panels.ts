import { type DimensionName, isDimensionName } from '#insights/text/dimension-words'
import type { VitalName } from '#insights/compile/web-vitals'

/** The content of a tab: the rows of a dimension, or one of the other drawings. */
export type TabName = DimensionName | 'map' | 'goals' | VitalName

interface PanelTab {
  name: TabName
  label: string
}

interface WebPanel {
  title: string
  tabs: readonly [PanelTab, ...PanelTab[]]
}

/** The panels of the page in their order; the first tab of each is shown until another is chosen. */
const panels = {
  pages: {
    title: 'Pages',
    tabs: [
      { name: 'page', label: 'Top' },
      { name: 'entry', label: 'Entry' },
      { name: 'exit', label: 'Exit' },
      { name: 'title', label: 'Titles' },
      { name: 'host', label: 'Hostnames' },
      { name: 'not_found', label: '404 pages' },
    ],
  },
  sources: {
    title: 'Sources',
    tabs: [
      { name: 'channel', label: 'Channels' },
      { name: 'source', label: 'Sources' },
      { name: 'referrer', label: 'Referrers' },
      { name: 'utm_campaign', label: 'Campaigns' },
      { name: 'utm_source', label: 'UTM source' },
      { name: 'utm_medium', label: 'UTM medium' },
      { name: 'utm_content', label: 'UTM content' },
      { name: 'utm_term', label: 'UTM term' },
    ],
  },
  places: {
    title: 'Places',
    tabs: [
      { name: 'map', label: 'Map' },
      { name: 'country', label: 'Countries' },
      { name: 'region', label: 'Regions' },
      { name: 'city', label: 'Cities' },
    ],
  },
  devices: {
    title: 'Devices',
    tabs: [
      { name: 'browser', label: 'Browsers' },
      { name: 'os', label: 'OS' },
      { name: 'device', label: 'Devices' },
      { name: 'language', label: 'Languages' },
    ],
  },
  behaviour: {
    title: 'Behaviour',
    tabs: [
      { name: 'event', label: 'Events' },
      { name: 'goals', label: 'Goals' },
      { name: 'outbound', label: 'Outbound links' },
      { name: 'download', label: 'Downloads' },
      { name: 'form', label: 'Forms' },
    ],
  },
  vitals: {
    title: 'Web vitals',
    tabs: [
      { name: 'LCP', label: 'LCP' },
      { name: 'INP', label: 'INP' },
      { name: 'CLS', label: 'CLS' },
      { name: 'FCP', label: 'FCP' },
      { name: 'TTFB', label: 'TTFB' },
    ],
  },
} as const satisfies Record<string, WebPanel>

export type PanelName = keyof typeof panels
export const panelNames = Object.keys(panels).filter(isPanel)

function isPanel(name: string): name is PanelName {
  return Object.hasOwn(panels, name)
}

export const panelOf = (name: PanelName): WebPanel => panels[name]

export const tabIn = (panel: PanelName, text: string | undefined): TabName | undefined =>
  panelOf(panel).tabs.find(({ name }) => name === text)?.name

export const shownTab = (panel: PanelName, tabs: Partial<Record<PanelName, TabName>>): TabName =>
  tabs[panel] ?? panelOf(panel).tabs[0].name

/** The dimension a tab asks about; a map shows countries. */
export function dimensionOfTab(tab: TabName): DimensionName | undefined {
  if (tab === 'map') return 'country'
  return isDimensionName(tab) ? tab : undefined
}

/** The dimensions of the panels, which the page can be filtered by. */
export const filterDimensions: readonly DimensionName[] = panelNames.flatMap((panel) =>
  panelOf(panel).tabs.flatMap(({ name }) => (isDimensionName(name) ? [name] : [])),
)
