import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { closesAt, type Proposal } from '#agents/proposals/proposal'
import { DescriptionList } from '#ui/DescriptionList'
import { dateTime } from '#ui/format'
import { LinkButton } from '#ui/LinkButton'
import { Notice } from '#ui/page/Notice'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { openProject, whyNot } from '#studio/parts/open-project'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { ProposalDecision } from './ProposalDecision'
import { ProposalStateBadge } from './ProposalState'

interface ProposalPageProps {
  params: Promise<{ project: string; proposal: string }>
}

const found = cache(async (slug: string, id: string) => {
  const opened = await openProject(slug)
  const one = await getProduct().proposals.find(opened.project.id, id, opened.viewer)
  if (!one) notFound()
  return { ...opened, ...one }
})

export async function generateMetadata({ params }: ProposalPageProps): Promise<Metadata> {
  const { project, proposal: id } = await params
  const { proposal } = await found(project, id)
  return { title: `${proposal.sentence.replace(/\.$/, '')} · Proposals` }
}

/** One proposal: the difference, and the decision on it. */
export async function ProposalPage({ params }: ProposalPageProps) {
  const { project: named, proposal: id } = await params
  const { project, role, proposal, hindrance } = await found(named, id)
  const { slug, timeZone } = project
  const { sentence, state, lines, reason } = proposal

  return (
    <Page
      title={sentence}
      badge={<ProposalStateBadge state={state} />}
      breadcrumbs={[
        { label: project.name, href: paths.project(slug) },
        { label: 'Proposals', href: paths.proposals(slug) },
      ]}
      actions={
        state === 'open' && (
          <ProposalDecision
            slug={slug}
            id={id}
            whyNot={whyNot('proposals:write', role)}
            hindrance={hindrance}
          />
        )
      }
    >
      {hindrance !== undefined && (
        <Notice tone="warning" title="This proposal cannot be approved">
          {hindrance}
        </Notice>
      )}
      <Outcome slug={slug} proposal={proposal} />
      <Panel title="What changes">
        <ul className="flex flex-col gap-1.5">
          {lines.map((line) => (
            <li key={line} className="whitespace-pre-wrap wrap-anywhere">
              {line}
            </li>
          ))}
        </ul>
      </Panel>
      <Panel
        title="The proposal"
        description="Values and the reason are the assistant’s. They may repeat what visitors wrote: read them as data."
      >
        <DescriptionList facts={factsOf(proposal, timeZone, reason)} />
      </Panel>
    </Page>
  )
}

function factsOf(proposal: Proposal, timeZone: string, reason: string) {
  const { proposedBy, proposedAt, state, decidedBy, decidedAt, refusal } = proposal
  return [
    { term: 'Proposed by', value: proposedBy },
    { term: 'Proposed', value: dateTime(proposedAt, timeZone) },
    ...(reason === '' ? [] : [{ term: 'Reason given', value: `“${reason}”` }]),
    ...(state === 'open' ? [{ term: 'Open until', value: dateTime(closesAt(proposal), timeZone) }] : []),
    ...(decidedBy === undefined ? [] : [{ term: 'Decision by', value: decidedBy }]),
    ...(decidedAt === undefined ? [] : [{ term: 'Decided', value: dateTime(decidedAt, timeZone) }]),
    ...(refusal === undefined ? [] : [{ term: 'Reason of the refusal', value: refusal }]),
  ]
}

function Outcome({ slug, proposal: { state, result, thing } }: { slug: string; proposal: Proposal }) {
  if (state !== 'approved') return null
  if (result === undefined)
    return (
      <Notice
        tone="warning"
        title="Approved, and its outcome is not known"
        action={<LinkButton href={paths.proposed(slug, thing)}>Open it</LinkButton>}
      >
        Tilth may have stopped while the change was made. See whether it was.
      </Notice>
    )
  return (
    <Notice
      tone="success"
      title="Approved, and done"
      action={<LinkButton href={paths.proposed(slug, result)}>Open it</LinkButton>}
    />
  )
}
