import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache, Suspense } from 'react'
import { Download } from 'lucide-react'
import { propertyLabel } from '#events/taxonomy'
import { valueName } from '#events/value-names'
import type { PersonProfile } from '#insights/people/person-directory'
import { TextLink } from '#ui/Anchor'
import { Badge } from '#ui/Badge'
import { DescriptionList } from '#ui/DescriptionList'
import { money, number } from '#ui/format'
import { Page } from '#ui/page/Page'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import { CursorPagination } from '#ui/table/Pagination'
import { Panel } from '#ui/page/Panel'
import { Stat, Stats } from '#ui/chart/Stat'
import { type PersonEventsFilter, paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NamedValue } from '#studio/parts/NamedValue'
import { openProject, whyNot } from '#studio/parts/open-project'
import { type Clock, RelativeTime, clockOf } from '#studio/parts/RelativeTime'
import { type SearchParams, textOf } from '#studio/search-params'
import { Icon } from '#ui/Icon'
import { Mark } from '#ui/Mark'
import { buttonClass } from '#ui/keyboard/button-style'
import { Timeline } from '../Timeline'
import { AddToCohort } from './AddToCohort'
import { DistinctIds } from './DistinctIds'
import { ErasePerson } from './ErasePerson'
import { EventPicker } from './EventPicker'

interface PersonPageProps {
  params: Promise<{ project: string; person: string }>
  searchParams: Promise<SearchParams>
}

const open = cache(async (slug: string, id: string) => {
  const opened = await openProject(slug)
  const person = await getProduct().people.find(opened.project.id, id, opened.viewer)
  if (!person) notFound()
  return { ...opened, person }
})

export async function generateMetadata({ params }: PersonPageProps): Promise<Metadata> {
  const { project, person } = await params
  return { title: (await open(project, person)).person.label.name }
}

export async function PersonPage({ params, searchParams }: PersonPageProps) {
  const { project: slug, person: id } = await params
  const { project, role, viewer, person } = await open(slug, id)
  const clock = clockOf(project)
  const picked = (await getProduct().people.cohorts.list(project.id, viewer)).filter(
    ({ definition }) => !definition,
  )

  return (
    <Page
      title={
        <span className="flex items-center gap-3">
          <Mark {...person.label.mark} size="lg" />
          <bdi className="min-w-0 wrap-anywhere">{person.label.name}</bdi>
        </span>
      }
      badge={!person.isIdentified && <Badge>Visitor</Badge>}
      description={<Story label={person.label} story={person.story} />}
      breadcrumbs={[
        { label: project.name, href: paths.project(slug) },
        { label: 'People', href: paths.people(slug) },
      ]}
      actions={
        <>
          <AddToCohort
            slug={slug}
            person={person.id}
            cohorts={picked.map(({ id: cohort, name }) => ({ id: cohort, name }))}
            whyNot={whyNot('insights:write', role)}
          />
          {whyNot('persons:write', role) === undefined && <ExportPerson slug={slug} person={person.id} />}
          <ErasePerson
            slug={slug}
            person={person.id}
            name={person.label.name}
            whyNot={whyNot('persons:write', role)}
          />
        </>
      }
    >
      <Figures person={person} clock={clock} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Suspense fallback={<EventsLoading />}>
          <Events slug={slug} person={person} filter={filterIn(await searchParams)} clock={clock} />
        </Suspense>
        <div className="flex min-w-0 flex-col gap-6">
          <Facts slug={slug} person={person} clock={clock} />
        </div>
      </div>
    </Page>
  )
}

/** The e-mail address and the story, whole. */
function Story({ label: { email }, story }: Pick<PersonProfile, 'label' | 'story'>) {
  return [email, story].filter(Boolean).join(' · ')
}

const filterIn = ({ event, before, system }: SearchParams): PersonEventsFilter => ({
  event: textOf(event),
  before: textOf(before),
  system: system === 'shown' ? 'shown' : undefined,
})

function Figures({ person, clock }: { person: PersonProfile; clock: Clock }) {
  const { firstSeen, lastSeen, events, sessions, revenue } = person
  return (
    <Stats>
      <Stat
        label="Last seen"
        value={lastSeen ? <RelativeTime at={new Date(lastSeen)} clock={clock} /> : '–'}
      />
      <Stat
        label="First seen"
        value={firstSeen ? <RelativeTime at={new Date(firstSeen)} clock={clock} /> : '–'}
      />
      <Stat label="Events" value={number(events)} />
      <Stat label="Sessions" value={number(sessions)} />
      {revenue.map(({ currency, sum }) => (
        <Stat key={currency} label="Revenue" value={currency ? money(sum, currency) : number(sum)} />
      ))}
    </Stats>
  )
}

