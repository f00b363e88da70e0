import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import type { LetterFigures } from '#letters/letter'
import type { LetterReport } from '#letters/letters'
import { Anchor } from '#ui/Anchor'
import { DescriptionList } from '#ui/DescriptionList'
import { dateTime, number, percent } from '#ui/format'
import { Notice } from '#ui/page/Notice'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { openProject, whyNot } from '#studio/parts/open-project'
import { CancelLetter } from './CancelLetter'
import { letterStateLabels } from './letter-states'
import { SubjectsTable } from './SubjectsTable'
import { TroublesTable } from './TroublesTable'

interface LetterPageProps {
  params: Promise<{ project: string; letter: string }>
}

/** For the title and for the page; found once. */
const openLetter = cache(async (slug: string, id: string) => {
  const opened = await openProject(slug)
  const found = await getProduct().letters.find(opened.project.id, id, opened.viewer)
  if (!found) notFound()
  return { ...opened, ...found }
})

export async function generateMetadata({ params }: LetterPageProps): Promise<Metadata> {
  const { project, letter } = await params
  return { title: (await openLetter(project, letter)).letter.content.title }
}

export async function LetterPage({ params }: LetterPageProps) {
  const { project: projectSlug, letter: id } = await params
  const { project, role, letter, troubles } = await openLetter(projectSlug, id)
  const { slug, name, timeZone } = project
  const { content, figures, variants, trial, state, problem } = letter
  const isOpen = state === 'scheduled' || state === 'sending'
  return (
    <Page
      title={content.title}
      breadcrumbs={[
        { label: name, href: paths.project(slug) },
        { label: 'Newsletter', href: paths.letters(slug) },
      ]}
      actions={isOpen && <CancelLetter slug={slug} id={letter.id} whyNot={whyNot('letters:write', role)} />}
    >
      {problem !== undefined && (
        <Notice tone="danger" title="This newsletter was not sent">
          {problem}
        </Notice>
      )}
      <Panel title="Deliveries">
        <DescriptionList facts={factsOf(letter, slug, timeZone)} />
      </Panel>
      {content.subjects.length > 1 && (
        <Panel
          title="Subjects"
          description="Compared by clicks. Opens cannot be trusted, so they are not counted."
          flush
        >
          <SubjectsTable
            rows={content.subjects.map(({ key, text }) => ({
              key,
              text,
              delivered: figuresFor(key, variants)?.delivered ?? 0,
              clicked: figuresFor(key, variants)?.clicked ?? 0,
              chance: trial?.chances?.[key],
              isWinner: trial?.winner === key,
            }))}
          />
        </Panel>
      )}
      {troubles.length > 0 && (
        <Panel title="Not delivered" flush>
          <TroublesTable rows={troubles} />
        </Panel>
      )}
      {figures.uncertain > 0 && (
        <Notice tone="warning" title={`${number(figures.uncertain)} may have arrived`}>
          Tilth stopped, or the connection broke, while they were sent. They are not sent again.
        </Notice>
      )}
    </Page>
  )
}

const figuresFor = (key: string, variants: readonly LetterFigures[]) =>
  variants.find(({ variant }) => variant === key)

function factsOf(
  { figures, state, list, postId, content, scheduledAt }: LetterReport,
  slug: string,
  timeZone: string,
) {
  const ofDelivered = (count: number) =>
    figures.delivered > 0 ? `${number(count)} (${percent(count / figures.delivered)})` : number(count)
  return [
    { term: 'State', value: letterStateLabels[state] },
    { term: 'Time', value: dateTime(scheduledAt, timeZone) },
    { term: 'List', value: <Anchor href={paths.subscribers(slug, list)}>{content.list}</Anchor> },
    { term: 'Post', value: <Anchor href={paths.post(slug, postId)}>{content.title}</Anchor> },
    { term: 'Recipients', value: number(figures.recipients) },
    { term: 'Waiting', value: number(figures.waiting) },
    { term: 'Delivered', value: number(figures.delivered) },
    { term: 'Clicked', value: ofDelivered(figures.clicked) },
    { term: 'Unsubscribed', value: ofDelivered(figures.unsubscribed) },
    { term: 'Bounced', value: number(figures.bounced) },
    { term: 'Failed', value: number(figures.failed) },
  ]
}
