import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { draftFrom } from './sql-draft'
import { SqlWorkbench } from './SqlWorkbench'
import type { SearchParams } from '#studio/search-params'

export const metadata: Metadata = { title: 'SQL' }

interface SqlProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

export async function SqlPage({ params, searchParams }: SqlProps) {
  const { project, viewer } = await openProject((await params).project)
  const tables = await tryRead(async () => getProduct().insights.tables(project.id, viewer))
  const { q } = await searchParams
  const { slug, name } = project
  return (
    <Page
      title="SQL"
      description="Read-only SQL over this project’s data."
      breadcrumbs={[{ label: name, href: paths.project(slug) }]}
    >
      {tables.allowed ? (
        <SqlWorkbench
          slug={slug}
          tables={tables.found}
          asked={draftFrom(typeof q === 'string' ? q : undefined)}
        />
      ) : (
        <NotAllowed why={tables.why} />
      )}
    </Page>
  )
}
