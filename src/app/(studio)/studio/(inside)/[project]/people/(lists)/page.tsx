import type { Metadata } from 'next'
import { Suspense } from 'react'
import { FailedMessage } from '#ui/page/FailedMessage'
import { PagePagination } from '#ui/table/Pagination'
import { Panel } from '#ui/page/Panel'
import { number } from '#ui/format'
import { type PeopleQuestion, paths } from '#app/paths'
import { getProduct } from '#app/product'
import { openProject } from '#app/(studio)/open-project'
import { PersonsFilters } from '../PersonsFilters'
import { PersonsTable } from '../PersonsTable'
import { personsRequestOf, filterIn, questionIn, type PeopleSearchParams } from '../question'

export const metadata: Metadata = { title: 'People' }

interface PersonsPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<PeopleSearchParams>
}

const personsPerPage = 50

export default async function PersonsPage({ params, searchParams }: PersonsPageProps) {
  const { project, viewer } = await openProject((await params).project)
  const question = questionIn(await searchParams)
  const cohorts = await getProduct().cohorts.names(project.id, viewer)

  return (
    <>
      <PersonsFilters
        slug={project.slug}
        question={question}
        filter={filterIn(question.filter)}
        cohorts={cohorts}
      />
      <Suspense key={JSON.stringify(question)} fallback={<Waiting slug={project.slug} />}>
        <Persons slug={project.slug} question={question} />
      </Suspense>
    </>
  )
}

async function Persons({ slug, question }: { slug: string; question: PeopleQuestion }) {
  const { project, viewer } = await openProject(slug)
  const found = await getProduct().people.list(project.id, personsRequestOf(question), viewer)
  if (!found.done)
    return (
      <FailedMessage
        title="This cannot be asked"
        body={found.problems.map(({ message }) => message).join(' ')}
      />
    )
  const { persons, total } = found
  const pages = Math.min(Math.ceil(total / personsPerPage), 1000)

  return (
    <>
      <Panel flush title={total === 1 ? '1 person' : `${number(total)} persons`}>
        <PersonsTable
          slug={slug}
          persons={persons}
          clock={{ now: new Date(), timeZone: project.timeZone }}
          question={question}
        />
      </Panel>
      {pages > 1 && (
        <PagePagination
          label="Pages of persons"
          page={question.page ?? 1}
          pages={pages}
          href={(page) => paths.people(slug, { ...question, page })}
        />
      )}
    </>
  )
}

const Waiting = ({ slug }: { slug: string }) => (
  <Panel flush title="Persons">
    <PersonsTable slug={slug} persons={[]} isLoading clock={{ now: new Date(0), timeZone: 'UTC' }} />
  </Panel>
)
