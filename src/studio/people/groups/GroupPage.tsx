import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { propertyLabel } from '#events/taxonomy'
import { DescriptionList } from '#ui/DescriptionList'
import { number } from '#ui/format'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { Stat, Stats } from '#ui/chart/Stat'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { openProject } from '#studio/parts/open-project'
import { RelativeTime, clockOf } from '#studio/parts/RelativeTime'
import { PersonsTable } from '../PersonsTable'
import { type SearchParams, textOf } from '#studio/search-params'
import { Timeline } from '../Timeline'

export const metadata: Metadata = { title: 'Group' }

interface GroupPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

export async function GroupPage({ params, searchParams }: GroupPageProps) {
  const { project, viewer } = await openProject((await params).project)
  const { slug, timeZone } = project
  const { type, key } = await searchParams
  const asked = { type: textOf(type), key: textOf(key) }
  const found = await getProduct().people.group(project.id, asked, viewer)
  if (!found.done) notFound()
  const { group, persons, events, total } = found
  const clock = clockOf({ timeZone })
  const facts = Object.entries(group.properties).map(([name, value]) => ({
    term: propertyLabel(name),
    value,
  }))

  return (
    <Page
      title={group.name}
      description={`A ${group.type}`}
      breadcrumbs={[
        { label: project.name, href: paths.project(slug) },
        { label: 'Groups', href: paths.groups(slug, { type: group.type }) },
      ]}
    >
      <Stats>
        <Stat label="People, last 30 days" value={number(total)} />
        <Stat label="First seen" value={<RelativeTime at={new Date(group.createdAt)} clock={clock} />} />
        <Stat
          label="Last seen"
          value={group.lastSeen ? <RelativeTime at={new Date(group.lastSeen)} clock={clock} /> : '–'}
        />
      </Stats>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <Panel flush title="People" description="Active in the last 30 days">
            <PersonsTable slug={slug} persons={persons} clock={clock} />
          </Panel>
          <Panel title="Latest events">
            <Timeline slug={slug} events={events} clock={clock} />
          </Panel>
        </div>
        <Panel title="Properties">
          <DescriptionList facts={[{ term: 'Key', value: group.key, mono: true }, ...facts]} />
        </Panel>
      </div>
    </Page>
  )
}
