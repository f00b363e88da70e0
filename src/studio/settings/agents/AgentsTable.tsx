'use client'

import { Bot, ScrollText, Trash2 } from 'lucide-react'
import { type AgentLevel, levelWords } from '#agent-access/levels'
import { Badge } from '#ui/Badge'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { LinkButton } from '#ui/LinkButton'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Panel } from '#ui/page/Panel'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { useDirectChange } from '#studio/parts/Change'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { paths } from '#studio/paths'
import { revokeAgent } from './agents'

interface AgentRow {
  id: string
  name: string
  /** The address that is the id of the program. */
  describedAt?: string
  member: string
  level: AgentLevel
  usedAt?: Date
  network: string
  whyNot?: string
}

interface AgentsTableProps {
  slug: string
  clock: Clock
  seesAudit: boolean
  agents: readonly AgentRow[]
}

const columnsFor = (clock: Clock): TableColumn<AgentRow>[] => [
  {
    key: 'name',
    header: 'Assistant',
    cell: ({ name, describedAt, member }) => (
      <span className="block py-0.5">
        <span className="block max-w-32 truncate font-medium sm:max-w-56">{name}</span>
        {describedAt && (
          <span className="block max-w-32 truncate text-xs text-muted sm:max-w-56">{describedAt}</span>
        )}
        <span className="block max-w-32 truncate text-xs text-muted md:hidden">for {member}</span>
      </span>
    ),
  },
  {
    key: 'member',
    header: 'Acts for',
    wideOnly: true,
    cell: ({ member }) => <span className="block max-w-40 truncate">{member}</span>,
  },
  {
    key: 'level',
    header: 'May',
    width: '7rem',
    cell: ({ level }) => (
      <Badge tone={level === 'change' ? 'warning' : 'neutral'}>{levelWords[level].label}</Badge>
    ),
  },
  {
    key: 'used',
    header: 'Last used',
    width: '11rem',
    wideOnly: true,
    cell: ({ usedAt, network }) =>
      usedAt ? (
        <>
          <RelativeTime at={usedAt} clock={clock} />
          <span className="block truncate text-xs text-muted">from {network}</span>
        </>
      ) : (
        <span className="text-muted">Never</span>
      ),
  },
]

const actionsFor = (slug: string, seesAudit: boolean) => (agent: AgentRow) => (
  <span className="flex items-center gap-1">
    {seesAudit && (
      <LinkButton
        variant="quiet"
        size="sm"
        square
        href={paths.audit(slug, { actor: agent.id })}
        aria-label={`What ${agent.name} of ${agent.member} did`}
      >
        <Icon of={ScrollText} />
      </LinkButton>
    )}
    <RevokeAgent slug={slug} agent={agent} />
  </span>
)

export function AgentsTable({ slug, clock, seesAudit, agents }: AgentsTableProps) {
  return (
    <Panel
      flush
      title="Assistants"
      description="Each acts for one member, and never does more than that member may."
      actions={
        <LinkButton href={paths.connectAgents(slug)} size="sm">
          Connect an assistant
        </LinkButton>
      }
    >
      <Table
        caption="Assistants"
        columns={columnsFor(clock)}
        rows={agents}
        rowKey={({ id }) => id}
        empty={
          <EmptyMessage
            icon={<Icon of={Bot} size="lg" />}
            title="No assistants yet"
            body="A member lets one in when they connect it. Secret keys are under Keys."
          />
        }
        actions={actionsFor(slug, seesAudit)}
      />
    </Panel>
  )
}

function RevokeAgent({ slug, agent }: { slug: string; agent: AgentRow }) {
  const { make, question } = useDirectChange()
  const { id, name, member, whyNot } = agent

  return (
    <AlertDialog
      title={`Revoke ${name} of ${member}?`}
      body={
        <>
          It is refused from now on, until {member} lets it in once more.
          {question}
        </>
      }
      confirmLabel="Revoke access"
      onConfirm={() => make(() => revokeAgent(slug, id), { saved: `${name} revoked`, leavesList: true })}
      trigger={
        <IconButton
          label={`Revoke ${name} of ${member}`}
          icon={<Icon of={Trash2} />}
          disabledReason={whyNot}
        />
      }
    />
  )
}
