import { GitPullRequestArrow } from 'lucide-react'
import type { Proposal, ProposalState } from '#agents/proposals/proposal'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { paths } from '#studio/paths'
import { proposalStateLabels } from './ProposalState'

interface ProposalsTableProps {
  slug: string
  clock: Clock
  state: ProposalState
  proposals: readonly Proposal[]
}

const columnsFor = (clock: Clock): TableColumn<Proposal>[] => [
  {
    key: 'sentence',
    header: 'Change',
    truncate: true,
    cell: ({ sentence, lines }) => (
      <span className="block py-0.5">
        <span className="block truncate font-medium">{sentence}</span>
        <span className="block truncate text-xs text-muted">{lines[0]}</span>
      </span>
    ),
  },
  { key: 'by', header: 'Proposed by', width: '13rem', wideOnly: true, cell: ({ proposedBy }) => proposedBy },
  {
    key: 'at',
    header: 'Proposed',
    width: '9rem',
    cell: ({ proposedAt }) => <RelativeTime at={proposedAt} clock={clock} />,
  },
  {
    key: 'decided',
    header: 'Decision by',
    width: '11rem',
    wideOnly: true,
    cell: ({ decidedBy }) => decidedBy ?? '–',
  },
]

export const ProposalsTable = ({ slug, clock, state, proposals }: ProposalsTableProps) => (
  <Table
    caption={`${proposalStateLabels[state]} proposals`}
    columns={columnsFor(clock)}
    rows={proposals}
    rowKey={({ id }) => id}
    rowHref={({ id }) => paths.proposal(slug, id)}
    empty={state === 'open' ? <NoOpenProposals slug={slug} /> : <NoProposals state={state} />}
  />
)

const icon = <Icon of={GitPullRequestArrow} size="lg" />

const NoOpenProposals = ({ slug }: { slug: string }) => (
  <EmptyMessage
    icon={icon}
    title="No open proposals"
    body="An assistant that may propose can draft flags, experiments, surveys and posts. You decide on each here: with the difference before you, and with your own rights."
    action={
      <LinkButton href={paths.connectAgents(slug)} variant="primary">
        Connect an assistant
      </LinkButton>
    }
  />
)

const NoProposals = ({ state }: { state: ProposalState }) => (
  <EmptyMessage icon={icon} title={`No ${proposalStateLabels[state].toLowerCase()} proposals`} />
)
