import type { Metadata } from 'next'
import { type Proposal, type ProposalState, proposalStates } from '#agents/proposals/proposal'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { clockOf } from '#studio/parts/RelativeTime'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { type SearchParams, textOf } from '#studio/search-params'
import { proposalStateLabels } from './ProposalState'
import { ProposalsTable } from './ProposalsTable'

export const metadata: Metadata = { title: 'Proposals' }

interface ProposalsPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

/** Lists the changes that assistants propose; those that wait for a decision first. */
export async function ProposalsPage({ params, searchParams }: ProposalsPageProps) {
  const { project, viewer } = await openProject((await params).project)
  const named = textOf((await searchParams)['state'])
  const state = proposalStates.find((one) => one === named) ?? 'open'
  const listed = await tryRead(() => getProduct().proposals.list(project.id, viewer))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug, name } = project
  return (
    <Page
      title="Proposals"
      description="Changes that assistants ask for. Nothing changes before a member approves it."
      breadcrumbs={[{ label: name, href: paths.project(slug) }]}
      tabs={<StateTabs slug={slug} current={state} proposals={listed.found} />}
    >
      <Panel flush>
        <ProposalsTable
          slug={slug}
          clock={clockOf(project)}
          state={state}
          proposals={listed.found.filter((one) => one.state === state)}
        />
      </Panel>
    </Page>
  )
}

function StateTabs({
  slug,
  current,
  proposals,
}: {
  slug: string
  current: ProposalState
  proposals: readonly Proposal[]
}) {
  return (
    <LinkTabs
      label="Proposals"
      tabs={proposalStates.map((state) => ({
        label: proposalStateLabels[state],
        href: paths.proposals(slug, state === 'open' ? undefined : state),
        current: state === current,
        count: proposals.filter((one) => one.state === state).length,
      }))}
    />
  )
}