async function Events({
  slug,
  person,
  filter,
  clock,
}: {
  slug: string
  person: PersonProfile
  filter: PersonEventsFilter
  clock: Clock
}) {
  const { project, viewer } = await openProject(slug)
  const { people } = getProduct()
  const { names } = getProduct().insights
  const eventsFilter = { event: filter.event, before: cursorIn(filter.before) }
  const found = await people.events(project.id, person.id, eventsFilter, viewer)
  const { events, hasMore } = found.done ? found : { events: [], hasMore: false }
  const last = hasMore ? events.at(-1) : undefined
  const eventNames = await names.events(project.id, viewer)

  return (
    <Panel
      title="Events"
      actions={
        <EventPicker
          slug={slug}
          person={person.id}
          event={filter.event}
          events={eventNames.map(({ name, label, isVerified }) => ({ name, label, isVerified }))}
        />
      }
    >
      <div className="flex flex-col gap-4">
        <Timeline slug={slug} events={events} clock={clock} folding={foldingOf(slug, person.id, filter)} />
        {(last || filter.before) && (
          <CursorPagination
            label="Pages of events"
            previousHref={
              filter.before ? paths.person(slug, person.id, { ...filter, before: undefined }) : undefined
            }
            nextHref={last && paths.person(slug, person.id, { ...filter, before: `${last.at}_${last.uuid}` })}
          >
            {filter.before ? 'Older events' : 'Latest first'}
          </CursorPagination>
        )}
      </div>
    </Panel>
  )
}

/** The address that unfolds system events; undefined where they are asked for. */
function foldingOf(slug: string, person: string, filter: PersonEventsFilter) {
  if (filter.event !== undefined) return undefined
  const isShown = filter.system !== undefined
  return { isShown, href: paths.person(slug, person, { ...filter, system: isShown ? undefined : 'shown' }) }
}

const EventsLoading = () => (
  <Panel title="Events">
    <Loading>
      <Skeleton className="h-64 w-full" />
    </Loading>
  </Panel>
)

/** Undefined for what no page of ours has written. */
function cursorIn(text: string | undefined): { at: string; uuid: string } | undefined {
  const [, at, uuid] = /^(\d{4}-[\d:.T-]+Z)_([\da-f-]{36})$/.exec(text ?? '') ?? []
  return at !== undefined && uuid !== undefined ? { at, uuid } : undefined
}

function Facts({ slug, person, clock }: { slug: string; person: PersonProfile; clock: Clock }) {
  const { properties, cohorts, groups, flags, lastPlace, firstTouch } = person
  const place = Object.entries(placeLabels).flatMap(([key, term]) => {
    const value = lastPlace[key as keyof typeof placeLabels] // Object.entries forgets its keys
    return value ? [{ term, value: <NamedValue property={key} value={value} /> }] : []
  })

  return (
    <>
      <Panel title="Properties">
        <DescriptionList
          facts={[
            ...Object.entries(properties)
              .toSorted(([one], [other]) => rankOf(one) - rankOf(other))
              .map(([name, value]) => ({
                term: propertyLabel(name),
                value: <NamedValue property={name} value={value} />,
              })),
            ...(firstTouch ? touchFacts(firstTouch) : []),
            ...place,
          ]}
        />
      </Panel>
      <DistinctIds slug={slug} person={{ ...person, name: person.label.name }} />
      {cohorts.length > 0 && (
        <Panel title="Cohorts">
          <ul className="flex flex-col gap-1">
            {cohorts.map(({ id, name }) => (
              <li key={id}>
                <TextLink href={paths.cohort(slug, id)}>{name}</TextLink>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {groups.length > 0 && (
        <Panel title="Groups">
          <DescriptionList
            facts={groups.map(({ type, key, name }) => ({
              term: type,
              value: <TextLink href={paths.group(slug, type, key)}>{name}</TextLink>,
            }))}
          />
        </Panel>
      )}
      {flags.length > 0 && (
        <Panel title="Flags seen">
          <DescriptionList
            facts={flags.map(({ flag, variant, lastSeen }) => ({
              term: flag,
              value: (
                <>
                  {variant} <span className="text-muted">· </span>
                  <RelativeTime at={new Date(lastSeen)} clock={clock} />
                </>
              ),
            }))}
          />
        </Panel>
      )}
    </>
  )
}

const touchFacts = ({ channel, source }: NonNullable<PersonProfile['firstTouch']>) =>
  Object.entries({ $initial_channel_type: channel, $initial_source: source }).map(([key, value]) => ({
    term: propertyLabel(key),
    value: valueName(key, value),
  }))

const placeLabels = {
  country: 'Last country',
  city: 'Last city',
  browser: 'Last browser',
  os: 'Last system',
  device: 'Last device',
}

/** The properties that a site sets rank first, then those that browsers report, and last the initial ones. */
const rankOf = (name: string): number =>
  name.startsWith('$initial_') ? 2 : name.startsWith('$') || name.startsWith('utm_') ? 1 : 0

/** A plain link: Next would prefetch its own and start an export without a click. */
const ExportPerson = ({ slug, person }: { slug: string; person: string }) => (
  <a href={paths.personExport(slug, person)} download className={buttonClass({})}>
    <Icon of={Download} /> Export
  </a>
)
