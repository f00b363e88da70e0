import type { Metadata } from 'next'
import type { ComponentProps } from 'react'
import { isSystemEvent } from '#events/taxonomy'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Panel } from '#ui/page/Panel'
import { type CatalogueFilter, paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { SystemEventsLink } from '#studio/parts/SystemEventsLink'
import { CatalogueSearch } from './CatalogueSearch'
import { EventsTable } from './EventsTable'
import { PropertiesTable } from './PropertiesTable'
import type { SearchParams } from '#studio/search-params'
import { clockOf } from '#studio/parts/RelativeTime'

export const metadata: Metadata = { title: 'Events' }

interface EventsPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

/** The project's events and properties, with the members' descriptions. */
export async function EventsPage({ params, searchParams }: EventsPageProps) {
  const { project, viewer, role } = await openProject((await params).project)
  const { show, search, system } = await searchParams
  const filter: CatalogueFilter = {
    show: show === 'properties' ? 'properties' : undefined,
    search: typeof search === 'string' && search !== '' ? search : undefined,
    system: system === 'shown' ? 'shown' : undefined,
  }
  const { slug, timeZone } = project
  const { catalogue } = getProduct().insights
  const context = {
    slug,
    clock: clockOf({ timeZone }),
    whyNot: whyNot('insights:write', role),
    isSearched: filter.search !== undefined,
  }
  const read = await tryRead(async () =>
    filter.show
      ? { properties: await catalogue.properties(project.id, viewer) }
      : { events: await catalogue.events(project.id, viewer) },
  )
  if (!read.allowed) return <NotAllowed why={read.why} />

  const { events, properties } = read.found
  const fits = fitting(filter.search)
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <LinkTabs
          look="segment"
          label="Catalogue"
          tabs={[
            { label: 'Events', href: paths.catalogue(slug), current: !filter.show },
            {
              label: 'Properties',
              href: paths.catalogue(slug, { show: 'properties' }),
              current: filter.show === 'properties',
            },
          ]}
        />
        <span className="grow" />
        <div className="w-64 max-sm:w-full">
          <CatalogueSearch key={filter.show} slug={slug} filter={filter} />
        </div>
      </div>
      <Panel flush>
        {events && (
          <FoldedEvents
            {...context}
            events={events.filter(({ name, label }) => fits(name, label))}
            filter={filter}
          />
        )}
        {properties && (
          <PropertiesTable
            {...context}
            properties={properties.filter(({ key, label }) => fits(key, label))}
          />
        )}
      </Panel>
    </>
  )
}

/** The project's own events, then the others; a search finds both. */
function FoldedEvents({ events, filter, ...context }: FoldedEventsProps) {
  const system = events.filter(({ name }) => isSystemEvent(name))
  const own = events.filter(({ name }) => !isSystemEvent(name))
  const isShown = filter.system !== undefined || context.isSearched || own.length === 0
  return (
    <>
      <EventsTable {...context} events={isShown ? [...own, ...system] : own} />
      {system.length > 0 && !context.isSearched && own.length > 0 && (
        <p className="px-4 py-2.5 text-sm">
          <SystemEventsLink
            count={system.length}
            isShown={isShown}
            href={paths.catalogue(context.slug, { ...filter, system: isShown ? undefined : 'shown' })}
          />
        </p>
      )}
    </>
  )
}

type FoldedEventsProps = ComponentProps<typeof EventsTable> & { filter: CatalogueFilter }

const fitting =
  (search = '') =>
  (...texts: string[]): boolean =>
    texts.some((text) => text.toLowerCase().includes(search.toLowerCase()))
