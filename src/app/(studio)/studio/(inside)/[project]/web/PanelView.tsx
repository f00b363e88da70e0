import { Download, Maximize2 } from 'lucide-react'
import { Suspense } from 'react'
import { placesAttribution } from '../../../../../../events/taxonomy'
import { type DimensionName, wordsOf } from '../../../../../../insights/dimension-words'
import { isVital } from '../../../../../../insights/web-vitals'
import { Anchor, TextLink } from '../../../../../../ui/Anchor'
import { number } from '../../../../../../ui/format'
import { Icon } from '../../../../../../ui/Icon'
import { LinkTabs } from '../../../../../../ui/LinkTabs'
import { Panel } from '../../../../../../ui/Panel'
import { Loading, Skeleton } from '../../../../../../ui/Skeleton'
import { WorldMap } from '../../../../../../ui/WorldMap'
import { paths } from '../../../../../paths'
import { askPanel, mostRows, panelRows, rowsQuestion, type Web } from './asking'
import { GoalsPanel } from './GoalsPanel'
import { NotAnswered } from './NotAnswered'
import { dimensionOfTab, type PanelName, panelOf, type TabName, tabShown } from './panels'
import { searchOf, toggled } from './question'
import { Rows } from './Rows'
import { VitalsPanel } from './VitalsPanel'

/** One panel: its tabs, of which only the shown one is asked about, and its rows. */
export function PanelView({ name, web }: { name: PanelName; web: Web }) {
  const tab = tabShown(name, web.question.tabs)
  const dimension = dimensionOfTab(tab)
  return (
    <Panel
      flush
      title={panelOf(name).title}
      actions={dimension && <Ways web={web} dimension={dimension} />}
      footer={name === 'places' && <Attribution />}
    >
      <div className="px-4 pb-1">
        <PanelTabs name={name} shown={tab} web={web} />
      </div>
      <Suspense fallback={<RowsLoading />}>
        <Inside tab={tab} web={web} />
      </Suspense>
    </Panel>
  )
}

function PanelTabs({ name, shown, web }: { name: PanelName; shown: TabName; web: Web }) {
  const { title, tabs } = panelOf(name)
  const { project, question } = web
  return (
    <LinkTabs
      label={title}
      tabs={tabs.map((tab) => ({
        label: tab.label,
        href: paths.web(
          project.slug,
          searchOf({ ...question, tabs: { ...question.tabs, [name]: tab.name } }),
        ),
        current: tab.name === shown,
      }))}
    />
  )
}

/** To all rows, and to a file of them. */
function Ways({ web, dimension }: { web: Web; dimension: DimensionName }) {
  const { project, question } = web
  const search = [...searchOf(question), ['of', dimension] as const]
  const { plural } = wordsOf(dimension)
  const look = 'grid size-7 place-items-center rounded-md text-faint hover:bg-hover hover:text-ink'
  return (
    <>
      <Anchor href={paths.webView(project.slug, 'rows', search)} className={look} title={`All ${plural}`}>
        <Icon of={Maximize2} label={`All ${plural}`} />
      </Anchor>
      <Anchor
        href={paths.answerFile(
          project.slug,
          'csv',
          rowsQuestion(web, dimension, { limit: mostRows }),
          plural,
        )}
        download
        className={look}
        title={`All ${plural} as CSV`}
      >
        <Icon of={Download} label={`All ${plural} as CSV`} />
      </Anchor>
    </>
  )
}

async function Inside({ tab, web }: { tab: TabName; web: Web }) {
  if (tab === 'goals') return <GoalsPanel web={web} />
  if (isVital(tab)) return <VitalsPanel name={tab} web={web} />
  const dimension = dimensionOfTab(tab)
  if (!dimension) return null
  return tab === 'map' ? <MapOf web={web} /> : <RowsOf dimension={dimension} web={web} />
}

async function RowsOf({ dimension, web }: { dimension: DimensionName; web: Web }) {
  const told = await askPanel(web, dimension)
  if (!told.done) return <NotAnswered problems={told.problems} />
  const panel = told.answer.panels.find((one) => one.dimension === dimension)
  if (!panel) return null
  const shown = { ...panel, rows: panel.rows.slice(0, panelRows) }
  return (
    <>
      <Rows panel={shown} web={web} total={told.answer.totals?.figures.visitors} />
      {panel.valuesInAll > shown.rows.length && (
        <p className="px-4 py-2.5 text-xs text-muted">
          <TextLink
            href={paths.webView(web.project.slug, 'rows', [...searchOf(web.question), ['of', dimension]])}
          >
            All {number(panel.valuesInAll)} {wordsOf(dimension).plural}
          </TextLink>
        </p>
      )}
    </>
  )
}

async function MapOf({ web }: { web: Web }) {
  const told = await askPanel(web, 'country')
  if (!told.done) return <NotAnswered problems={told.problems} />
  const rows = told.answer.panels.find(({ dimension }) => dimension === 'country')?.rows ?? []
  return (
    <div className="px-4 py-3">
      <WorldMap
        title="Visitors by country"
        valueLabel="Visitors"
        places={rows.flatMap(({ value, visitors }) =>
          value === null ? [] : [{ code: value, value: visitors, href: hrefOf(web, value) }],
        )}
      />
    </div>
  )
}

const hrefOf = ({ project, question }: Web, country: string): string =>
  paths.web(project.slug, searchOf(toggled(question, 'country', country)))

/** The licence of the places asks for it. */
const Attribution = () => <TextLink href={placesAttribution.href}>{placesAttribution.text}</TextLink>

const RowsLoading = () => (
  <Loading>
    <div className="flex flex-col gap-3 px-4 py-3">
      {Array.from({ length: panelRows }, (_, row) => (
        <Skeleton key={row} className="h-5 w-full" />
      ))}
    </div>
  </Loading>
)
