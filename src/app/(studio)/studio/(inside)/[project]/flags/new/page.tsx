import type { Metadata } from 'next'
import { Page } from '../../../../../../../ui/Page'
import { paths } from '../../../../../../paths'
import { openProject, whyNot } from '../../../../../open-project'
import { kindIn } from '../editor/kinds'
import { editorGround } from '../editor-ground'
import { environmentNames } from '../open-flag'
import type { Search } from '../../people/question'
import { NewFlagForm } from './NewFlagForm'

export const metadata: Metadata = { title: 'New flag' }

interface NewFlagPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<Search>
}

export default async function NewFlagPage({ params, searchParams }: NewFlagPageProps) {
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
        kind={kindIn(kind) ?? 'switch'}
        owner={viewer.name}
        environments={await environmentNames(opened)}
        ground={await editorGround(opened)}
        whyNot={whyNot('flags:write', role)}
      />
    </Page>
  )
}
