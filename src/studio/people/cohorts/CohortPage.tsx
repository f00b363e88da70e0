import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache, Suspense } from 'react'
import { Badge } from '#ui/Badge'
import { plural } from '#ui/format'
import { Page } from '#ui/page/Page'
import { PagePagination } from '#ui/table/Pagination'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { openProject, whyNot } from '#studio/parts/open-project'
import { CohortForm } from '../CohortForm'
import { PersonsTable } from '../PersonsTable'
import { pageOf, type SearchParams } from '#studio/search-params'
import { RemoveCohort } from './RemoveCohort'
import { clockOf } from '#studio/parts/RelativeTime'

interface CohortPageProps {
  params: Promise<{ project: string; cohort: string }>
  searchParams: Promise<SearchParams>
}

const personsPerPage = 50

const open = cache(async (slug: string, id: string) => {
  const opened = await openProject(slug)
  const cohort = await getProduct().people.cohorts.find(opened.project.id, id, opened.viewer)
  if (!cohort) notFound()
  return { ...opened, cohort }
})

export async function generateMetadata({ params }: CohortPageProps): Promise<Metadata> {
  const { project, cohort } = await params
  return { title: (await open(project, cohort)).cohort.name }
}

export async function CohortPage({ params, searchParams }: CohortPageProps) {
  const { project: slug, cohort: id } = await params
  const { project, role, viewer, cohort } = await open(slug, id)
  const { name, about, definition } = cohort
  const page = pageOf((await searchParams)['page'])
  const reason = whyNot('insights:write', role)
  const others = (await getProduct().people.cohorts.names(project.id, viewer)).filter((one) => one.id !== id)

  return (
    <Page
      title={name}
      badge={!definition && <Badge>Static list</Badge>}
      description={about || undefined}
      breadcrumbs={[
        { label: project.name, href: paths.project(slug) },
        { label: 'Cohorts', href: paths.cohorts(slug) },
      ]}
      actions={<RemoveCohort slug={slug} id={id} name={name} whyNot={reason} />}
    >
      <CohortForm slug={slug} cohort={{ id, name, about, definition }} cohorts={others} whyNot={reason} />
      <Suspense
        key={`${page} ${cohort.changedAt.toISOString()}`}
        fallback={
          <Panel flush title="People">
            <PersonsTable slug={slug} persons={[]} isLoading clock={{ now: new Date(0), timeZone: 'UTC' }} />
          </Panel>
        }
      >
        <Members slug={slug} cohort={id} page={page} />
      </Suspense>
    </Page>
  )
}

async function Members({ slug, cohort, page }: { slug: string; cohort: string; page: number }) {
  const { project, viewer } = await openProject(slug)
  const { people } = getProduct()
  const [found, size] = await Promise.all([
    people.list(project.id, { cohort, period: 'all', page }, viewer),
    people.size(project.id, cohort, viewer),
  ])
  const { persons, total } = found.done ? found : { persons: [], total: 0 }
  const pages = Math.min(Math.ceil(total / personsPerPage), 1000)

  return (
    <>
      <Panel flush title={plural(size ?? 0, 'person', 'people')} description="As of now">
        <PersonsTable slug={slug} persons={persons} clock={clockOf(project)} />
      </Panel>
      {pages > 1 && (
        <PagePagination
          label="Pages of people"
          page={page}
          pages={pages}
          href={(next) => paths.cohort(slug, cohort, { page: next })}
        />
      )}
    </>
  )
}
