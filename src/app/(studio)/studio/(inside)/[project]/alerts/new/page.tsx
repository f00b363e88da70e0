import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { paths } from '#app/paths'
import { getProduct } from '#app/product'
import { openProject, whyNot } from '#app/(studio)/open-project'
import { AlertForm } from '../AlertForm'
import { membersOf, trendsOf } from '../form-choices'
import { NoMailServer } from '../NoMailServer'

export const metadata: Metadata = { title: 'New alert' }

interface NewAlertProps {
  params: Promise<{ project: string }>
  searchParams: Promise<{ insight?: string | string[] }>
}

export default async function NewAlertPage({ params, searchParams }: NewAlertProps) {
  const { project, viewer, role } = await openProject((await params).project)
  const { insight } = await searchParams
  const [members, trends] = await Promise.all([membersOf(project.id, viewer), trendsOf(project.id, viewer)])
  const trend = trends.find(({ id }) => id === insight)
  const { slug, timeZone } = project

  return (
    <Page
      title="New alert"
      breadcrumbs={[
        { label: project.name, href: paths.project(slug) },
        { label: 'Alerts', href: paths.alerts(slug) },
      ]}
    >
      {!getProduct().canMail && <NoMailServer />}
      <AlertForm
        slug={slug}
        draft={{
          name: trend ? trend.name : 'Fewer page views',
          watched: trend
            ? { type: 'insight', insight: trend.id, line: 0 }
            : { type: 'event', event: '$pageview', measure: { math: 'total' }, traffic: 'human' },
          condition: {
            type: 'relative',
            does: 'fall',
            by: 30,
            as: 'percent',
            against: 'week-before',
            interval: 'day',
          },
          every: '1h',
          recipients: [{ by: 'member', member: viewer.memberId }],
          coolDownMinutes: 60,
        }}
        members={members}
        trends={trends}
        timeZone={timeZone}
        whyNot={whyNot('alerts:write', role)}
      />
    </Page>
  )
}
