import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { openProject, whyNot } from '#studio/parts/open-project'
import { kindIn } from '../editor/kinds'
import { loadEditorChoices } from '../load-editor-choices'
import { environmentNames } from '../open-flag'
import type { SearchParams } from '#studio/search-params'
import { NewFlagForm } from './NewFlagForm'

export const metadata: Metadata = { title: 'New flag' }

interface NewFlagPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

export async function NewFlagPage({ params, searchParams }: NewFlagPageProps) {
  const opened = await openProject((await params).project)
  const { project, viewer, role } = opened
  const { kind } = await searchParams

  return (
    <Page
      title="New flag"
      width="reading"
      breadcrumbs={[
        { label: project.name, href: paths.project(project.slug) },
        { label: 'Flags', href: paths.flags(project.slug) },
      ]}
    >
      <NewFlagForm
        blank={getProduct().flags.blank}
        kind={kindIn(kind) ?? 'switch'}
        owner={viewer.name}
        environments={await environmentNames(opened)}
        choices={await loadEditorChoices(opened)}
        whyNot={whyNot('flags:write', role)}
      />
    </Page>
  )
}
