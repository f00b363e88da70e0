import type { ExperimentResult } from '#experiments/results/experiment-results'
import { AnswerAge } from '#studio/parts/AnswerAge'
import { CalendarDate, type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { RenewResult } from './RenewResult'

interface ResultAgeProps {
  result: Pick<
    ExperimentResult,
    'at' | 'tookMs' | 'waitingEvents' | 'isBehind' | 'isRenewed' | 'look' | 'until'
  >
  id: string
  /** Of the project; without one it cannot be computed anew from here. */
  slug?: string
  clock: Clock
}

const youngMs = 60_000

/** Says as of when a result is; an older one can be computed anew. */
export function ResultAge({ result, slug, id, clock }: ResultAgeProps) {
  const { at, isRenewed, look, until } = result
  const isYoung = clock.now.getTime() - at.getTime() < youngMs && !isRenewed
  const isDecided = look === 'planned'
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted empty:hidden">
      {isDecided && (
        <span>
          Counts until <CalendarDate at={until} clock={clock} />, when it was decided.
        </span>
      )}
      {isYoung ? (
        <AnswerAge {...result} now={clock.now} />
      ) : (
        <>
          <span>
            As known <RelativeTime at={at} clock={clock} />
            {isRenewed && ', and being recomputed'}
          </span>
          {slug !== undefined && <RenewResult slug={slug} id={id} isRenewed={isRenewed} />}
        </>
      )}
    </div>
  )
}
