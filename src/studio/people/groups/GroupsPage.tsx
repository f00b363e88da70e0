import type { Metadata } from 'next'
import { Building2 } from 'lucide-react'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { plural } from '#ui/format'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { LinkTabs } from '#ui/page/LinkTabs'
import { PagePagination } from '#ui/table/Pagination'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { openProject } from '#studio/parts/open-project'
import { pageOf, type SearchParams, textOf } from '#studio/search-params'
import { GroupSearch } from './GroupSearch'
import { GroupsTable } from './GroupsTable'
import { clockOf } from '#studio/parts/RelativeTime'

export const metadata: Metadata = { title: 'Groups' }

interface GroupsPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

const groupsPerPage = 50

export async function GroupsPage({ params, searchParams }: GroupsPageProps) {
  const { project, viewer } = await openProject((await params).project)
  const { slug, timeZone } = project
  const asked = await searchParams
  const { people } = getProduct()
  const { names } = getProduct().insights
  const types = await names.groupTypes(project.id, viewer)
  const type = textOf(asked['type']) ?? types[0]
  if (type === undefined) return <NoGroups slug={slug} />
  const [search, page] = [textOf(asked['search']), pageOf(asked['page'])]
  const found = await people.groups(project.id, { type, search, page }, viewer)
  const { groups, total } = found.done ? found : { groups: [], total: 0 }
  const pages = Math.min(Math.ceil(total / groupsPerPage), 1000)

  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        {types.length > 1 && (
          <LinkTabs
            label="Group types"
            look="segment"
            tabs={types.map((one) => ({
              href: paths.groups(slug, { type: one }),
              label: one,
              current: one === type,
            }))}
          />
        )}
        <GroupSearch slug={slug} type={type} search={search} />
      </div>
      <Panel flush title={plural(total, 'group')}>
        <GroupsTable slug={slug} groups={groups} clock={clockOf({ timeZone })} />
      </Panel>
      {pages > 1 && (
        <PagePagination
          label="Pages of groups"
          page={page}
          pages={pages}
          href={(next) => paths.groups(slug, { type, search, page: next })}
        />
      )}
    </>
  )
}

const NoGroups = ({ slug }: { slug: string }) => (
  <Panel>
    <EmptyMessage
      icon={<Icon of={Building2} size="lg" />}
      title="No groups yet"
      body="A group is a company, a team or an account. Call posthog.group('company', 'acme') to send one."
      action={<LinkButton href={paths.connect(slug)}>Connect a site</LinkButton>}
    />
  </Panel>
)
