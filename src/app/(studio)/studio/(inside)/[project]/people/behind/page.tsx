import type { Metadata } from 'next'
import { questionFrom } from '../../../../../../../insights/question-text'
import { FailedMessage } from '../../../../../../../ui/FailedMessage'
import { number } from '../../../../../../../ui/format'
import { Page } from '../../../../../../../ui/Page'
import { PagePagination } from '../../../../../../../ui/Pagination'
import { Panel } from '../../../../../../../ui/Panel'
import { paths } from '../../../../../../paths'
import { getProduct } from '../../../../../../product'
import { openProject, whyNot } from '../../../../../open-project'
import { PersonsTable } from '../PersonsTable'
import { jsonIn, pageOf, type Search, textOf } from '../question'
import { KeepBehind } from './KeepBehind'

export const metadata: Metadata = { title: 'Who is behind it' }

interface BehindPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<Search>
}

const onPage = 100

/** Who is behind one number of an answer: the question and the number stand in the address. */
export default async function BehindPage({ params, searchParams }: BehindPageProps) {
  const { project, role, viewer } = await openProject((await params).project)
  const { slug, timeZone } = project
  const asked = await searchParams
  const [question, point] = [textOf(asked['question']), textOf(asked['point'])]
  const page = pageOf(asked['page'])
  const found = await getProduct().people.behind(
    project.id,
    questionFrom(question),
    jsonIn(point),
    viewer,
    page,
  )
  if (!found.done)
    return (
      <FailedMessage
        title="Nobody can be shown for this number"
        body={found.problems.map(({ message }) => message).join(' ')}
      />
    )
  const { persons, total } = found
  const pages = Math.min(Math.ceil(total / onPage), 1000)

  return (
    <Page
      title="Who is behind it"
      description={total === 1 ? '1 person' : `${number(total)} persons`}
      breadcrumbs={[
        { label: project.name, href: paths.project(slug) },
        { label: 'People', href: paths.people(slug) },
      ]}
      actions={
        <KeepBehind
          slug={slug}
          question={question ?? ''}
          point={point ?? ''}
          whyNot={whyNot('insights:write', role) ?? (total === 0 ? 'There is nobody to keep.' : undefined)}
        />
      }
    >
      <Panel flush>
        <PersonsTable slug={slug} persons={persons} clock={{ now: new Date(), timeZone }} />
      </Panel>
      {pages > 1 && (
        <PagePagination
          label="Pages of persons"
          page={page}
          pages={pages}
          href={(next) =>
            paths.personsBehind(slug, Object(questionFrom(question)), Object(jsonIn(point)), next)
          }
        />
      )}
    </Page>
  )
}
