'use client'

import { History as HistoryIcon } from 'lucide-react'
import { useTransition } from 'react'
import type { InsightVersion } from '../../../../../../../insights/saved-insights'
import { Button } from '../../../../../../../ui/Button'
import { Icon } from '../../../../../../../ui/Icon'
import { Panel } from '../../../../../../../ui/Panel'
import { useToast } from '../../../../../../../ui/Toast'
import { useDirectChange } from '../../../../../Change'
import { restoreVersion } from '../../../../../insights/changes'
import { type Clock, When } from '../../../../../When'
import { differences } from './differences'

interface HistoryProps {
  slug: string
  id: string
  versions: readonly InsightVersion[]
  clock: Clock
  whyNot?: string
}

/** Everything the insight ever said, and what each change changed. */
export function History({ versions, ...ground }: HistoryProps) {
  if (versions.length < 2) return null
  return (
    <Panel flush title="History" description="Every version can be brought back; nothing in between is lost.">
      <ol className="divide-y divide-line border-t border-line">
        {versions.map((version, place) => (
          <Version
            key={version.version}
            version={version}
            before={versions[place + 1]}
            isNewest={place === 0}
            {...ground}
          />
        ))}
      </ol>
    </Panel>
  )
}

function Version({
  version,
  before,
  isNewest,
  clock,
  ...ground
}: Omit<HistoryProps, 'versions'> & {
  version: InsightVersion
  before: InsightVersion | undefined
  isNewest: boolean
}) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0">
        <p className="font-medium">
          Version {version.version}
          <span className="font-normal text-muted">
            {' '}
            by {version.changedBy}, <When at={version.changedAt} clock={clock} />
          </span>
        </p>
        <ul className="mt-1 text-xs text-muted">
          {before ? (
            differences(before, version).map((line) => (
              <li key={line} className="wrap-anywhere">
                {line}
              </li>
            ))
          ) : (
            <li>The beginning</li>
          )}
        </ul>
      </div>
      {!isNewest && <Restore version={version.version} {...ground} />}
    </li>
  )
}

function Restore({
  slug,
  id,
  version,
  whyNot,
}: Pick<HistoryProps, 'slug' | 'id' | 'whyNot'> & { version: number }) {
  const say = useToast()
  const { make, question } = useDirectChange()
  const [isPending, startTransition] = useTransition()
  const restore = () =>
    startTransition(async () => {
      const failed = await make(() => restoreVersion(slug, id, version), {
        saved: `Version ${version} is back`,
      })
      if (failed) say({ title: failed.error, tone: 'danger' })
    })
  return (
    <>
      <Button
        size="sm"
        icon={<Icon of={HistoryIcon} />}
        onClick={restore}
        busy={isPending}
        disabledReason={whyNot}
      >
        Bring back
      </Button>
      {question}
    </>
  )
}
