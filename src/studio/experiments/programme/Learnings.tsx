import { Markdown } from '#dashboards/Markdown'
import { outcomeInWords } from '#experiments/experiment'
import type { ProgrammeExperiment } from '#experiments/programme/experiment-programme'
import { Anchor } from '#ui/Anchor'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Panel } from '#ui/page/Panel'
import { CalendarDate, type Clock } from '#studio/parts/RelativeTime'
import { paths } from '#studio/paths'

interface LearningsProps {
  slug: string
  clock: Clock
  experiments: readonly ProgrammeExperiment[]
}

/** The hypothesis of each experiment, and the findings that were written down. */
export function Learnings({ slug, clock, experiments }: LearningsProps) {
  const written = experiments.filter(({ conclusion, notes }) => conclusion.note !== '' || notes !== '')
  return (
    <Panel title="Learnings" flush>
      {written.length === 0 ? (
        <EmptyMessage
          title="No learnings yet"
          body="Write what you learned when you end an experiment, or under Notes on its page. It is found here before the next one is planned."
        />
      ) : (
        <ul aria-label="Learnings" className="divide-y divide-line border-t border-line">
          {written.map((experiment) => (
            <Learning key={experiment.id} {...{ slug, clock, experiment }} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Learning({
  slug,
  clock,
  experiment: { id, name, conclusion, endedAt, hypothesis, notes },
}: Omit<LearningsProps, 'experiments'> & { experiment: ProgrammeExperiment }) {
  return (
    <li className="flex flex-col gap-1.5 px-4 py-3">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <Anchor href={paths.experimentNotes(slug, id)} className="font-medium wrap-anywhere hover:underline">
          {name}
        </Anchor>
        <span className="text-xs text-muted">
          {outcomeInWords(conclusion)} · <CalendarDate at={endedAt} clock={clock} />
        </span>
      </p>
      {hypothesis !== '' && <p className="max-w-prose wrap-anywhere text-muted">Hypothesis: {hypothesis}</p>}
      {conclusion.note !== '' && (
        <p className="max-w-prose text-base wrap-anywhere whitespace-pre-line">{conclusion.note}</p>
      )}
      {notes !== '' && (
        <div className="max-w-prose">
          <Markdown text={notes} />
        </div>
      )}
    </li>
  )
}
