import { Send } from 'lucide-react'
import type { Metadata } from 'next'
import type { LetterReport } from '#letters/letters'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { NoMailServer } from '#studio/recipients/NoMailServer'
import { PostTabs } from '../PostTabs'
import { LetterSettingsForm } from './LetterSettingsForm'
import { type LetterRow, LettersTable } from './LettersTable'
import { ListsTable } from './ListsTable'
import { clockOf } from '#studio/parts/RelativeTime'

export const metadata: Metadata = { title: 'Newsletter' }

/** Posts that were sent by e-mail, and the lists of those who get them. */
export async function LettersPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer, role } = await openProject((await params).project)
  const { letters } = getProduct()
  const { canMail } = getProduct().alerts
  const { subscriptions } = letters
  const listed = await tryRead(async () => ({
    letters: await letters.list(project.id, viewer),
    lists: await subscriptions.lists(project.id, viewer),
    settings: await subscriptions.settings(project.id, viewer),
  }))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug, name, timeZone } = project
  const reason = whyNot('letters:write', role)
  const { found } = listed
  return (
    <Page
      title="Newsletter"
      description="Posts by e-mail, to people who subscribed and confirmed."
      breadcrumbs={[{ label: name, href: paths.project(slug) }]}
      tabs={<PostTabs slug={slug} current="newsletter" />}
      actions={
        <LinkButton href={paths.newLetter(slug)} variant="primary" icon={<Icon of={Send} />}>
          New newsletter
        </LinkButton>
      }
    >
      {!canMail && (
        <NoMailServer slug={slug} untilThen="Until then, no one can subscribe and no newsletter is sent." />
      )}
      <Panel title="Newsletters" flush>
        <LettersTable slug={slug} clock={clockOf({ timeZone })} rows={found.letters.map(rowOf)} />
      </Panel>
      <Panel
        title="Lists"
        description="A sign-up form subscribes to the list whose key is the form’s name."
        flush
      >
        <ListsTable slug={slug} lists={found.lists} whyNot={reason} />
      </Panel>
      <Panel title="Settings">
        <LetterSettingsForm slug={slug} settings={found.settings} whyNot={reason} />
      </Panel>
    </Page>
  )
}

const rowOf = ({ id, content, list, state, scheduledAt, figures }: LetterReport): LetterRow => ({
  id,
  title: content.title,
  list,
  state,
  at: scheduledAt,
  delivered: figures.delivered,
  clicked: figures.clicked,
  unsubscribed: figures.unsubscribed,
  bounced: figures.bounced,
})
