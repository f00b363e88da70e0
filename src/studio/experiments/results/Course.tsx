import type { ReactNode } from 'react'
import type { MetricCourse } from '#experiments/results/course'
import type { EffectScale } from '#statistics/effect'
import type { ChartAnnotation } from '#ui/chart/chart'
import { ChartFrame } from '#ui/chart/ChartFrame'
import { LineChart } from '#ui/chart/LineChart'
import { bucketPoints } from '#ui/chart/time-axis'
import { percent } from '#ui/format'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { LinkTabs } from '#ui/page/LinkTabs'
import type { VariantColours } from '#studio/flags/variant-colour'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { tryEngine } from '#studio/parts/refusals'
import type { OpenExperiment } from '../open-experiment'
import { courseChart, notesByDay } from './course-chart'
import { DownloadMenu } from './DownloadMenu'
import { unitOfEffects } from './effects'

interface CourseProps {
  opened: OpenExperiment
  /** The id of a metric; the first one without it. */
  metric: string | undefined
  scale: EffectScale
}

/** The day-to-day course of a metric's estimates. */
export async function Course({ opened, metric, scale }: CourseProps) {
  const { project, viewer, experiment } = opened
  const { annotations } = getProduct().insights
  const { results: experimentResults } = getProduct().experiments
  const result = await tryEngine(() => experimentResults.course(project.id, experiment.id, viewer))
  // the results above say already why nothing could be counted
  if (!result.done) return null
  const shown = result.course.find(({ id }) => id === metric) ?? result.course[0]
  if (!shown) return null
  const notes = await annotations.notesFor(project.id, {}, viewer)
  return (
    <CourseFrame
      course={shown}
      colourOf={opened.colourOf}
      level={experiment.analysis.level}
      annotationsOn={(days) => notesByDay(notes, days, project.timeZone)}
      actions={
        <>
          {result.course.length > 1 && (
            <MetricTabs opened={opened} courses={result.course} current={shown.id} scale={scale} />
          )}
          <DownloadMenu slug={project.slug} id={experiment.id} file="course" />
        </>
      }
    />
  )
}

/** The chart of one metric's course. */
export function CourseFrame({
  course,
  colourOf,
  level,
  annotationsOn = () => [],
  actions,
}: {
  course: MetricCourse
  colourOf: VariantColours
  /** The probability of the intervals. */
  level: number
  annotationsOn?: (days: readonly string[]) => ChartAnnotation[]
  actions?: ReactNode
}) {
  const { days, series, isRelative } = courseChart(course, colourOf)
  return (
    <ChartFrame
      title={`How the estimate moved: ${course.name}`}
      description={`The ${isRelative ? 'relative' : 'absolute'} difference to the control as known at the end of each day, with its ${percent(level, 1)} interval`}
      hasTable
      empty={
        days.length < 2 ? (
          <EmptyMessage title="Too early to draw" body="Estimates are drawn from the second day on." />
        ) : undefined
      }
      actions={actions}
    >
      <LineChart
        title={`How the estimate of ${course.name} moved`}
        points={bucketPoints(days, 'day')}
        series={series}
        unit={unitOfEffects(course, isRelative ? 'relative' : 'absolute')}
        guides={[]}
        annotations={annotationsOn(days)}
        legend
      />
    </ChartFrame>
  )
}

function MetricTabs({
  opened: { project, experiment },
  courses,
  current,
  scale,
}: {
  opened: OpenExperiment
  courses: readonly MetricCourse[]
  current: string
  scale: EffectScale
}) {
  return (
    <div className="min-w-0 overflow-x-auto">
      <LinkTabs
        label="Metric"
        look="segment"
        tabs={courses.map(({ id, name }) => ({
          label: name,
          href: paths.experiment(project.slug, experiment.id, {
            effects: scale === 'absolute' ? scale : undefined,
            metric: id,
          }),
          current: id === current,
        }))}
      />
    </div>
  )
}
