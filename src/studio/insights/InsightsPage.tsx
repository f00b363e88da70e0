import { Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { queryText } from '#insights/text/query-text'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { type InsightsFilter, paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import type { SearchParams } from '#studio/search-params'
import { clockOf } from '#studio/parts/RelativeTime'
import { Anchor } from '#ui/Anchor'
import { labelsFor, builtKinds } from './kinds'
import { savingChoicesOf } from './saving-choices'
import { InsightFilters } from './InsightFilters'
import { InsightsTable } from './InsightsTable'

export const metadata: Metadata = { title: 'Insights' }

interface InsightsProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

/** Lists the saved queries. */
export async function InsightsPage({ params, searchParams }: InsightsProps) {
  const { project, viewer, role } = await openProject((await params).project)
  const filter = queryIn(await searchParams)
  const { saved: savedInsights } = getProduct().insights
  const listed = await tryRead(() =>
    Promise.all([
      savedInsights.list(project.id, searchOf(filter), viewer),
      savedInsights.list(project.id, {}, viewer),
    ]),
  )
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const [found, all] = listed.found.map((outcome) => (outcome.done ? outcome.insights : []))
  const { slug, timeZone } = project
  const isNew = (all ?? []).length === 0 && !isNarrowed(filter)
  return (
    <Page
      title="Insights"
      description={isNew ? undefined : 'Saved charts and tables.'}
      breadcrumbs={[{ label: project.name, href: paths.project(slug) }]}
      actions={
        <LinkButton href={paths.newInsight(slug)} variant="primary" icon={<Icon of={Plus} />}>
          New insight
        </LinkButton>
      }
    >
      {isNew ? (
        <Templates slug={slug} />
      ) : (
        <>
          <InsightFilters
            slug={slug}
            filter={filter}
            folders={foldersIn(all ?? [])}
            kinds={[...new Set((all ?? []).map((insight) => insight.question.kind))]}
          />
          <Panel flush>
            <InsightsTable
              slug={slug}
              clock={clockOf({ timeZone })}
              whyNot={whyNot('insights:write', role)}
              hasFolders={filter.folder === undefined}
              choices={await savingChoicesOf(project.id, viewer)}
              insights={(found ?? []).map(({ projectId: _, question: asks, ...insight }) => ({
                ...insight,
                kind: asks.kind,
                kindLabel: labelsFor(asks.kind).label,
                q: queryText(asks),
              }))}
              empty={<NothingFound slug={slug} show={filter.show} />}
            />
          </Panel>
          {!isNarrowed(filter) && <Templates slug={slug} isMore />}
        </>
      )}
    </Page>
  )
}

const isNarrowed = (filter: InsightsFilter): boolean => Object.values(filter).some(Boolean)

/** Ignores invalid values in the address. */
function queryIn(searchParams: Awaited<InsightsProps['searchParams']>): InsightsFilter {
  const text = (name: string) => {
    const value = searchParams[name]
    return typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined
  }
  const show = text('show')
  return {
    search: text('search'),
    folder: text('folder')?.slice(0, 80),
    kind: text('kind')?.slice(0, 40),
    show: show === 'favourites' || show === 'archived' ? show : undefined,
  }
}

const searchOf = ({ show, ...search }: InsightsFilter) => ({
  ...search,
  favourites: show === 'favourites',
  archived: show === 'archived',
})

function foldersIn(insights: readonly { folder: string }[]) {
  const counts = Map.groupBy(insights, ({ folder }) => folder)
  return [...counts]
    .filter(([folder]) => folder !== '')
    .map(([folder, members]) => ({ folder, count: members.length }))
    .toSorted((one, other) => one.folder.localeCompare(other.folder, 'en'))
}

function NothingFound({ slug, show }: { slug: string; show: InsightsFilter['show'] }) {
  if (show === 'archived')
    return <EmptyMessage title="No archived insights" body="Archived insights can be restored from here." />
  if (show === 'favourites')
    return (
      <EmptyMessage
        title="No favourites yet"
        body="Star an insight to list it here."
        action={<LinkButton href={paths.insights(slug)}>All insights</LinkButton>}
      />
    )
  return (
    <EmptyMessage
      title="No matching insights"
      body="Try another search or folder."
      action={<LinkButton href={paths.insights(slug)}>All insights</LinkButton>}
    />
  )
}

/** Lists template queries in plain words. */
function Templates({ slug, isMore }: { slug: string; isMore?: boolean }) {
  return (
    <Panel
      flush
      title={isMore ? 'New insight' : 'Choose an insight type'}
      description={isMore ? undefined : 'Each starts with a working example. Adjust it, then save it.'}
    >
      <ul className="grid gap-px overflow-hidden border-t border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
        {builtKinds.map(({ kind, label, icon, asks }) => (
          <li key={kind} className="bg-surface">
            <Anchor
              href={paths.newInsight(slug, { kind })}
              className="flex h-full items-start gap-3 px-4 py-3.5 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
            >
              <Icon of={icon} size="lg" className="mt-0.5 text-accent-ink" />
              <span className="min-w-0">
                <span className="block font-medium">{asks}</span>
                <span className="block text-muted">{label}</span>
              </span>
            </Anchor>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
