import { Suspense } from 'react'
import { type Experiment, outcomeInWords } from '#experiments/experiment'
import { number } from '#ui/format'
import { Skeleton } from '#ui/page/Skeleton'
import { getProduct } from '#studio/product'
import type { Opened } from '#studio/parts/open-project'
import { tryEngine } from '#studio/parts/refusals'

interface ListedResultProps {
  opened: Opened
  experiment: Experiment
  /** Asks the engine; otherwise only what is stored is shown. */
  isCounted: boolean
}

/** What is known of an experiment, in a row of the list. */
export function ListedResult({ opened, experiment, isCounted }: ListedResultProps) {
  const { conclusion, startedAt } = experiment
  if (!startedAt) return <span className="text-muted">–</span>
  if (conclusion) {
    const outcome = outcomeInWords(conclusion)
    return <Sentence text={conclusion.note ? `${outcome}: ${conclusion.note}` : outcome} />
  }
  if (!isCounted) return <span className="text-muted">Open it to see its results</span>
  return (
    <Suspense fallback={<Skeleton className="h-3.5 w-40" />}>
      <CountedResult opened={opened} experiment={experiment} />
    </Suspense>
  )
}

async function CountedResult({ opened, experiment }: Omit<ListedResultProps, 'isCounted'>) {
  const { project, viewer } = opened
  const asked = await tryEngine(() =>
    getProduct().experimentResults.result(project.id, experiment.id, viewer),
  )
  if (!asked.done) return <span className="text-muted">Results are not available now</span>
  const { sentence, report } = asked.result
  const units = report?.variants.reduce((sum, variant) => sum + variant.units, 0)
  return <Sentence text={sentence} note={units === undefined ? undefined : `${number(units)} exposed`} />
}

function Sentence({ text, note }: { text: string; note?: string | undefined }) {
  return (
    <span className="block py-0.5 md:w-72">
      <span title={text} className="line-clamp-2 text-pretty">
        {text}
      </span>
      {note && <span className="block text-xs text-muted tabular-nums">{note}</span>}
    </span>
  )
}
