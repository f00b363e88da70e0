import type { ConditionSet } from '#flags/flag'
import { type ConditionLabels, setInWords } from '#flags/words'
import { TextLink } from '#ui/Anchor'
import { number } from '#ui/format'
import { Panel } from '#ui/page/Panel'

/** Lists the condition sets with the persons that each decides for. */
export function MatchesBySet({
  sets,
  counts,
  names,
  current,
  href,
}: {
  sets: readonly ConditionSet[]
  counts: readonly { served: number; outsideRollout: number }[]
  names: ConditionLabels
  /** The set that the list is narrowed to, counted from 1. */
  current: number | undefined
  href: (set: number | undefined) => string
}) {
  return (
    <Panel
      title="By condition set"
      actions={current !== undefined && <TextLink href={href(undefined)}>Show all sets</TextLink>}
    >
      <ol className="flex flex-col gap-3">
        {sets.map((set, index) => {
          const { served, outsideRollout } = counts[index] ?? { served: 0, outsideRollout: 0 }
          return (
            // sets have no id, and their order is their meaning
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
              <span className="min-w-0 grow basis-72 text-pretty wrap-anywhere">
                <TextLink href={href(index + 1)} aria-current={current === index + 1 || undefined}>
                  Condition set {index + 1}
                </TextLink>
                <span className="text-muted"> · {setInWords(set, names)}</span>
              </span>
              <span className="text-muted tabular-nums">
                {number(served)} in rollout
                {outsideRollout > 0 && ` · ${number(outsideRollout)} outside`}
              </span>
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
