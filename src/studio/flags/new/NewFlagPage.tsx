import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { openProject, whyNot } from '#studio/parts/open-project'
import { kindIn } from '../editor/kinds'
import { loadEditorChoices } from '../load-editor-choices'
import { environmentNames } from '../open-flag'
import { NumberProblem } from '#studio/numbers/NumberProblem'
import { peopleOfNumber } from '#studio/numbers/people-of-number'
import { type SearchParams, textOf } from '#studio/search-params'
import { NewFlagForm } from './NewFlagForm'

export const metadata: Metadata = { title: 'New flag' }

interface NewFlagPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

export async function NewFlagPage({ params, searchParams }: NewFlagPageProps) {
  const opened = await openProject((await params).project)
  const { project, viewer, role } = opened
  const search = await searchParams
  const number = await peopleOfNumber(opened, search)
  const people = number?.done ? number.people : undefined

  return (
    <Page
      title="New flag"
      width="reading"
      breadcrumbs={[
        { label: project.name, href: paths.project(project.slug) },
        { label: 'Flags', href: paths.flags(project.slug) },
      ]}
    >
      {number && !number.done && <NumberProblem {...number} />}
      <NewFlagForm
        people={people}
        blank={getProduct().flags.blank}
        suggestedKey={textOf(search['key'])}
        kind={kindIn(search.kind) ?? 'switch'}
        owner={viewer.name}
        environments={await environmentNames(opened)}
        choices={await loadEditorChoices(opened)}
        whyNot={whyNot('flags:write', role) ?? (people && whyNot('insights:write', role))}
      />
    </Page>
  )
}
