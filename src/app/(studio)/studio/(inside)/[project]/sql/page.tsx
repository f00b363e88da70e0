import type { Metadata } from 'next'
import { Page } from '../../../../../../ui/Page'
import { paths } from '../../../../../paths'
import { getProduct } from '../../../../../product'
import { NotAllowed } from '../../../../NotAllowed'
import { openProject } from '../../../../open-project'
import { reading } from '../../../../refusals'
import { draftFrom } from './question'
import { SqlRoom } from './SqlRoom'

export const metadata: Metadata = { title: 'SQL' }

interface SqlProps {
  params: Promise<{ project: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Anything that no chart asks. */
export default async function SqlPage({ params, searchParams }: SqlProps) {
  const { project, viewer } = await openProject((await params).project)
  const tables = await reading(async () => getProduct().insights.tables(project.id, viewer))
  const { q } = await searchParams
  const { slug, name } = project
  return (
    <Page
      title="SQL"
      description="One select over what this project has collected. It reads, and can change nothing."
      breadcrumbs={[{ label: name, href: paths.project(slug) }]}
    >
      {tables.allowed ? (
        <SqlRoom slug={slug} tables={tables.found} asked={draftFrom(typeof q === 'string' ? q : undefined)} />
      ) : (
        <NotAllowed why={tables.why} />
      )}
    </Page>
  )
}
