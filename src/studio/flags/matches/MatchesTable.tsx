import { reasonCodes } from '#flags/decision'
import type { FlagKind } from '#flags/flag'
import type { FlagMatch } from '#flags/matches/flag-matches'
import { TextLink } from '#ui/Anchor'
import { Badge } from '#ui/Badge'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { paths } from '#studio/paths'
import { PersonName } from '#studio/parts/PersonName'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { flagValueLabel } from '../explain/value-label'

interface MatchesTableProps {
  slug: string
  flagKey: string
  kind: FlagKind
  environment: string
  matches: readonly FlagMatch[]
  clock: Clock
}

/** Lists persons with the value they get and the reason; each leads to its explanation. */
export function MatchesTable(props: MatchesTableProps) {
  const { slug, matches } = props
  return (
    <Table
      caption="People and their values"
      columns={columnsFor(props)}
      rows={matches}
      rowKey={({ id }) => id}
      rowHref={({ id }) => paths.person(slug, id)}
      empty={<p className="px-4 py-10 text-center text-muted">No people match.</p>}
      actions={explainFor(props)}
    />
  )
}

const columnsFor = ({ kind, clock }: MatchesTableProps): TableColumn<FlagMatch>[] => [
  {
    key: 'name',
    header: 'Person',
    truncate: true,
    cell: ({ label, distinctId }) => <PersonName label={label} id={distinctId} />,
  },
  {
    key: 'value',
    header: 'Value',
    width: '8rem',
    cell: ({ value }) => (
      <Badge tone={value === false ? 'neutral' : 'success'}>{flagValueLabel(value, kind)}</Badge>
    ),
  },
  {
    key: 'why',
    header: 'Reason',
    wideOnly: true,
    cell: ({ reason }) => (
      <span className="block min-w-64 text-pretty @3xl/table:whitespace-nowrap">{reasonInWords(reason)}</span>
    ),
  },
  {
    key: 'seen',
    header: 'Last seen',
    width: '8rem',
    wideOnly: true,
    cell: ({ lastSeen }) => <RelativeTime at={new Date(lastSeen)} clock={clock} />,
  },
]

function reasonInWords({ code, condition }: FlagMatch['reason']): string {
  if (condition === undefined) return reasonCodes[code]
  const set = `Condition set ${condition + 1}`
  return code === 'condition_match' ? `${set} matched.` : `${set} matched, outside its rollout.`
}

const explainFor = ({ slug, flagKey, environment }: MatchesTableProps) =>
  function explain({ label: { name }, distinctId, requestProperties, groups }: FlagMatch) {
    const href = paths.flag(slug, flagKey, 'explain', {
      environment,
      visitor: distinctId,
      properties: jsonOrNothing(requestProperties),
      groups: jsonOrNothing(groups),
    })
    return (
      <TextLink href={href} aria-label={`Explain the value of ${name}`}>
        Explain
      </TextLink>
    )
  }

const jsonOrNothing = (values: object): string | undefined =>
  Object.keys(values).length === 0 ? undefined : JSON.stringify(values)
