import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { subscriberStates } from '#letters/subscribers/subscriber'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { CursorPagination } from '#ui/table/Pagination'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { ExportSubscribers } from './ExportSubscribers'
import { ImportSubscribers } from './ImportSubscribers'
import { SubscriberFilters } from './SubscriberFilters'
import { SubscribersTable } from './SubscribersTable'
import type { SearchParams } from '#studio/search-params'
import { clockOf } from '#studio/parts/RelativeTime'

interface SubscribersPageProps {
  params: Promise<{ project: string; list: string }>
  searchParams: Promise<SearchParams>
}

export async function generateMetadata({ params }: SubscribersPageProps): Promise<Metadata> {
  return { title: `Subscribers of ${decodeURIComponent((await params).list)}` }
}

export async function SubscribersPage({ params, searchParams }: SubscribersPageProps) {
  const { project: projectSlug, list: written } = await params
  const key = decodeURIComponent(written)
  const { project, viewer, role } = await openProject(projectSlug)
  const asked = await searchParams
  const state = subscriberStates.find((one) => one === asked['state'])
  const search = typeof asked['search'] === 'string' ? asked['search'] : undefined
  const page = Math.max(1, Math.trunc(Number(asked['page'])) || 1)
  const { subscriptions } = getProduct().letters
  const listed = await tryRead(async () => ({
    lists: await subscriptions.lists(project.id, viewer),
    found: await subscriptions.subscribers(project.id, key, { state, search, page }, viewer),
  }))
  if (!listed.allowed) return <NotAllowed why={listed.why} />
  const list = listed.found.lists.find((one) => one.key === key)
  const { found } = listed.found
  if (!list || !found.done) notFound()

  const { slug, name, timeZone } = project
  const reason = whyNot('subscribers:write', role)
  const to = (next: number) => paths.subscribers(slug, key, { state, search, page: next })
  return (
    <Page
      title={list.name}
      breadcrumbs={[
        { label: name, href: paths.project(slug) },
        { label: 'Newsletter', href: paths.letters(slug) },
      ]}
      actions={
        <>
          <ExportSubscribers slug={slug} list={key} whyNot={reason} />
          <ImportSubscribers slug={slug} list={key} whyNot={reason} />
        </>
      }
    >
      <SubscriberFilters slug={slug} list={key} filter={{ state, search }} counts={list.counts} />
      <Panel flush>
        <SubscribersTable
          slug={slug}
          clock={clockOf({ timeZone })}
          whyNot={reason}
          rows={found.subscribers.map(({ id, address, state: current, source, changedAt }) => ({
            id,
            address,
            state: current,
            source,
            changedAt,
          }))}
        />
      </Panel>
      {(page > 1 || found.hasMore) && (
        <CursorPagination
          label="Pages of subscribers"
          {...(page > 1 && { previousHref: to(page - 1) })}
          {...(found.hasMore && { nextHref: to(page + 1) })}
        />
      )}
    </Page>
  )
}
