import { type Conclusion, metricRoles, outcomeInWords } from '#experiments/experiment'
import { Markdown } from '#dashboards/Markdown'
import type { SharedExperiment } from '#shares/shares'
import { FailedMessage } from '#ui/page/FailedMessage'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import { CourseFrame } from '#studio/experiments/results/Course'
import { datesInWords } from '#studio/experiments/results/date-words'
import { MetricTable } from '#studio/experiments/results/MetricTable'
import { PrintReport } from '#studio/experiments/results/PrintReport'
import { Units } from '#studio/experiments/results/Units'
import { verdictTones } from '#studio/experiments/results/verdict-tones'
import { variantColours, type VariantColours } from '#studio/flags/variant-colour'
import { tryEngine } from '#studio/parts/refusals'

/** The report of an experiment as it is printed, for a visitor without an account: nothing leads further. */
export function SharedReport({ shared }: { shared: SharedExperiment }) {
  const { experiment, timeZone } = shared
  const { name, hypothesis, conclusion, notes } = experiment
  return (
    <main className="mx-auto flex w-full max-w-page flex-col gap-5 px-4 py-5 sm:px-6">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold text-balance wrap-anywhere">{name}</h1>
          <p className="mt-1 text-muted">{datesInWords(experiment, timeZone)}</p>
          {hypothesis && <p className="mt-2 max-w-2xl text-pretty whitespace-pre-line">{hypothesis}</p>}
        </div>
        <span className="print:hidden">
          <PrintReport />
        </span>
      </header>
      {conclusion && <SharedConclusion conclusion={conclusion} />}
      <SharedResults shared={shared} />
      {notes.trim() && (
        <Panel title="Notes">
          <Markdown text={notes} />
        </Panel>
      )}
      <p className="text-center text-xs text-faint">Time zone: {timeZone.replaceAll('_', ' ')} · Tilth</p>
    </main>
  )
}

/** Without the name of the member. */
const SharedConclusion = ({ conclusion }: { conclusion: Conclusion }) => (
  <Notice tone={conclusion.outcome === 'shipped' ? 'success' : 'info'} title={outcomeInWords(conclusion)}>
    {conclusion.note && <p className="whitespace-pre-line text-ink">{conclusion.note}</p>}
  </Notice>
)

async function SharedResults({
  shared: { experiment, parts, result, course },
}: {
  shared: SharedExperiment
}) {
  const actionResult = result && (await tryEngine(result))
  if (!actionResult) return null
  if (!actionResult.done)
    return <FailedMessage title="The results could not be computed" body="Load the page again in a while." />
  const { verdict, report, byPhase, flagVariants } = actionResult.result
  const colourOf = variantColours(flagVariants)
  return (
    <>
      {verdict && <Notice tone={verdictTones[verdict.advice]} title={verdict.sentence} />}
      {report && parts.exposures && <Units report={report} colourOf={colourOf} />}
      {report &&
        metricRoles.map((role) => (
          <MetricTable
            key={role}
            now={new Date()}
            scale="relative"
            {...{ experiment, report, colourOf, byPhase, role }}
          />
        ))}
      {course && <SharedCourse course={course} colourOf={colourOf} level={experiment.analysis.level} />}
    </>
  )
}

/** The course of each shown metric, without the notes of the project. */
async function SharedCourse({
  course,
  colourOf,
  level,
}: {
  course: NonNullable<SharedExperiment['course']>
  colourOf: VariantColours
  level: number
}) {
  const actionResult = await tryEngine(course)
  // the results above say already why nothing could be counted
  if (!actionResult.done) return null
  return actionResult.course.map((metric) => (
    <CourseFrame key={metric.id} course={metric} colourOf={colourOf} level={level} />
  ))
}
