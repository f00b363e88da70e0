'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import type { AaCheckedMetric } from '#experiments/planning/aa-check'
import type { AaCheckState } from '#experiments/planning/aa-checks'
import { Badge } from '#ui/Badge'
import { Button } from '#ui/Button'
import { percent } from '#ui/format'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import { Progress } from '#ui/Progress'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { beginAaCheck } from '../actions'

interface AaCheckPanelProps {
  slug: string
  id: string
  check: AaCheckState
  whyNot: string | undefined
}

const refreshMs = 500

/** The A/A check: a button, the progress, and what was found. */
export function AaCheckPanel({ slug, id, check, whyNot }: AaCheckPanelProps) {
  const router = useRouter()
  const [error, setError] = useState<string>()
  const isRunning = check.state === 'running'

  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => router.refresh(), refreshMs)
    return () => clearInterval(timer)
  }, [isRunning, router])

  const begin = async () => {
    const answer = await beginAaCheck(slug, id)
    setError(answer.done ? undefined : answer.problems.map(({ message }) => message).join(' '))
  }
  return (
    <Panel
      title="Can I trust this on my data?"
      description="Divides the people of the last 28 days at random, 1,000 times, and counts how often this analysis finds a difference where there is none."
      actions={
        <Button onClick={() => void begin()} busy={isRunning} disabledReason={whyNot}>
          {check.state === 'done' ? 'Check again' : 'Check on my data'}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {error !== undefined && <Notice tone="danger" title={error} urgent />}
        <Finding check={check} />
      </div>
    </Panel>
  )
}

function Finding({ check }: { check: AaCheckState }) {
  if (check.state === 'none')
    return <p className="text-muted">Not checked since the metrics or the analysis changed.</p>
  if (check.state === 'running')
    return <Progress label="Dividing at random" {...(check.progress > 0 && { value: check.progress })} />
  if (check.state === 'failed') return <Notice tone="danger" title={check.sentence} />
  const checked = check.result.metrics.filter((metric) => metric.state === 'checked')
  return (
    <>
      <ul className="flex flex-col gap-1">
        {check.sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {checked.length > 0 && (
        <Table
          caption="What random divisions showed"
          columns={columns}
          rows={checked}
          rowKey={(metric) => metric.id}
          empty={null}
        />
      )}
    </>
  )
}

const findings = {
  'as-promised': { label: 'As promised', tone: 'success' },
  'perhaps-more': { label: 'Perhaps more', tone: 'warning' },
  'too-many': { label: 'Too many', tone: 'danger' },
} as const

const columns: TableColumn<AaCheckedMetric>[] = [
  { key: 'name', header: 'Metric', cell: ({ name }) => name },
  {
    key: 'finding',
    header: 'Finding',
    cell: ({ finding }) => <Badge tone={findings[finding].tone}>{findings[finding].label}</Badge>,
  },
  {
    key: 'false',
    header: 'False positives',
    numeric: true,
    cell: ({ falsePositives: { rate, low, high } }) =>
      `${percent(rate, 1)} (${percent(low, 1)} to ${percent(high, 1)})`,
  },
  {
    key: 'unadjusted',
    header: 'Without CUPED',
    numeric: true,
    cell: ({ unadjusted }) => (unadjusted ? percent(unadjusted.rate, 1) : '–'),
  },
  { key: 'power', header: 'Power', numeric: true, cell: ({ power }) => percent(power.rate, 1) },
  {
    key: 'planned',
    header: 'Planned power',
    numeric: true,
    cell: ({ plannedPower }) => (plannedPower === null ? '–' : percent(plannedPower, 1)),
  },
  {
    key: 'cuped',
    header: 'CUPED gains',
    numeric: true,
    cell: ({ varianceReduction }) => (varianceReduction === null ? '–' : percent(varianceReduction, 1)),
  },
]
