import type { Metadata } from 'next'
import { excerptOf } from '#posts/markdown'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { NoMailServer } from '#studio/recipients/NoMailServer'
import { NumberProblem } from '#studio/numbers/NumberProblem'
import { peopleOfNumber } from '#studio/numbers/people-of-number'
import { type SearchParams, textOf } from '#studio/search-params'
import { LetterForm } from './LetterForm'
import { NumberRecipients } from './NumberRecipients'

export const metadata: Metadata = { title: 'New newsletter' }

interface NewLetterPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

const mostPosts = 100

/** A published post, for the subscribers of a list. */
export async function NewLetterPage({ params, searchParams }: NewLetterPageProps) {
  const opened = await openProject((await params).project)
  const { project, viewer, role } = opened
  const search = await searchParams
  const { canMail } = getProduct().alerts
  const { published } = getProduct().posts
  const { cohorts } = getProduct().people
  const { subscriptions } = getProduct().letters
  const listed = await tryRead(async () => ({
    lists: await subscriptions.lists(project.id, viewer),
    cohorts: await cohorts.names(project.id, viewer),
  }))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug, name, timeZone } = project
  const number = await peopleOfNumber(opened, search)
  const reason = whyNot('letters:write', role)
  const now = new Date()
  const posts = [...published.posts(project.id, now), ...published.pages(project.id, now)]
  const chosen = posts.find(({ id }) => id === search['post']) ?? posts[0]
  const shown = posts.slice(0, mostPosts)
  if (chosen && !shown.includes(chosen)) shown.unshift(chosen)
  return (
    <Page
      title="New newsletter"
      breadcrumbs={[
        { label: name, href: paths.project(slug) },
        { label: 'Newsletter', href: paths.letters(slug) },
      ]}
    >
      {!canMail && (
        <NoMailServer slug={slug} untilThen="Until then, no one can subscribe and no newsletter is sent." />
      )}
      {number && !number.done && <NumberProblem {...number} />}
      {number?.done ? (
        <NumberRecipients
          slug={slug}
          people={number.people}
          whyNot={reason ?? whyNot('insights:write', role)}
        />
      ) : (
        <Panel>
          <LetterForm
            slug={slug}
            timeZone={timeZone}
            posts={shown.map((post) => ({ id: post.id, title: post.title, excerpt: excerptOf(post) }))}
            initialPost={chosen?.id}
            initialCohort={textOf(search['cohort'])}
            lists={listed.found.lists.map(({ key, name: label, counts }) => ({
              key,
              name: label,
              confirmed: counts.confirmed,
            }))}
            cohorts={listed.found.cohorts}
            whyNot={reason}
          />
        </Panel>
      )}
    </Page>
  )
}
